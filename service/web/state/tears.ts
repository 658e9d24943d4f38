/** Samples of a function -> the stretches in which it is continuous, found by looking nearer. */

export type Sample = readonly [x: number, y: number];

/** The function; null where it has no value. */
export type Ask = (x: number) => number | null;

/** What is between two samples that are torn apart: what belongs to the left, what to the right. */
type Tear = readonly [left: Sample[], right: Sample[]];

/** A rise of less than this share of the values is rounding, as in sin(x) ** 2 + cos(x) ** 2. */
const ROUNDING = 2 ** -44;
/** More of the whole rise than this in half of an interval needs a nearer look. */
const UNEVEN = 0.75;
/** Of a continuous function the steepest part rises less and less, the nearer it is looked at. */
const LESS = 4;
/** What has become so many times as steep is a pole for any picture. */
const POLE = 2 ** 20;
/**
 * Where this share of an interval, or of where it is, still rises as much as the whole did, the
 * function jumps; much nearer there are no more doubles between.
 */
const NEAREST = 2 ** -40;
/** Looks at what may be torn, for a whole curve: one that jumps everywhere, by rounding, has no end. */
const TRIES = 200;
/** Looks at the edge of the domain, each at half the distance. */
const LOOKS = 16;

/**
 * Split samples without a gap where the function jumps or has a pole between two of them.
 *
 * Only where the rise is locally the largest it can be so: on both sides of a pole it is smaller.
 * What is added on the way makes the branches follow the pole, and may show another one beside it.
 */
export function torn(
  samples: readonly Sample[],
  ask: Ask,
  depth = 2,
  budget = { tries: TRIES },
): Sample[][] {
  const stretches: Sample[][] = [[]];
  let done = 0;
  for (const at of peaks(samples)) {
    const [first, last] = [Math.max(done, at - 1), Math.min(samples.length, at + 3)];
    if (budget.tries-- <= 0) break;
    if (at < done || isEven(samples[at]!, samples[at + 1]!, ask)) continue;
    const tear = tearIn(samples.slice(first, last), ask);
    if (tear === null) continue;
    const [left, right] =
      depth > 0 ? tear.map((side) => torn(side, ask, depth - 1, budget)) : [[tear[0]], [tear[1]]];
    stretches.at(-1)!.push(...samples.slice(done, first), ...(left![0] ?? []));
    stretches.push(...left!.slice(1), ...right!);
    done = last;
  }
  stretches.at(-1)!.push(...samples.slice(done));
  return stretches.filter(({ length }) => length > 0);
}

/** Intervals whose rise is not less than those of both neighbours, and more than rounding. */
function peaks(samples: readonly Sample[]): number[] {
  const rises = risesOf(samples);
  return [...rises.keys()].filter(
    (at) =>
      rises[at]! > Math.abs(samples[at]![1]) * ROUNDING &&
      rises[at]! > (rises[at - 1] ?? 0) &&
      rises[at]! >= (rises[at + 1] ?? 0),
  );
}

function risesOf(samples: readonly Sample[]): number[] {
  return samples.slice(1).map(([, y], at) => Math.abs(y - samples[at]![1]));
}

/** Whether both halves of an interval rise by about the same, and to the same side. */
function isEven(from: Sample, to: Sample, ask: Ask): boolean {
  const middle = ask((from[0] + to[0]) / 2);
  if (middle === null) return false;
  const share = (middle - from[1]) / (to[1] - from[1]);
  return Math.abs(share - 0.5) <= UNEVEN - 0.5;
}

/** Follow the steepest part as far as rounding lets it be seen; null where it flattens on the way. */
function tearIn(around: readonly Sample[], ask: Ask): Tear | null {
  const [left, right]: [Sample[], Sample[]] = [[], []];
  let window: readonly Sample[] = around;
  let [first, most] = [0, 0];
  const nearest = NEAREST * Math.max(width(around), Math.abs(around[0]![0]));
  for (;;) {
    const points = divided(window, ask);
    const hole = points.findIndex(([, y]) => y === null);
    if (hole >= 0)
      return [left.concat(known(points.slice(0, hole))), known(points.slice(hole)).concat(right)];
    const seen = known(points);
    const rises = risesOf(seen);
    const steepest = Math.max(...rises);
    if (steepest < most / LESS) return null;
    first ||= steepest;
    most = Math.max(most, steepest);
    const at = rises.indexOf(steepest);
    const [start, end] = [Math.max(0, at - 1), Math.min(rises.length, at + 2)];
    left.push(...seen.slice(0, start + 1));
    right.unshift(...seen.slice(end));
    window = seen.slice(start, end + 1);
    if (steepest > POLE * first || width(window) <= nearest) return [left, right];
    left.pop();
    right.shift();
  }
}

/** Ask twice within each interval; what is known already stays, so nothing is lost on the way. */
function divided(window: readonly Sample[], ask: Ask): (readonly [number, number | null])[] {
  const points: (readonly [number, number | null])[] = [window[0]!];
  for (const [at, sample] of window.entries()) {
    if (at === 0) continue;
    for (const part of [1, 2]) {
      const x = third(window[at - 1]![0], sample[0], part);
      points.push([x, ask(x)]);
    }
    points.push(sample);
  }
  return points;
}

function third(from: number, to: number, part: number): number {
  return from + ((to - from) * part) / 3;
}

function known(points: readonly (readonly [number, number | null])[]): Sample[] {
  return points.filter((point): point is Sample => point[1] !== null);
}

/** From a place with a value towards one without: points up to the edge, each twice as near. */
export function edge(inside: Sample, outside: number, ask: Ask): Sample[] {
  const found: Sample[] = [];
  let [within, without] = [inside[0], outside];
  for (let look = 0; look < LOOKS; look++) {
    const middle = (within + without) / 2;
    const y = ask(middle);
    if (y === null) without = middle;
    else found.push([(within = middle), y]);
  }
  return found;
}

function width(window: readonly Sample[]): number {
  return window.at(-1)![0] - window[0]![0];
}
