/** English: the true number beside one that is shown, and what a central difference is off by. */

export const ACCURACY = {
  bits: (number: string, name: string, bits: number) =>
    `${number} of ${name}: ${bits} of 53 bits are right`,
  noTruth: (number: string, name: string) => `${number} of ${name} has no true number`,
  right: (number: string, name: string, bits: number) =>
    `${bits === 53 ? "All" : `${bits} of the`} 53 bits of ${number} of \`${name}\` are right:`,
  exactly: (told: string) => `it is ${told}, the true number itself.`,
  nearest: (told: string) => `it is ${told}, the double nearest to the true number.`,
  truly: (told: string, truth: string) => `it is ${told}, and truly ${truth}.`,
  reasons: {
    domain: "There, its true operand is outside the domain.",
    depends: "It depends on a number that does not exist.",
    too_large: "It is larger than every double.",
    out_of_range: "It is too large, too small or too near to 0 to be told.",
  },
  given: (text: string, double: string) =>
    `The truth is that of the doubles given: \`${text}\` is ${double}.`,
  invite:
    "The bar under a number is the part of its 53 bits that is right. Choose a bar to see whose rounding took the rest.",
  tooMuch: "To find the true numbers of this program is too much work for the page.",
  /** What was rounded. */
  rounded: {
    local_grad: (from: string, to: string) => `the slope from \`${from}\` to \`${to}\``,
    contribution: (from: string, to: string) => `what \`${from}\` sends to \`${to}\``,
    running_grad: (_: string, to: string) => `the sum of gradients at \`${to}\``,
  },
  culprit: (what: string, rounding: string, weight: string, share: string, error: string) =>
    `Rounding ${what} moved it by ${rounding}; times its weight ${weight} that is ${share} ` +
    (share === error ? "here, the whole error." : `of the error ${error}.`),
  absorbed: (part: string, sum: string, told: string) =>
    `\`${sum}\` rounds to ${told}, so nothing of \`${part}\` is left.`,
  saturated: (out: string, told: string, formula: string) =>
    `\`${out}\` rounds to ${told}, so \`${formula}\` has nothing left.`,
  flat: (out: string, told: string, formula: string) =>
    `\`${out}\` is nearly ${told}, so little of \`${formula}\` is left, and the rounding stays.`,
  cancels: (where: string, size: string, left: string) =>
    `In \`${where}\` numbers up to ${size} cancel to ${left}, and their roundings stay.`,
  cancelsAt: (where: string, size: string, left: string) =>
    `At \`${where}\` contributions up to ${size} cancel to ${left}, and their roundings stay.`,
  /** Of the curve over the step h. */
  quotients: {
    title: (name: string) => `What (f(${name} + h) − f(${name} − h)) / 2h is off by, over h`,
    rounding: "rounding",
    truncation: "truncation",
    best: (error: string, step: string) => `least: ${error}, at h = ${step}`,
    backward: (error: string) => `the backward pass: ${error}`,
    none: "Here no central difference can be compared with the truth.",
  },
};

export type AccuracyWords = typeof ACCURACY;
