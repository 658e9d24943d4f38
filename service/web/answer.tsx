/** A question that is answered with a number: its field, what checks it, and what is said then. */

import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { laterWords } from "./later_words.ts";
import { Rich } from "./words/rich.tsx";

interface Props {
  readonly id: string;
  /** What kind of question it is, and the question. */
  readonly lead: string;
  readonly question: string;
  readonly typed: Signal<string>;
  /** Null is not checked yet. */
  readonly isRight: Signal<boolean | null>;
  readonly check: () => void;
  /** Buttons beside the one that checks. */
  readonly beside?: ComponentChildren;
  /** Said after the verdict. */
  readonly said: string;
  /** What stands there in any case. */
  readonly children?: ComponentChildren;
}

export function Answer(props: Props) {
  const { id, lead, question, typed, isRight, check, beside, said, children } = props;
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
      <label for={id}>
        <b>{lead}</b> <Rich text={question} />
      </label>
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
          <>
            <b class={verdict ? "good" : "bad"}>{verdict ? text.right : text.wrong}</b>
            {said !== "" && <Rich text={` ${said}`} />}
          </>
        )}
        {children}
      </p>
    </form>
  );
}
