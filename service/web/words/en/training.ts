/** English: the room where parameters learn. */

export const TRAINING = {
  lessons: "What to train",
  names: { line: "A line", neuron: "The neuron", xor: "XOR, 2-4-1 tanh" },
  which: "Which variables may learn?",
  mark: "A step of training moves parameters against their gradient, so that the result goes down. Mark at least one:",
  stopped: "This cannot be trained",
  stepFact: "step",
  loss: "Loss",
  size: "gradient size",
  drag: "drag below to go back to any step",
  timeline: "Timeline: one tick, one step of training",
  step: (at: number, of: number) => `step ${at} of ${of}`,
  curve: (first: string, at: number, now: string) =>
    `Loss by step: ${first} at step 0, ${now} at step ${at}`,
  train: "Train",
  pause: "Pause training",
  again: "Train again",
  toStart: "Back to the start",
  rate: "Step size",
  rateNumber: "Step size, as a number",
  endedAt: (step: number) => `Step ${step} failed:`,
  rows: "The loss is the mean over four rows; the graph shows one of them.",
  look: "Look at the row",
  see: (row: string) => `Show ${row}`,
  bold: "Too bold a step?",
  boldly:
    "With 0.01 each step leaves 0.64 of the loss. With 0.1 it jumps from side to side and stays at 4.",
  setAndSee: (rate: string) => `Try ${rate}`,
  trainXor: "Train on XOR",
  map: {
    result: "the result",
    caption: (output: string, first: string, second: string) =>
      `\`${output}\` over \`${first}\` and \`${second}\`, with the weights of this step; on the line it is 0.`,
    right: (right: number, all: number) => `Right sign: ${right} of ${all}.`,
    told: (output: string, first: string, second: string, share: number) =>
      `Map of ${output} over ${first} and ${second}: above 0 on ${share} % of it`,
  },
};

export type TrainingWords = typeof TRAINING;
