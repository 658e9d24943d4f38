/** A drawing canvas in the page's theme colours; points and rectangles in the plane. */

import { signal } from "@preact/signals";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rect {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface Drawing {
  /** Fill with a colour at the given opacity. */
  readonly fill: (colour: string, corners: readonly Point[], share?: number) => void;
  readonly stroke: (
    colour: string,
    width: number,
    lines: readonly (readonly Point[])[],
    dashes?: number[],
  ) => void;
}

const darkTheme = matchMedia("(prefers-color-scheme: dark)");
const isDark = signal(darkTheme.matches);
const colours = new Map<string, string>();
darkTheme.addEventListener("change", () => {
  colours.clear();
  isDark.value = darkTheme.matches;
});

/** The colour of a token, looked up once per theme. */
function colourOf(token: string): string {
  const found =
    colours.get(token) ?? getComputedStyle(document.body).getPropertyValue(token).trim();
  colours.set(token, found);
  return found;
}

/** Resize a canvas in pixels, clear it, and return its context. */
export function drawOn(canvas: HTMLCanvasElement, width: number, height: number): Drawing {
  void isDark.value; // so that who draws does so again in other colours
  const sharp = Math.min(2, devicePixelRatio);
  const [across, down] = [Math.round(width * sharp), Math.round(height * sharp)];
  if (canvas.width !== across || canvas.height !== down) {
    [canvas.width, canvas.height] = [across, down];
    [canvas.style.width, canvas.style.height] = [`${width}px`, `${height}px`];
  }
  const context = canvas.getContext("2d")!;
  context.setTransform(sharp, 0, 0, sharp, 0, 0);
  context.clearRect(0, 0, width, height);
  const trace = (points: readonly Point[]) => {
    for (const [at, { x, y }] of points.entries())
      if (at === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
  };
  return {
    fill(colour, corners, share = 1) {
      context.beginPath();
      trace(corners);
      context.fillStyle = colourOf(colour);
      context.globalAlpha = share;
      context.fill();
      context.globalAlpha = 1;
    },
    stroke(colour, wide, lines, dashes = []) {
      context.beginPath();
      for (const line of lines) trace(line);
      context.setLineDash(dashes);
      [context.strokeStyle, context.lineWidth] = [colourOf(colour), wide];
      context.stroke();
    },
  };
}

/** Corners clockwise, from the top left. */
export function rectCorners({ left, right, top, bottom }: Rect): Point[] {
  return [
    { x: left, y: top },
    { x: right, y: top },
    { x: right, y: bottom },
    { x: left, y: bottom },
  ];
}

/** Return the line through points as an SVG path. */
export function pathOf(points: readonly Point[]): string {
  return `M${points.map(({ x, y }) => `${round(x)} ${round(y)}`).join("L")}`;
}

/** Round to a tenth of a pixel. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Return the rectangle with the given centre. */
export function rectOf({ x, y }: Point, width: number, height: number): Rect {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

export function overlaps(one: Rect, other: Rect): boolean {
  return (
    one.left < other.right &&
    one.right > other.left &&
    one.top < other.bottom &&
    one.bottom > other.top
  );
}
