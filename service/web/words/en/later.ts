/** English: what is seen after the first sight, when something is opened or tried. */

import { BROKEN } from "./broken.ts";
import { told } from "./faults.ts";
import { EXAMPLES } from "./published.ts";
import { RULES } from "./rules.ts";
import { TASKS } from "./tasks.ts";

/** What the variable that matters most does when it is raised, foretold and seen. */
interface Ending {
  readonly name: string;
  readonly gradient: string;
  readonly by: string;
  readonly before: string;
  readonly after: string;
  readonly foretold: string;
  readonly came: string;
}

export const LATER = {
  rules: RULES,
  examples: EXAMPLES,
  allExamples: (count: number) => `All ${count}`,
  fewerExamples: "Fewer",
  broken: BROKEN,
  tasks: TASKS,
  values: {
    value: (name: string) => `Value of ${name}`,
    from: (name: string) => `Minimum of ${name}`,
    to: (name: string) => `Maximum of ${name}`,
    slope: (name: string) => `Slope of the result over ${name}`,
    gradient: "gradient",
    notReached: "not reached yet",
    onItsWay: "on its way",
    partOf: (arrived: number, expected: number) => `so far: ${arrived} of ${expected} have arrived`,
    up: "up by 0.01: result",
    none: "This expression has no variables, so there is nothing to change. Use one, for example `2 * x`.",
  },
  invite: {
    title: "Try this",
    before: "Before you press Play: what will the gradients be?",
    button: "Predict the gradients",
  },
  edits: { undo: "Undo", redo: "Redo" },
  below: {
    name: "More",
    table: "Every number, as a table",
    takeIt: "Take it with you",
    keyboard: "Keyboard",
  },
  predict: {
    title: "What will each gradient be?",
    question: "How fast does the result change with each variable?",
    gradOf: "grad of",
    right: "✓ right",
    wrong: (guess: string) => `✕ not ${guess}`,
    notANumber: "✕ not a number",
    check: "Check my answers",
    show: (name: string) => `Show me ${name}`,
    shownWord: "shown",
    all: "All correct: you have done the backward pass by hand.",
    some: (right: number, of: number, open: string) =>
      `${right} of ${of} correct. \`${open}\` is still open.`,
  },
  curve: {
    parameter: "Parameter",
    central: "Central difference",
    curve: (result: string, name: string, from: string, to: string) =>
      `${result}, as ${name} goes from ${from} to ${to}`,
    tangent: (slope: string) => `tangent, slope ${slope}`,
    nudge: (name: string) => `Nudge ${name} up`,
    by: "Size of the nudge",
    foretold: "predicted",
    happened: "actual",
    nudged: (name: string, by: string, foretold: string, happened: string, same: boolean) =>
      `Nudge \`${name}\` by ${by}: predicted [g:${foretold}], actual [d:${happened}]. ` +
      (same ? "Here the curve is straight." : "The difference is the curvature."),
    noValue: (name: string, by: string) =>
      `Nudge \`${name}\` by ${by} and the result has no value.`,
  },
  parity: {
    asking: "… Asking the service",
    agree: "✓ Browser and service agree to the bit",
    agreeShort: "✓ Engines agree",
    away: "○ Service unreachable: computed in the browser only",
    awayShort: "○ Browser only",
    alone: "○ Computed in the browser, without the service",
    refused: "○ The service rejected this program: computed in the browser only",
    differ: (where: string, here: string, there: string) =>
      `✕ The engines differ first at ${where}: ${here} here, ${there} there`,
  },
  circles: "circles: your visit order",
  hidden: "gradients are hidden while you predict",
  fault: {
    stale: "The last good graph:",
    follows: "The graph will follow once there is a result again. Nothing is lost.",
    column: (column: number) => `Column ${column}:`,
    write: (text: string) => `Write ${text}`,
    backTo: (text: string) => `Back to ${text}`,
    backToValues: "Back to the last values",
    empty: "Write an expression, or take an example.",
    ofParts: "Local derivatives are those of an operation's parts, and one part overflows.",
    fold: "Hide local derivatives",
    told,
  },
  ending: {
    nudge: (found: Ending) =>
      `\`${found.name}\` matters most: raise it by ${found.by}, and the result goes from [d:${found.before}] to [d:${found.after}], which is [d:${found.came}]; ` +
      (found.foretold === found.came
        ? `its gradient [g:${found.gradient}] says the same.`
        : `its gradient [g:${found.gradient}] says [g:${found.foretold}], the rest is curvature.`),
    down: (name: string) => `Only \`${name}\` pulls the result down.`,
    zero: (name: string, by: string | null) =>
      `Nothing arrives at \`${name}\`${by === null ? "" : `: \`${by}\` lets nothing through`}.`,
  },
  zoom: {
    name: "Zoom",
    in: "Zoom in",
    out: "Zoom out",
    full: "Full screen",
    all: "Overview",
    follow: "Follow",
    to: (name: string) => `Go to ${name}`,
    map: "The whole graph, and the part of it that is shown",
    dots: (cards: number) => `${cards} values, one dot each. Look at`,
  },
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
    constant: "constant, no gradient",
    rows: (first: number, last: number, of: number) => `Rows ${first} to ${last} of ${of}`,
    earlier: "Earlier rows",
    later: "Later rows",
  },
  address: {
    bad: (why: string) => `The address could not be read: ${why}. Here is an example instead.`,
    long: "it is too long",
    value: (name: string) => `the value of ${name} is not a number`,
    form: "it is not of the form e=…&v=name:number,…",
    language: (code: string) => `There is no language \`${code}\` here: the page is in English.`,
    noWords: (name: string) =>
      `The page in \`${name}\` could not be loaded: no connection. A reload tries again.`,
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
    embed: "Copy embed code",
    tooLarge: "The graph is too large for a PNG; save it as SVG instead.",
    things: {
      link: "the link",
      curl: "the curl command",
      python: "the Python code",
      typescript: "the TypeScript code",
      command: "the command",
      mermaid: "the Mermaid text",
      dot: "the DOT text",
      embed: "the embed code",
    },
    copied: (what: string) => `Copied: ${what}.`,
    ofFile: (service: string) =>
      `This page is a file, which others do not have: what was copied leads to ${service}, a service on your machine.`,
    denied: "The browser does not allow copying; select the text and copy it.",
    text: "Text to copy",
    scene: "Said to whom it is sent, above the graph:",
    caption: "Caption",
    task: "Task",
    answer: "Answer: a number, or the variable whose gradient it is",
    guesses: "with my guesses",
  },
  /** What is written on keys in another way than in English. */
  keyNames: {} as Readonly<Record<string, string>>,
  /** In the order of `below/keyboard.tsx`. */
  keys: [
    "Play or pause",
    "One arrow back or forward",
    "First or last arrow",
    "One arrow back or forward, on a card, too",
    "On a card: along its arrows, to the inputs, to the result",
    "The whole graph, or with the wave again",
    "Forward pass, sort or backward pass",
    "Edit the expression",
    "Values, Code, Predict, Break it, Train",
    "Next arrow, in the order of the wave",
    "Read the local derivative of an arrow",
    "Turn the graph",
    "Reset the view",
    "Zoom",
    "Undo",
    "Redo",
    "This list",
  ] as readonly string[],
  whatever: (name: string) => `, whatever \`${name}\` is`,
  noGradient: (name: string) =>
    `\`${name}\` is an exponent: a constant, into which no gradient flows.`,
  noDouble: (name: string) =>
    `The slope over \`${name}\` is too large, and no variable is below it: no gradient flows.`,
};

export type LaterWords = typeof LATER;
