/** The lessons' `backward()` in step with the stage, and the lists of its depth-first sort. */

import { computed, effect } from "@preact/signals";
import type { GradientDocument } from "../../../engine_ts/src/document.ts";
import type { Edge } from "../../../engine_ts/src/template.ts";
import { interactionWords } from "../shared.tsx";
import { RadioGroup } from "../controls.tsx";
import { atEnd, current, goTo, rightFirst, seeded, sortTicks, step, ticks } from "../state/play.ts";
import type { SortAction, Tick } from "../state/play.ts";
import { shown } from "../state/program.ts";
import type { ShownProgram } from "../state/program.ts";
import { pass } from "../state/view.ts";
import { inChosenLanguage, wordsOf } from "../words.ts";
import { CODE } from "../words/en.ts";
import { cut, nameOf, Rich, write } from "../words/text.tsx";

const text = inChosenLanguage(wordsOf("code", CODE));

/** The role of a line: an action of the sort, or the seed or a contribution. */
type Role = SortAction | "seed" | "send";

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

/** The lines, with their roles. */
const listing = computed(() => {
  const children = rightFirst.value ? "reversed(v._children)" : "v._children";
  const lines = PYTHON.replace("CHILDREN", children).split("\n");
  return lines.map((line) => line.split(/ +# /) as [text: string, role?: Role]);
});

/** The value shown under a name in a line; `pattern` finds the name. */
type Under = readonly [pattern: string, value: string, kind: "d" | "g" | "name"];

/** The current line, the values under its names, and its effect. */
interface CurrentLine {
  readonly role: Role;
  readonly under: readonly Under[];
  readonly after: string;
}

/** Return the line of this step; null in the forward pass and before a pass has begun. */
function currentLine(): CurrentLine | null {
  const tick = current.value;
  if (pass.value === "forward") return null;
  if (tick === null) {
    if (pass.value === "sort" || !seeded.value) return null;
    const { root } = shown.value.document;
    return { role: "seed", under: [["self", shortName(root), "name"]], after: "" };
  }
  const { node, edge, action } = tick;
  if (action !== undefined) {
    const name = shortName(node) + (action === "skip" ? " → False" : "");
    return { role: action, under: action === "reverse" ? [] : [["v", name, "name"]], after: "" };
  }
  const { incoming_grad: incoming, local_grad: local, running_grad: after } = edge!;
  return {
    role: "send",
    under: [
      ["child", shortName(node), "name"],
      ["local_grad", write(local ?? 0), "d"],
      ["v[.]grad", write(incoming ?? 0), "g"],
    ],
    after: `[g:${write(gradBefore())}] → [g:${write(after ?? 0)}]  v = \`${shortName(edge!.to)}\``,
  };
}

/** Return the gradient of this step's operand before the step. */
function gradBefore(): number {
  const { node } = current.value!;
  const earlier = ticks.value.slice(0, step.value - 1).findLast((tick) => tick.node === node);
  return earlier?.edge?.running_grad ?? 0;
}

/** Return a node's name, cut to fit under a name in the code. */
function shortName(node: number): string {
  return cut(nameOf(shown.value, node), 10);
}

export function Code() {
  const lines = listing.value;
  const now = currentLine();
  const at = now === null ? -1 : lines.findIndex(([, role]) => role === now.role);
  const seed = lines.findIndex(([, role]) => role === "seed");
  return (
    <>
      <div class="wraps code-head">
        <h2 class="mono">backward()</h2>
        <span class="muted small">{at >= 0 && text.line(at + 1, lines.length)}</span>
      </div>
      <ol class="listing mono" translate={false} tabindex={0} aria-label="backward()">
        {lines.map(
          ([line, role], place) =>
            // The lines below are not part of the sort.
            (pass.value !== "sort" || place < seed || role === "reverse") && (
              <li
                key={place}
                data-line={place + 1}
                class={place === at ? "now" : ""}
                style={{ "--indent": line.search(/\S/) }}
                aria-current={place === at ? "step" : undefined}
              >
                <code>{line}</code>
                {place === at && <LineValues line={line} now={now!} />}
              </li>
            ),
        )}
      </ol>
      {now === null && (
        <p class="muted small">{pass.value === "forward" ? text.forward : text.idle}</p>
      )}
      <section>{pass.value === "sort" ? <SortLists /> : <VisitOrder />}</section>
      {pass.value === "backward" && current.value !== null && <Why />}
    </>
  );
}

/** Values under the names of a line, each aligned with its name in a monospaced font. */
function LineValues({ line, now }: { line: string; now: CurrentLine }) {
  let end = 0;
  return (
    <>
      <span class="line-values">
        {now.under.map(([name, value, kind]) => {
          const start = line.search(new RegExp(`(?<![\\w.])(?:${name})\\b`));
          const gap = " ".repeat(Math.max(1, start - end));
          end = Math.max(start, end + 1) + value.length;
          return [gap, <b class={kind}>{value}</b>];
        })}
      </span>
      {now.after !== "" && (
        <span class="line-values">
          {/^ */.exec(line)![0]}
          <Rich text={now.after} />
        </span>
      )}
    </>
  );
}

/** An explanation of why contributions are added. */
function Why() {
  const [name, old] = [nameOf(shown.value, current.value!.node), gradBefore()];
  return (
    <p class="tip-card">
      <Rich text={old === 0 ? text.whyEmpty(name) : text.why(name, write(old))} />
    </p>
  );
}

/**
 * Sort as the lessons' recursive `build` does, but with a stack, since a graph may be deep. An
 * exponent is an operand, too.
 */
function sortTicksOf({ root, edges }: GradientDocument, isRightFirst: boolean): Tick[] {
  const below = Map.groupBy(edges, ({ to }) => to); // left operands first
  const found: Tick[] = [];
  const visited = new Set<number>();
  const stack: { node: number; operands: Iterator<Edge, undefined> }[] = [];
  const call = (node: number, edge: Edge | null) => {
    found.push({ node, edge, action: visited.has(node) ? "skip" : "enter" });
    if (visited.has(node)) return;
    visited.add(node);
    const own = below.get(node) ?? [];
    stack.push({ node, operands: (isRightFirst ? own.reverse() : own).values() });
  };
  call(root, null);
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const edge = top.operands.next().value;
    if (edge !== undefined) call(edge.from, edge);
    else found.push({ node: stack.pop()!.node, edge: null, action: "append" });
  }
  return [...found, { node: root, edge: null, action: "reverse" }];
}

/** The lists of the sort after this step, and the calls that have not returned. */
const sortState = computed(() => {
  // `child` is the number of the operand that is being visited, from 1.
  const stack: { node: number; child: number }[] = [];
  const [visited, topo]: [number[], number[]] = [[], []];
  for (const { node, edge, action } of sortTicks.value.slice(0, step.value)) {
    if (edge !== null) stack.at(-1)!.child++;
    if (action === "enter") {
      visited.push(node);
      stack.push({ node, child: 0 });
    } else if (action === "append") topo.push(stack.pop()!.node);
  }
  return { stack, visited, topo };
});

effect(() => {
  if (pass.value === "sort") sortTicks.value = sortTicksOf(shown.value.document, rightFirst.value);
});

/** Longer lists are cut around the current place. */
const MAX_VALUES = 24;

type ListState = "done" | "now" | "waiting";

function VisitOrder() {
  const { backward_order: order, root } = shown.value.document;
  const isBegun = pass.value === "backward" && seeded.value;
  const at = order.indexOf(current.value?.edge?.to ?? root);
  const stateOf = (place: number): ListState => {
    if (!isBegun || (place > at && !atEnd.value)) return "waiting";
    return place < at || atEnd.value ? "done" : "now";
  };
  const name = "reversed(topo)";
  return <ValueList name={name} note={text.goesDown} nodes={order} at={at} stateOf={stateOf} />;
}

interface ListProps {
  readonly name: string;
  readonly note: string;
  readonly nodes: readonly number[];
  /** The place around which a long list is cut. */
  readonly at: number;
  readonly stateOf: (place: number) => ListState;
}

/** A list with its name; the state of each value is also given in words. */
function ValueList({ name, note, nodes, at, stateOf }: ListProps) {
  const { done, now } = interactionWords.value.tasks;
  const states = { done, now, waiting: text.waiting };
  const first = Math.max(0, Math.min(at - MAX_VALUES / 2, nodes.length - MAX_VALUES));
  const seen = nodes.slice(first, first + MAX_VALUES);
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

/** At most this many calls are shown, the latest first. */
const MAX_CALLS = 8;

function SortLists() {
  const { visited, topo } = sortState.value;
  const now = current.value?.action === "reverse" ? null : current.value?.node;
  const list = (name: string, note: string, nodes: readonly number[], at = nodes.length) => (
    <ValueList
      name={name}
      note={note}
      nodes={nodes}
      at={at}
      stateOf={(place) => (nodes[place] === now ? "now" : "done")}
    />
  );
  return (
    <>
      <CallStack />
      {list("visited", text.visited, visited)}
      {list("topo", text.topo, topo)}
      {list("reversed(topo)", text.reversed, topo.toReversed(), 0)}
    </>
  );
}

function CallStack() {
  const tick = current.value;
  // The call for a visited value returns at once, so it is not on the stack.
  const skipped = tick?.action === "skip" ? [{ node: tick.node, child: null }] : [];
  const calls = [...skipped, ...sortState.value.stack.toReversed()];
  return (
    <>
      <div class="wraps code-head">
        <h3>{text.stack}</h3>
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
      </div>
      <ol class="stack">
        {calls.slice(0, MAX_CALLS).map(({ node, child }, place) => (
          <li key={calls.length - place} class={place === 0 ? "now" : ""}>
            <span class="mono" title={nameOf(shown.value, node)}>
              build({cut(nameOf(shown.value, node), 14)})
            </span>{" "}
            <span>{callNote(node, child)}</span>
          </li>
        ))}
        {calls.length > MAX_CALLS && <li class="more">{text.more(calls.length - MAX_CALLS)}</li>}
        {calls.length === 0 && <li class="more">{text.empty}</li>}
      </ol>
    </>
  );
}

/** Describe the progress of a call; `child` is null if its value was visited before. */
function callNote(node: number, child: number | null): string {
  if (child === null) return text.returns;
  const children = shown.value.document.edges.filter(({ to }) => to === node).length;
  if (children === 0) return text.noChild;
  return child === 0 ? text.begins : text.child(child, children);
}

/** Describe the purpose of the sort, or a tick of it. */
export function describeSortTick(shown: ShownProgram, tick: Tick | null): string {
  if (tick === null) return text.start;
  const { node, edge, action } = tick;
  const name = nameOf(shown, node);
  const caller = edge && nameOf(shown, edge.to);
  if (action === "skip") return text.skip(caller!, name);
  if (action === "enter") return caller === null ? text.root(name) : text.enter(caller, name);
  if (action === "reverse") return text.reverse(name);
  const isLeaf = shown.document.nodes[node]!.operation === null;
  return (isLeaf ? text.leaf : text.append)(name, String(sortState.value.topo.length));
}
