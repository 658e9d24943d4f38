/** English: the lessons' tasks and questions. */

export const TASKS = {
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
