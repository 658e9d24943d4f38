/** Controls that several parts of the page share: an answer that is checked, a number field, a table's head. */

import { useSignal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { readNumber } from "./state/helpers.ts";
import { Rich } from "./words/text.tsx";
import { deferredWords } from "./deferred_words.ts";

interface AnswerProps {
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

export function Answer(props: AnswerProps) {
  const { id, lead, question, typed, isRight, check, beside, said, children } = props;
  const text = deferredWords.value.tasks;
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
        aria-describedby={`${id}-feedback`}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          isRight.value = null;
        }}
      />
      <button>{text.check}</button>
      {beside}
      <p id={`${id}-feedback`} class="feedback" role="status">
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

interface NumberFieldProps {
  readonly class: string;
  readonly label: string;
  readonly text: string;
  /** Take the number, or give false where it cannot be taken. */
  readonly take: (number: number) => boolean;
}

/** What is typed, and what stood there before: when that changes, the draft is out of date. */
interface Draft {
  readonly typed: string;
  readonly before: string;
  readonly isWrong: boolean;
}

export function NumberField({ class: kind, label, text, take }: NumberFieldProps) {
  const draft = useSignal<Draft | null>(null);
  const now = draft.value?.before === text ? draft.value : null;
  // Not at `change`: a field that is filled by dictation or by a program may not send it.
  const read = () => {
    if (now === null) return;
    const number = readNumber(now.typed);
    const isTaken = number !== null && take(number);
    draft.value = isTaken ? null : { ...now, isWrong: true };
  };
  return (
    <input
      class={kind}
      inputmode="decimal"
      autocomplete="off"
      aria-label={label}
      aria-invalid={now?.isWrong === true}
      value={now?.typed ?? text}
      onInput={({ currentTarget: { value } }) =>
        (draft.value = { typed: value, before: text, isWrong: false })
      }
      onBlur={read}
      onKeyDown={({ key }) => key === "Enter" && read()}
      onFocus={(event) => event.currentTarget.select()}
    />
  );
}

export function TableHead({ of: heads }: { of: readonly ComponentChildren[] }) {
  return (
    <thead>
      <tr>
        {heads.map((head) => (
          <th scope="col">{head}</th>
        ))}
      </tr>
    </thead>
  );
}
