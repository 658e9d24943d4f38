/** Export the program: as a link, code, a picture of this step, a frame or a lecture. */

import { batch } from "@preact/signals";
import { render } from "preact";
import { draw } from "../../../engine_ts/src/picture/draw.ts";
import {
  copied,
  copy,
  interactionWords,
  notCopied,
  publicAddress,
  share,
  showAddress,
} from "../shared.tsx";
import { isInParts } from "../stage/arrangement.ts";
import { Check } from "../controls.tsx";
import {
  currentAddress,
  currentScene,
  lectureAddress,
  MAX_LETTERS,
  sharedAddress,
} from "../state/address.ts";
import { withGuesses } from "../state/guesses.ts";
import { step, ticks } from "../state/play.ts";
import { shown } from "../state/program.ts";
import type { ShownProgram } from "../state/program.ts";
import { caption, expected, sceneIndex, scenes, task, taskAnswer } from "../state/tasks.ts";
import { announcement, isAlone, isPrinted, moving } from "../state/view.ts";
import { inChosenLanguage, words, wordsOf } from "../words.ts";
import { EXPORTING } from "../words/en.ts";
import { Rich } from "../words/text.tsx";

/** The name of the page as one file, defined by `build.ts`. */
declare const ONE_FILE: string;

const text = inChosenLanguage(wordsOf("exporting", EXPORTING));
const shared = inChosenLanguage(() => interactionWords.value.export);

export function Export() {
  return (
    <>
      <p class="wraps">
        <button data-copied={copied.value === "link"} onClick={share}>
          {text.copy(shared.link)}
        </button>
        <button
          data-copied={copied.value === "Python"}
          onClick={() => copy("Python", asPython(shown.value))}
        >
          {text.copy("Python")}
        </button>
        <button data-copied={copied.value === "embed"} onClick={() => copy("embed", asFrame())}>
          {text.copy(shared.embed)}
        </button>
        <button onClick={() => saveFile(picture(), "graph.svg")}>{text.save("SVG")}</button>
        <button onClick={savePng}>{text.save("PNG")}</button>
        <button onClick={() => void saveHtml()}>{text.save("HTML")}</button>
      </p>
      <SceneFields />
      <Lecture />
      {notCopied.value !== null && (
        <label>
          {shared.denied}
          <textarea class="not-copied" readonly rows={6} value={notCopied.value} />
        </label>
      )}
    </>
  );
}

/** The message to the link's recipient; it is shown above the graph as it is typed. */
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
            maxLength={MAX_LETTERS}
            value={of.value}
            aria-invalid={of === taskAnswer && of.value !== "" && expected.value === null}
            onInput={(event) => (of.value = event.currentTarget.value)}
          />
        </label>
      ))}
      <Check of={withGuesses} label={text.guesses} />
    </fieldset>
  );
}

/** Buttons that make a lecture of scenes, one after the other; its links are above the graph. */
function Lecture() {
  const [at, count] = [sceneIndex.value, scenes.value.length];
  return (
    <fieldset class="scene-fields">
      <legend>{text.lecture}</legend>
      <p class="wraps">
        <button
          onClick={() => setScenes(scenes.value.toSpliced(at + 1, 0, currentScene()), at + 1)}
        >
          {text.add}
        </button>
        {count > 0 && (
          <>
            <button onClick={() => setScenes(scenes.value.with(at, currentScene()), at)}>
              {text.update(at + 1)}
            </button>
            <button onClick={() => setScenes(scenes.value.toSpliced(at, 1), at)}>
              {text.remove(at + 1)}
            </button>
            <button onClick={() => void printHandout()}>{text.handout}</button>
          </>
        )}
      </p>
      <p class="small muted">
        <Rich text={text.keys} />
      </p>
    </fieldset>
  );
}

function setScenes(to: readonly string[], at: number): void {
  batch(() => {
    scenes.value = to;
    sceneIndex.value = Math.max(0, Math.min(at, to.length - 1));
  });
}

/** Print each scene of the lecture: its program, picture, sentence, caption and task. */
async function printHandout(): Promise<void> {
  const [now, row] = [currentAddress(), scenes.value];
  const pages = [];
  isPrinted.value = true; // so that the changes below are not recorded as edits
  for (const at of row.keys()) {
    await showAddress(lectureAddress(at));
    await settled();
    const place = words.value.of(at + 1, row.length);
    const title = `${place} · ${shown.value.expression}`;
    pages.push(
      <figure>
        <h2>{title}</h2>
        {caption.value !== "" && (
          <p>
            <Rich text={caption.value} />
          </p>
        )}
        {pictureOfStage(title)}
        <figcaption>{document.querySelector(".sentence")?.textContent}</figcaption>
        {task.value !== "" && (
          <p>
            <b>{shared.task}:</b> <Rich text={task.value} />
          </p>
        )}
      </figure>,
    );
  }
  await showAddress(now);
  isPrinted.value = false;
  const handout = document.createElement("section");
  handout.className = "handout";
  render(pages, handout);
  document.body.append(handout);
  addEventListener("afterprint", () => handout.remove(), { once: true });
  print();
}

/** Wait until nothing moves: the stage gets its size in one frame, its cards in the next. */
async function settled(): Promise<void> {
  do {
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
  } while (moving.value !== "");
}

/** Save the page as one file, which opens with this program or lecture. */
async function saveHtml(): Promise<void> {
  const page = isAlone ? ownText() : await servedText();
  if (page === null) return;
  const meta = document.createElement("meta");
  [meta.name, meta.content] = ["address", sharedAddress()];
  const whole = page.replace("<title>", () => `${meta.outerHTML}<title>`);
  saveFile(new Blob([whole], { type: "text/html" }), "graph.html");
}

/** Return this page as it was before anything was drawn; its policy allows its script by a hash. */
function ownText(): string {
  const head = document.head.cloneNode(true) as HTMLHeadElement;
  head.querySelector("meta[name=address]")?.remove();
  return `<!doctype html>\n<html lang="en">${head.outerHTML}<body></body></html>\n`;
}

/** Fetch the page as one file from the service; return null without a connection. */
async function servedText(): Promise<string | null> {
  try {
    const reply = await fetch(`sandbox/${ONE_FILE}`);
    if (reply.ok) return await reply.text();
  } catch {
    // No connection.
  }
  announcement.value = () => words.value.notLoaded("HTML");
  return null;
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
    `document = introspect(${JSON.stringify(expression)}, ` +
    `${JSON.stringify(values)}${given.join("")})\n` +
    'print(document["result"], document["gradients"])\n'
  );
}

/** Return a frame for another page, with the graph, the expression and the sliders. */
function asFrame(): string {
  const page = publicAddress();
  page.search = "?embed&show=expression,panel";
  const address = `${page.href}#${sharedAddress()}`;
  const safe = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  const title = words.value.title;
  return (
    `<iframe src="${safe}" title="${title}" width="100%" height="640" ` +
    `allow="fullscreen; clipboard-write"></iframe>\n`
  );
}

/** Pixels of the file per pixel of the picture: sharp on paper and on dense screens. */
const DENSE = 2;

/** Draw the picture on a canvas, on white if it has no background. */
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
    // If a graph is too large for a browser's canvas, the canvas stays empty.
    canvas.toBlob((file) => (file === null ? tooLarge() : saveFile(file, "graph.png")));
  };
  image.onerror = tooLarge;
  image.src = address;
}

function tooLarge(): void {
  announcement.value = () => text.tooLarge;
}

/** Draw the stage at this step, or all of a graph that it shows in parts, with all gradients. */
function picture(): Blob {
  const { expression, document } = shown.value;
  const title = `${expression}: ${words.value.of(step.value, ticks.value.length)}`;
  const holder = new DocumentFragment();
  if (!isInParts.value) render(pictureOfStage(title), holder);
  const drawing = isInParts.value ? draw(document) : new XMLSerializer().serializeToString(holder);
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

/* The stage as it is drawn at this step, as an SVG of boxes, lines and texts. */

/** Pixels around the graph. */
const MARGIN = 12;
const CLEAR = "rgba(0, 0, 0, 0)";

/** Return the stage's picture, front-on, with `title` for screen readers. */
function pictureOfStage(title: string) {
  const picture = document.querySelector<HTMLElement>(".picture")!;
  const turn = picture.style.transform;
  picture.style.transform = "none";
  const { left, top, width, height } = picture.getBoundingClientRect();
  const [wide, high] = [width + 2 * MARGIN, height + 2 * MARGIN].map(Math.ceil);
  const parts = [...picture.querySelectorAll("*")].map((part) => drawn(part, left, top));
  picture.style.transform = turn;
  const ground = getComputedStyle(picture).getPropertyValue("--stage");
  return (
    <svg width={wide} height={high} viewBox={`0 0 ${wide} ${high}`}>
      <title>{title}</title>
      <rect width={wide} height={high} fill={ground.trim()} />
      <g transform={`translate(${MARGIN} ${MARGIN})`}>{parts}</g>
    </svg>
  );
}

/** Draw an element without its children, relative to the picture's corner. */
function drawn(part: Element, left: number, top: number) {
  const style = getComputedStyle(part);
  if (style.visibility === "hidden" || style.display === "none") return null;
  if (part instanceof SVGElement)
    return part instanceof SVGPathElement && !part.matches(".hit") ? line(part, style) : null;
  const texts = [...part.childNodes].filter((child) => child instanceof Text);
  return [
    boxOf(part.getBoundingClientRect(), style, left, top),
    texts.map((text) => textOf(text, style, left, top)),
  ];
}

function line(path: SVGPathElement, style: CSSStyleDeclaration) {
  const { a, b, c, d, e, f } = path.getCTM()!;
  return (
    <path
      d={path.getAttribute("d")!}
      transform={`matrix(${[a, b, c, d, e, f].map(short).join(" ")})`}
      fill={style.fill}
      stroke={style.stroke}
      stroke-width={style.strokeWidth}
      stroke-dasharray={style.strokeDasharray}
    />
  );
}

/** Return the element's background and border, if it has one. */
function boxOf(box: DOMRect, style: CSSStyleDeclaration, left: number, top: number) {
  const border = parseFloat(style.borderTopWidth);
  const isEmpty = border === 0 && style.backgroundColor === CLEAR;
  if (isEmpty || box.width === 0 || box.height === 0) return null;
  const [width, height] = [box.width - border, box.height - border];
  const radius = style.borderTopLeftRadius;
  const corner = radius.endsWith("%") ? (parseFloat(radius) / 100) * width : parseFloat(radius);
  return (
    <rect
      x={short(box.left - left + border / 2)}
      y={short(box.top - top + border / 2)}
      width={short(width)}
      height={short(height)}
      rx={short(Math.min(corner, width / 2, height / 2))}
      fill={style.backgroundColor === CLEAR ? "none" : style.backgroundColor}
      stroke={border === 0 ? "none" : style.borderTopColor}
      stroke-width={border}
      stroke-dasharray={style.borderTopStyle === "dashed" ? `${3 * border}` : "none"}
      opacity={style.opacity}
    />
  );
}

const context = document.createElement("canvas").getContext("2d")!;

/** Draw a text, as wide as on the stage in any font. */
function textOf(node: Text, style: CSSStyleDeclaration, left: number, top: number) {
  const text = node.data.trim();
  if (text === "") return null;
  const range = document.createRange();
  const start = node.data.indexOf(text);
  range.setStart(node, start);
  range.setEnd(node, start + text.length);
  const box = range.getBoundingClientRect();
  context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = context.measureText(text);
  const baseline = box.top + (box.height - up - down) / 2 + up;
  return (
    <text
      x={short(box.left - left)}
      y={short(baseline - top)}
      textLength={short(box.width)}
      lengthAdjust="spacingAndGlyphs"
      fill={style.color}
      font-family={style.fontFamily}
      font-size={style.fontSize}
      font-weight={style.fontWeight}
    >
      {text}
    </text>
  );
}

function short(number: number): number {
  return Math.round(number * 100) / 100;
}
