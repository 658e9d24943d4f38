/** English: what is seen after the first sight, when something is opened or tried. */

import examples from "../../../../schemas/examples.json";
import pitfalls from "../../../../schemas/pitfalls.json";
import type { LocatedFault, RuleWords } from "../sentences.ts";

interface About {
  readonly title: string;
  readonly about: string;
}

/** By name. */
const EXAMPLES: Readonly<Record<string, About>> = Object.fromEntries(
  examples.examples.map(({ name, title, about }) => [name, { title, about }]),
);

/** By name. */
const PITFALLS: Readonly<Record<string, About & { readonly cure: string }>> = Object.fromEntries(
  pitfalls.pitfalls.map(({ name, title, about, cure }) => [name, { title, about, cure }]),
);

/**
 * The engine's message, as sentences and without what the column says: an offset is told as its
 * column, where it is another, and a node not by its number, which is nowhere on the page.
 */
function told({ message, before }: LocatedFault): string {
  const here = [...before].length;
  const brief = message
    .split("\n")[0]!
    .replace(/ at offset (\d+)/g, (_, offset) =>
      Number(offset) === here ? "" : ` in column ${Number(offset) + 1}`,
    )
    .replace(/,? at node \d+( \(`[^`]*`\))?/, "");
  const sentences = brief
    .split("; ")
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`);
  const whole = sentences.join(". ");
  return /[.?]$/.test(whole) ? whole : `${whole}.`;
}

const RULES: RuleWords = {
  sends: ({ from, to, incoming, local, contribution }) =>
    `\`${from}\` sends [g:${incoming}] × [d:${local}] = [g:${contribution}] to \`${to}\``,
  oneOf: (arrived, expected, to) => `That is contribution ${arrived} of ${expected} to \`${to}\`.`,
  together: (to, sum) => `Together with the others \`${to}\` has [g:${sum}]: contributions add up.`,
  computed: (name, text, value) =>
    name === text
      ? `\`${text}\` is [d:${value}].`
      : `\`${name}\`, which is \`${text}\`, is [d:${value}].`,
  plainly: (operation, slope) => `The slope of ${operation} is \`${slope}\`.`,
  rules: {
    "+": "A sum passes its gradient on unchanged.",
    "-": "A difference passes its gradient on unchanged.",
    "-1": "The subtracted operand gets it with the sign flipped.",
    "*": (other, local) => `A product scales it by the other factor: \`${other}\` is [d:${local}].`,
    "/": (other) => `A quotient divides it by \`${other}\`, too.`,
    "/1": "The larger the divisor, the less its change matters.",
    "**": "A power brings its exponent down.",
    neg: "Negation flips the sign.",
    exp: "The slope of exp is its own value.",
    log: "The slope of log is 1 divided by its operand.",
    sqrt: "The slope of sqrt is 1 divided by twice its value.",
    sin: "The slope of sin is the cosine of its operand.",
    cos: "The slope of cos is minus the sine of its operand.",
    tanh: "The flatter tanh is here, the less it passes on.",
    sigmoid: "The slope of sigmoid is `p * (1 - p)`, where p is its value.",
    softplus: "The slope of softplus is the sigmoid of its operand.",
    relu: "Above 0 relu passes it on unchanged.",
    "relu dead": "Below 0 relu is flat and passes nothing on.",
    abs: "abs passes the gradient on where its operand is above 0, flips its sign below and stops it at 0.",
    min: "min passes the gradient to the smaller operand; equal operands get half each.",
    max: "max passes the gradient to the larger operand; equal operands get half each.",
  },
  hints: {
    "+": (_, of) => `A sum passes on what it has received. What has \`${of}\` received?`,
    "*": (other) =>
      `A product scales the gradient by the other factor. The other factor is \`${other}\`: what is its value?`,
    "/": "Divide by the divisor.",
    "/1": "The slope of 1 / x is −1 / x ** 2.",
    "**": "Bring the exponent down and reduce it by 1.",
    tanh: "The slope of tanh is 1 minus the square of its value.",
    relu: "Is the operand of relu above 0? Only then does anything pass.",
  },
  hintTwice: (name) => `\`${name}\` is used more than once: the contributions add up.`,
};

const BROKEN = {
  mistakes: "Mistakes",
  chips: {
    "wrong-order": "Wrong order",
    "assigning-instead-of-adding": "= for +=",
    "second-backward": "Twice",
    "mutation-before-backward": "Changed data",
    "dead-relu": "Dead relu",
    "variable-exponent": "Variable exponent",
  } as Readonly<Record<string, string>>,
  known: PITFALLS,
  title: "Put the visits in order, first to last",
  how: "This walk sends: each visit passes on to its operands what has arrived so far. Drag a visit, or use its buttons.",
  visit: (place: number, name: string) => `Visit ${place}: ${name}`,
  earlier: "Earlier",
  later: "Later",
  earlierOf: (name: string) => `Visit ${name} earlier`,
  laterOf: (name: string) => `Visit ${name} later`,
  sent: (amounts: string) => `sent ${amounts}`,
  sentTo: (amount: string, to: string) => `${amount} to ${to}`,
  sendsNothing: "sends nothing on",
  tooEarly: "Too early",
  run: "Run my order",
  showRight: "Show a right order",
  take: (text: string) => `Use ${text}`,
  tooMany: (count: number, most: number) =>
    `This graph has ${count} nodes to visit; at most ${most} can be put in order by hand.`,
  losses: (amounts: string) => `✕ Lost: ${amounts}`,
  lostFrom: (amount: string, from: string) => `${amount} from ${from}`,
  wrongEnd: "✕ The gradients are wrong",
  nothingLost: "✓ Nothing is lost",
  ends: (name: string, has: string, right: string) =>
    `\`${name}\` ends with [g:${has}], not [g:${right}].`,
  gets: (name: string, right: string) => `\`${name}\` gets [g:${right}].`,
  visitedBefore: (operand: string, operation: string, amount: string) =>
    `\`${operand}\` was visited before \`${operation}\` had sent it [g:${amount}].`,
  reverse: "Reverse topological order?",
  yes: "Yes",
  no: "No:",
  standsBefore: (operand: string, operation: string) => `\`${operand}\` before \`${operation}\`.`,
  harmless: "Visiting an input sends nothing on, so it may come at any time.",
  should: (name: string, right: string) => `What ${name} should get: ${right}`,
  arrivedBy: (amount: string, by: string) => `${amount} from ${by}, arrived`,
  missingBy: (amount: string, by: string) => `${amount} from ${by}, lost`,
  wrong: "Wrong",
  right: "Right",
  onStage: "On the stage",
  variable: "Variable",
  step: "Step",
  cure: "Cure",
  refused: "This engine refuses it:",
  example: (text: string) => `Load its example, ${text}`,
  changes: (name: string, value: string) =>
    `Between the forward and the backward pass \`${name}\` becomes [d:${value}].`,
  playOrder: "Play my order",
  playWrong: "Play it wrong",
  playRight: "Play it right",
  lost: (amount: string) => `${amount} lost`,
  rightIs: (amount: string) => `not ${amount}`,
  overwritten: "overwritten",
  cameLate: "came too late",
  again: "once more",
  short: (amount: string) => `${amount} short`,
  over: (amount: string) => `${amount} too much`,
  late: "too late",
  tellReplaced: (sends: string, before: string) => `${sends}, overwriting [g:${before}].`,
  tellLate: (sends: string, to: string) =>
    `${sends}, too late: \`${to}\` had already been visited.`,
  tellLost: (sends: string, right: string) =>
    `${sends} instead of [g:${right}]: not everything had arrived.`,
  tellSum: (sends: string, sum: string) => `${sends}. It now has [g:${sum}].`,
};

const TASKS = {
  title: (done: number, of: number) => `Try this: ${done} of ${of} done`,
  names: {
    predict: "Predict all three gradients of `(a + b) * c`",
    dead: "Kill a relu: drag until `a * b` is negative",
    twice: "Play `a * a`: both paths add up",
    negative: "Find one where raising a variable lowers the result",
  },
  done: "done",
  now: "now",
  start: "Start",
  question: (at: number, of: number) => `Question ${at} of ${of}:`,
  what: (name: string, text: string) => `what is the gradient of \`${name}\` in \`${text}\`?`,
  check: "Check",
  show: "Show its graph",
  next: "Next question",
  right: "✓ Right.",
  wrong: "✕ Not quite.",
};

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

export const DEFERRED = {
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
    export: "Take it with you",
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
  export: {
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
  /** In the order of `below/below.tsx`. */
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

export type DeferredWords = typeof DEFERRED;
