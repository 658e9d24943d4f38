/** Paths of arrows: pieces of lines and curves, their text in SVG, and points along them. */

export type Place = readonly [x: number, y: number];
export type Piece =
  | readonly [kind: "M" | "L", to: Place]
  | readonly [kind: "Q", over: Place, to: Place]
  | readonly [kind: "C", leave: Place, arrive: Place, to: Place];
export type Path = readonly Piece[];

export function pathText(path: Path): string {
  const pieces = path.map(([kind, ...places]) => {
    const numbers = places.flat().map((number) => number.toFixed(1));
    return kind + numbers.join(" ");
  });
  return pieces.join("");
}

/** Return lines with rounded corners through `places`; the path is already at the first one. */
export function roundedLines(places: readonly Place[], radius: number): Piece[] {
  const toward = ([x, y]: Place, [otherX, otherY]: Place): Place => {
    const length = Math.hypot(otherX - x, otherY - y) || 1;
    const share = Math.min(radius, length / 2) / length;
    return [x + (otherX - x) * share, y + (otherY - y) * share];
  };
  return places.slice(1).flatMap((corner, at): Piece[] => {
    const after = places[at + 2];
    if (after === undefined) return [["L", corner]];
    return [
      ["L", toward(corner, places[at]!)],
      ["Q", corner, toward(corner, after)],
    ];
  });
}

/** The number of straight pieces that replace a curve or a line. */
const [CURVED, STRAIGHT] = [12, 4];

/** Return a path as a polyline. */
export function flattened(path: Path): Place[] {
  const found: Place[] = [];
  let start: Place = [0, 0];
  for (const [kind, ...places] of path) {
    const end = places.at(-1)!;
    if (kind === "M") found.push(end);
    const count = kind === "M" ? 0 : kind === "L" ? STRAIGHT : CURVED;
    const stops = [start, ...places];
    for (let at = 1; at <= count; at++) found.push(pointOn(stops, at / count));
    start = end;
  }
  return found;
}

/** De Casteljau's algorithm: the point of a Bézier curve of any degree at parameter `share`. */
function pointOn(stops: readonly Place[], share: number): Place {
  let now = stops;
  while (now.length > 1) now = now.slice(1).map((next, at) => between(now[at]!, next, share));
  return now[0]!;
}

function between([x, y]: Place, [toX, toY]: Place, share: number): Place {
  return [x + (toX - x) * share, y + (toY - y) * share];
}

/** Return the place at a share of the length of a polyline. */
export function placeAlong(line: readonly Place[], share: number): Place {
  const lengths = line.slice(1).map(([x, y], at) => Math.hypot(x - line[at]![0], y - line[at]![1]));
  let left = share * lengths.reduce((sum, each) => sum + each, 0);
  for (const [at, length] of lengths.entries()) {
    if (left <= length && length > 0) return between(line[at]!, line[at + 1]!, left / length);
    left -= length;
  }
  return line.at(-1)!;
}
