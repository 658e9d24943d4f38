/** The program to take along: as a link, a command, a few lines of Python or TypeScript, a picture. */

import type { Signal } from "@preact/signals";
import { byHand, copy, share } from "./copied.ts";
import { written } from "../state/address.ts";
import { withGuesses } from "../state/guesses.ts";
import { shown } from "../state/program.ts";
import { MOST_LETTERS } from "../state/member.ts";
import { answer, caption, task } from "../state/scene.ts";
import { asCommand, asCurl, asFrame, asPython, asTypeScript } from "./snippets.ts";
import { toDot, toMermaid } from "./diagrams.ts";
import { savePng, saveSvg } from "./save.ts";
import { laterWords } from "../later_words.ts";
import { words } from "../words.ts";

export function Take() {
  const text = laterWords.value.take;
  const offers = [
    ["curl", () => asCurl(shown.value)],
    ["python", () => asPython(shown.value)],
    ["typescript", () => asTypeScript(shown.value)],
    ["command", () => asCommand(shown.value)],
    ["mermaid", () => toMermaid(shown.value.document)],
    ["dot", () => toDot(shown.value.document)],
    ["embed", () => asFrame(written(), words.value.title)],
  ] as const;
  return (
    <>
      <p class="wraps">
        <button onClick={share}>{text.link}</button>
        {offers.map(([form, write]) => (
          <button onClick={() => copy(form, write())}>{text[form]}</button>
        ))}
        <button onClick={saveSvg}>{text.svg}</button>
        <button onClick={savePng}>{text.png}</button>
      </p>
      <Scene />
      {byHand.value !== null && (
        <textarea class="by-hand" readonly rows={6} aria-label={text.text} value={byHand.value} />
      )}
    </>
  );
}

/** What the link says to whom it is sent; it is seen above the graph as it is written. */
function Scene() {
  const text = laterWords.value.take;
  return (
    <fieldset class="said-along">
      <legend>{text.scene}</legend>
      <Line label={text.caption} of={caption} />
      <Line label={text.task} of={task} />
      <Line label={text.answer} of={answer} />
      <label class="check">
        <input
          type="checkbox"
          checked={withGuesses.value}
          onChange={(event) => (withGuesses.value = event.currentTarget.checked)}
        />{" "}
        {text.guesses}
      </label>
    </fieldset>
  );
}

function Line({ label, of }: { label: string; of: Signal<string> }) {
  return (
    <label>
      {label}
      <input
        maxLength={MOST_LETTERS}
        value={of.value}
        onInput={(event) => (of.value = event.currentTarget.value)}
      />
    </label>
  );
}
