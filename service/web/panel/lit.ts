/** This moment of the wave -> the line of `backward()` that it takes, with its numbers. */

import { current, seeded, step, ticks, way } from "../state/play.ts";
import { shown } from "../state/program.ts";
import { cut, nameOf } from "../words/names.ts";
import { short } from "../words/numbers.ts";
import type { Programming, Role } from "./listing.ts";

/** What the line that asks is told of a value that was visited. */
const SEEN = { Python: "False", TypeScript: "true" };

/** Under a name of a line, told by a pattern: what stands for it. */
type Under = readonly [pattern: string, value: string, kind: "d" | "g" | "name"];

/** The line that is taken now, what stands under its names, and what it makes of it. */
export interface Lit {
  readonly role: Role;
  readonly under: readonly Under[];
  readonly after: string;
}

/** None forward, and none before the pass has begun. */
export function litNow(language: Programming): Lit | null {
  const tick = current.value;
  if (way.value === "forward") return null;
  if (tick === null) {
    if (way.value === "sort" || !seeded.value) return null;
    const { root } = shown.value.document;
    return { role: "seed", under: [["self|this", called(root), "name"]], after: "" };
  }
  const { node, edge, does } = tick;
  if (does !== undefined) {
    const name = called(node) + (does === "skip" ? ` → ${SEEN[language]}` : "");
    return { role: does, under: does === "reverse" ? [] : [["v", name, "name"]], after: "" };
  }
  const { incoming_grad: incoming, local_grad: local, running_grad: after } = edge!;
  return {
    role: "send",
    under: [
      ["child", called(node), "name"],
      ["local_grad", short(local ?? 0), "d"],
      ["v[.]grad", short(incoming ?? 0), "g"],
    ],
    after: `[g:${short(before())}] → [g:${short(after ?? 0)}]  v = \`${called(edge!.to)}\``,
  };
}

/** What the operand of this step had before it. */
export function before(): number {
  const { node } = current.value!;
  const earlier = ticks.value.slice(0, step.value - 1).findLast((tick) => tick.node === node);
  return earlier?.edge?.running_grad ?? 0;
}

/** A name that fits under one of the code. */
function called(node: number): string {
  return cut(nameOf(shown.value, node), 10);
}
