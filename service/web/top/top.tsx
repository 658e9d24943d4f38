/** The head of the page: the site's bar, the title and the expression. */

import { isAlone } from "../state/parity.ts";
import { language } from "../state/view.ts";
import { LANGUAGES } from "../words/language.ts";
import type { Code } from "../words/language.ts";
import { choose, words } from "../words.ts";
import { ExpressionField } from "./expression.tsx";
import { fault } from "../state/program.ts";
import { lazy, loadLater } from "../lazy.tsx";

const Edits = lazy(({ Edits }) => Edits);
const ParityMark = lazy(({ ParityMark }) => ParityMark);
const Examples = lazy(({ Examples }) => Examples);
const Fault = lazy(({ Fault }) => Fault);

export function SiteBar() {
  return (
    <header class="bar">
      <a class="brand" href={home()} aria-label="Gradient service">
        <span class="mark" aria-hidden="true">
          ∂
        </span>{" "}
        <span class="desk">Gradient service</span>
      </a>
      <Pages />
      <Languages />
    </header>
  );
}

/** The page from its start, in the language that was chosen. */
function home(): string {
  return language.value === null ? "./" : `./#lang=${language.value}`;
}

/** The lesson where it was left. */
function lesson(): string {
  return language.value === null ? "#lesson=" : `#lesson=&lang=${language.value}`;
}

function Pages() {
  const text = words.value;
  return (
    <nav aria-label={text.site}>
      {!isAlone && (
        <a href={home()} aria-current="page">
          {text.sandbox}
        </a>
      )}
      <a href={lesson()}>{text.lesson}</a>
      {!isAlone && <Others />}
    </nav>
  );
}

function Others() {
  const text = words.value;
  return (
    <>
      <a href="docs">{text.reference}</a>
      <a class="desk" href="problems">
        {text.problems}
      </a>
      <a class="desk" href="openapi.json">
        OpenAPI
      </a>
    </>
  );
}

/** The languages, each by its own name; the address keeps the choice. */
function Languages() {
  const { language: code, languages } = words.value;
  return (
    <select
      aria-label={languages}
      value={language.value ?? code}
      onChange={(event) => void choose(event.currentTarget.value as Code)}
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

export function Ask() {
  return (
    <div class="ask">
      <ExpressionField />
      <span class="edits">
        <Edits />
        <button onClick={() => void loadLater().then(({ share }) => share())}>
          {words.value.share}
        </button>
      </span>
      <Slot />
    </div>
  );
}

/** One place for the examples or for what is wrong, so that nothing below moves. */
function Slot() {
  return (
    <div class="slot-place">
      {fault.value === null ? <Examples /> : <Fault fault={fault.value} />}
    </div>
  );
}
