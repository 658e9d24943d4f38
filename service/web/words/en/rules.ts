/** What a step of the wave means, in English: sentences that are put together from a graph. */

/** One step of the backward pass, in words and numbers. */
export interface Sent {
  /** The operation, as its symbol. */
  readonly operation: string;
  readonly slot: number;
  /** What the operation and its operands are called. */
  readonly from: string;
  readonly to: string;
  readonly other: string;
  readonly incoming: string;
  readonly local: string;
  readonly contribution: string;
  readonly arrived: number;
  readonly expected: number;
  readonly sum: string;
  readonly isDead: boolean;
}

/** By operation: what its local derivative is, where one sentence says it for the wave and for a hint. */
const SLOPES: Readonly<Record<string, string>> = {
  neg: "A minus sign turns it around.",
  exp: "The slope of exp is its own value.",
  log: "The slope of log is 1 divided by where it is.",
  sqrt: "The slope of sqrt is 1 divided by twice its value.",
  sin: "The slope of sin is the cos of the same operand.",
  cos: "The slope of cos is the sin of the same operand, with the sign turned.",
  sigmoid: "The slope of sigmoid is `p * (1 - p)`, where p is its value.",
  softplus: "The slope of softplus is the sigmoid of the same operand.",
  abs: "abs passes it on where its operand is above 0, and turns its sign below.",
  min: "min passes it on to the smaller operand; equal ones get half each.",
  max: "max passes it on to the larger operand; equal ones get half each.",
};

/** By operation: what it does to the gradient that it hands on. */
const HANDS: Readonly<Record<string, (sent: Sent) => string>> = {
  "+": () => "A sum passes its gradient on unchanged.",
  "-": ({ slot }) =>
    slot === 0
      ? "A difference passes it on unchanged."
      : "What is subtracted gets it with the sign turned.",
  "*": ({ other, local }) =>
    `A product gives each side the value of the other: \`${other}\` is [d:${local}].`,
  "/": ({ slot, other }) =>
    slot === 0
      ? `It is divided by \`${other}\`, too.`
      : "The larger the divisor, the less is left.",
  "**": () => "A power brings its exponent down.",
  tanh: () => "The flatter tanh is here, the less it passes on.",
  relu: ({ isDead }) =>
    isDead ? "Below 0 relu is flat and passes nothing on." : "Above 0 relu passes it on unchanged.",
};

function rule(sent: Sent): string {
  return HANDS[sent.operation]?.(sent) ?? SLOPES[sent.operation] ?? "";
}

/** By operation: how its derivative is found, where that is not one sentence for all. */
const HINTS: Readonly<Record<string, string>> = {
  "**": "Bring the exponent down, and lower it by 1.",
  tanh: "The slope of tanh is 1 minus the square of its value.",
  relu: "Is what stands in relu above 0? Only then something passes.",
};

export const RULES = {
  sent: (step: Sent) => {
    const { from, to, incoming, local, contribution, arrived, expected, sum } = step;
    const told = `\`${from}\` hands [g:${incoming}] × [d:${local}] = [g:${contribution}] on to \`${to}\`.`;
    if (expected < 2) return `${told} ${rule(step)}`;
    if (arrived < expected) return `${told} That is ${arrived} of ${expected} for \`${to}\`.`;
    return `${told} With the others \`${to}\` has [g:${sum}]: contributions add up.`;
  },
  computed: (name: string, text: string, value: string) =>
    name === text
      ? `\`${text}\` is [d:${value}].`
      : `\`${name}\`, which is \`${text}\`, is [d:${value}].`,
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
