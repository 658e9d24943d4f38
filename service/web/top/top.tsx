/** The head of the page: the site's bar, the title and the expression. */

import { createRef } from "preact";
import { loadDeferred, part } from "../deferred.ts";
import { editText, expression, fault } from "../state/program.ts";
import { isAlone, language } from "../state/view.ts";
import { chooseLanguage, LANGUAGES, words } from "../words.ts";
import type { LanguageCode } from "../words.ts";

const UndoRedo = part(({ UndoRedo }) => UndoRedo);
const ParityMark = part(({ ParityMark }) => ParityMark);
const Examples = part(({ Examples }) => Examples);
const Fault = part(({ Fault }) => Fault);

export function SiteBar() {
  return (
    <header class="bar">
      <a class="brand" href={homeLink()} aria-label="Gradient service">
        <span class="mark" aria-hidden="true">
          ∂
        </span>{" "}
        <span class="desk">Gradient service</span>
      </a>
      <PageLinks />
      <Languages />
    </header>
  );
}

/** The page from its start, in the language that was chosen. */
function homeLink(): string {
  return language.value === null ? "./" : `./#lang=${language.value}`;
}

/** The lesson where it was left. */
function lessonLink(): string {
  return language.value === null ? "#lesson=" : `#lesson=&lang=${language.value}`;
}

function PageLinks() {
  const text = words.value;
  return (
    <nav aria-label={text.site}>
      {!isAlone && (
        <a href={homeLink()} aria-current="page">
          {text.sandbox}
        </a>
      )}
      <a href={lessonLink()}>{text.lesson}</a>
    </nav>
  );
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
  const text = words.value;
  return (
    <div class="head">
      <h1>{text.title}</h1>
      <p class="tag">{text.tagline}</p>
      <ParityMark />
    </div>
  );
}

export function ExpressionBar() {
  return (
    <div class="expression-bar">
      <ExpressionField />
      <span class="edits">
        <UndoRedo />
        <button onClick={() => void loadDeferred().then(({ share }) => share())}>
          {words.value.share}
        </button>
      </span>
      <ExamplesOrFault />
    </div>
  );
}

/** One place for the examples or for what is wrong, so that nothing below moves. */
function ExamplesOrFault() {
  return (
    <div class="slot-place">
      {fault.value === null ? <Examples /> : <Fault fault={fault.value} />}
    </div>
  );
}

const expressionInput = createRef<HTMLInputElement>();
const faultUnderline = createRef<HTMLPreElement>();

/** Whether what comes in next takes the place of the whole text. */
let replacesAll = false;

function ExpressionField() {
  const span = fault.value?.span ?? null;
  const text = expression.value;
  return (
    <div class={`field${fault.value === null ? "" : " wrong"}`}>
      <label for="expression">{words.value.expression}</label>
      <div class="entry" data-text={text}>
        {span !== null && <Underline text={text} start={span.start} end={span.end} />}
        <input
          id="expression"
          ref={expressionInput}
          value={text}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          aria-invalid={fault.value !== null}
          aria-describedby={fault.value === null ? undefined : "fault"}
          onBeforeInput={({ currentTarget: { selectionStart, selectionEnd, value } }) =>
            (replacesAll = selectionStart === 0 && selectionEnd === value.length)
          }
          onInput={(event) => editText(event.currentTarget.value, replacesAll)}
          onScroll={scrollUnderline}
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
    <pre ref={faultUnderline} aria-hidden="true">
      {points.slice(0, start).join("")}
      <mark>{wrong}</mark>
    </pre>
  );
}

/** A long text scrolls, and its line with it. */
function scrollUnderline(): void {
  if (faultUnderline.current && expressionInput.current)
    faultUnderline.current.scrollLeft = expressionInput.current.scrollLeft;
}
