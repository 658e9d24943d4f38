/** Graph -> its depth-first sort, a beat at a time, and the stack and the lists at any of them. */

import { computed, effect } from "@preact/signals";
import type { Document } from "../../../engine_ts/src/document.ts";
import type { Edge } from "../../../engine_ts/src/template.ts";
import type { Does, Tick } from "./beats.ts";
import { step, way } from "./play.ts";
import { shown } from "./program.ts";
import { beats, rightFirst } from "./sorted.ts";

/** A call that has not returned: a value, and which of its operands it has come to, from 1. */
interface Call {
  readonly node: number;
  readonly child: number;
  readonly children: number;
}

/** The edges below each node in the order in which they are followed: an exponent is an operand, too. */
function edgesBelow({ nodes, edges }: Document, isRightFirst: boolean): Edge[][] {
  const below: Edge[][] = nodes.map(() => []);
  for (const edge of edges) below[edge.to]!.push(edge);
  for (const each of below)
    each.sort((one, other) => (one.slot - other.slot) * (isRightFirst ? -1 : 1));
  return below;
}

/** Sort as the lessons' recursive `build` does, with a stack, for a graph may be deep. */
function sortOf(document: Document, isRightFirst: boolean): Tick[] {
  const below = edgesBelow(document, isRightFirst);
  const found: Tick[] = [];
  const visited = new Set<number>();
  const stack: { node: number; at: number }[] = [];
  const note = (does: Does, node: number, edge: Edge | null = null) =>
    found.push({ node, edge, does });
  const call = (node: number, edge: Edge | null) => {
    note(visited.has(node) ? "skip" : "enter", node, edge);
    if (!visited.has(node)) stack.push({ node, at: 0 });
    visited.add(node);
  };
  call(document.root, null);
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const edge = below[top.node]![top.at++];
    if (edge !== undefined) call(edge.from, edge);
    else note("append", stack.pop()!.node);
  }
  note("reverse", document.root);
  return found;
}

/** What the sort has made with the beat that has begun last. */
export const sorting = computed(() => {
  const children = shown.value.document.nodes.map(() => 0);
  for (const { to } of shown.value.document.edges) children[to]!++;
  const stack: Call[] = [];
  const [visited, topo]: [number[], number[]] = [[], []];
  for (const { node, edge, does } of beats.value.slice(0, step.value)) {
    const caller = stack.at(-1);
    if (edge !== null && caller !== undefined)
      stack.splice(-1, 1, { ...caller, child: caller.child + 1 });
    if (does === "enter") {
      visited.push(node);
      stack.push({ node, child: 0, children: children[node]! });
    } else if (does === "append") topo.push(stack.pop()!.node);
  }
  return { stack, visited, topo };
});

effect(() => {
  if (way.value === "sort") beats.value = sortOf(shown.value.document, rightFirst.value);
});
