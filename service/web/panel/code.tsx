/** The lessons' `backward()` in step with the wave, and the depth-first sort that it begins with, with its lists. */

import { computed, effect, signal } from "@preact/signals";
import type { GradientDocument } from "../../../engine_ts/src/document.ts";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { RadioGroup } from "../controls.tsx";
import { deferredWords } from "../deferred_words.ts";
import type { SortAction, Tick } from "../state/cards.ts";
import { atEnd, current, goTo, rightFirst, seeded, sortTicks, step, ticks } from "../state/play.ts";
import { shown } from "../state/program.ts";
import type { ShownProgram } from "../state/program.ts";
import { pass } from "../state/view.ts";
import { translation } from "../words.ts";
import { CODE } from "../words/en.ts";
import { cut, nameOf, Rich, short } from "../words/text.tsx";

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
      <div class="wraps code-head">
        <h2 class="mono">backward()</h2>
        <span class="muted small">{at >= 0 && text.line(at + 1, lines.length)}</span>
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
    <p class="tip-card">
      <Rich text={old === 0 ? text.whyEmpty(name) : text.why(name, short(old))} />
    </p>
  );
}

const codeWords = computed(() => translation.value?.code ?? CODE);

/** A call that has not returned: a value, and which of its operands it has come to, from 1. */
interface Call {
  readonly node: number;
  readonly child: number;
  readonly children: number;
}

/** The edges below each node in the order in which they are followed: an exponent is an operand, too. */
function edgesBelow({ nodes, edges }: GradientDocument, isRightFirst: boolean): Edge[][] {
  const below: Edge[][] = nodes.map(() => []);
  for (const edge of edges) below[edge.to]!.push(edge);
  for (const each of below)
    each.sort((one, other) => (one.slot - other.slot) * (isRightFirst ? -1 : 1));
  return below;
}

/** Sort as the lessons' recursive `build` does, with a stack, for a graph may be deep. */
function sortTicksOf(document: GradientDocument, isRightFirst: boolean): Tick[] {
  const below = edgesBelow(document, isRightFirst);
  const found: Tick[] = [];
  const visited = new Set<number>();
  const stack: { node: number; at: number }[] = [];
  const note = (action: SortAction, node: number, edge: Edge | null = null) =>
    found.push({ node, edge, action });
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

/** The call stack and the lists of the sort, with the tick that has begun last. */
const sortState = computed(() => {
  const children = shown.value.document.nodes.map(() => 0);
  for (const { to } of shown.value.document.edges) children[to]!++;
  const stack: Call[] = [];
  const [visited, topo]: [number[], number[]] = [[], []];
  for (const { node, edge, action } of sortTicks.value.slice(0, step.value)) {
    const caller = stack.at(-1);
    if (edge !== null && caller !== undefined)
      stack.splice(-1, 1, { ...caller, child: caller.child + 1 });
    if (action === "enter") {
      visited.push(node);
      stack.push({ node, child: 0, children: children[node]! });
    } else if (action === "append") topo.push(stack.pop()!.node);
  }
  return { stack, visited, topo };
});

effect(() => {
  if (pass.value === "sort") sortTicks.value = sortTicksOf(shown.value.document, rightFirst.value);
});

/** More than this are cut around what happens now. */
const MOST_VALUES = 24;

type ListState = "done" | "now" | "waiting";

function VisitOrder() {
  const text = codeWords.value;
  const { backward_order: order, root } = shown.value.document;
  const isBegun = pass.value === "backward" && seeded.value;
  const at = order.indexOf(current.value?.edge?.to ?? root);
  const stateOf = (place: number): ListState => {
    if (!isBegun || place > at) return isBegun && atEnd.value ? "done" : "waiting";
    return place < at || atEnd.value ? "done" : "now";
  };
  return (
    <section>
      <ValueList
        name="reversed(topo)"
        note={text.goesDown}
        nodes={order}
        at={at}
        stateOf={stateOf}
      />
    </section>
  );
}

interface ListProps {
  readonly name: string;
  readonly note: string;
  readonly nodes: readonly number[];
  /** The place around which a long list is cut. */
  readonly at: number;
  readonly stateOf: (place: number) => ListState;
}

/** A list with its name; each value says also in words where it stands. */
function ValueList({ name, note, nodes, at, stateOf }: ListProps) {
  const text = codeWords.value;
  const { done, now } = deferredWords.value.tasks;
  const states = { done, now, waiting: text.waiting };
  const first = Math.max(0, Math.min(at - MOST_VALUES / 2, nodes.length - MOST_VALUES));
  const seen = nodes.slice(first, first + MOST_VALUES);
  const after = nodes.length - first - seen.length;
  return (
    <>
      <h3>
        <span class="mono" id={name}>
          {name}
        </span>{" "}
        <span class="muted small">{note}</span>
      </h3>
      <ol class={`values mono ${name}`} aria-labelledby={name}>
        {first > 0 && <li class="more">{text.more(first)}</li>}
        {seen.map((node, place) => {
          const state = stateOf(first + place);
          const whole = nameOf(shown.value, node);
          return (
            <li key={node} class={state} title={whole} aria-label={`${whole}, ${states[state]}`}>
              {cut(whole, 12)}
            </li>
          );
        })}
        {after > 0 && <li class="more">{text.more(after)}</li>}
        {nodes.length === 0 && <li class="more">{text.empty}</li>}
      </ol>
    </>
  );
}

/** Calls that are shown, the last ones first. */
const MOST_CALLS = 8;

function SortLists() {
  const text = codeWords.value;
  const { visited, topo } = sortState.value;
  const now = current.value?.action === "reverse" ? -1 : (current.value?.node ?? -1);
  const list = (name: string, note: string, nodes: readonly number[], isFirstLast = false) => (
    <ValueList
      name={name}
      note={note}
      nodes={nodes}
      at={isFirstLast ? 0 : nodes.length}
      stateOf={(place) => (nodes[place] === now ? "now" : "done")}
    />
  );
  return (
    <section>
      <CallStack />
      {list("visited", text.visited, visited)}
      {list("topo", text.topo, topo)}
      {list("reversed(topo)", text.reversed, topo.toReversed(), true)}
    </section>
  );
}

/** Which operand is called first: each order gives one that is right. */
function OperandOrder() {
  const text = codeWords.value;
  return (
    <RadioGroup
      label={text.operands}
      name="operands"
      options={[
        [false, text.leftFirst],
        [true, text.rightFirst],
      ]}
      chosen={rightFirst.value}
      choose={(isRightFirst) => {
        goTo(0);
        rightFirst.value = isRightFirst;
      }}
    />
  );
}

function CallStack() {
  const text = codeWords.value;
  const { stack } = sortState.value;
  const tick = current.value;
  const calls = stack
    .map(({ node, child, children }) => ({ node, note: noteOf(child, children) }))
    .reverse();
  // What has been visited is called, too, and returns before anything can be seen of it.
  if (tick?.action === "skip") calls.unshift({ node: tick.node, note: text.returns });
  return (
    <>
      <div class="wraps code-head">
        <h3>{text.stack}</h3>
        <OperandOrder />
      </div>
      <ol class="stack">
        {calls.slice(0, MOST_CALLS).map(({ node, note }, place) => (
          <li key={calls.length - place} class={place === 0 ? "now" : ""}>
            <span class="mono" title={nameOf(shown.value, node)}>
              build({cut(nameOf(shown.value, node), 14)})
            </span>{" "}
            <span>{note}</span>
          </li>
        ))}
        {calls.length > MOST_CALLS && <li class="more">{text.more(calls.length - MOST_CALLS)}</li>}
        {calls.length === 0 && <li class="more">{text.empty}</li>}
      </ol>
    </>
  );
}

function noteOf(child: number, children: number): string {
  const text = codeWords.value;
  if (children === 0) return text.noChild;
  return child === 0 ? text.begins : text.child(child, children);
}

/** Say what the sort is for, or what its tick has done. */
export function describeSortTick(shown: ShownProgram, tick: Tick | null): string {
  const text = codeWords.value;
  if (tick === null) return text.start;
  const { node, edge, action } = tick;
  const name = nameOf(shown, node);
  const caller = edge === null ? "" : nameOf(shown, edge.to);
  const { topo } = sortState.value;
  switch (action) {
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
