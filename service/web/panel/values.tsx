/** A row for each variable: name, number, slider, and a button that opens the curve. */

import type { Node } from "../../../engine_ts/src/template.ts";
import { NumberField } from "../controls.tsx";
import { interactionWords, inChosenLanguage } from "../interaction_words.ts";
import { accuracy, curve } from "../loading.tsx";
import { dataOf, openCurve, rangeOf, setRange, stepOf } from "../state/curves.ts";
import type { Range } from "../state/curves.ts";
import { currentNodes, partialGradOf, progress } from "../state/play.ts";
import { editable, fault, setValue, shown } from "../state/program.ts";
import { words } from "../words.ts";
import { exact, Rich, short, signed, WAITING } from "../words/text.tsx";

const CurveDetail = curve.room(({ CurveDetail }) => CurveDetail);
const CentralDifferences = accuracy.part(({ CentralDifferences }) => CentralDifferences);

const text = inChosenLanguage(() => interactionWords.value.values);

/** Longer names are written smaller, on several lines. */
const LONG_NAME = 8;
/** With more variables than this, rows are slim. */
const FEW = 3;

export function Values() {
  const leaves = editable.value.prepared.template.variables;
  const isSlim = leaves.length > FEW || openCurve.value !== null;
  if (leaves.length === 0) return <NoVariables />;
  return (
    <>
      {leaves.map(({ row }) => (
        <ValueRow key={row.label} node={row} isSlim={isSlim} />
      ))}
    </>
  );
}

/** Shown for a program without variables. */
export function NoVariables() {
  const { nodes } = shown.value.document;
  const number = nodes.find(({ kind, label }) => kind === "constant" && label !== null);
  return (
    <p class="muted">
      <Rich text={number === undefined ? text.none : text.isNumber(number.label!)} />
    </p>
  );
}

function ValueRow({ node, isSlim }: { node: Node; isSlim: boolean }) {
  const name = node.label!;
  const { values, parameters } = editable.value;
  const { parameter, input } = words.value.stage;
  const value = values[name]!;
  const range = rangeOf(name, value);
  const isOpen = openCurve.value === name;
  const role = parameters.includes(name) ? parameter : input;
  const { grad, arrived, expected } = partialGradOf(node.id);
  const isKnown = arrived === expected && grad !== null;
  const isTold = isSlim && !isOpen && isKnown;
  return (
    <div class={`row${isSlim ? " slim" : ""}`}>
      <div class="top">
        <label for={`slider-${name}`} class={name.length > LONG_NAME ? "small" : ""}>
          {name}
        </label>
        <span class="role">{isTold ? `${role} · ${short(grad)}` : role}</span>
        <NumberField
          class={`number${String(value).length > 7 ? " tiny" : ""}`}
          label={text.value(name)}
          text={exact(value)}
          accept={(number) => setValue(name, number)}
        />
        <button
          class={`curve-button${isKnown || isOpen || fault.value !== null ? "" : " waiting"}`}
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
          // A slider's value is a rounded share of its range; a person means fewer digits.
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

/** The increase of the variable whose effect a row tells. */
const NUDGE = 0.01;

/** Describe the gradient, as far as it is known, and the change that really comes. */
function GradientEffect({ node, value }: { node: Node; value: number }) {
  const { grad, arrived, expected } = partialGradOf(node.id);
  const isComing = progress.value < 1 && currentNodes.value.has(node.id) && fault.value === null;
  const before = isComing ? text.onItsWay : text.notReached;
  const after = arrived < expected ? `(${words.value.of(arrived, expected)})` : text.up;
  const { predicted, actual } = interactionWords.value.curve;
  const change = () => {
    const raised = dataOf(shown.value)({ [node.label!]: value + NUDGE });
    return raised === null ? WAITING : signed(raised - shown.value.document.result);
  };
  return (
    <p class="gradient-effect">
      {text.gradient}{" "}
      {grad === null ? (
        <span class="mono muted">{WAITING}</span>
      ) : (
        <Rich text={`[g:${short(grad)}]`} />
      )}{" "}
      <span class="muted">{grad === null ? before : after}</span>{" "}
      {grad !== null && arrived === expected && (
        <Rich text={`${predicted} [g:${signed(NUDGE * grad)}], ${actual} [d:${change()}]`} />
      )}
    </p>
  );
}
