/** Whether both engines agree. */

import { laterWords } from "../later_words.ts";
import { parity } from "../state/parity.ts";

export function ParityMark() {
  const text = laterWords.value.parity;
  const now = parity.value;
  if (now.state === "differ") {
    return <p class="parity bad">{text.differ(now.where, now.here, now.there)}</p>;
  }
  const brief =
    now.state === "agree"
      ? text.agreeShort
      : now.state === "away"
        ? text.awayShort
        : text[now.state];
  return (
    <p class={`parity ${now.state}`} data-state={now.state}>
      <span class="long">{text[now.state]}</span>
      <span class="short">{brief}</span>
    </p>
  );
}
