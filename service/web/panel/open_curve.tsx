/** A variable's curve in large, whether it is a parameter, and the nudge: foretold and happened. */

import type { Node } from "../../../engine_ts/src/template.ts";
import { lazyAccuracy } from "../lazy.tsx";
import { over } from "../state/curves.ts";
import { differenced, nudge, opened } from "../state/ranges.ts";
import type { Range } from "../state/ranges.ts";
import { reachOf } from "../state/reach.ts";
import { held, parameters, shown, toggleParameter } from "../state/program.ts";
import { remark } from "../state/view.ts";
import { words } from "../words.ts";
import { short, signed } from "../words/numbers.ts";
import { Curve } from "./curve.tsx";
import { laterWords } from "../later_words.ts";

const Quotients = lazyAccuracy(({ Quotients }) => Quotients);

const SIZES = [0.01, 0.1, 1];

export function Open({ node, range }: { node: Node; range: Range }) {
  const name = node.label!;
  const text = laterWords.value.curve;
  const program = held.value;
  const result = program.document?.result;
  const value = program.values[name]!;
  const { grad, arrived, expected } = reachOf(node.id);
  const slope = arrived === expected ? grad : null;
  const isMarked = parameters.value.includes(name);
  return (
    <div class="opened">
      <div class="big">
        <Curve
          program={program}
          name={name}
          range={range}
          value={value}
          slope={slope}
          width={350}
          height={160}
          hasNumbers
        />
        {/* Over the curve: numbers in a button would be a part of its name. */}
        <button
          aria-label={laterWords.value.values.slope(name)}
          aria-expanded="true"
          onClick={() => (opened.value = null)}
        />
      </div>
      <p class="legend">
        <b class="d">
          {text.curve(
            program.prepared.template.nodes.at(-1)!.row.label ?? words.value.stage.result,
            name,
            short(range.from),
            short(range.to),
          )}
        </b>
        {slope !== null && <b class="g">{text.tangent(short(slope))}</b>}
        {result !== undefined && (
          <span class="soft">{`${name} = ${short(value)}: ${short(result)}`}</span>
        )}
      </p>
      <div class="acts">
        <button class="chip" aria-pressed={isMarked} onClick={() => toggleParameter(name)}>
          {text.parameter}
          {isMarked ? " ✓" : ""}
        </button>
        <button
          class="chip"
          aria-pressed={differenced.value}
          onClick={() => (differenced.value = !differenced.value)}
        >
          {text.central}
        </button>
      </div>
      {differenced.value && held.value === shown.value && <Quotients name={name} />}
      {slope !== null && <Nudge name={name} value={value} slope={slope} />}
    </div>
  );
}

/** Both, side by side: what the slope says about a small step, and the step. */
function Nudge({ name, value, slope }: { name: string; value: number; slope: number }) {
  const text = laterWords.value.curve;
  const by = nudge.value;
  const after = over(shown.value, name)(value + by);
  const foretold = slope * by;
  const happened = after === null ? null : after - shown.value.document.result;
  const most = Math.max(Math.abs(foretold), Math.abs(happened ?? 0)) || 1;
  const tell = () => {
    const [told, came] = [signed(foretold), happened === null ? null : signed(happened)];
    remark.value = () => {
      const { noValue, nudged } = laterWords.value.curve;
      if (came === null) return noValue(name, short(by));
      return nudged(name, short(by), told, came, told === came);
    };
  };
  return (
    <div class="nudge">
      <div class="acts">
        <button onClick={tell}>{text.nudge(name)}</button>
        <div class="pair" role="radiogroup" aria-label={text.by}>
          {SIZES.map((size) => (
            <label>
              <input
                type="radio"
                name="nudge"
                checked={size === by}
                onChange={() => (nudge.value = size)}
              />
              {size}
            </label>
          ))}
        </div>
      </div>
      <Meter label={text.foretold} share={foretold / most} number={signed(foretold)} kind="g" />
      {happened !== null && (
        <Meter label={text.happened} share={happened / most} number={signed(happened)} kind="d" />
      )}
    </div>
  );
}

function Meter(props: { label: string; share: number; number: string; kind: "g" | "d" }) {
  return (
    <>
      <span>{props.label}</span>
      <svg class="meter" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="bed" width="100" height="10" />
        <rect class={props.kind} width={Math.abs(props.share) * 100} height="10" />
      </svg>
      <b class={`${props.kind} mono`}>{props.number}</b>
    </>
  );
}
