/** What a node is called: by its name, by its operation, or by its part of the expression. */

import type { Edge, Node } from "../../../engine_ts/src/template.ts";
import type { Document } from "../../../engine_ts/src/document.ts";
import { short } from "./numbers.ts";

const LONGEST = 26;

/** A program's text, and the document that was computed of it. */
export interface Differentiated {
  readonly expression: string;
  readonly document: Document;
}

/** What a node is called: its name, or its part of the expression. */
export function nameOf(shown: Differentiated, id: number): string {
  const { expression, document } = shown;
  const { label, span, operation, kind, data } = document.nodes[id]!;
  if (label !== null) return label;
  if (kind === "constant") return short(data);
  const own = expands(document, id) ? withOperands(shown, id) : partOf(expression, span);
  return cut(own ?? operation ?? String(id));
}

/** Whether a node is but a part of what its place in the text says: a - b is a + (b * -1). */
function expands({ nodes, view }: Document, id: number): boolean {
  const { span } = nodes[id]!;
  if (view === "folded" || span === null) return false;
  return nodes.some(
    (node) => node.id > id && node.span?.start === span.start && node.span.end === span.end,
  );
}

function withOperands(shown: Differentiated, id: number): string {
  const { nodes, edges } = shown.document;
  const names = edges.filter(({ to }) => to === id).map(({ from }) => nameOf(shown, from));
  return names.join(` ${nodes[id]!.operation} `);
}

/** What it is called beside its neighbours, where an operation's symbol is enough. */
export function briefly(shown: Differentiated, id: number): string {
  const { label, operation } = shown.document.nodes[id]!;
  return label ?? operation ?? nameOf(shown, id);
}

/** The part of the expression that a node stands for, without the name that it is bound to. */
export function partOf(expression: string, span: Node["span"]): string | null {
  return span && expression.slice(span.start, span.end).replace(/\s+/g, " ");
}

/** Cut a text that is too long. */
export function cut(text: string, most = LONGEST): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** The formula of an arrow: `incoming × local = contribution`. */
export function formulaOf(
  { incoming_grad: incoming, local_grad: local, contribution }: Edge,
  digits?: number,
): [incoming: string, local: string, contribution: string] {
  return [shortly(incoming, digits), shortly(local, digits), shortly(contribution, digits)];
}

/** Into constants alone it may be no double; then it is written as what has not arrived. */
function shortly(number: number | null, digits?: number): string {
  return number === null ? "--" : short(number, digits);
}
