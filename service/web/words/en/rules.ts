/** English: what a step of the wave means. */

import type { RuleWords } from "../rules.ts";

export const RULES: RuleWords = {
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
