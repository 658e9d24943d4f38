/** A question that is answered with a number: its field, what checks it, and what is said then. */

import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { laterWords } from "./later_words.ts";

interface Props {
  readonly id: string;
  readonly question: ComponentChildren;
  readonly typed: Signal<string>;
  /** Null is not checked yet. */
  readonly isRight: Signal<boolean | null>;
  readonly check: () => void;
  /** Buttons beside the one that checks. */
  readonly beside?: ComponentChildren;
  /** What follows the verdict. */
  readonly children?: ComponentChildren;
}

export function Answer({ id, question, typed, isRight, check, beside, children }: Props) {
  const text = laterWords.value.tasks;
  const verdict = isRight.value;
  return (
    <form
      class="task"
      onSubmit={(event) => {
        event.preventDefault();
        check();
      }}
    >
      <label for={id}>{question}</label>
      <input
        class="number"
        id={id}
        inputmode="decimal"
        autocomplete="off"
        value={typed.value}
        aria-invalid={verdict === false}
        aria-describedby={`${id}-told`}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          isRight.value = null;
        }}
      />
      <button>{text.check}</button>
      {beside}
      <p id={`${id}-told`} class="told" role="status">
        {verdict !== null && (
          <b class={verdict ? "good" : "bad"}>{verdict ? text.right : text.wrong}</b>
        )}
        {children}
      </p>
    </form>
  );
}
