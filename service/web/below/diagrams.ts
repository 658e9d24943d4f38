/** Document -> its graph as text for Graphviz or Mermaid: the same that the service writes. */

import type { Document } from "../../../engine_ts/src/document.ts";
import type { Edge, Node } from "../../../engine_ts/src/template.ts";

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

export function toDot({ nodes, edges, root }: Document): string {
  const boxes = nodes.map((node) => {
    const name = `n${node.id}`;
    const box = `  ${name} [${DOT_KINDS[node.kind]} label="${linesOf(node, root).join("|")}"]\n`;
    if (node.operation === null) return box;
    // Where it matters, the first operand's edge is drawn above the second's.
    const ordering = ["-", "/"].includes(node.operation) ? " ordering=in" : "";
    const circle = `  ${name}_op [${DOT_CIRCLE} label="${node.operation}"${ordering}]\n`;
    return `${box}${circle}  ${name}_op -> ${name}\n`;
  });
  const arrows = edges.map((edge) => {
    const step = stepOf(edge);
    const text = step.length > LONGEST_LINE ? step.replace(" = ", " \\n = ") : step;
    const style = edge.differentiable ? "" : " style=dashed";
    return `  n${edge.from} -> n${edge.to}_op [label=" ${text} "${style}]\n`;
  });
  return [DOT_HEAD, ...boxes, ...arrows, "}\n"].join("");
}

export function toMermaid({ nodes, edges, root }: Document): string {
  const boxes = nodes.map((node) => {
    const name = `n${node.id}`;
    const text = linesOf(node, root, entities).join("<br>");
    const shape = node.operation === null ? `["${text}"]` : `("${text}")`;
    const box = `  ${name}${shape}:::${node.kind}\n`;
    if (node.operation === null) return box;
    return `${box}  ${name}_op(("${entities(node.operation)}")):::circle\n  ${name}_op --> ${name}\n`;
  });
  const arrows = edges.map((edge) => {
    const arrow = edge.differentiable ? "-->" : "-.->";
    return `  n${edge.from} ${arrow}|"${stepOf(edge)}"| n${edge.to}_op\n`;
  });
  return ["flowchart LR\n", ...boxes, ...arrows, MERMAID_KINDS].join("");
}

/** The texts of a box. A name has letters, digits and _ only, so just Mermaid has to escape it. */
function linesOf(
  { kind, label, data, grad, id }: Node,
  root: number,
  escape = (text: string) => text,
): string[] {
  const isTold = kind === "parameter" || kind === "constant";
  const name = [...(isTold ? [kind] : []), ...(label === null ? [] : [escape(cut(label))])];
  const numbers = [`data ${data}`, grad === null ? NO_GRADIENT : `grad ${grad}`];
  const head = name.length > 0 ? [name.join(" ")] : [];
  return [...head, ...numbers, ...(id === root ? ["root"] : [])];
}

function cut(label: string): string {
  return label.length <= LONGEST_LABEL ? label : `${label.slice(0, LONGEST_LABEL)}…`;
}

function stepOf({ incoming_grad: incoming, local_grad: local, contribution }: Edge): string {
  if (contribution === null) return NO_GRADIENT;
  return `${incoming} × ${local} = ${contribution}`;
}

/** To Mermaid a text is Markdown, HTML and its own entities at once. */
function entities(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, (sign) => `#${sign.codePointAt(0)};`);
}
