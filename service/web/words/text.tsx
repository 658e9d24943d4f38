/** Format numbers, names of nodes, and sentences with marks. */

import type { GradientDocument } from "../../../engine_ts/src/document.ts";
import type { Write } from "../../../engine_ts/src/screen/digits.ts";
import type { Node } from "../../../engine_ts/src/template.ts";

/** The text for a number that is not known yet. */
export const WAITING = "--";
/** Significant digits of a number that no card shows. */
const DIGITS = 4;
/** Smaller numbers are written with an exponent. */
const LEAST_PLAIN = 1e-4;

/** The stage's number format; a signal, as it depends on the graph and its layout. */
let stageWriter: { readonly value: Write };

export function writeLike(writer: { readonly value: Write }): void {
  stageWriter = writer;
}

/** Format a number as on the stage, so that it looks the same everywhere. */
export function write(value: number | null): string {
  return stageWriter.value(value);
}

/** Format a number that no card shows; a short one keeps all its digits. */
export function short(value: number): string {
  const whole = String(value);
  if (whole.length <= DIGITS + 2 + Number(value < 0)) return exact(value);
  const rounded = Number(value.toPrecision(DIGITS));
  const size = Math.abs(rounded);
  const isPlain = size === 0 || (size >= LEAST_PLAIN && size < 10 ** (DIGITS + 2));
  return withMinus(isPlain ? String(rounded) : rounded.toExponential());
}

/** Format a number with all its digits, as it would be typed, except for the minus sign. */
export function exact(value: number): string {
  return withMinus(String(value));
}

export function withMinus(text: string): string {
  return text.replaceAll("-", "−").replace("e+", "e");
}

/** Format a change, with its sign. */
export function signed(value: number): string {
  return value < 0 ? short(value) : `+${short(value)}`;
}

const LONGEST = 26;

/** A program's text, and the document computed from it. */
export interface NamedDocument {
  readonly expression: string;
  readonly document: GradientDocument;
}

/** Return a node's name, or its part of the expression. */
export function nameOf(shown: NamedDocument, id: number): string {
  const { expression, document } = shown;
  const { label, span, operation, kind, data } = document.nodes[id]!;
  if (label !== null) return label;
  if (kind === "constant") return write(data);
  const own = expands(document, id) ? withOperands(shown, id) : sourceOf(expression, span);
  return cut(own ?? operation ?? String(id));
}

/** Whether a node is only a part of its text's operation: a - b is a + (b * -1). */
function expands({ nodes, view }: GradientDocument, id: number): boolean {
  const { span } = nodes[id]!;
  if (view === "folded" || span === null) return false;
  return nodes.some(
    (node) => node.id > id && node.span?.start === span.start && node.span.end === span.end,
  );
}

function withOperands(shown: NamedDocument, id: number): string {
  const { nodes, edges } = shown.document;
  const names = edges.filter(({ to }) => to === id).map(({ from }) => nameOf(shown, from));
  return names.join(` ${nodes[id]!.operation} `);
}

/** Return a node's name for use near the graph, where an operation's symbol is enough. */
export function shortNameOf(shown: NamedDocument, id: number): string {
  const { label, operation } = shown.document.nodes[id]!;
  return label ?? operation ?? nameOf(shown, id);
}

/** Return the part of the expression in a node's span, in one line. */
export function sourceOf(expression: string, span: Node["span"]): string | null {
  return span && expression.slice(span.start, span.end).replace(/\s+/g, " ");
}

/** Truncate a text to at most `most` characters. */
export function cut(text: string, most = LONGEST): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

const MARK = /`([^`]*)`|\[([dg]):([^\]]*)\]/g;

export function Rich({ text }: { text: string }) {
  const pieces = [];
  let end = 0;
  for (const found of text.matchAll(MARK)) {
    const [whole, code, colour, number] = found;
    pieces.push(text.slice(end, found.index));
    if (code !== undefined) pieces.push(<span class="mono">{code}</span>);
    else
      pieces.push(
        <b class={`${colour}${number!.startsWith("−") ? " minus" : ""} mono`}>{number}</b>,
      );
    end = found.index + whole.length;
  }
  pieces.push(text.slice(end));
  return <span>{pieces}</span>;
}

/** Return a sentence without its marks, for labels and titles. */
export function plain(text: string): string {
  return text.replace(MARK, (_, code, _colour, number) => code ?? number);
}
