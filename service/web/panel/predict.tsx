/** Say what each gradient will be, before the page does; hints name the rule and never the number. */

import { own } from "../state/own.ts";
import { check, giveAway, guesses, typed } from "../state/guesses.ts";
import type { Verdict } from "../state/guesses.ts";
import { shown } from "../state/program.ts";
import { Tasks } from "./tasks.tsx";
import { NoVariables } from "./values.tsx";
import { Rich } from "../words/rich.tsx";
import { hintFor } from "../words/hint.ts";
import { laterWords } from "../later_words.ts";
import { words } from "../words.ts";

export function Predict() {
  return (
    <>
      <Guesses />
      <Tasks />
    </>
  );
}

function Guesses() {
  const text = laterWords.value.predict;
  const { names, verdicts, right, isOpen } = guesses.value;
  const open = names.find((name) => !right.has(name));
  if (names.length === 0) return <NoVariables />;
  return (
    <form class="predict" onSubmit={submit}>
      <h2>{text.title}</h2>
      <p class="soft small">{text.question}</p>
      <ul class="guesses">
        {names.map((name) => (
          <Guess key={name} name={name} verdict={verdicts.get(name)!} />
        ))}
      </ul>
      <div class="acts">
        {isOpen && <button class="go">{text.check}</button>}
        {open !== undefined && (
          <button class="plain" type="button" onClick={() => giveAway(open)}>
            {text.show(open)}
          </button>
        )}
      </div>
      <p class={`outcome${isOpen ? "" : " good"}`}>
        {!isOpen && text.all}
        {isOpen && right.size > 0 && <Rich text={text.some(right.size, names.length, open!)} />}
      </p>
    </form>
  );
}

function submit(event: Event): void {
  event.preventDefault();
  check();
}

function Guess({ name, verdict }: { name: string; verdict: Verdict }) {
  const isOff = verdict === "wrong" || verdict === "no number";
  const value =
    verdict === "given"
      ? String(shown.value.document.gradients[name])
      : (own(typed.value, name) ?? "");
  return (
    <li class={isOff ? "off" : ""}>
      <label for={`guess-${name}`}>
        {laterWords.value.predict.gradOf} <b>{name}</b>
      </label>
      <input
        class="number"
        id={`guess-${name}`}
        inputmode="decimal"
        autocomplete="off"
        readonly={verdict === "given"}
        aria-invalid={isOff}
        aria-describedby={`verdict-${name}`}
        value={value.replaceAll("-", "−")}
        onInput={(event) => (typed.value = { ...typed.value, [name]: event.currentTarget.value })}
      />
      <span id={`verdict-${name}`} class={isOff ? "no" : "yes"} role="status">
        {told(verdict, own(typed.value, name) ?? "")}
      </span>
      {isOff && (
        <p class="hint">
          <Rich text={hintFor(words.value, laterWords.value.rules, shown.value, name)} />
        </p>
      )}
    </li>
  );
}

function told(verdict: Verdict, guess: string): string {
  const text = laterWords.value.predict;
  if (verdict === "right") return text.right;
  if (verdict === "wrong") return text.wrong(guess.trim());
  if (verdict === "no number") return text.notANumber;
  return verdict === "given" ? text.shownWord : "";
}
