/** What a step of the wave means, in English: sentences that are put together from a graph. */

/** What an operation sends to an operand, in names and numbers. */
export interface Sent {
  readonly from: string;
  readonly to: string;
  readonly incoming: string;
  readonly local: string;
  readonly contribution: string;
}

/** The same, with what explains it: the rule of the operation, and the sum at the operand. */
export interface Explained extends Sent {
  /** The operation, as its symbol. */
  readonly operation: string;
  readonly slot: number;
  /** What the other operand is called. */
  readonly other: string;
  /** What the table of operations says of the local derivative. */
  readonly slope: string;
  readonly arrived: number;
  readonly expected: number;
  readonly sum: string;
  readonly isDead: boolean;
}

/** By operation: what its local derivative is, where one sentence says it for the wave and for a hint. */
const SLOPES: Readonly<Record<string, string>> = {
  neg: "Negation flips the sign.",
  exp: "The slope of exp is its own value.",
  log: "The slope of log is 1 divided by its operand.",
  sqrt: "The slope of sqrt is 1 divided by twice its value.",
  sin: "The slope of sin is the cosine of its operand.",
  cos: "The slope of cos is minus the sine of its operand.",
  sigmoid: "The slope of sigmoid is `p * (1 - p)`, where p is its value.",
  softplus: "The slope of softplus is the sigmoid of its operand.",
  abs: "abs passes the gradient on where its operand is above 0, flips its sign below and stops it at 0.",
  min: "min passes the gradient to the smaller operand; equal operands get half each.",
  max: "max passes the gradient to the larger operand; equal operands get half each.",
};

/** By operation: what it does to the gradient that it sends on. */
const SENDS: Readonly<Record<string, (sent: Explained) => string>> = {
  "+": () => "A sum passes its gradient on unchanged.",
  "-": ({ slot }) =>
    slot === 0
      ? "A difference passes its gradient on unchanged."
      : "The subtracted operand gets it with the sign flipped.",
  "*": ({ other, local }) =>
    `A product scales it by the other factor: \`${other}\` is [d:${local}].`,
  "/": ({ slot, other }) =>
    slot === 0
      ? `A quotient divides it by \`${other}\`, too.`
      : "The larger the divisor, the less its change matters.",
  "**": () => "A power brings its exponent down.",
  tanh: () => "The flatter tanh is here, the less it passes on.",
  relu: ({ isDead }) =>
    isDead ? "Below 0 relu is flat and passes nothing on." : "Above 0 relu passes it on unchanged.",
};

/** What is said of an operation that has no sentence of its own. */
function plainly(operation: string, slope: string): string {
  return `The slope of ${operation} is \`${slope}\`.`;
}

function rule(sent: Explained): string {
  const { operation, slope } = sent;
  return SENDS[operation]?.(sent) ?? SLOPES[operation] ?? plainly(operation, slope);
}

/** By operation: how its derivative is found, where that is not one sentence for all. */
const HINTS: Readonly<Record<string, string>> = {
  "**": "Bring the exponent down and reduce it by 1.",
  tanh: "The slope of tanh is 1 minus the square of its value.",
  relu: "Is the operand of relu above 0? Only then does anything pass.",
};

export function sends({ from, to, incoming, local, contribution }: Sent): string {
  return `\`${from}\` sends [g:${incoming}] × [d:${local}] = [g:${contribution}] to \`${to}\``;
}

export const RULES = {
  sent: (sent: Explained) => {
    const { to, arrived, expected, sum } = sent;
    const told = `${sends(sent)}.`;
    if (expected < 2) return `${told} ${rule(sent)}`;
    if (arrived < expected)
      return `${told} That is contribution ${arrived} of ${expected} to \`${to}\`.`;
    return `${told} Together with the others \`${to}\` has [g:${sum}]: contributions add up.`;
  },
  computed: (name: string, text: string, value: string) =>
    name === text
      ? `\`${text}\` is [d:${value}].`
      : `\`${name}\`, which is \`${text}\`, is [d:${value}].`,
  hint: (operation: string, slot: number, of: string, other: string, slope: string): string => {
    const isFirst = slot === 0;
    if (operation === "+")
      return `A sum passes on what it has received. What has \`${of}\` received?`;
    if (operation === "*") {
      return `A product scales the gradient by the other factor. The other factor is \`${other}\`: what is its value?`;
    }
    if (operation === "-" && isFirst) return "A difference passes its gradient on unchanged.";
    if (operation === "-") return "The subtracted operand gets it with the sign flipped.";
    if (operation === "/")
      return isFirst ? "Divide by the divisor." : "The slope of 1 / x is −1 / x ** 2.";
    return HINTS[operation] ?? SLOPES[operation] ?? plainly(operation, slope);
  },
  hintTwice: (name: string) => `\`${name}\` is used more than once: the contributions add up.`,
};
