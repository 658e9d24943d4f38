/** A picture's prefix -> its style: light, dark by the reader's system or by the page's switch. */

const PLAIN =
  "font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;" +
  "direction:ltr";

const SHAPES = [
  ["text", "white-space:pre"],
  [".gp-rim", "fill:none;stroke-width:7"],
  [".gp-wire", "fill:none;stroke-width:1.6"],
  [".gp-flat", "stroke-dasharray:3 4"],
  [".gp-card", "stroke-width:1.4"],
  [".gp-constant .gp-card", "stroke-dasharray:4 3"],
  [".gp-root .gp-card", "stroke-width:3"],
  [".gp-name", "font-size:13px;font-weight:700"],
  [".gp-tag", "font-size:10px;font-style:italic;text-anchor:end"],
  [".gp-key", "font-size:10px"],
  [".gp-value", "text-anchor:end"],
  [".gp-step", "font-size:11px;text-anchor:end"],
] as const;

/** Selector, property, light and dark; text has a contrast of 4.5 and lines of 3 in both. */
const COLOURS = [
  [".gp-paper", "fill", "#fff", "#10141b"],
  [".gp-rim", "stroke", "#fff", "#10141b"],
  ["text", "fill", "#1b1f24", "#eef2f7"],
  [".gp-tag", "fill", "#5b6470", "#a3afbf"],
  [".gp-key", "fill", "#5b6470", "#a3afbf"],
  [".gp-step", "fill", "#a34700", "#f0a94a"],
  [".gp-grad", "fill", "#a34700", "#f0a94a"],
  [".gp-wire", "stroke", "#7d8794", "#78869a"],
  [".gp-head", "fill", "#7d8794", "#78869a"],
  [".gp-card", "fill", "#fff", "#1a212c"],
  [".gp-input .gp-card", "stroke", "#0072b2", "#56b4e9"],
  [".gp-parameter .gp-card", "stroke", "#8f3d73", "#e09ac4"],
  [".gp-operation .gp-card", "stroke", "#4a5562", "#9aa8ba"],
  [".gp-constant .gp-card", "stroke", "#6b6b6b", "#b0b0b0"],
] as const;

/**
 * Write the rules; none of them touches what is not in an element of this class.
 *
 * A page that has a switch sets `data-theme` to `light` or `dark` on any element around the
 * picture; without one, the reader's system decides.
 */
export function style(scope: string): string {
  const shapes = SHAPES.map(([selector, rule]) => `.${scope} ${selector}{${rule}}`).join("");
  return (
    `.${scope}{${PLAIN}}${shapes}${colours(`.${scope}`, "light")}` +
    `@media(prefers-color-scheme:dark){${colours(`.${scope}`, "dark")}}` +
    colours(`[data-theme=light] .${scope}`, "light") +
    colours(`[data-theme=dark] .${scope}`, "dark")
  );
}

function colours(within: string, theme: "light" | "dark"): string {
  return COLOURS.map(([selector, name, light, dark]) => {
    const colour = theme === "light" ? light : dark;
    return `${within} ${selector}{${name}:${colour}}`;
  }).join("");
}
