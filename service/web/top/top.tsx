/** The head of the page: the site's bar, title, parity of both engines, expression, examples. */

import { batch, computed, effect, signal } from "@preact/signals";
import { Chip, More } from "../controls.tsx";
import { loaded, loadInteraction, part } from "../interaction.ts";
import { suggestion } from "../loading.tsx";
import { current, goTo, playsFronts, seeded } from "../state/play.ts";
import {
  beginEditing,
  editText,
  expanded,
  expression,
  fault,
  loadProgram,
  shown,
} from "../state/program.ts";
import type { ShownProgram, Values } from "../state/program.ts";
import {
  announcement,
  isAlone,
  language,
  pass,
  pointedNode,
  showsAccuracy,
  turnBack,
} from "../state/view.ts";
import type { Example } from "./examples.ts";
import { chooseLanguage, LANGUAGES, shownWords, words } from "../words.ts";
import type { LanguageCode } from "../words.ts";

const UndoRedo = part(({ UndoRedo }) => UndoRedo);
export const Fault = part(({ Fault }) => Fault);

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

/** A menu of languages, each by its own name; the address keeps the choice. */
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

/** An icon while both engines agree, with words for screen readers, or else the difference. */
function ParityMark() {
  const text = shownWords.value.parity;
  const now = parity.value;
  if (now.state === "differ") {
    return <p class="parity bad">{text.differ(now.where, now.here, now.there)}</p>;
  }
  const [icon, ...words] = text[now.state].split(" ");
  return (
    <p class={`parity ${now.state}`} data-state={now.state} title={words.join(" ")}>
      {icon} <span class="visually-hidden">{words.join(" ")}</span>
    </p>
  );
}

export function ExpressionBar() {
  return (
    <>
      <div class="expression-bar">
        <ExpressionField />
        <span class="edits">
          {loaded.value && <UndoRedo />}
          <button
            class="share"
            data-copied={loaded.value?.copied.value === "link"}
            onClick={() => void loadInteraction().then(({ share }) => share())}
          >
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

/** The underlined span: of the fault, of the card under the pointer, or of the step. */
const underlined = computed(() => {
  const wrong = suggestion.loaded.value?.refusal.value ?? fault.value;
  if (fault.value !== null) return { span: wrong!.span, kind: "wrong" };
  const { expression: text, document } = shown.value;
  const tick = playsFronts.value ? null : current.value;
  const step = pass.value === "backward" ? tick?.edge?.to : tick?.node;
  const node = text === expression.value ? (pointedNode.value ?? step) : null;
  return { span: document.nodes[node ?? -1]?.span ?? null, kind: pass.value };
});

/** The field, as high as its text; a copy of the text behind it shows the underline. */
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

/** The first examples as JSON, and the number of all, defined by `build.ts`. */
declare const FIRST_EXAMPLES: string;
declare const EXAMPLE_COUNT: number;

/** An example; its description is loaded with the interaction parts. */
type ShownExample = Omit<Example, "about"> & Partial<Example>;
const firstExamples = JSON.parse(FIRST_EXAMPLES) as readonly ShownExample[];
const allExamples = computed(() => loaded.value?.EXAMPLES ?? firstExamples);

const showsAllExamples = signal(false);

function Examples() {
  const { examples: lead } = words.value;
  const isAll = showsAllExamples.value;
  return (
    <div class={`slot${isAll ? " wraps" : ""}`} role="group" aria-label={lead}>
      <span class="lead">{lead}</span>
      <div class="line">
        {allExamples.value
          .filter((each, at) => isAll || at < firstExamples.length || isLoaded(each))
          .map((each) => (
            <Chip
              key={each.name}
              title={textOf(each).about}
              isOn={isLoaded(each)}
              press={() => chooseExample(each)}
            >
              {textOf(each).title}
            </Chip>
          ))}
      </div>
      <More of={showsAllExamples}>{shownWords.value.allExamples(EXAMPLE_COUNT)}</More>
    </div>
  );
}

/** Return an example's texts in the chosen language. */
function textOf({ name }: ShownExample): { readonly title: string; readonly about?: string } {
  const own = shownWords.value.examples[name]?.split(" | ");
  if (own !== undefined) return { title: own[0]!, about: own[1]! };
  return allExamples.value.find((each) => each.name === name)!;
}

/** Whether an example is loaded; if several share its expression, also in its view. */
function isLoaded({ request }: ShownExample): boolean {
  const same = allExamples.value.filter((each) => each.request.expression === request.expression);
  const hasView = same.length === 1 || "view" in request === expanded.value;
  return request.expression === expression.value && hasView;
}

function chooseExample(example: ShownExample): void {
  const { name, request } = example;
  batch(() => {
    loadProgram({ parameters: [], ...request, values: request.values as Values });
    expanded.value = "view" in request;
    showsAccuracy.value = loaded.value?.ACCURACY_EXAMPLES.includes(name) ?? false;
    turnBack();
    goTo(0);
    seeded.value = false;
    showsAllExamples.value = false;
  });
  announcement.value = () => textOf(example).about ?? null;
}

type Parity =
  | { readonly state: "asking" | "agree" | "away" | "alone" | "refused" }
  | ({ readonly state: "differ" } & Difference);

/** The first member that differs, and its text in each document. */
interface Difference {
  readonly where: string;
  readonly here: string;
  readonly there: string;
}

const parity = signal<Parity>({ state: "asking" });

/** Milliseconds without a change before a request to the service. */
const QUIET = 250;
const TIMEOUT = 5_000;

export function startParityChecks(): void {
  if (isAlone) {
    parity.value = { state: "alone" };
    return;
  }
  effect(() => {
    const program = shown.value;
    const call = new AbortController();
    const timer = setTimeout(() => void askService(program, call), QUIET);
    return () => {
      clearTimeout(timer);
      call.abort("changed");
    };
  });
  addEventListener("online", () => void askService(shown.peek(), new AbortController()));
}

async function askService(program: ShownProgram, call: AbortController): Promise<void> {
  if (parity.peek().state === "away") parity.value = { state: "asking" };
  const patience = setTimeout(() => call.abort("slow"), TIMEOUT);
  const { expression, values, parameters, document } = program;
  const body = JSON.stringify({ expression, values, parameters, view: document.view });
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  const { signal } = call;
  try {
    const reply = await fetch("v1/gradient", { method: "POST", headers, body, signal });
    if (reply.status >= 400 && reply.status < 500) parity.value = { state: "refused" };
    else if (reply.ok) {
      const difference = firstDifference(document, await reply.json());
      parity.value = difference ? { state: "differ", ...difference } : { state: "agree" };
    } else parity.value = { state: "away" };
  } catch {
    if (call.signal.reason !== "changed") parity.value = { state: "away" };
  } finally {
    clearTimeout(patience);
  }
}

/** Find the first member that differs, in the order of the document. */
function firstDifference(ours: unknown, theirs: unknown, where = ""): Difference | null {
  if (!isObject(ours) || !isObject(theirs) || Array.isArray(ours) !== Array.isArray(theirs)) {
    if (ours === theirs) return null;
    return { where, here: String(JSON.stringify(ours)), there: String(JSON.stringify(theirs)) };
  }
  for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const place = where === "" ? name : `${where}.${name}`;
    const found = firstDifference(ours[name], theirs[name], place);
    if (found !== null) return found;
  }
  return null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
