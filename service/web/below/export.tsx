/** Export the program: as a link, code, a picture or a frame. */

import { draw } from "../../../engine_ts/src/picture/draw.ts";
import { inChosenLanguage, interactionWords } from "../interaction_words.ts";
import { currentAddress, MOST_LETTERS } from "../state/address.ts";
import { isInParts } from "../stage/arrangement.ts";
import { withGuesses } from "../state/guesses.ts";
import { step, ticks } from "../state/play.ts";
import { shown } from "../state/program.ts";
import type { ShownProgram } from "../state/program.ts";
import { caption, task, taskAnswer } from "../state/tasks.ts";
import { announcement } from "../state/view.ts";
import { words, wordsOf } from "../words.ts";
import { EXPORTING } from "../words/en.ts";
import { byHand, copy, publicAddress, share } from "./clipboard.ts";
import { pictureOfStage } from "./picture.ts";

const text = inChosenLanguage(wordsOf("exporting", EXPORTING));
const shared = inChosenLanguage(() => interactionWords.value.export);

export function Export() {
  return (
    <>
      <p class="wraps">
        <button onClick={share}>{text.copy(shared.link)}</button>
        <button onClick={() => copy("Python", asPython(shown.value))}>{text.copy("Python")}</button>
        <button onClick={() => copy("embed", asFrame())}>{text.copy(shared.embed)}</button>
        <button onClick={saveSvg}>{text.save("SVG")}</button>
        <button onClick={savePng}>{text.save("PNG")}</button>
      </p>
      <SceneFields />
      {byHand.value !== null && (
        <textarea class="by-hand" readonly rows={6} aria-label={text.text} value={byHand.value} />
      )}
    </>
  );
}

/** The link's message to its reader; it is shown above the graph while it is written. */
function SceneFields() {
  const fields = [
    [text.caption, caption],
    [shared.task, task],
    [text.answer, taskAnswer],
  ] as const;
  return (
    <fieldset class="scene-fields">
      <legend>{text.scene}</legend>
      {fields.map(([label, of]) => (
        <label key={label}>
          {label}
          <input
            maxLength={MOST_LETTERS}
            value={of.value}
            onInput={(event) => (of.value = event.currentTarget.value)}
          />
        </label>
      ))}
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

/** Return the program shown as a request, without defaults. */
function requestOf({ expression, values, parameters, document: { view } }: ShownProgram) {
  return {
    ...{ expression, values },
    ...(parameters.length > 0 && { parameters }),
    ...(view !== "folded" && { view }),
  };
}

function asPython(shown: ShownProgram): string {
  const { expression, values, ...options } = requestOf(shown);
  const given = Object.entries(options).map(
    ([name, value]) => `, ${name}=${JSON.stringify(value)}`,
  );
  return (
    "from engine_py import introspect\n\n" +
    `document = introspect(${JSON.stringify(expression)}, ${JSON.stringify(values)}${given.join("")})\n` +
    'print(document["result"], document["gradients"])\n'
  );
}

/** Return a frame for another page, with the graph, the expression and the sliders. */
function asFrame(): string {
  const { origin, pathname } = publicAddress();
  const address = `${origin}${pathname}?embed&show=expression,panel#${currentAddress()}`;
  const safe = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<iframe src="${safe}" title="${words.value.title}" width="100%" height="640"></iframe>\n`;
}

/** Pixels of the file per pixel of the picture: sharp on paper and on dense screens. */
const DENSE = 2;

function saveSvg(): void {
  saveFile(picture(), "graph.svg");
}

/** Draw the picture on a canvas of its size, on white if it has no ground. */
function savePng(): void {
  const address = URL.createObjectURL(picture());
  const image = new Image();
  image.onload = () => {
    URL.revokeObjectURL(address);
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width * DENSE, image.height * DENSE];
    const context = canvas.getContext("2d")!;
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    // If a graph is larger than a browser's canvas may be, the canvas stays empty.
    canvas.toBlob((file) => (file === null ? tooLarge() : saveFile(file, "graph.png")));
  };
  image.onerror = tooLarge;
  image.src = address;
}

function tooLarge(): void {
  announcement.value = () => text.tooLarge;
}

/** The stage at this step; of a graph that it shows in parts, the whole with all gradients. */
function picture(): Blob {
  const { expression, document } = shown.value;
  const title = `${expression}: ${words.value.of(step.value, ticks.value.length)}`;
  const drawing = isInParts.value ? draw(document) : pictureOfStage(title);
  return new Blob([drawing], { type: "image/svg+xml" });
}

function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}
