/** The head of the page: the site's bar, the title and the expression. */

import { computed } from "@preact/signals";
import { loadInteraction, part } from "../interaction.ts";
import { suggestion } from "../loading.tsx";
import { current, playsFronts } from "../state/play.ts";
import { beginEditing, editText, expression, fault, shown } from "../state/program.ts";
import { language, pass, pointedNode } from "../state/view.ts";
import { chooseLanguage, LANGUAGES, words } from "../words.ts";
import type { LanguageCode } from "../words.ts";

const UndoRedo = part(({ UndoRedo }) => UndoRedo);
const ParityMark = part(({ ParityMark }) => ParityMark);
const Examples = part(({ Examples }) => Examples);
const Fault = part(({ Fault }) => Fault);

export function SiteBar() {
  return (
    <header class="bar">
      <a class="brand" href={linkTo("./", "#")} aria-label="Gradient service">
        <span class="mark" aria-hidden="true">
          ∂
        </span>{" "}
        <span class="desk">Gradient service</span>
      </a>
      <nav aria-label={words.value.site}>
        <a href={linkTo("#lesson=", "&")}>{words.value.lesson}</a>
      </nav>
      <Languages />
    </header>
  );
}

/** Return a link that keeps the chosen language. */
function linkTo(start: string, mark: "#" | "&"): string {
  return language.value === null ? start : `${start}${mark}lang=${language.value}`;
}

/** The languages, each by its own name; the address keeps the choice. */
function Languages() {
  const { language: code, languages } = words.value;
  return (
    <select
      aria-label={languages}
      value={language.value ?? code}
      onChange={(event) => void chooseLanguage(event.currentTarget.value as LanguageCode)}
    >
      {Object.entries(LANGUAGES).map(([code, { name }]) => (
        <option lang={code} value={code}>
          {name}
        </option>
      ))}
    </select>
  );
}

export function Title() {
  return (
    <div class="head">
      <h1>{words.value.title}</h1>
      <p class="tag">{words.value.tagline}</p>
      <ParityMark />
    </div>
  );
}

export function ExpressionBar() {
  return (
    <>
      <div class="expression-bar">
        <ExpressionField />
        <span class="edits">
          <UndoRedo />
          <button class="share" onClick={() => void loadInteraction().then(({ share }) => share())}>
            {words.value.share}
          </button>
        </span>
      </div>
      {/* One place for both, so that nothing below moves. */}
      <div class="slot-place">
        {fault.value === null ? <Examples /> : <Fault fault={fault.value} />}
      </div>
    </>
  );
}

/** Whether the next input replaces the whole text. */
let replacesAll = false;

/** The underlined span: of the fault, of the card pointed at, or of the step. */
const underlined = computed(() => {
  const wrong = suggestion.loaded.value?.refusal.value ?? fault.value;
  if (fault.value !== null) return { span: wrong!.span, kind: "wrong" };
  const { expression: text, document } = shown.value;
  const tick = playsFronts.value ? null : current.value;
  const step = pass.value === "backward" ? tick?.edge?.to : tick?.node;
  const node = text === expression.value ? (pointedNode.value ?? step) : null;
  return { span: document.nodes[node ?? -1]?.span ?? null, kind: pass.value };
});

/** The field is as high as its text; a copy behind it shows only the underline. */
function ExpressionField() {
  const text = expression.value;
  const { span, kind } = underlined.value;
  const points = [...text]; // spans count code points
  const [start, end] = span === null ? [points.length, 0] : [span.start, span.end];
  const marked = points.slice(start, Math.max(end, start + 1)).join("");
  return (
    <div class={`field${fault.value === null ? "" : " wrong"}`}>
      <label for="expression">{words.value.expression}</label>
      <div class="entry">
        <pre aria-hidden="true">
          {points.slice(0, start).join("")}
          {span !== null && <mark class={kind}>{marked || " "}</mark>}
          {points.slice(start + 1 > end ? start + 1 : end).join("")}
          {text.endsWith("\n") && " "}
        </pre>
        <textarea
          id="expression"
          rows={1}
          value={text}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          aria-invalid={fault.value !== null}
          aria-describedby={fault.value === null ? undefined : "fault"}
          onFocus={beginEditing}
          onKeyDown={(event) => event.key === "Enter" && !event.shiftKey && event.preventDefault()}
          onBeforeInput={({ currentTarget: { selectionStart, selectionEnd, value } }) =>
            (replacesAll = selectionStart === 0 && selectionEnd === value.length)
          }
          onInput={(event) => editText(event.currentTarget.value, replacesAll)}
        />
      </div>
    </div>
  );
}
