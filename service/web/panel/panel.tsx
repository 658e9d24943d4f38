/** The panel next to the graph: its tabs and their content. */

import type { FunctionComponent } from "preact";
import type { Node } from "../../../engine_ts/src/template.ts";
import { NumberField } from "../controls.tsx";
import { loaded, section } from "../interaction.ts";
import { accuracy, breaking, code, curve, training } from "../loading.tsx";
import { guesses, openTab } from "../state/guesses.ts";
import { currentNodes, partialGradOf, progress } from "../state/play.ts";
import {
  dataOf,
  editable,
  fault,
  openCurve,
  rangeOf,
  setRange,
  setValue,
  shown,
  stepOf,
} from "../state/program.ts";
import type { Range } from "../state/program.ts";
import { tab, TABS } from "../state/view.ts";
import type { Tab } from "../state/view.ts";
import { inChosenLanguage, shownWords, words } from "../words.ts";
import { exact, Rich, short, signed, WAITING, write } from "../words/text.tsx";

const Predict = section(({ Predict }) => Predict);

const CONTENTS: Readonly<Record<Tab, FunctionComponent>> = {
  values: Values,
  code: code.section(({ Code }) => Code),
  predict: () => (
    <>
      {guesses.value.names.length === 0 && <NoVariables />}
      <Predict />
    </>
  ),
  break: breaking.section(({ BreakIt }) => BreakIt),
  train: training.section(({ Train }) => Train),
};

export function Panel() {
  const Content = CONTENTS[tab.value];
  return (
    <aside class="panel" aria-label={words.value.workbench}>
      <div class="tabs" role="tablist" onKeyDown={onTabKey}>
        {TABS.map((each) => (
          <button
            key={each}
            role="tab"
            id={`tab-${each}`}
            aria-selected={each === tab.value}
            aria-controls="panel"
            tabindex={each === tab.value ? 0 : -1}
            onClick={() => openTab(each)}
          >
            {words.value.tabs[each]}
          </button>
        ))}
      </div>
      <div
        class="body"
        id="panel"
        role="tabpanel"
        aria-labelledby={`tab-${tab.value}`}
        tabindex={-1}
      >
        <Content />
      </div>
    </aside>
  );
}

/** Arrow keys move between tabs. */
function onTabKey(event: KeyboardEvent): void {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const at = TABS.indexOf(tab.value) + by;
  openTab(TABS[(at + TABS.length) % TABS.length]!);
  requestAnimationFrame(() => document.getElementById(`tab-${tab.value}`)?.focus());
}

const CurveDetail = curve.section(({ CurveDetail }) => CurveDetail);
const CentralDifferences = accuracy.part(({ CentralDifferences }) => CentralDifferences);

const text = inChosenLanguage(() => shownWords.value.values);

/** Longer names have a smaller font and several lines. */
const LONG_NAME = 8;
/** With more variables, rows are slim. */
const FEW = 3;

function Values() {
  const { prepared, values, parameters } = editable.value;
  const leaves = prepared.template.variables;
  const areMany = leaves.length > FEW;
  const isSlim = areMany || openCurve.value !== null;
  if (leaves.length === 0) return <NoVariables />;
  const rows = leaves.map(({ row }) => {
    const name = row.label!;
    const value = values[name]!;
    const { from, to } = rangeOf(name, value);
    const { grad, arrived, expected } = partialGradOf(row.id);
    const known = arrived === expected ? grad : null;
    const isParameter = parameters.includes(name);
    const props = { value, from, to, known, isParameter, isSlim };
    // New rows if they become slim: Chromium lays out such a row again, but not its parts.
    return <ValueRow key={`${name} ${areMany}`} node={row} {...props} />;
  });
  return <>{rows}</>;
}

/** A note for a program without variables. */
function NoVariables() {
  const { nodes } = shown.value.document;
  const number = nodes.find(({ kind, label }) => kind === "constant" && label !== null);
  return (
    <p class="muted">
      <Rich text={number === undefined ? text.none : text.isNumber(number.label!)} />
    </p>
  );
}

interface Row extends Range {
  readonly node: Node;
  readonly value: number;
  /** The gradient if it is known, else null. */
  readonly known: number | null;
  readonly isParameter: boolean;
  readonly isSlim: boolean;
}

/** The row of a variable, which is rendered again only if one of its properties changes. */
function ValueRow({ node, value, from, to, known, isParameter, isSlim }: Row) {
  const name = node.label!;
  const range = { from, to };
  const { parameter, input } = words.value.stage;
  const isOpen = openCurve.value === name;
  const role = isParameter ? parameter : input;
  const isShown = isSlim && !isOpen && known !== null;
  return (
    <div class={`row${isSlim ? " slim" : ""}`}>
      <div class="top">
        <label for={`slider-${name}`} class={name.length > LONG_NAME ? "small" : ""}>
          {name}
        </label>
        <span class="role">{isShown ? `grad ${write(known)}` : role}</span>
        <NumberField
          class={`number${String(value).length > 7 ? " tiny" : ""}`}
          label={text.value(name)}
          text={exact(value)}
          accept={(number) => setValue(name, number)}
        />
        <button
          class={`curve-button${known !== null || isOpen || fault.value !== null ? "" : " waiting"}`}
          aria-label={text.slope(name)}
          aria-expanded={isOpen}
          onClick={() => (openCurve.value = isOpen ? null : name)}
        />
      </div>
      <input
        type="range"
        id={`slider-${name}`}
        min={range.from}
        max={range.to}
        step={stepOf(range)}
        value={value}
        onInput={({ currentTarget: { value } }) =>
          // A slider's value is a share of its range, with more digits than a user means.
          setValue(name, Number(Number(value).toPrecision(6)))
        }
      />
      {!isSlim && <RangeFields name={name} range={range} />}
      {isOpen ? (
        <CurveDetail node={node} range={range}>
          <CentralDifferences name={name} />
        </CurveDetail>
      ) : (
        !isSlim && <GradientEffect node={node} value={value} />
      )}
    </div>
  );
}

function RangeFields({ name, range }: { name: string; range: Range }) {
  return (
    <div class="range-ends">
      {(["from", "to"] as const).map((end) => (
        <NumberField
          key={end}
          class="range-end"
          label={text[end](name)}
          text={short(range[end])}
          accept={(number) => setRange(name, { ...range, [end]: number })}
        />
      ))}
    </div>
  );
}

/** The increase of the variable whose effect a row describes. */
const NUDGE = 0.01;

/** The gradient so far, the effect that it predicts, and the actual effect. */
function GradientEffect({ node, value }: { node: Node; value: number }) {
  const { grad, arrived, expected } = partialGradOf(node.id);
  const isComing = progress.value < 1 && currentNodes.value.has(node.id) && fault.value === null;
  const waits = isComing ? text.onItsWay : text.notReached;
  const isKnown = grad !== null && arrived === expected;
  const state = grad === null ? waits : isKnown ? "" : `(${words.value.of(arrived, expected)})`;
  const later = loaded.value?.interactionWords.value.curve;
  const effect = () => {
    const result = dataOf(shown.value)({ [node.label!]: value + NUDGE });
    const change = result === null ? WAITING : signed(result - shown.value.document.result);
    return `. ${later!.nudged(node.label!, signed(NUDGE), signed(NUDGE * grad!), change)}`;
  };
  return (
    <p class="gradient-effect">
      {text.gradient}{" "}
      {grad === null ? (
        <span class="mono muted">{WAITING}</span>
      ) : (
        <Rich text={`[g:${write(grad)}]${isKnown && later ? effect() : ""}`} />
      )}{" "}
      <span class="muted">{state}</span>
    </p>
  );
}
