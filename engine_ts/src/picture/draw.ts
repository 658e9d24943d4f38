/**
 * Document -> SVG, after the lesson's picture: a card a node, an arrow an edge.
 *
 * Read the modules of a picture in this order: rank (which layer), weave (cards, lanes and links),
 * arrange (which order), settle (how high), caption (what is written), layout (all places), and this
 * one; `text` and `style` serve them.
 */

import type { Document } from "../document.ts";
import type { Card } from "./caption.ts";
import { ARROW, INSET, makePlan } from "./layout.ts";
import type { Plan } from "./layout.ts";
import { CARD, PORT } from "./settle.ts";
import { style } from "./style.ts";
import { checksum, escaped, visible } from "./text.ts";

const LONGEST_TITLE = 200;

/** Leaves are round, operations are not. */
const ROUND = { input: 14, parameter: 14, constant: 14, operation: 4 };

/** Draw a document. The text is the same in every engine (CONTRACT.md R34). */
export function draw(document: Document): string {
  const plan = makePlan(document);
  const [title, description] = words(document, plan.captions.cards);
  const parts = [...wires(document, plan), ...labels(document, plan), ...cards(document, plan)];
  const drawn = parts.join("");
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

/** Give the title and the description, for those who do not see the picture. */
function words(document: Document, cards: readonly Card[]): [title: string, description: string] {
  const { expression, nodes, edges, root } = document;
  const name = expression === null ? "Graph" : visible(expression, LONGEST_TITLE);
  const gradients = nodes
    .filter(({ kind }) => kind === "input" || kind === "parameter")
    .map(({ id }) => `${cards[id]!.name} ${cards[id]!.grad}`);
  const counts = `${nodes.length} nodes, ${edges.length} edges`;
  const listed = gradients.length > 0 ? `Gradients: ${gradients.join(", ")}.` : "No gradients.";
  return [escaped(`${name} = ${cards[root]!.data}`), escaped(`${counts}. ${listed}`)];
}

/** Draw each value's wire over those before it, with a rim that shows which one passes. */
function wires(document: Document, plan: Plan): string[] {
  const { woven, heights, lefts, widths } = plan;
  const rims: string[] = heights.slice(0, woven.cards).map(() => "");
  const lines = [...rims];
  for (const [node, lane] of woven.lanes) {
    const end = lefts[woven.last[lane]!]! + widths[woven.last[lane]!]!;
    const path = pathOf(plan, node, woven.first[lane]!, heights[lane]!, end);
    rims[node] += `<path class="gp-rim" d="${path}"/>\n`;
    lines[node] += `<path class="gp-wire" d="${path}"/>\n`;
  }
  for (const { id, from, to, differentiable } of document.edges) {
    const layer = woven.first[to]!;
    const height = heights[to]! + woven.ports[id]! * PORT;
    const path = pathOf(plan, woven.sources[id]!, layer, height, lefts[layer]! - ARROW);
    const flat = differentiable ? "" : " gp-flat";
    rims[from] += `<path class="gp-rim" d="${path}"/>\n`;
    lines[from] +=
      `<path class="gp-wire${flat}" d="${path}"/>` +
      `<path class="gp-head" d="M${lefts[layer]} ${height}l-9 -4v8z"/>\n`;
  }
  return rims.flatMap((rim, node) => [rim, lines[node]!]);
}

/** Write each edge's step above the end of its arrow. */
function labels(document: Document, { woven, heights, lefts, captions }: Plan): string[] {
  return document.edges.map(({ id, to }) => {
    const x = lefts[woven.first[to]!]! - 2 * ARROW;
    const y = heights[to]! + woven.ports[id]! * PORT - 4;
    return `<text class="gp-step" x="${x}" y="${y}">${captions.steps[id]}</text>\n`;
  });
}

function cards(document: Document, { woven, heights, lefts, widths, captions }: Plan): string[] {
  return document.nodes.map(({ id, kind }) => {
    const card = captions.cards[id]!;
    const layer = woven.first[id]!;
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

/** Lead from an item through the turn before a layer, then straight to the end. */
function pathOf(plan: Plan, source: number, layer: number, height: number, end: number): string {
  const start = plan.lefts[layer - 1]! + plan.widths[layer - 1]!;
  const from = plan.heights[source]!;
  if (height === from) return `M${start} ${height}H${end}`;
  const turn = plan.turns[layer]!;
  const middle = Math.floor((start + turn) / 2);
  return `M${start} ${from}C${middle} ${from} ${middle} ${height} ${turn} ${height}H${end}`;
}
