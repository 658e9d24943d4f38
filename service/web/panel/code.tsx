/** The lessons' `backward()` with the line of this step highlighted, and its numbers under their names. */

import { signal } from "@preact/signals";
import { RadioGroup } from "../controls.tsx";
import type { SortAction } from "../state/cards.ts";
import { current, rightFirst, seeded, step, ticks } from "../state/play.ts";
import { shown } from "../state/program.ts";
import { pass } from "../state/view.ts";
import { cut, nameOf, Rich, short } from "../words/text.tsx";
import { codeWords, SortLists, VisitOrder } from "./sort.tsx";

export { describeSortTick } from "./sort.tsx";

type Programming = "Python" | "TypeScript";

/** What a line is for: an action of the sort, or the seed and the contributions of the backward pass. */
type Role = SortAction | "seed" | "send";

interface CodeLine {
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
function listing(language: Programming, isRightFirst: boolean): readonly CodeLine[] {
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

/** What the condition of the skipping line is of a visited value. */
const VISITED = { Python: "False", TypeScript: "true" };

/** Under a name of a line, told by a pattern: what stands for it. */
type Under = readonly [pattern: string, value: string, kind: "d" | "g" | "name"];

/** The line that runs now, the values under its names, and its effect. */
interface CurrentLine {
  readonly role: Role;
  readonly under: readonly Under[];
  readonly after: string;
}

/** None forward, and none before the pass has begun. */
function currentLine(language: Programming): CurrentLine | null {
  const tick = current.value;
  if (pass.value === "forward") return null;
  if (tick === null) {
    if (pass.value === "sort" || !seeded.value) return null;
    const { root } = shown.value.document;
    return { role: "seed", under: [["self|this", shortName(root), "name"]], after: "" };
  }
  const { node, edge, action } = tick;
  if (action !== undefined) {
    const name = shortName(node) + (action === "skip" ? ` → ${VISITED[language]}` : "");
    return { role: action, under: action === "reverse" ? [] : [["v", name, "name"]], after: "" };
  }
  const { incoming_grad: incoming, local_grad: local, running_grad: after } = edge!;
  return {
    role: "send",
    under: [
      ["child", shortName(node), "name"],
      ["local_grad", short(local ?? 0), "d"],
      ["v[.]grad", short(incoming ?? 0), "g"],
    ],
    after: `[g:${short(gradBefore())}] → [g:${short(after ?? 0)}]  v = \`${shortName(edge!.to)}\``,
  };
}

/** What the operand of this step had before it. */
function gradBefore(): number {
  const { node } = current.value!;
  const earlier = ticks.value.slice(0, step.value - 1).findLast((tick) => tick.node === node);
  return earlier?.edge?.running_grad ?? 0;
}

/** A name that fits under one of the code. */
function shortName(node: number): string {
  return cut(nameOf(shown.value, node), 10);
}

const LANGUAGES: readonly Programming[] = ["Python", "TypeScript"];
const programming = signal<Programming>("Python");

export function Code() {
  const text = codeWords.value;
  const lines = listing(programming.value, rightFirst.value);
  const now = currentLine(programming.value);
  const at = lines.findIndex(({ role }) => role !== null && role === now?.role);
  const seed = lines.findIndex(({ role }) => role === "seed");
  // The rest of it is not of the sort.
  const isSeen = ({ role }: CodeLine, place: number) =>
    pass.value !== "sort" || place < seed || role === "reverse";
  return (
    <>
      <div class="actions code-head">
        <h2 class="mono">backward()</h2>
        <span class="muted small">
          {at < 0 ? text.lines(lines.length) : text.line(at + 1, lines.length)}
        </span>
        <RadioGroup
          label={text.language}
          name="programming"
          options={LANGUAGES.map((each) => [each, each])}
          chosen={programming.value}
          choose={(each) => (programming.value = each)}
        />
      </div>
      <ol class="listing mono" translate={false} tabindex={0} aria-label="backward()">
        {lines.map(
          (line, place) =>
            isSeen(line, place) && (
              <li
                key={place}
                data-line={place + 1}
                class={place === at ? "now" : ""}
                style={{ "--indent": line.text.search(/\S/) }}
                aria-current={place === at ? "step" : undefined}
              >
                <code>{line.text}</code>
                {place === at && <LineValues line={line} now={now!} />}
              </li>
            ),
        )}
      </ol>
      {now === null && (
        <p class="muted small">{pass.value === "forward" ? text.forward : text.idle}</p>
      )}
      {pass.value === "sort" ? <SortLists /> : <VisitOrder />}
      {pass.value === "backward" && current.value !== null && <Why />}
    </>
  );
}

/** Each value begins where its name does, for all letters are as wide. */
function LineValues({ line, now }: { line: CodeLine; now: CurrentLine }) {
  let end = 0;
  return (
    <>
      <span class="line-values">
        {now.under.map(([name, value, kind]) => {
          const start = line.text.search(new RegExp(`(?<![\\w.])(?:${name})\\b`));
          const gap = " ".repeat(Math.max(1, start - end));
          end = Math.max(start, end + 1) + value.length;
          return [gap, <b class={kind}>{value}</b>];
        })}
      </span>
      {now.after !== "" && (
        <span class="line-values">
          {/^ */.exec(line.text)![0]}
          <Rich text={now.after} />
        </span>
      )}
    </>
  );
}

/** Why what arrives is added. */
function Why() {
  const text = codeWords.value;
  const [name, old] = [nameOf(shown.value, current.value!.node), gradBefore()];
  return (
    <p class="tip-card small">
      <Rich text={old === 0 ? text.whyEmpty(name) : text.why(name, short(old))} />
    </p>
  );
}
