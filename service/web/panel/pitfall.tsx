/** A known mistake, right and wrong beside each other, in numbers and on the stage. */

import { GradientError } from "../../../engine_ts/src/errors.ts";
import { prepare } from "../../../engine_ts/src/introspect.ts";
import { changed, curedOf, exampleOf, mistake, otherwise, show, side } from "../state/break.ts";
import type { Side } from "../state/break.ts";
import { play } from "../state/play.ts";
import { expression } from "../state/program.ts";
import { Gradients, Steps } from "./beside.tsx";
import { messageOf } from "../words/fault.ts";
import { laterWords } from "../words/later.ts";
import { Rich } from "../words/rich.tsx";
import { short } from "../words/words.ts";

export function Pitfall() {
  const text = laterWords.value.broken;
  const name = mistake.value;
  const { title, about, cure } = text.known[name]!;
  const example = exampleOf(name);
  const refused = refusalOf(example.expression);
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
          {text.refused} <Rich text={messageOf(refused, example.expression)} />
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

/** Why the engine does not take the program of a pitfall; null where it does. */
function refusalOf(text: string): GradientError | null {
  try {
    prepare(text);
    return null;
  } catch (reason) {
    if (reason instanceof GradientError) return reason;
    throw reason;
  }
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
