/** The program to take along: as a link, a command, a few lines of Python or TypeScript, a picture. */

import { byHand, copy, share } from "../state/copied.ts";
import { shown } from "../state/program.ts";
import { asCommand, asCurl, asFrame, asPython, asTypeScript } from "./snippets.ts";
import { toDot, toMermaid } from "./diagrams.ts";
import { savePng, saveSvg } from "./save.ts";
import { laterWords } from "../words/later.ts";

export function Take() {
  const text = laterWords.value.take;
  const offers = [
    [text.curl, () => asCurl(shown.value, location.href)],
    [text.python, () => asPython(shown.value)],
    [text.typescript, () => asTypeScript(shown.value)],
    [text.command, () => asCommand(shown.value)],
    [text.mermaid, () => toMermaid(shown.value.document)],
    [text.dot, () => toDot(shown.value.document)],
    [text.embed, () => asFrame(location.href)],
  ] as const;
  return (
    <>
      <p class="wraps">
        <button onClick={share}>{text.link}</button>
        {offers.map(([label, write]) => (
          <button onClick={() => copy(label, write())}>{label}</button>
        ))}
        <button onClick={saveSvg}>{text.svg}</button>
        <button onClick={savePng}>{text.png}</button>
      </p>
      {byHand.value !== null && (
        <textarea class="by-hand" readonly rows={6} aria-label={text.text} value={byHand.value} />
      )}
    </>
  );
}
