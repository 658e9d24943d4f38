/** English: the code of the backward pass, and the sort that it begins with. */

export const CODE = {
  line: (at: number, of: number) => `line ${at} of ${of}`,
  lines: (count: number) => `${count} lines`,
  language: "Programming language",
  idle: "Play backward or the sort, and each step lights the line that takes it.",
  forward: "The forward pass is the program itself; this is the code of the backward pass.",
  why: (name: string, old: string) =>
    `Why \`+=\`: what arrives is added to what is there. \`${name}\` had [g:${old}], which \`=\` would lose.`,
  whyEmpty: (name: string) =>
    `Why \`+=\`: what arrives is added to what is there. \`${name}\` had [g:0]; a value used twice would hold something already.`,
  goesDown: "v goes down this list",
  done: "done",
  now: "now",
  waiting: "waiting",
  more: (count: number) => `… ${count} more`,
  operands: "Which operand is called first",
  leftFirst: "left first",
  rightFirst: "right first",
  stack: "Call stack",
  stackEmpty: "empty: all calls have returned",
  notBegun: "nothing is called yet",
  child: (at: number, of: number) => `operand ${at} of ${of}`,
  noChild: "no operands",
  begins: "begins",
  returns: "already visited: returns at once",
  visited: "a set: who was called",
  topo: "a list: who is finished",
  reversed: "the order of the backward pass",
  empty: "empty",
  start:
    "Which order has each value after all that it needs? The sort calls all operands first, the left or the right one before the other.",
  root: (name: string) =>
    `The sort begins at the result: \`build(${name})\` puts \`${name}\` into \`visited\`.`,
  enter: (from: string, to: string) =>
    `\`${from}\` asks for its operand \`${to}\`, which is new: \`build(${to})\` begins, and \`${from}\` waits.`,
  skip: (from: string, to: string) =>
    `\`${from}\` asks for \`${to}\`, which is already in \`visited\`: skip. So \`${to}\` is in \`topo\` only once, before all who use it.`,
  leaf: (name: string, place: string) =>
    `\`${name}\` has no operands: it goes into \`topo\` at once, as number ${place}.`,
  append: (name: string, place: string) =>
    `All operands of \`${name}\` are in \`topo\`, so \`${name}\` follows them, as number ${place}.`,
  reverse: (first: string) =>
    `Reversed, \`topo\` is an order for the backward pass: \`${first}\` first, and each value after all who use it.`,
};

export type CodeWords = typeof CODE;
