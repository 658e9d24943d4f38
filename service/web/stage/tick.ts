/** A tick of the wave -> what it has done, in a sentence. */

import type { Edge } from "../../../engine_ts/src/template.ts";
import { groups } from "../state/groups.ts";
import { ticks } from "../state/play.ts";
import type { Tick } from "../state/beats.ts";
import type { Shown } from "../state/program.ts";
import { reaches } from "../state/reach.ts";
import { laterWords } from "../later_words.ts";
import { briefly, cut, formulaOf, nameOf, partOf } from "../words/names.ts";
import { tellSent } from "../words/rules.ts";
import { slopeOf } from "../words/slope.ts";
import { short } from "../words/numbers.ts";

/** Say what has been sent, backward, or computed, forward. */
export function tellTick(shown: Shown, { node, edge }: Tick): string {
  return edge === null ? computed(shown, node) : sent(shown, edge);
}

function computed(shown: Shown, node: number): string {
  const { span, data } = shown.document.nodes[node]!;
  const text = cut(partOf(shown.expression, span) ?? nameOf(shown, node));
  return laterWords.value.rules.computed(nameOf(shown, node), text, short(data));
}

function sent(shown: Shown, edge: Edge): string {
  const { nodes, edges } = shown.document;
  const other =
    edges.find(({ to, slot }) => to === edge.to && slot !== edge.slot)?.from ?? edge.from;
  const reach = reaches.value[edge.from]!;
  const place = ticks.value
    .flatMap(({ edges = [] }) => edges)
    .filter(({ from }) => from === edge.from)
    .indexOf(edge);
  const [incoming, local, contribution] = formulaOf(edge);
  return tellSent(laterWords.value.rules, {
    operation: nodes[edge.to]!.operation!,
    slot: edge.slot,
    from:
      groups.value.cardOf[edge.to] === edge.to ? briefly(shown, edge.to) : nameOf(shown, edge.to),
    to: nameOf(shown, edge.from),
    other: nameOf(shown, other),
    ...{ incoming, local, contribution },
    slope: slopeOf(shown, edge),
    arrived: place + 1,
    expected: reach.expected,
    sum: short(reach.grad ?? edge.running_grad ?? 0),
    isDead: edge.local_grad === 0,
  });
}
