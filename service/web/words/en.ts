/**
 * English. A translation is a JSON file with the same members, by their paths.
 *
 * In sentences, `x` is code, [d:1] a number of the forward pass, [g:1] one of the backward pass,
 * and {name} is replaced by a value (`spoken.ts`). Each exported constant is loaded with the one
 * file that imports it (`build.ts`).
 */

import type { LocatedFault } from "./translated.ts";

/** Words for the first paint. */
export const FIRST = {
  language: "en",
  languages: "Language",
  title: "Gradient sandbox",
  tagline: "Write a formula, play it backward, see what each input is worth.",
  skip: "Skip to the sandbox",
  site: "Site",
  lesson: "Lesson",
  expression: "Expression",
  share: "Share",
  examples: "Examples",
  notLoaded: "Could not load {what}. Check the connection, or reload the page.",
  part: "this part",
  tryAgain: "Try again",
  of: "{part} of {whole}",
  stage: {
    name: "Graph",
    graphOf: "Graph of {text}, whose result is {result}",
    way: "Direction of the pass",
    forward: "Forward: data",
    sort: "Sort",
    backward: "Backward: grad",
    local: "Local derivatives",
    final: "Final gradients",
    options: "Options",
    input: "input",
    parameter: "param",
    constant: "const",
    result: "result",
    derived: "derived",
    from: "from {name}",
    to: "to {name}",
  },
  play: {
    backward: "Play backward",
    forward: "Play forward",
    sort: "Play the sort",
    again: "Play again",
    pause: "Pause",
    back: "Back",
    step: "Step",
    timeline: {
      forward: "Timeline: one tick per operation",
      sort: "Timeline: one tick per step of the sort",
      backward: "Timeline: one tick per arrow",
    },
    begin: { forward: "inputs", sort: "start", backward: "seed" },
  },
  tabs: { values: "Values", code: "Code", predict: "Predict", break: "Break it", train: "Train" },
  workbench: "Workbench",
  seed: "Which inputs matter, and how much? Play it backward.",
  seedForward: "The inputs are known. Play forward and watch the result being computed.",
  is: "`{part}` is [d:{value}]",
  verbs: {
    "+": "plus",
    "-": "minus",
    "*": "times",
    "/": "divided by",
    "**": "to the power of",
  } as Readonly<Record<string, string>>,
  /** Verbs that differ after a value that the sentence has just computed. */
  onward: {} as Readonly<Record<string, string>>,
  makes: "`{left}` {verb} `{right}` is [d:{result}].",
  continues: "{verb} `{right}` is [d:{result}].",
  resultOne: "The gradient of the result with respect to itself is 1.",
} as const;

const RULES = {
  sends: "`{from}` sends [g:{incoming}] × [d:{local}] = [g:{contribution}] to `{to}`",
  oneOf: "That is contribution {arrived} of {expected} to `{to}`.",
  together: "Together with the others `{to}` has [g:{sum}]: contributions add up.",
  computed: "`{name}`, which is `{text}`, is [d:{value}].",
  plainly: "The slope of {operation} is `{slope}`.",
  rules: {
    "+": "A sum passes its gradient on unchanged.",
    "-": "A difference passes its gradient on unchanged.",
    "-1": "The subtracted operand gets it with the sign flipped.",
    "*": "A product scales it by the other factor: `{other}` is [d:{local}].",
    "/": "A quotient divides it by `{other}`, too.",
    "/1": "The larger the divisor, the less its change matters.",
    "**": "A power brings its exponent down and reduces it by 1.",
    neg: "Negation flips the sign.",
    relu: "Above 0 relu passes it on unchanged.",
    "relu dead": "Below 0 relu is flat and passes nothing on.",
    abs: "abs passes the gradient on where its operand is above 0, flips its sign below and stops it at 0.",
    min: "min passes the gradient to the smaller operand; equal operands get half each.",
    max: "max passes the gradient to the larger operand; equal operands get half each.",
  },
  hints: {
    "+": "A sum passes on what it has received. What has `{of}` received?",
    "*": "A product scales the gradient by the other factor. The other factor is `{other}`: what is its value?",
    "/1": "The slope of 1 / x is −1 / x ** 2.",
  },
  hintTwice: "`{name}` is used more than once: the contributions add up.",
} as const;

const BROKEN = {
  mistakes: "Mistakes",
  chips: {
    "wrong-order": "Wrong order",
    "assigning-instead-of-adding": "= for +=",
    "second-backward": "Forget zero_grad",
    "mutation-before-backward": "Changed data",
    "dead-relu": "Dead relu",
    "variable-exponent": "Variable exponent",
  } as Readonly<Record<string, string>>,
  /** Title, description and cure of pitfalls worded differently from `schemas/pitfalls.json`. */
  known: {} as Readonly<Record<string, string>>,
  title: "Put the visits in order, first to last",
  how: "Each visit sends to its operands the gradient that has arrived so far. Drag a visit, or use its buttons.",
  earlier: "Earlier",
  later: "Later",
  sent: "sent {amounts}",
  sentTo: "{amount} to {to}",
  sendsNothing: "sends nothing on",
  tooEarly: "Too early",
  run: "Run my order",
  showRight: "Show a correct order",
  take: "Use {text}",
  tooMany: "This graph has {count} nodes to visit; you can order at most {most}.",
  losses: "✕ Lost: {amounts}",
  from: "{amount} from {by}",
  wrongEnd: "✕ The gradients are wrong",
  nothingLost: "✓ Nothing is lost",
  ends: "`{name}` ends with [g:{has}], not [g:{right}].",
  gets: "`{name}` gets [g:{right}].",
  visitedBefore: "`{operand}` was visited before `{operation}` had sent it [g:{amount}].",
  reverse: "Reverse topological order",
  standsBefore: "`{operand}` before `{operation}`.",
  harmless: "Visiting an input sends nothing on, so it may come at any time.",
  should: "What {name} should get: {right}",
  wrong: "Wrong",
  right: "Right",
  onStage: "On the stage",
  variable: "Variable",
  cure: "Cure",
  refused: "This engine refuses it:",
  changes: "Between the forward and the backward pass `{name}` becomes [d:{value}].",
  playWrong: "Play it wrong",
  lost: "{amount} lost",
  overwritten: "overwritten",
  again: "once more",
  short: "{amount} short",
  over: "{amount} too much",
  late: "too late",
  tellReplaced: "{sends}, overwriting [g:{before}].",
  tellLate: "{sends}, too late: `{to}` had already been visited.",
  tellAgain: "{sends} once more: `grad` was not zeroed, so `{to}` has [g:{sum}].",
  tellLost: "{sends} instead of [g:{right}]: not everything had arrived.",
} as const;

const TASKS = {
  names: {
    predict: "Predict all three gradients of `(a + b) * c`",
    dead: "Kill a relu: drag until `a * b` is negative",
    twice: "Play `a * a`: both paths add up",
    negative: "Find a program where raising a variable lowers the result",
  },
  done: "done",
  now: "now",
  start: "Start",
  what: "what is the gradient of `{name}` in `{text}`?",
  check: "Check",
  show: "Show its graph",
  next: "Next question",
  right: "✓ Right.",
  wrong: "✕ Not quite.",
} as const;

/** The other words that are shown before the first press. */
export const SHOWN = {
  /** Title and description of examples worded differently from `schemas/examples.json`. */
  examples: {} as Readonly<Record<string, string>>,
  allExamples: "All {count}",
  values: {
    value: "Value of {name}",
    drag: "Drag to change {name}",
    from: "Minimum of {name}",
    to: "Maximum of {name}",
    slope: "Slope with respect to {name}",
    gradient: "gradient",
    notReached: "not reached yet",
    onItsWay: "on its way",
    none: "This expression has no variables, so there is nothing to change. Use one, for example `2 * x`.",
    isNumber:
      "`{name}` is a number here, not a variable: remove its statement to make it a variable.",
  },
  below: {
    name: "More",
    service: "Service",
    reference: "Reference",
    problems: "Problems",
    table: "Every number, as a table",
    export: "Take it with you",
    keyboard: "Keyboard",
  },
  parity: {
    asking: "… Asking the service",
    agree: "✓ Browser and service agree to the bit",
    away: "○ Service unreachable: computed in the browser only",
    alone: "○ Computed in the browser, without the service",
    refused: "○ The service rejected this program: computed in the browser only",
    differ: "✕ The engines first differ at {where}: {here} here, {there} there",
  },
  whole: {
    full: "Full screen",
    dots: "{cards} values, one dot each. Look at",
  },
} as const;

/** Words for everything that a user can open or try. */
export const INTERACTION = {
  rules: RULES,
  broken: BROKEN,
  tasks: TASKS,
  tryThis: "Try this",
  edits: { undo: "Undo", redo: "Redo" },
  predict: {
    title: "What will each gradient be?",
    question: "How fast does the result change with each variable?",
    gradOf: "grad of",
    wrong: "✕ not {guess}",
    notANumber: "✕ not a number",
    check: "Check my answers",
    show: "Show me {name}",
    shownWord: "shown",
    all: "All correct: you have done the backward pass by hand.",
    some: "{right} of {of} correct. `{open}` is still open.",
  },
  curve: {
    predicted: "predicted",
    actual: "actual",
    nudged:
      "Change `{name}` by {by}: its gradient predicts [g:{predicted}], the result changes by [d:{actual}].",
    straight: "Here the curve is straight.",
    bent: "The difference is the curvature.",
  },
  circles: "circles: your visit order",
  hidden: "gradients are hidden while you predict",
  fault: {
    stale: "The last good graph:",
    follows: "The graph will follow once there is a result again. Nothing is lost.",
    column: "Column {column}:",
    given: "for",
    use: "Use this",
    backTo: "Back to {text}",
    backToValues: "Back to the last values",
    empty: "Write an expression, or take an example.",
    ofParts: "Local derivatives are those of an operation's parts, and one part overflows.",
    fold: "Hide local derivatives",
    /** A language's description of an error; English uses the engine's own message. */
    describe: null as ((fault: LocatedFault) => string) | null,
  },
  front: "Wave front {at} of {of}, formulas: {count}. Pause to read them.",
  ending: {
    one: "`{name}` matters most.",
    tied: "{tied} matter most, and equally.",
    down: "Only `{name}` pulls the result down.",
    zero: "Nothing arrives at `{name}`.",
    blocked: "Nothing arrives at `{name}`: `{by}` lets nothing through.",
  },
  tables: {
    arrow: "Arrow",
    incoming: "Incoming",
    local: "Local derivative",
    contribution: "Contribution",
    state: "State",
    node: "Node",
    kind: "Kind",
    arrived: "arrived",
    constant: "constant, no gradient",
    rows: "Rows {first} to {last} of {of}",
    earlier: "Earlier rows",
    later: "Later rows",
  },
  address: {
    bad: "The address could not be read: {why}. Here is an example instead.",
    long: "it is too long",
    value: "the value of {name} is not a number",
    form: "it is not of the form e=…&v=name:number,…",
    language: "There is no language `{code}` here: the page is in English.",
  },
  export: {
    link: "link",
    embed: "embed code",
    task: "Task",
    copied: "Copied: {what}.",
    ofFile:
      "This page is a file, so the copy works only on this computer. To send it to others, save it as HTML.",
    denied: "The browser does not allow copying; select the text and copy it.",
  },
  /** Names of keys that differ from the English ones. */
  keyNames: {} as Readonly<Record<string, string>>,
  /** In the order of `KEY_LIST`. */
  keys: [
    "Play or pause",
    "One arrow back or forward",
    "First or last arrow",
    "One arrow back or forward, also on a card",
    "Previous or next scene",
    "On a card: along its arrows, to the inputs, to the result",
    "Next arrow, in the order of the pass",
    "Read the local derivative of an arrow",
    "Turn the graph",
  ] as readonly string[],
  whatever: ", whatever `{name}` is",
  noGradient: "`{name}` is an exponent: a constant, into which no gradient flows.",
  noDouble:
    "The slope with respect to `{name}` is too large, and it depends on no variable: no gradient flows.",
} as const;

/** The exports. */
export const EXPORTING = {
  copy: "Copy {what}",
  save: "Save {format}",
  tooLarge: "The graph is too large for a PNG; save it as SVG instead.",
  scene: "Shown to the recipient, above the graph:",
  caption: "Caption",
  answer: "Answer: a number, or the variable whose gradient it is",
  guesses: "with my guesses",
  lecture: "A lecture: a sequence of scenes",
  add: "Add this scene",
  update: "Update scene {number}",
  remove: "Remove scene {number}",
  handout: "Print the handout",
  keys: "In a lecture, → plays the steps of a scene, then shows the next one. `PageDown`, which clickers send, shows it at once. Links and saved pages contain all scenes.",
} as const;

/** An open curve. */
export const CURVE = {
  parameter: "Parameter",
  central: "Central difference",
  curve: "{result}, as {name} goes from {from} to {to}",
  tangent: "tangent, slope {slope}",
} as const;

/** Accuracy: the exact value of a number, and the error of central differences. */
export const ACCURACY = {
  bits: "{number} of {name}: {bits} of 53 bits are correct",
  noTruth: "{number} of {name} has no exact value",
  right: "{bits} of 53 bits of {number} of `{name}` are correct:",
  allRight: "All 53 bits of {number} of `{name}` are correct:",
  atKink:
    "`{name}` is at its kink, where the slope is a choice: another one would be just as valid.",
  exactly: "it is exactly {told}.",
  nearest: "it is {told}, the double nearest to the exact value.",
  truly: "it is {told}; the exact value is {truth}.",
  reasons: {
    domain: "Its exact operand is outside the domain.",
    depends: "It depends on a number that has no exact value.",
    too_large: "It is larger than every double.",
    out_of_range: "It is too large, too small or too close to 0 to be shown.",
  },
  given: "The exact value is for the given doubles: `{text}` is {double}.",
  invite:
    "The bar under a number shows how many of its 53 bits are correct. Choose a bar to see which rounding lost the rest.",
  tooMuch: "Computing the exact values of this program is too much work for the page.",
  /** The rounded number, by the kind of rounding. */
  rounded: {
    local_grad: "the slope from `{from}` to `{to}`",
    contribution: "the contribution of `{from}` to `{to}`",
    running_grad: "the sum of gradients at `{to}`",
  },
  culprit: "Rounding {what} moved it by {rounding}; times its weight {weight} that is {share}.",
  share: "{share} of the error {error}",
  wholeShare: "{share}, the whole error",
  absorbed: "`{sum}` rounds to {told}, so nothing of `{part}` is left.",
  flat: "`{out}` is nearly {told}, so little of `{formula}` is left, and the rounding stays.",
  cancels: "At `{where}` numbers up to {size} cancel to {left}, and their roundings stay.",
  /** The curve of the error over the step h. */
  quotients: {
    title: "Error of (f({name} + h) − f({name} − h)) / 2h, by h",
    rounding: "rounding",
    truncation: "truncation",
    best: "smallest: {error}, at h = {step}",
    backward: "the backward pass: {error}",
    none: "Here no central difference can be compared with the exact gradient.",
  },
} as const;

/** The code of the backward pass and its sort. */
export const CODE = {
  line: "line {at} of {of}",
  idle: "Play backward or the sort: each step highlights its line of code.",
  forward: "The forward pass is the program itself; this is the code of the backward pass.",
  why: "Why `+=`: the contribution is added to the gradient so far. `{name}` had [g:{old}], which `=` would lose.",
  whyEmpty:
    "Why `+=`: the contribution is added to the gradient so far. `{name}` had [g:0]; a value used twice already has a gradient the second time.",
  goesDown: "v goes down this list",
  waiting: "waiting",
  more: "… {count} more",
  operands: "Which operand is called first",
  leftFirst: "left first",
  rightFirst: "right first",
  stack: "Call stack",
  child: "operand {at} of {of}",
  noChild: "no operands",
  begins: "begins",
  returns: "already visited: returns at once",
  visited: "a set: the values called so far",
  topo: "a list: the finished values",
  reversed: "the order of the backward pass",
  empty: "empty",
  start:
    "Which order has each value after all its operands? The sort calls the operands of a value first, the left or the right one before the other.",
  root: "The sort begins at the result: `build({name})` puts `{name}` into `visited`.",
  enter:
    "`{from}` asks for its operand `{to}`, which is new: `build({to})` begins, and `{from}` waits.",
  skip: "`{from}` asks for `{to}`, which is already in `visited`: skip. So `{to}` is in `topo` only once, before all values that use it.",
  leaf: "`{name}` has no operands: it goes into `topo` at once, as number {place}.",
  append: "All operands of `{name}` are in `topo`, so `{name}` follows them, as number {place}.",
  reverse:
    "Reversed, `topo` is an order for the backward pass: `{first}` first, and each value after all values that use it.",
} as const;

/** The Train tab. */
export const TRAINING = {
  lessons: "What to train",
  names: { line: "A line", neuron: "The neuron", xor: "XOR, 2-4-1 tanh" },
  which: "Which variables may learn?",
  mark: "A step of training moves parameters against their gradient, so that the result goes down. Mark at least one:",
  stopped: "This cannot be trained",
  loss: "Loss",
  size: "gradient size",
  drag: "drag below to go back to any step",
  timeline: "Timeline: one tick per step of training",
  curve: "Loss by step: {first} at step 0, {now} at step {at}",
  toStart: "Back to the start",
  rate: "Step size",
  rateNumber: "Step size, as a number",
  endedAt: "Step {step} failed:",
  momentum: "Momentum {momentum}: each step adds that share of the step before it.",
  rows: "The loss is the mean over four rows; the graph shows one of them.",
  look: "Look at the row",
  see: "Show {row}",
  bold: "Too bold a step?",
  boldly:
    "With 0.01 each step leaves 0.64 of the loss. With 0.1 it jumps from side to side and stays at 4.",
  setAndSee: "Try {rate}",
  map: {
    caption:
      "`{output}` over `{first}` and `{second}`, with the weights of this step; on the line it is 0.",
    right: "Right sign: {right} of {all}.",
    label: "Map of {output} over {first} and {second}: above 0 on {share} % of it",
  },
} as const;

/**
 * Scenes of the lesson. `caption` is shown above the graph; `hint` is the reply to a wrong answer,
 * `why` the reply to a correct one.
 */
const SCENES = {
  graph: {
    title: "A formula is a graph",
    caption:
      "Each card is a value, and each arrow leads from an input to what is computed from it: first `a + b`, then that times `c`. Play forward to see the numbers come.",
    task: "Before you play: what is the result?",
    hint: "First `a + b`, which is [d:2] + ([d:−3]); then times `c`, which is [d:10].",
    why: "([d:2] − [d:3]) × [d:10] = [d:−10]. That is the forward pass.",
    learned: "An expression is a graph; the forward pass computes each value from its inputs.",
  },
  product: {
    title: "The chain rule on an arrow",
    caption:
      "A gradient says how fast the result changes with a value. The result's own is [g:1]. Each arrow carries incoming gradient × local derivative; in a product that derivative is the other factor.",
    task: "What is the gradient of `c`?",
    hint: "The other factor of `c` is `a + b`. What number does its card show?",
    why: "[g:1] × [d:−1] = [g:−1]: where `c` grows, the result falls. Press Step to see it arrive.",
    learned: "An arrow carries incoming gradient × local derivative; a product swaps its factors.",
  },
  sum: {
    title: "A sum copies",
    caption:
      "Two steps are done: `a + b` has got [g:10], and `c` has got [g:−1]. The local derivative of a sum is [d:1] for each of its inputs.",
    task: "What will arrive at `a`?",
    hint: "Take what `a + b` has got, times the local derivative of a sum.",
    why: "[g:10] × [d:1] = [g:10], and the same for `b`.",
    learned: "A sum passes its gradient on to each of its inputs.",
  },
  twice: {
    title: "Used twice: `+=`",
    caption:
      "In `a * a` two arrows lead back to `a`. Both factors are `a`, so the other factor of each is [d:3].",
    task: "What is the gradient of `a`?",
    hint: "Both arrows bring something. What is the sum?",
    why: "[g:3] + [g:3] = [g:6], as `2 * a` says. With `=` in place of `+=` only the last [g:3] would be left.",
    learned: "A value that is used twice adds up what arrives: `+=`, never `=`.",
  },
  order: {
    title: "A visit too early",
    caption:
      "Here `b` is visited before `d`, so it has nothing to pass on yet, and what `d` sends it comes too late. `c` comes after `d` and gets `b`, which is [d:3].",
    task: "What gradient will `a` end up with in this order?",
    hint: "Only `c` still has something for `a`: its gradient [g:3] times the local derivative [d:3]. `b` passes on [g:0].",
    why: "[g:3] × [d:3] + [g:0] = [g:9]; right is [g:15]. Run this order and see what is lost, then put `d` first.",
    learned: "A value is visited only after all values that use it.",
  },
  sort: {
    title: "The sort that finds the order",
    caption:
      "`build` calls itself for the inputs of a value, and then appends the value to `topo`. What is in `visited` is not called again. Backward, the list is walked in reverse.",
    task: "`a` is an input of `b` and of `c`. How often does it get into `topo`?",
    hint: "When `c` asks for `a`, it is in `visited` already.",
    why: "Once: at the second call it is in `visited` and is skipped. Play the sort to see both calls.",
    learned: "Topological sort, reversed, visits each value once, after all its users.",
  },
  dead: {
    title: "A dead relu",
    caption:
      "`relu` lets through what is above 0, and turns everything else into [d:0]. Here `w * x + b` is [d:−8].",
    task: "What is the gradient of `w`?",
    hint: "Below 0 the curve of `relu` is flat. How steep is that?",
    why: "[g:1] × [d:0] = [g:0], and so for everything before it: no step of training moves it. Drag `b` up until it lives.",
    learned: "A relu below 0 passes nothing on, so everything before it learns nothing.",
  },
  neuron: {
    title: "A neuron",
    caption:
      "Two inputs, two weights, a bias and `tanh`, whose local derivative is 1 − o². With this bias `o` is [d:0.7071], and the derivative [d:0.5].",
    task: "What is the gradient of `w1`?",
    hint: "[g:0.5] passes both sums unchanged. The other factor of `w1` is `x1`, which is [d:2].",
    why: "[g:0.5] × [d:2] = [g:1]. And `w2` gets [g:0], because `x2` is [d:0].",
    learned:
      "Through a neuron the gradient is 1 − o², then a copy in each sum, then the other factor.",
  },
  training: {
    title: "A step of training",
    caption:
      "A step moves each parameter against its gradient: `w` − step size × gradient. With `w` = [d:2] the loss is [d:4], the gradient of `w` is [g:12], and the step size is 0.01.",
    task: "What will `w` be after one step?",
    hint: "Subtract 0.01 × [g:12] from [d:2].",
    why: "[d:2] − 0.01 × [g:12] = [d:1.88], and the loss falls to [d:2.56]. Press Train to go on.",
    learned: "Training walks against the gradient, a small step at a time.",
  },
  modes: {
    title: "Forward or reverse",
    caption:
      "Derivatives can also be carried forward with the data, from one input to the result: a pass for each input. Reverse mode, which you have played, has all of them after one backward pass.",
    task: "How many passes of forward mode give the gradients of all five inputs here?",
    hint: "Each pass begins at one input. Count the inputs: `x1`, `x2`, `w1`, `w2`, `b`.",
    why: "[d:5] against [d:1]. With a billion parameters and one loss that decides: backward() is reverse mode.",
    learned: "Reverse mode gives all gradients of one result in a single backward pass.",
  },
} as const;

/** The bar above a scene's graph, and the page's own lesson. */
export const LESSON = {
  name: "Scene",
  places: "Scenes of the lesson",
  skip: "Skip →",
  next: "Next scene →",
  close: "Close",
  end: "What you have learned",
  learned: "{done} of {of} scenes done:",
  scenes: SCENES,
} as const;
