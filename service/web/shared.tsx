/** Shared by the parts that are loaded on demand: their words, questions, focus and clipboard. */

import { batch, computed, signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { sharedAddress } from "./state/address.ts";
import { announcement, selectedEdge } from "./state/view.ts";
import { inChosenLanguage, wordsOf } from "./words.ts";
import { INTERACTION } from "./words/en.ts";
import { Rich } from "./words/text.tsx";

type Show = (address: string) => Promise<void>;
/** Load an address, with the parts that it sets; set by the history, as imports may not cycle. */
export let showAddress: Show = () => Promise.resolve();
export function showAddressesBy(show: Show): void {
  showAddress = show;
}

export const interactionWords = computed(wordsOf("interaction", INTERACTION));

const text = inChosenLanguage(() => interactionWords.value.tasks);

interface AnswerProps {
  readonly id: string;
  /** The kind of the question, and the question. */
  readonly lead: string;
  readonly question: string;
  readonly typed: Signal<string>;
  /** Null until it is checked. */
  readonly isRight: Signal<boolean | null>;
  readonly check: () => void;
  /** Buttons next to the one that checks. */
  readonly buttons?: ComponentChildren;
  /** Shown after the verdict. */
  readonly explanation: string;
  /** Always shown. */
  readonly children?: ComponentChildren;
}

export function Answer(props: AnswerProps) {
  const { id, lead, question, typed, isRight, check, buttons, explanation, children } = props;
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
      {buttons}
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

const exportText = inChosenLanguage(() => interactionWords.value.export);

/** Things to copy; each language has a word for the link and the embed code. */
type CopiedThing = "Python" | "link" | "embed";

/** A text that could not be copied, for the user to copy. */
export const notCopied = signal<string | null>(null);

/** The last thing copied, and the sentence that announces it. */
const last = signal<readonly [thing: CopiedThing, sentence: () => string] | null>(null);
/** The thing copied, while it is announced: its button, which may be far away, has a mark. */
export const copied = computed(() =>
  announcement.value !== null && announcement.value === last.value?.[1] ? last.value[0] : null,
);

/** Copy a text, and announce it in the current language. */
export function copy(thing: CopiedThing, text: string): void {
  const done = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
  const isLocal = isFile() && thing !== "Python";
  const name = () => (thing === "Python" ? thing : exportText[thing]);
  const copied = () => exportText.copied(name()) + (isLocal ? ` ${exportText.ofFile}` : "");
  done.then(
    () => announceCopy(null, copied, thing),
    () => announceCopy(text, () => exportText.denied),
  );
}

/** Announce a copy, or show the text whose copy was denied. */
function announceCopy(denied: string | null, sentence: () => string, thing?: CopiedThing): void {
  batch(() => {
    [notCopied.value, selectedEdge.value, announcement.value] = [denied, null, sentence];
    last.value = thing === undefined ? null : [thing, sentence];
  });
}

/** Copy the address of the current state, or of the lecture. */
export function share(): void {
  copy("link", `${publicAddress().href}#${sharedAddress()}`);
}

/** Where `make run` serves; a notebook's frame has no address. */
const LOCAL_SERVICE = "http://127.0.0.1:8000/";

/** Whether the page was opened from a file, without a service. */
function isFile(): boolean {
  return !location.protocol.startsWith("http");
}

/** Return the page's address without a program; a file's address only works on this computer. */
export function publicAddress(): URL {
  const { href, protocol } = location;
  return new URL(protocol === "about:" ? LOCAL_SERVICE : href.split("#")[0]!);
}

/** Let the Tab key continue in the panel. */
export function focusPanel(): void {
  document.getElementById("panel")?.focus({ preventScroll: true });
}
