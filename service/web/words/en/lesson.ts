/** English: what stands above the graph of a scene, and the page's own lesson. */

/** A scene of the lesson: what it shows, what it asks, and what is said to an answer. */
interface Scene {
  readonly title: string;
  readonly caption: string;
  readonly task: string;
  /** Said to a wrong answer. */
  readonly hint: string;
  /** Said to a right one. */
  readonly why: string;
  readonly learned: string;
}

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
    why: "[g:10] × [d:1] = [g:10], and as much for `b`.",
    learned: "A sum hands on the gradient that it gets, to each of its inputs.",
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
      "Here `b` is visited before `d`, so it has nothing yet to hand on, and what `d` brings it comes too late. `c` comes after `d` and gets `b`, which is [d:3].",
    task: "What gradient will `a` end up with in this order?",
    hint: "Only `c` still has something for `a`: its gradient [g:3] times the local derivative [d:3]. `b` hands on [g:0].",
    why: "[g:3] × [d:3] + [g:0] = [g:9]; right is [g:15]. Run this order and see what is lost, then put `d` first.",
    learned: "A value is visited only when all that use it have been.",
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
      "`relu` lets through what is above 0, and turns all else into [d:0]. Here `w * x + b` is [d:−8].",
    task: "What is the gradient of `w`?",
    hint: "Below 0 the curve of `relu` is flat. How steep is that?",
    why: "[g:1] × [d:0] = [g:0], and so for all before it: no step of training moves them. Drag `b` up until it lives.",
    learned: "A relu below 0 hands nothing on, so what is before it learns nothing.",
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
      "Derivatives can also be carried forward beside the data, from one input to the result: a pass for each input. Reverse mode, which you have played, has all of them after one backward pass.",
    task: "How many passes of forward mode give the gradients of all five inputs here?",
    hint: "Each pass begins at one input. Count the inputs: `x1`, `x2`, `w1`, `w2`, `b`.",
    why: "[d:5] against [d:1]. With a billion parameters and one loss that decides: backward() is reverse mode.",
    learned: "Reverse mode gives all gradients of one result in a single backward pass.",
  },
} satisfies Readonly<Record<string, Scene>>;

export const LESSON = {
  name: "Scene",
  title: (at: number, of: number, title: string) => `${at} of ${of} · ${title}`,
  places: "Scenes of the lesson",
  task: "Task:",
  predict: "Predict:",
  skip: "Skip →",
  next: "Next scene →",
  finish: "What you have learned →",
  done: "done",
  close: "Close",
  leave: "Leave the lesson",
  end: "What you have learned",
  learned: (done: number, of: number) => `${done} of ${of} scenes done:`,
  scenes: SCENES as Readonly<Record<keyof typeof SCENES, Scene>>,
};

export type LessonWords = typeof LESSON;
