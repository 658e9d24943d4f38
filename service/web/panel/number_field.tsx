/** A field for a number: read when a person is done with it; what is no number is marked and kept. */

import { useSignal } from "@preact/signals";
import { readNumber } from "../state/number.ts";

interface Props {
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

export function NumberField({ class: kind, label, text, take }: Props) {
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
