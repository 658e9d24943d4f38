/** Controls that several parts of the page share: an answer that is checked, a number field, a choice, a table's head. */

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
  /** What follows the verdict. */
  readonly explanation: string;
  /** What stands there in any case. */
  readonly children?: ComponentChildren;
}

export function Answer(props: AnswerProps) {
  const { id, lead, question, typed, isRight, check, beside, explanation, children } = props;
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
            {explanation !== "" && <Rich text={` ${explanation}`} />}
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
  /** Accept the number, or return false. */
  readonly accept: (number: number) => boolean;
}

/** What is typed, and what stood there before: when that changes, the draft is out of date. */
interface Draft {
  readonly typed: string;
  readonly before: string;
  readonly isWrong: boolean;
}

export function NumberField({ class: kind, label, text, accept }: NumberFieldProps) {
  const draft = useSignal<Draft | null>(null);
  const now = draft.value?.before === text ? draft.value : null;
  // Not at `change`: a field that is filled by dictation or by a program may not send it.
  const read = () => {
    if (now === null) return;
    const number = readNumber(now.typed);
    const isAccepted = number !== null && accept(number);
    draft.value = isAccepted ? null : { ...now, isWrong: true };
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

interface RadioGroupProps<T> {
  readonly label: string;
  /** The name that its fields share. */
  readonly name: string;
  readonly options: readonly (readonly [value: T, label: string])[];
  readonly chosen: T;
  readonly choose: (value: T) => void;
}

/** A choice of one of a few, side by side. */
export function RadioGroup<T>({ label, name, options, chosen, choose }: RadioGroupProps<T>) {
  return (
    <div class="segmented" role="radiogroup" aria-label={label}>
      {options.map(([value, text]) => (
        <label>
          <input
            type="radio"
            name={name}
            checked={value === chosen}
            onChange={() => choose(value)}
          />
          {text}
        </label>
      ))}
    </div>
  );
}
