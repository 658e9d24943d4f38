/** Export the program: as a link, a command, code, a diagram, a picture or a frame. */

import { signal } from "@preact/signals";
import { draw } from "../../../engine_ts/src/picture/draw.ts";
import { More } from "../controls.tsx";
import { deferredWords, inChosenLanguage } from "../deferred_words.ts";
import { currentAddress, MOST_LETTERS } from "../state/address.ts";
import { withGuesses } from "../state/guesses.ts";
import { shown } from "../state/program.ts";
import type { ShownProgram } from "../state/program.ts";
import { caption, task, taskAnswer } from "../state/tasks.ts";
import { announcement, isAlone } from "../state/view.ts";
import { words } from "../words.ts";
import { byHand, copy, nameOfThing, publicAddress, share } from "./clipboard.ts";
import type { CopiedThing } from "./clipboard.ts";

const text = inChosenLanguage(() => deferredWords.value.export);

const showsMore = signal(false);

export function Export() {
  return (
    <>
      <p class="wraps">
        <button onClick={share}>{text.copy(text.link)}</button>
        <CopyButton thing="Python" write={asPython} />
        <CopyButton thing="embed" write={asFrame} />
        <button onClick={saveSvg}>{text.save("SVG")}</button>
        <button onClick={savePng}>{text.save("PNG")}</button>
        <More of={showsMore}>{deferredWords.value.below.name}</More>
      </p>
      {showsMore.value && (
        <p class="wraps">
          <CopyButton thing="curl" write={asCurl} />
          <CopyButton thing="command" write={asCommand} />
          <CopyButton thing="TypeScript" write={asTypeScript} />
          {!isAlone &&
            (["Mermaid", "DOT"] as const).map((form) => (
              <button key={form} onClick={() => void copyDiagram(form)}>
                {text.copy(form)}
              </button>
            ))}
        </p>
      )}
      <SceneFields />
      {byHand.value !== null && (
        <textarea class="by-hand" readonly rows={6} aria-label={text.text} value={byHand.value} />
      )}
    </>
  );
}

interface CopyProps {
  readonly thing: CopiedThing;
  readonly write: (shown: ShownProgram) => string;
}

function CopyButton({ thing, write }: CopyProps) {
  const onClick = () => copy(thing, write(shown.value));
  return <button onClick={onClick}>{text.copy(nameOfThing(thing))}</button>;
}

/** The link's message to its reader; it is shown above the graph while it is written. */
function SceneFields() {
  const fields = [
    [text.caption, caption],
    [text.task, task],
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

/** Quote for a POSIX shell. */
function shellQuote(text: string): string {
  return /^[\w=.,:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Return the program shown as a request, without defaults. */
function requestOf({ expression, values, parameters, document: { view } }: ShownProgram) {
  return {
    ...{ expression, values },
    ...(parameters.length > 0 && { parameters }),
    ...(view !== "folded" && { view }),
  };
}

function asCurl(shown: ShownProgram): string {
  const address = new URL("v1/gradient", publicAddress()).href;
  const body = shellQuote(JSON.stringify(requestOf(shown)));
  return `curl -s ${address} -H 'content-type: application/json' -d ${body}`;
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

function asTypeScript(shown: ShownProgram): string {
  const { expression, values, ...options } = requestOf(shown);
  const given = Object.keys(options).length > 0 ? `, ${JSON.stringify(options)}` : "";
  return (
    'import { introspect } from "@gradient-service/engine";\n\n' +
    `const document = introspect(${JSON.stringify(expression)}, ${JSON.stringify(values)}${given});\n` +
    "console.log(document.result, document.gradients);\n"
  );
}

function asCommand({ expression, values }: ShownProgram): string {
  const pairs = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  return ["gradient explain", shellQuote(expression), ...pairs].join(" ");
}

/** Return a frame for another page, with the graph, the expression and the sliders. */
function asFrame(): string {
  const { origin, pathname } = publicAddress();
  const address = `${origin}${pathname}?embed&show=expression,panel#${currentAddress()}`;
  const safe = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<iframe src="${safe}" title="${words.value.title}" width="100%" height="640"></iframe>\n`;
}

/** Copy a diagram, which the service writes. */
async function copyDiagram(form: "Mermaid" | "DOT"): Promise<void> {
  const request = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(requestOf(shown.value)),
  };
  try {
    const reply = await fetch(`v1/gradient?format=${form.toLowerCase()}`, request);
    if (!reply.ok) throw new Error(reply.statusText);
    copy(form, await reply.text());
  } catch {
    announcement.value = () => words.value.notLoaded(form);
  }
}

/** Pixels of the file per pixel of the picture: sharp on paper and on dense screens. */
const DENSE = 2;

function saveSvg(): void {
  saveFile(picture(), "graph.svg");
}

/** Draw the picture on a canvas of its size, on white. */
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

function picture(): Blob {
  return new Blob([draw(shown.value.document)], { type: "image/svg+xml" });
}

function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}
