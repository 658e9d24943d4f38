/** What parts share that are loaded when asked for: their words, a question with a field for its
 * answer, and the clipboard. */

import { batch, computed, signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { sharedAddress } from "./state/address.ts";
import { announcement, selectedEdge } from "./state/view.ts";
import { inChosenLanguage, wordsOf } from "./words.ts";
import { INTERACTION } from "./words/en.ts";
import { Rich } from "./words/text.tsx";

type Show = (address: string) => Promise<void>;
/** Load an address with the parts that it sets. The history does; what it loads may not import it. */
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
  /** Shown in any case. */
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

/** What can be copied; each language has a word for the link and the embed code. */
type CopiedThing = "Python" | "link" | "embed";

/** A text that could not be copied. */
export const byHand = signal<string | null>(null);

/** What was copied last, and the sentence that says so. */
const last = signal<readonly [thing: CopiedThing, said: () => string] | null>(null);
/** What was copied, as long as the sentence says so: its button, which may be far away, has a mark. */
export const copied = computed(() =>
  announcement.value !== null && announcement.value === last.value?.[1] ? last.value[0] : null,
);

/** Copy a text, and announce it in the current language. */
export function copy(thing: CopiedThing, text: string): void {
  const done = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
  const isLocal = isFile() && thing !== "Python";
  const what = () => (thing === "Python" ? thing : exportText[thing]);
  const said = () => exportText.copied(what()) + (isLocal ? ` ${exportText.ofFile}` : "");
  done.then(
    () => announceCopy(null, said, thing),
    () => announceCopy(text, () => exportText.denied),
  );
}

/** Announce it instead of the previous text. */
function announceCopy(denied: string | null, said: () => string, thing?: CopiedThing): void {
  batch(() => {
    [byHand.value, selectedEdge.value, announcement.value] = [denied, null, said];
    last.value = thing === undefined ? null : [thing, said];
  });
}

/** Copy the address of the current state, or of the lecture. */
export function share(): void {
  copy("link", `${publicAddress().href}#${sharedAddress()}`);
}

/** Where `make run` serves; a frame of a notebook has no address of its own. */
const LOCAL_SERVICE = "http://127.0.0.1:8000/";

/** Whether the page was opened from a file, without a service. */
function isFile(): boolean {
  return !location.protocol.startsWith("http");
}

/** The address of the page, without a program: that of a file opens it on this computer. */
export function publicAddress(): URL {
  const { href, protocol } = location;
  return new URL(protocol === "about:" ? LOCAL_SERVICE : href.split("#")[0]!);
}
