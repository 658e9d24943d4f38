/** One variable: name, number, slider and curve; a click on the curve opens it. */

import type { Node } from "../../../engine_ts/src/template.ts";
import { opened, rangeOf, setRange } from "../state/ranges.ts";
import type { Range } from "../state/ranges.ts";
import { current, progress } from "../state/play.ts";
import { reachOf } from "../state/reach.ts";
import { fault, held, setValue } from "../state/program.ts";
import { laterWords } from "../later_words.ts";
import { words } from "../words.ts";
import { exact, short, signed } from "../words/numbers.ts";
import { lazy } from "../lazy.tsx";
import { NumberField } from "./number_field.tsx";

const Curve = lazy(({ Curve }) => Curve);
const Open = lazy(({ Open }) => Open);

const STEPS = 200;

export function ValueRow({ node, isSlim }: { node: Node; isSlim: boolean }) {
  const name = node.label!;
  const text = words.value;
  const { values, parameters } = held.value;
  const value = values[name]!;
  const range = rangeOf(name, value);
  const isOpen = opened.value === name;
  const role = parameters.includes(name) ? text.stage.parameter : text.stage.input;
  const slope = reachOf(node.id);
  const isWhole = slope.arrived === slope.expected && slope.grad !== null;
  const [width, height] = isSlim ? [70, 40] : [114, 70];
  const look = (
    <button
      class="look"
      aria-label={laterWords.value.values.slope(name)}
      aria-expanded={isOpen}
      onClick={() => (opened.value = isOpen ? null : name)}
    >
      <Curve
        program={held.value}
        name={name}
        range={range}
        value={value}
        slope={isWhole ? slope.grad : null}
        width={width}
        height={height}
      />
    </button>
  );
  return (
    <div class={`row${isSlim ? " slim" : ""}${isOpen ? " open" : ""}`}>
      <div class="top">
        <label for={`slider-${name}`}>{name}</label>
        <span class="role">
          {isSlim && !isOpen && isWhole ? `${role} · ${short(slope.grad!)}` : role}
        </span>
        <Value name={name} value={value} />
      </div>
      <Slider name={name} value={value} range={range} />
      {!isSlim && <Ends name={name} range={range} />}
      {!isOpen && look}
      {isOpen ? <Open node={node} range={range} /> : !isSlim && <Worth node={node} />}
    </div>
  );
}

function Slider({ name, value, range }: { name: string; value: number; range: Range }) {
  return (
    <input
      type="range"
      id={`slider-${name}`}
      min={range.from}
      max={range.to}
      step={(range.to - range.from) / STEPS}
      value={value}
      onInput={(event) => setValue(name, tidy(Number(event.currentTarget.value)))}
    />
  );
}

/** What a slider gives is a share of its range, with the rounding of that; a person means less. */
function tidy(value: number): number {
  return Number(value.toPrecision(6));
}

function Value({ name, value }: { name: string; value: number }) {
  return (
    <NumberField
      class={`number${String(value).length > 7 ? " tiny" : ""}`}
      label={laterWords.value.values.value(name)}
      text={exact(value)}
      take={(number) => setValue(name, number)}
    />
  );
}

function Ends({ name, range }: { name: string; range: Range }) {
  const text = laterWords.value.values;
  const field = (end: "from" | "to") => (
    <NumberField
      class="end"
      label={text[end](name)}
      text={short(range[end])}
      take={(number) => setRange(name, { ...range, [end]: number })}
    />
  );
  return (
    <div class="ends">
      {field("from")}
      {field("to")}
    </div>
  );
}

/** What the gradient says, as far as it is known. */
function Worth({ node }: { node: Node }) {
  const text = laterWords.value.values;
  const { grad, arrived, expected } = reachOf(node.id);
  const isComing = progress.value < 1 && current.value?.node === node.id && fault.value === null;
  if (grad === null) {
    return (
      <p class="worth">
        {text.gradient} <span class="mono soft">--</span>{" "}
        <span class="soft">{isComing ? text.onItsWay : text.notReached}</span>
      </p>
    );
  }
  return (
    <p class="worth">
      {text.gradient} <b class="g mono">{short(grad)}</b>{" "}
      <span class="soft">{arrived < expected ? text.partOf(arrived, expected) : text.up}</span>{" "}
      {arrived === expected && <b class="g mono">{signed(0.01 * grad)}</b>}
    </p>
  );
}
