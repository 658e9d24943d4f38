/** English: what is seen after the first sight, when something is opened or tried. */

import { BROKEN } from "./broken.ts";
import { told } from "./faults.ts";
import { EXAMPLES } from "./published.ts";
import { RULES, SLOPES } from "./rules.ts";
import { TASKS } from "./tasks.ts";
import { TRAINING } from "./training.ts";

/** By operation: how its derivative is found, where that is not one sentence for all. */
const HINTS: Readonly<Record<string, string>> = {
  "**": "Bring the exponent down, and lower it by 1.",
  tanh: "The slope of tanh is 1 minus the square of its value.",
  relu: "Is what stands in relu above 0? Only then something passes.",
};

export const LATER = {
  ...RULES,
  examples: EXAMPLES,
  broken: BROKEN,
  tasks: TASKS,
  training: TRAINING,
  predict: {
    title: "What will each gradient be?",
    question: "How fast does the result move with it?",
    gradOf: "grad of",
    right: "✓ right",
    wrong: (guess: string) => `✕ not ${guess}`,
    notANumber: "✕ not a number",
    check: "Check my answers",
    show: (name: string) => `Show me ${name}`,
    shownWord: "shown",
    all: "All right: you have done the backward pass by hand.",
    some: (right: number, of: number, open: string) =>
      `${right} of ${of} are right. \`${open}\` is still open.`,
  },
  curve: {
    parameter: "Parameter",
    curve: (result: string, name: string, from: string, to: string) =>
      `${result}, as ${name} goes from ${from} to ${to}`,
    at: (name: string, value: string, result: string) => `${name} = ${value}: ${result}`,
    tangent: (slope: string) => `tangent, slope ${slope}`,
    nudge: (name: string) => `Nudge ${name} up`,
    by: "Size of the nudge",
    foretold: "foretold",
    happened: "happened",
    nudged: (name: string, by: string, foretold: string, happened: string, same: boolean) =>
      `Nudge \`${name}\` by ${by}: foretold [g:${foretold}], happened [d:${happened}]. ` +
      (same ? "Here the curve is straight." : "The rest is the curve bending."),
    noValue: (name: string, by: string) => `Nudge \`${name}\` by ${by}, and there is no value.`,
  },
  fault: {
    column: (column: number) => `Column ${column}:`,
    write: (text: string) => `Write ${text}`,
    backTo: (text: string) => `Back to ${text}`,
    empty: "Write an expression, or take an example.",
    told,
  },
  zoom: { name: "Size of the graph", in: "Come nearer", out: "Go farther away" },
  tables: {
    caption: (text: string, at: number, of: number) => `${text}: arrow ${at} of ${of}`,
    arrow: "Arrow",
    incoming: "Incoming",
    local: "Local derivative",
    contribution: "Contribution",
    state: "State",
    node: "Node",
    kind: "Kind",
    arrived: "arrived",
    now: "now",
    waiting: "not reached",
    constant: "constant, carries nothing",
  },
  address: {
    bad: (why: string) => `The address could not be read: ${why}. Here is an example instead.`,
    long: "it is too long",
    value: (name: string) => `the value of ${name} is no number`,
    form: "its parts are not e=… and v=name:number,…",
  },
  take: {
    link: "Copy link",
    curl: "Copy as curl",
    python: "Copy as Python",
    typescript: "Copy as TypeScript",
    command: "Copy as command",
    svg: "Save SVG",
    png: "Save PNG",
    mermaid: "Copy as Mermaid",
    dot: "Copy as DOT",
    embed: "Copy to embed",
    tooLarge: "The graph is too large for the browser to paint; the SVG has all of it.",
    copied: (what: string) => `Copied: ${what}`,
    denied: "The browser does not allow copying; select the text and copy it.",
    text: "What was copied",
  },
  keys: [
    [["Space"], "Play or pause"],
    [["←", "→"], "One arrow back or on"],
    [["Home", "End"], "First or last arrow"],
    [["F", "B"], "Forward or backward pass"],
    [["/"], "Write an expression"],
    [["1", "2", "3", "4"], "Values, Predict, Break it, Train"],
    [["Tab"], "From arrow to arrow, in the order of the wave"],
    [["Enter"], "Read the local derivative of an arrow"],
    [["Shift ←", "Shift →", "Shift ↑", "Shift ↓"], "Turn the graph"],
    [["R"], "Reset the view"],
    [["+", "−"], "Zoom"],
    [["?"], "This list"],
  ] as readonly (readonly [readonly string[], string])[],
  derivative: (of: string, by: string, formula: string | null, value: string, remark: string) =>
    `∂(\`${of}\`)/∂\`${by}\` = ${formula === null ? "" : `\`${formula}\` = `}[d:${value}]${remark}.`,
  whatever: (name: string) => `, whatever \`${name}\` is`,
  noGradient: (name: string) =>
    `\`${name}\` is an exponent: a constant, into which no gradient flows.`,
  hint: (operation: string, slot: number, of: string, other: string): string => {
    const isFirst = slot === 0;
    if (operation === "+")
      return `A sum passes on what it has received. What has \`${of}\` received?`;
    if (operation === "*") {
      return `A product gives each side the value of the other side. The other side is \`${other}\`: what is it now?`;
    }
    if (operation === "-" && isFirst) return "A difference passes it on unchanged.";
    if (operation === "-") return "What is subtracted gets the sign turned.";
    if (operation === "/")
      return isFirst ? "Divide by the divisor." : "The slope of 1 / x is −1 / x ** 2.";
    return HINTS[operation] ?? SLOPES[operation] ?? "";
  },
  hintTwice: (name: string) => `\`${name}\` is used more than once: the contributions add up.`,
};

export type LaterWords = typeof LATER;
