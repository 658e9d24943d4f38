/** The lessons' `backward()` in two languages: each line, and which step of the wave it takes. */

import type { Does } from "../state/beats.ts";

export type Programming = "Python" | "TypeScript";

/** What takes a line: a beat of the sort, or the seed and the contributions of the backward pass. */
export type Role = Does | "seed" | "send";

export interface Line {
  readonly text: string;
  readonly role: Role | null;
}

const PYTHON = `def backward(self):
  topo, visited = [], set()
  def build(v):
    if v not in visited:                        # skip
      visited.add(v)                            # enter
      for child in CHILDREN:
        build(child)
      topo.append(v)                            # append
  build(self)
  self.grad = 1                                 # seed
  for v in reversed(topo):                      # reverse
    for child, local_grad in zip(
        v._children, v._local_grads):
      child.grad += local_grad * v.grad         # send`;

const TYPESCRIPT = `backward(): void {
  const topo: Value[] = [];
  const visited = new Set<Value>();
  const build = (v: Value): void => {
    if (visited.has(v)) return;                 # skip
    visited.add(v);                             # enter
    for (const child of CHILDREN)
      build(child);
    topo.push(v);                               # append
  };
  build(this);
  this.grad = 1;                                # seed
  for (const v of topo.reverse())               # reverse
    for (const [slot, child] of
        v._children.entries()) {
      const local_grad = v._local_grads[slot]!;
      child.grad += local_grad * v.grad;        # send
    }
}`;

const CHILDREN = {
  Python: ["v._children", "reversed(v._children)"],
  TypeScript: ["v._children", "v._children.toReversed()"],
} as const;

/** The lines, where the operands are called in this order. */
export function listing(language: Programming, isRightFirst: boolean): readonly Line[] {
  const text = language === "Python" ? PYTHON : TYPESCRIPT;
  const children = CHILDREN[language][Number(isRightFirst)]!;
  return text
    .replace("CHILDREN", children)
    .split("\n")
    .map((line) => {
      const [code, role = null] = line.split(/ +# /);
      return { text: code!, role: role as Role | null };
    });
}
