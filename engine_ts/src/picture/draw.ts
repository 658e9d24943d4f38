/**
 * Document -> SVG, like the lesson's picture: a card for each node, an arrow for each edge.
 *
 * Read the modules of a picture in this order: `layers` (the items of each layer, from top to
 * bottom), `captions` (all texts), `layout` (all positions), and this one.
 */

import { NEVER, NODES_PER_CHECK } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import type { GradientDocument } from "../document.ts";
import { checksum, escaped, visible } from "./captions.ts";
import type { Card } from "./captions.ts";
import { CARD, PORT } from "./heights.ts";
import { ARROW, INSET, makePlan } from "./layout.ts";
import type { Plan } from "./layout.ts";

const LONGEST_TITLE = 200;

/** Corner radii: leaves look round, operations square. */
const ROUND = { input: 14, parameter: 14, constant: 14, operation: 4 };

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

/** Selector, property, light and dark colour; text has a contrast of 4.5 and lines of 3 in both. */
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
 * Draw a document. The text is the same in every engine (CONTRACT.md R34).
 *
 * @throws {DeadlineExceeded} the deadline has passed
 */
export function draw(
  document: GradientDocument,
  { deadline = NEVER }: { readonly deadline?: Deadline } = {},
): string {
  const plan = makePlan(document, deadline);
  const [title, description] = words(document, plan.captions.cards);
  const lines = wires(document, plan, deadline);
  const drawn = [...lines, ...labels(document, plan), ...cards(document, plan, deadline)].join("");
  const scope = `gp${checksum(title + description + drawn)}`;
  const size = `width="${plan.width}" height="${plan.height}"`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" class="${scope}" role="img" ` +
    `aria-labelledby="${scope}-title ${scope}-desc" ${size} ` +
    `viewBox="0 0 ${plan.width} ${plan.height}">\n` +
    `<title id="${scope}-title">${title}</title>\n` +
    `<desc id="${scope}-desc">${description}</desc>\n` +
    `<style>${style(scope)}</style>\n` +
    `<rect class="gp-paper" ${size}/>\n` +
    `<g aria-hidden="true">\n${drawn}</g>\n</svg>\n`
  );
}

/** Write the title and the description for screen readers. */
function words(
  document: GradientDocument,
  cards: readonly Card[],
): [title: string, description: string] {
  const { expression, nodes, edges, root } = document;
  const name = expression === null ? "Graph" : visible(expression, LONGEST_TITLE);
  const gradients = nodes
    .filter(({ kind }) => kind === "input" || kind === "parameter")
    .map(({ id }) => `${cards[id]!.name} ${cards[id]!.grad}`);
  const counts = `${nodes.length} nodes, ${edges.length} edges`;
  const listed = gradients.length > 0 ? `Gradients: ${gradients.join(", ")}.` : "No gradients.";
  return [escaped(`${name} = ${cards[root]!.data}`), escaped(`${counts}. ${listed}`)];
}

/** Draw each value's wire over earlier ones; its rim shows that it passes above them. */
function wires(document: GradientDocument, plan: Plan, deadline: Deadline): string[] {
  const { layered, heights, lefts, widths } = plan;
  const rims: string[] = heights.slice(0, layered.cards).map(() => "");
  const lines = [...rims];
  for (const [node, lane] of layered.lanes) {
    const end = lefts[layered.last[lane]!]! + widths[layered.last[lane]!]!;
    const path = pathOf(plan, node, layered.first[lane]!, heights[lane]!, end);
    rims[node] += `<path class="gp-rim" d="${path}"/>\n`;
    lines[node] += `<path class="gp-wire" d="${path}"/>\n`;
  }
  for (const { id, from, to, differentiable } of deadline.over(document.edges, NODES_PER_CHECK)) {
    const layer = layered.first[to]!;
    const height = heights[to]! + layered.ports[id]! * PORT;
    const path = pathOf(plan, layered.sources[id]!, layer, height, lefts[layer]! - ARROW);
    const flat = differentiable ? "" : " gp-flat";
    rims[from] += `<path class="gp-rim" d="${path}"/>\n`;
    lines[from] +=
      `<path class="gp-wire${flat}" d="${path}"/>` +
      `<path class="gp-head" d="M${lefts[layer]} ${height}l-9 -4v8z"/>\n`;
  }
  return rims.flatMap((rim, node) => [rim, lines[node]!]);
}

/** Write each edge's step above the end of its arrow. */
function labels(document: GradientDocument, { layered, heights, lefts, captions }: Plan): string[] {
  return document.edges.map(({ id, to }) => {
    const x = lefts[layered.first[to]!]! - 2 * ARROW;
    const y = heights[to]! + layered.ports[id]! * PORT - 4;
    return `<text class="gp-step" x="${x}" y="${y}">${captions.steps[id]}</text>\n`;
  });
}

function cards(
  document: GradientDocument,
  { layered, heights, lefts, widths, captions }: Plan,
  deadline: Deadline,
): string[] {
  return Array.from(deadline.over(document.nodes, NODES_PER_CHECK), ({ id, kind }) => {
    const card = captions.cards[id]!;
    const layer = layered.first[id]!;
    const top = heights[id]! - CARD / 2;
    const wide = widths[layer]!;
    const root = id === document.root ? " gp-root" : "";
    const end = `x="${wide - INSET}"`;
    const tag = card.tag ? `<text class="gp-tag" ${end} y="18">${card.tag}</text>` : "";
    return (
      `<g class="gp-${kind}${root}" transform="translate(${lefts[layer]} ${top})">` +
      `<rect class="gp-card" width="${wide}" height="${CARD}" rx="${ROUND[kind]}"/>` +
      `<text class="gp-name" x="${INSET}" y="19">${escaped(card.name)}</text>${tag}` +
      `<text class="gp-key" x="${INSET}" y="36">data</text>` +
      `<text class="gp-value" ${end} y="36">${card.data}</text>` +
      `<text class="gp-key" x="${INSET}" y="51">grad</text>` +
      `<text class="gp-value gp-grad" ${end} y="51">${card.grad}</text></g>\n`
    );
  });
}

/** Draw a wire from an item through the turn before a layer, then straight to its end. */
function pathOf(plan: Plan, source: number, layer: number, height: number, end: number): string {
  const start = plan.lefts[layer - 1]! + plan.widths[layer - 1]!;
  const from = plan.heights[source]!;
  if (height === from) return `M${start} ${height}H${end}`;
  const turn = plan.turns[layer]!;
  const middle = Math.floor((start + turn) / 2);
  return `M${start} ${from}C${middle} ${from} ${middle} ${height} ${turn} ${height}H${end}`;
}

/**
 * Write the CSS rules, which apply only inside an element of this class.
 *
 * A page with a theme switch sets `data-theme` to `light` or `dark` on any element around the
 * picture; otherwise the system's colour scheme applies.
 */
function style(scope: string): string {
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
