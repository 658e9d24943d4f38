/** Document -> captions: what cards and arrows say. */

import type { Document } from "../document.ts";
import type { Edge, Node } from "../template.ts";
import { shortened, visible } from "./text.ts";

const LONGEST_LABEL = 24;
const CARD_DIGITS = 6;
const STEP_DIGITS = 4;
const SIGNS: Readonly<Record<string, string>> = { "*": "×", "/": "÷", "-": "−", neg: "−" };
const TAGS = { input: "", parameter: "param", constant: "const", operation: "" };

/** What a card says. */
export interface Card {
  /** A label, a number, an operation, or `label = operation`. */
  readonly name: string;
  readonly tag: string;
  readonly data: string;
  readonly grad: string;
}

/** What is written, by node id and by edge id. */
export interface Captions {
  readonly cards: readonly Card[];
  /** `incoming × local = contribution` of each edge. */
  readonly steps: readonly string[];
}

/** Write all captions; a number that had to be shortened is rounded. */
export function writeCaptions(document: Document): Captions {
  return { cards: document.nodes.map(cardOf), steps: document.edges.map(stepOf) };
}

function cardOf({ operation, name, label, data, grad, derived, kind }: Node): Card {
  const names = label === null ? [] : [visible(label, LONGEST_LABEL)];
  if (operation !== null) names.push(SIGNS[operation] ?? visible(name ?? operation, LONGEST_LABEL));
  const shown = shortened(data, CARD_DIGITS);
  return {
    name: names.join(" = ") || shown,
    tag: derived ? "derived" : TAGS[kind],
    data: shown,
    grad: grad === null ? "none" : shortened(grad, CARD_DIGITS),
  };
}

function stepOf({ incoming_grad, local_grad, contribution }: Edge): string {
  if (incoming_grad === null || local_grad === null || contribution === null) return "no gradient";
  const [incoming, local, passed] = [incoming_grad, local_grad, contribution].map((number) =>
    shortened(number, STEP_DIGITS),
  );
  return `${incoming} × ${local} = ${passed}`;
}
