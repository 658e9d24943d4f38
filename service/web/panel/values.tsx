/** A row for each variable: its value, its slider, the slope of the result over it. */

import { guesses, predict } from "../state/guesses.ts";
import { held } from "../state/program.ts";
import { step } from "../state/play.ts";
import { Rich } from "../words/rich.tsx";
import { laterWords } from "../later_words.ts";
import { opened } from "../state/ranges.ts";
import { ValueRow } from "./value_row.tsx";

/** With more variables than this the rows are slim. */
const FEW = 3;

export function ValuesRoom() {
  const leaves = held.value.prepared.template.variables;
  const isSlim = leaves.length > FEW || opened.value !== null;
  if (leaves.length === 0) return <NoVariables />;
  return (
    <>
      {leaves.map(({ row }) => (
        <ValueRow key={row.label} node={row} isSlim={isSlim} />
      ))}
      {opened.value === null &&
        step.value === 0 &&
        guesses.value.isOpen &&
        leaves.length <= FEW && <Try />}
    </>
  );
}

/** Of a program without variables. */
export function NoVariables() {
  return (
    <p class="soft">
      <Rich text={laterWords.value.values.none} />
    </p>
  );
}

function Try() {
  const text = laterWords.value.invite;
  return (
    <div class="tip-card">
      <h2>{text.title}</h2>
      <p>{text.before}</p>
      <div class="acts">
        <button onClick={predict}>{text.button}</button>
      </div>
    </div>
  );
}
