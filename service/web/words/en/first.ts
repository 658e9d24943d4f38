/**
 * English: what is seen at first. A translation is a folder with the same members, each typed as here.
 *
 * In sentences, `x` is code, [d:1] a number of the forward pass, [g:1] one of the backward pass.
 */

export const FIRST = {
  language: "en",
  languages: "Language",
  title: "Gradient sandbox",
  tagline: "Write a formula, play it backward, see what each input is worth.",
  skip: "Skip to the sandbox",
  site: "Site",
  sandbox: "Sandbox",
  lesson: "Lesson",
  reference: "Reference",
  problems: "Problems",
  expression: "Expression",
  share: "Share",
  examples: "Examples",
  stage: {
    name: "Graph",
    graphOf: (text: string, result: string) => `Graph of ${text}, whose result is ${result}`,
    way: "Direction of the pulse",
    forward: "Forward: data",
    sort: "Sort",
    backward: "Backward: grad",
    local: "Local derivatives",
    final: "Final gradients",
    accuracy: "Accuracy",
    reset: "Reset view",
    options: "Options",
    input: "input",
    parameter: "param",
    constant: "const",
    result: "result",
    derived: "derived",
    partial: (arrived: number, expected: number) => `${arrived} of ${expected}`,
    edge: (formula: string, from: string, to: string) => `${formula}, from ${from} to ${to}`,
    from: (name: string) => `from ${name}`,
    to: (name: string) => `to ${name}`,
    group: (count: number) => `group of ${count}, closed`,
    openGroup: "group, open",
    open: (name: string) => `Open ${name}`,
    close: (name: string) => `Close ${name}`,
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
      forward: "Timeline: one tick, one operation",
      sort: "Timeline: one tick, one beat of the sort",
      backward: "Timeline: one tick, one arrow",
    },
    begin: { forward: "inputs", sort: "start", backward: "seed" },
    count: (at: number, of: number) => `${at} of ${of}`,
    speed: "Speed",
  },
  tabs: { values: "Values", code: "Code", predict: "Predict", break: "Break it", train: "Train" },
  workbench: "Workbench",
  tablist: "What to do with this graph",
  seed: "Who is responsible, and by how much? Play it backward.",
  seedForward: "The inputs are known. Play forward and watch the result being computed.",
  is: (part: string, value: string) => `\`${part}\` is [d:${value}]`,
  makes: (operation: string, left: string, right: string, result: string) => {
    const verbs: Readonly<Record<string, string>> = {
      "+": "plus",
      "-": "minus",
      "*": "times",
      "/": "divided by",
      "**": "to the power of",
    };
    return `${left}${verbs[operation]} \`${right}\` is [d:${result}].`;
  },
  resultOne: "The gradient of the result with respect to itself is 1.",
};

export type Words = typeof FIRST;
