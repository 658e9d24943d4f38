/** A known mistake, right and wrong beside each other, in numbers and on the stage. */

import { GradientError } from "../../../engine_ts/src/errors.ts";
import { prepare } from "../../../engine_ts/src/introspect.ts";
import { attempt } from "../state/attempt.ts";
import { changed, curedOf, exampleOf, mistake, otherwise, show, side } from "../state/break.ts";
import type { Side } from "../state/break.ts";
import { play } from "../state/play.ts";
import { expression } from "../state/program.ts";
import { Gradients, Steps } from "./beside.tsx";
import { messageOf } from "../words/fault.ts";
import { laterWords } from "../later_words.ts";
import { Rich } from "../words/rich.tsx";
import { short } from "../words/numbers.ts";

export function Pitfall() {
  const text = laterWords.value.broken;
  const name = mistake.value;
  const { title, about, cure } = text.known[name]!;
  const example = exampleOf(name);
  const read = attempt(() => prepare(example.expression));
  const refused = read instanceof GradientError ? read : null;
  const isOther = ![example.expression, curedOf(name)?.expression].includes(expression.value);
  const [change] = Object.entries(changed.value);
  return (
    <>
      <h2>{title}</h2>
      <p class="small">{about}</p>
      {otherwise.value?.mutate !== undefined && change !== undefined && (
        <p class="small">
          <Rich text={text.changes(change[0], short(change[1]))} />
        </p>
      )}
      {refused !== null && (
        <p class="verdict off small">
          {text.refused}{" "}
          <Rich text={messageOf(laterWords.value.fault, refused, example.expression)} />
        </p>
      )}
      <Gradients />
      <div class="acts">
        <button class="go" onClick={play}>
          {side.value === "wrong" ? text.playWrong : text.playRight}
        </button>
        {refused === null && <Sides />}
      </div>
      <Steps />
      <p class="small">
        <b>{text.cure}:</b> <Rich text={cure} />
      </p>
      {isOther && (
        <div class="acts">
          <button onClick={() => show(refused === null ? "wrong" : "right", true)}>
            {text.example(example.expression)}
          </button>
        </div>
      )}
    </>
  );
}

function Sides() {
  const text = laterWords.value.broken;
  const choice = (which: Side, label: string) => (
    <label>
      <input type="radio" name="side" checked={side.value === which} onChange={() => show(which)} />
      {label}
    </label>
  );
  return (
    <div class="pair" role="radiogroup" aria-label={text.onStage}>
      {choice("wrong", `✕ ${text.wrong}`)}
      {choice("right", `✓ ${text.right}`)}
    </div>
  );
}
