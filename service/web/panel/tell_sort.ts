/** A beat of the sort -> what it has done, in a sentence. */

import { codeWords } from "../code_words.ts";
import type { Tick } from "../state/beats.ts";
import type { Shown } from "../state/program.ts";
import { sorting } from "../state/sort.ts";
import { nameOf } from "../words/names.ts";

/** Say what the sort is for, or what its beat has done. */
export function tellSort(shown: Shown, beat: Tick | null): string {
  const text = codeWords.value;
  if (beat === null) return text.start;
  const { node, edge, does } = beat;
  const name = nameOf(shown, node);
  const caller = edge === null ? "" : nameOf(shown, edge.to);
  const { topo } = sorting.value;
  switch (does) {
    case "enter":
      return edge === null ? text.root(name) : text.enter(caller, name);
    case "skip":
      return text.skip(caller, name);
    case "append": {
      const isLeaf = shown.document.nodes[node]!.operation === null;
      return (isLeaf ? text.leaf : text.append)(name, String(topo.length));
    }
    default:
      return text.reverse(name);
  }
}
