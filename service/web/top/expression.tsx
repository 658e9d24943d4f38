/** The field for the expression; a fault is underlined at its column, and no text is ever lost. */

import { createRef } from "preact";
import { fault, expression, write } from "../state/program.ts";
import { words } from "../words.ts";

export const field = createRef<HTMLInputElement>();
const underline = createRef<HTMLPreElement>();

/** Whether what comes in next takes the place of the whole text. */
let isWhole = false;

export function ExpressionField() {
  const span = fault.value?.span ?? null;
  const text = expression.value;
  return (
    <div class={`field${fault.value === null ? "" : " wrong"}`}>
      <label for="expression">{words.value.expression}</label>
      <div class="entry" data-text={text}>
        {span !== null && <Underline text={text} start={span.start} end={span.end} />}
        <input
          id="expression"
          ref={field}
          value={text}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          aria-invalid={fault.value !== null}
          aria-describedby={fault.value === null ? undefined : "fault"}
          onBeforeInput={({ currentTarget: { selectionStart, selectionEnd, value } }) =>
            (isWhole = selectionStart === 0 && selectionEnd === value.length)
          }
          onInput={(event) => write(event.currentTarget.value, isWhole)}
          onScroll={follow}
        />
      </div>
    </div>
  );
}

/** The same text behind the field, invisible but for the line under the fault. */
function Underline({ text, start, end }: { text: string; start: number; end: number }) {
  const points = [...text]; // spans count code points
  const wrong = points.slice(start, Math.max(end, start + 1)).join("") || " ";
  return (
    <pre ref={underline} aria-hidden="true">
      {points.slice(0, start).join("")}
      <mark>{wrong}</mark>
    </pre>
  );
}

/** A long text scrolls, and its line with it. */
function follow(): void {
  if (underline.current && field.current) underline.current.scrollLeft = field.current.scrollLeft;
}
