/** Graph + step -> the sentence that says what just happened. */

import type { Edge, Node } from "../../../engine_ts/src/template.ts";
import type { Shown } from "../state/program.ts";
import { current, otherWalk, step, ticks, way } from "../state/play.ts";
import { reaches } from "../state/reach.ts";
import { short, words } from "./words.ts";

const LONGEST = 26;

/** What a node is called: its name, or its part of the expression. */
export function nameOf(shown: Shown, id: number): string {
  const { expression, document } = shown;
  const { label, span, operation, kind, data } = document.nodes[id]!;
  if (label !== null) return label;
  if (kind === "constant") return short(data);
  const own = expands(document, id) ? withOperands(shown, id) : partOf(expression, span);
  return cut(own ?? operation ?? String(id));
}

/** Whether a node is but a part of what its place in the text says: a - b is a + (b * -1). */
function expands({ nodes, view }: Shown["document"], id: number): boolean {
  const { span } = nodes[id]!;
  if (view === "folded" || span === null) return false;
  return nodes.some(
    (node) => node.id > id && node.span?.start === span.start && node.span.end === span.end,
  );
}

function withOperands(shown: Shown, id: number): string {
  const { nodes, edges } = shown.document;
  const names = edges.filter(({ to }) => to === id).map(({ from }) => nameOf(shown, from));
  return names.join(` ${nodes[id]!.operation} `);
}

/** What it is called beside its neighbours, where an operation's symbol is enough. */
export function briefly(shown: Shown, id: number): string {
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

/** Say where the pulse is. */
export function tell(shown: Shown): string {
  const tick = current.value;
  if (way.value === "forward")
    return tick === null ? words.value.seedForward : computed(shown, tick.node);
  if (tick?.edge) return otherWalk.value?.tell(step.value - 1) ?? sent(shown, tick.edge);
  const first = ticks.value.length === 0 ? words.value.resultOne : words.value.seed;
  return `${opening(shown)} ${first}`;
}

function computed(shown: Shown, node: number): string {
  const { span, data } = shown.document.nodes[node]!;
  const text = cut(partOf(shown.expression, span) ?? nameOf(shown, node));
  return words.value.computed(nameOf(shown, node), text, short(data));
}

/** Say how the result comes about, from the last operation. */
function opening(shown: Shown): string {
  const { nodes, edges, root, result } = shown.document;
  const { operation } = nodes[root]!;
  if (operation === null) return `${words.value.is(nameOf(shown, root), short(result))}.`;
  const operands = edges.filter(({ to }) => to === root).map(({ from }) => from);
  const parts = operands.filter((id) => nodes[id]!.operation !== null);
  const told = [...new Set(parts)].map((id) =>
    words.value.is(nameOf(shown, id), short(nodes[id]!.data)),
  );
  const [left, right] = operands as [number, number | undefined];
  const start = told.length > 0 ? `${told.join(", ")}; ` : "";
  const begins =
    nodes[left]!.operation === null || told.length > 1 ? `\`${nameOf(shown, left)}\` ` : "";
  const other = right === undefined ? "" : nameOf(shown, right);
  return start + words.value.makes(operation, begins, other, short(result));
}

function sent(shown: Shown, edge: Edge): string {
  const { nodes, edges } = shown.document;
  const other =
    edges.find(({ to, slot }) => to === edge.to && slot !== edge.slot)?.from ?? edge.from;
  const reach = reaches.value[edge.from]!;
  const place = ticks.value
    .filter((tick) => tick.node === edge.from)
    .findIndex((tick) => tick.edge === edge);
  return words.value.sent({
    operation: nodes[edge.to]!.operation!,
    slot: edge.slot,
    from: briefly(shown, edge.to),
    to: nameOf(shown, edge.from),
    other: nameOf(shown, other),
    incoming: short(edge.incoming_grad),
    local: short(edge.local_grad ?? 0),
    contribution: short(edge.contribution ?? 0),
    otherData: short(nodes[other]!.data),
    arrived: place + 1,
    expected: reach.expected,
    sum: short(edge.running_grad ?? 0),
    isDead: edge.local_grad === 0,
  });
}

/** The formula of an arrow: `incoming × local = contribution`. */
export function formulaOf(edge: Edge): [incoming: string, local: string, contribution: string] {
  const [local, contribution] = [edge.local_grad ?? 0, edge.contribution ?? 0];
  return [short(edge.incoming_grad), short(local), short(contribution)];
}

export function isLast(): boolean {
  return step.value > 0 && step.value === ticks.value.length;
}
