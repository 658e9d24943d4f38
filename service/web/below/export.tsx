/** The program for elsewhere: as a link, a command, code, a diagram, a picture or a frame. */

import { signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import type { Document } from "../../../engine_ts/src/document.ts";
import { draw } from "../../../engine_ts/src/picture/draw.ts";
import type { Edge, Node } from "../../../engine_ts/src/template.ts";
import { deferredWords } from "../deferred_words.ts";
import { currentAddress, MOST_LETTERS } from "../state/address.ts";
import { withGuesses } from "../state/guesses.ts";
import { shown } from "../state/program.ts";
import type { ShownProgram } from "../state/program.ts";
import { caption, task, taskAnswer } from "../state/tasks.ts";
import { announcement } from "../state/view.ts";
import { words } from "../words.ts";
import { byHand, copy, publicAddress, share } from "./clipboard.ts";
import type { CopiedThing } from "./clipboard.ts";

const showsMore = signal(false);

export function Export() {
  const text = deferredWords.value.export;
  return (
    <>
      <p class="wraps">
        <button onClick={share}>{text.link}</button>
        <CopyButton form="python" write={() => asPython(shown.value)} />
        <CopyButton form="embed" write={() => asFrame(currentAddress(), words.value.title)} />
        <button onClick={saveSvg}>{text.svg}</button>
        <button onClick={savePng}>{text.png}</button>
        <button
          class="chip more"
          aria-expanded={showsMore.value}
          onClick={() => (showsMore.value = !showsMore.value)}
        >
          {deferredWords.value.below.name}{" "}
          <span aria-hidden="true">{showsMore.value ? "▴" : "▾"}</span>
        </button>
      </p>
      {showsMore.value && (
        <p class="wraps">
          <CopyButton form="curl" write={() => asCurl(shown.value)} />
          <CopyButton form="command" write={() => asCommand(shown.value)} />
          <CopyButton form="typescript" write={() => asTypeScript(shown.value)} />
          <CopyButton form="mermaid" write={() => toMermaid(shown.value.document)} />
          <CopyButton form="dot" write={() => toDot(shown.value.document)} />
        </p>
      )}
      <SceneFields />
      {byHand.value !== null && (
        <textarea class="by-hand" readonly rows={6} aria-label={text.text} value={byHand.value} />
      )}
    </>
  );
}

function CopyButton({ form, write }: { form: CopiedThing; write: () => string }) {
  return <button onClick={() => copy(form, write())}>{deferredWords.value.export[form]}</button>;
}

/** What the link says to whom it is sent; it is seen above the graph as it is written. */
function SceneFields() {
  const text = deferredWords.value.export;
  return (
    <fieldset class="scene-fields">
      <legend>{text.scene}</legend>
      <TextField label={text.caption} of={caption} />
      <TextField label={text.task} of={task} />
      <TextField label={text.answer} of={taskAnswer} />
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

function TextField({ label, of }: { label: string; of: Signal<string> }) {
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

/** Quote for a POSIX shell. */
function shellQuote(text: string): string {
  return /^[\w=.,:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function requestOf({
  expression,
  values,
  parameters,
  document,
}: ShownProgram): Record<string, unknown> {
  const marked = parameters.length > 0 ? { parameters } : {};
  const view = document.view === "folded" ? {} : { view: document.view };
  return { expression, values, ...marked, ...view };
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

/** A frame for another page, which shows the graph, the expression and the sliders. */
function asFrame(program: string, title: string): string {
  const { origin, pathname } = publicAddress();
  const address = `${origin}${pathname}?embed&show=expression,panel#${program}`;
  const safe = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<iframe src="${safe}" title="${title}" width="100%" height="640"></iframe>\n`;
}

const LONGEST_LINE = 24;
const LONGEST_LABEL = 100;
const DOT_HEAD = `digraph {
  graph [rankdir=LR nodesep=0.3 ranksep=0.4]
  node [shape=record style=filled fontname="Helvetica,Arial,sans-serif" fontsize=12 height=0.4]
  edge [fontname="Helvetica,Arial,sans-serif" fontsize=10 arrowsize=0.7 color="#475569"]
`;
const DOT_KINDS = {
  input: 'fillcolor="#dbeafe"',
  parameter: 'fillcolor="#dcfce7" penwidth=2.5',
  constant: 'fillcolor="#f1f5f9" style="filled,dotted"',
  operation: 'fillcolor="#fffbeb" shape=Mrecord',
};
const DOT_CIRCLE = 'shape=circle fillcolor="#fde68a" width=0.45 margin=0.03';
const MERMAID_KINDS = `  classDef input fill:#dbeafe,stroke:#1e293b,color:#0f172a
  classDef parameter fill:#dcfce7,stroke:#1e293b,color:#0f172a,stroke-width:3px
  classDef constant fill:#f1f5f9,stroke:#1e293b,color:#0f172a,stroke-dasharray:2 3
  classDef operation fill:#fffbeb,stroke:#1e293b,color:#0f172a
  classDef circle fill:#fde68a,stroke:#1e293b,color:#0f172a
`;
const NO_GRADIENT = "no gradient";

function toDot({ nodes, edges, root }: Document): string {
  const boxes = nodes.map((node) => {
    const name = `n${node.id}`;
    const box = `  ${name} [${DOT_KINDS[node.kind]} label="${boxLines(node, root).join("|")}"]\n`;
    if (node.operation === null) return box;
    // Where it matters, the first operand's edge is drawn above the second's.
    const ordering = ["-", "/"].includes(node.operation) ? " ordering=in" : "";
    const circle = `  ${name}_op [${DOT_CIRCLE} label="${node.operation}"${ordering}]\n`;
    return `${box}${circle}  ${name}_op -> ${name}\n`;
  });
  const arrows = edges.map((edge) => {
    const step = arrowText(edge);
    const text = step.length > LONGEST_LINE ? step.replace(" = ", " \\n = ") : step;
    const style = edge.differentiable ? "" : " style=dashed";
    return `  n${edge.from} -> n${edge.to}_op [label=" ${text} "${style}]\n`;
  });
  return [DOT_HEAD, ...boxes, ...arrows, "}\n"].join("");
}

function toMermaid({ nodes, edges, root }: Document): string {
  const boxes = nodes.map((node) => {
    const name = `n${node.id}`;
    const text = boxLines(node, root, mermaidEntities).join("<br>");
    const shape = node.operation === null ? `["${text}"]` : `("${text}")`;
    const box = `  ${name}${shape}:::${node.kind}\n`;
    if (node.operation === null) return box;
    return `${box}  ${name}_op(("${mermaidEntities(node.operation)}")):::circle\n  ${name}_op --> ${name}\n`;
  });
  const arrows = edges.map((edge) => {
    const arrow = edge.differentiable ? "-->" : "-.->";
    return `  n${edge.from} ${arrow}|"${arrowText(edge)}"| n${edge.to}_op\n`;
  });
  return ["flowchart LR\n", ...boxes, ...arrows, MERMAID_KINDS].join("");
}

/** The texts of a box. A name has letters, digits and _ only, so just Mermaid has to escape it. */
function boxLines(
  { kind, label, data, grad, id }: Node,
  root: number,
  escape = (text: string) => text,
): string[] {
  const isTold = kind === "parameter" || kind === "constant";
  const name = [...(isTold ? [kind] : []), ...(label === null ? [] : [escape(cutLabel(label))])];
  const numbers = [`data ${data}`, grad === null ? NO_GRADIENT : `grad ${grad}`];
  const head = name.length > 0 ? [name.join(" ")] : [];
  return [...head, ...numbers, ...(id === root ? ["root"] : [])];
}

function cutLabel(label: string): string {
  return label.length <= LONGEST_LABEL ? label : `${label.slice(0, LONGEST_LABEL)}…`;
}

function arrowText({ incoming_grad: incoming, local_grad: local, contribution }: Edge): string {
  if (contribution === null) return NO_GRADIENT;
  return `${incoming} × ${local} = ${contribution}`;
}

/** To Mermaid a text is Markdown, HTML and its own entities at once. */
function mermaidEntities(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, (sign) => `#${sign.codePointAt(0)};`);
}

/** Pixels of the file for one of the picture: sharp on paper and on dense screens. */
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
    // A graph may be larger than a browser's canvas, which then gives nothing.
    canvas.toBlob((file) => (file === null ? tooLarge() : saveFile(file, "graph.png")));
  };
  image.onerror = tooLarge;
  image.src = address;
}

function tooLarge(): void {
  announcement.value = () => deferredWords.value.export.tooLarge;
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
