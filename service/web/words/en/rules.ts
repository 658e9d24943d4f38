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

function rule(sent: Sent): string {
  const { operation, slot, other, local } = sent;
  if (operation === "+") return "A sum passes its gradient on unchanged.";
  if (operation === "-") {
    return slot === 0
      ? "A difference passes it on unchanged."
      : "What is subtracted gets it with the sign turned.";
  }
  if (operation === "neg") return "A minus sign turns it around.";
  if (operation === "*") {
    return `A product gives each side the value of the other: \`${other}\` is [d:${local}].`;
  }
  if (operation === "/") {
    return slot === 0
      ? `It is divided by \`${other}\`, too.`
      : "The larger the divisor, the less is left.";
  }
  if (operation === "**") return "A power brings its exponent down.";
  if (operation === "exp") return "The slope of exp is its own value.";
  if (operation === "log") return "The slope of log is 1 divided by where it is.";
  if (operation === "tanh") return "The flatter tanh is here, the less it passes on.";
  if (operation === "relu") {
    return sent.isDead
      ? "Below 0 relu is flat and passes nothing on."
      : "Above 0 relu passes it on unchanged.";
  }
  return "";
}

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
};
