/** Properties of a picture on a screen, in every window and at every step, without a browser. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { GradientDocument } from "../src/document.ts";
import { introspect } from "../src/introspect.ts";
import { arrange } from "../src/screen/arrange.ts";
import type { Arrangement } from "../src/screen/arrange.ts";
import { cellsOf } from "../src/screen/cells.ts";
import { digitsOf } from "../src/screen/digits.ts";
import { heldTexts } from "../src/screen/held.ts";
import { flattened } from "../src/screen/paths.ts";
import type { Place } from "../src/screen/paths.ts";
import { placesIn } from "../src/screen/places.ts";
import type { PlacedArrow, Plan } from "../src/screen/places.ts";
import { cachedMeasure, textsOf } from "../src/screen/texts.ts";
import type { Texts } from "../src/screen/texts.ts";
import { draw } from "../src/picture/draw.ts";
import { shortened, visible, width } from "../src/picture/captions.ts";
import { introspectValue } from "../src/subject.ts";
import { Value } from "../src/value.ts";
import { casesOf, units } from "./helpers.ts";

/** Widths of Arial's letters, in em. */
const WIDTHS: readonly (readonly [width: number, letters: string])[] = [
  [0.222, "ijl"],
  [0.278, " .,:;ft/[]I!"],
  [0.333, "()-r"],
  [0.389, "*"],
  [0.5, "ckszvxyJ"],
  [0.584, "+=−×÷<>^~"],
  [0.667, "ABEKPSVXY&"],
  [0.722, "CDHNRUw"],
  [0.778, "GOQ"],
  [0.833, "mM"],
  [0.944, "W"],
  [1, "…"],
];
const widthOf = new Map(
  WIDTHS.flatMap(([width, letters]) => [...letters].map((each) => [each, width])),
);
const measure = cachedMeasure((text, isBold) => {
  const sum = [...text].reduce((width, letter) => width + (widthOf.get(letter) ?? 0.556), 0);
  return isBold ? sum * 1.06 : sum;
});

type Values = Record<string, number>;

const XOR_VALUES = {
  ...{ x1: 1, x2: 0, w11: 0.8, w12: -0.6, b1: 0.1, w21: -0.5, w22: 0.9, b2: -0.2 },
  ...{ v1: 1.1, v2: 0.7, c: -0.3, t: 1 },
};
const NEURON = { x1: 2, x2: 0, w1: -3, w2: 1, b: 6.88 };
const FORMULAS: Record<string, readonly [string, Values]> = {
  first: ["(a + b) * c", { a: 2, b: -3, c: 10 }],
  "used twice": ["b = a + 1; b * b", { a: 2 }],
  "a + a": ["a + a", { a: 3 }],
  neuron: ["tanh(x1*w1 + x2*w2 + b)", NEURON],
  "neuron with loss": ["o = tanh(x1*w1 + x2*w2 + b); (o - t)**2", { ...NEURON, t: 1 }],
  "logistic loss": [
    "p = sigmoid(w1*x1 + w2*x2 + b); -(y*log(p) + (1 - y)*log(1 - p))",
    { w1: 0.5, x1: 1, w2: -0.25, x2: 2, b: 0.1, y: 1 },
  ],
  quotient: ["(a - b) / (a + b)", { a: 3, b: 1 }],
  XOR: [
    "h1 = tanh(x1*w11 + x2*w12 + b1); h2 = tanh(x1*w21 + x2*w22 + b2); " +
      "o = h1*v1 + h2*v2 + c; (o - t)**2",
    XOR_VALUES,
  ],
  chain: ["tanh(".repeat(23) + "x" + ")".repeat(23), { x: 0.5 }],
  deep: [
    "(tanh(((sigmoid(e)+sigmoid((exp((((d*(b*a))+a)*sigmoid(e)))*sigmoid(a))))+g))+tanh(h))",
    { a: 0.5, b: 1, d: 2, e: -1.5, g: 3, h: 0.7 },
  ],
  "long names": [
    "learning_rate_layer1 * learning_rate_layer2 + bias_of_output_unit",
    { learning_rate_layer1: 0.1, learning_rate_layer2: -12345.68, bias_of_output_unit: 1e-12 },
  ],
  "four uses": ["a*a + a*b + a + a*c", { a: 2, b: -1, c: 0.5 }],
};
const DOCUMENTS = Object.entries(FORMULAS).map(
  ([name, [text, values]]) => [name, introspect(text, values)] as const,
);
const documentOf = (name: string) => introspect(...FORMULAS[name]!);

/** The size of the stage in ten windows from 320×240 to 1920×1080. */
const STAGES = [
  [320, 136],
  [320, 416],
  [375, 515],
  [390, 692],
  [844, 304],
  [640, 314],
  [720, 334],
  [1024, 610],
  [1280, 642],
  [1920, 922],
] as const;

type Box = readonly [left: number, top: number, right: number, bottom: number];

/** Return the boxes of a label's lines, as a front end draws them. */
function linesOf({ id, label }: PlacedArrow, plan: Plan, texts: Texts): Box[] {
  const { incoming, local, contribution } = texts.labels[id]!;
  const { lines, isAcross } = plan.variant;
  const written = [
    [[`${incoming} × ${local} = `, contribution]],
    [[`${incoming} × ${local}`], ["= ", contribution]],
    [[incoming], [`× ${local}`], ["= ", contribution]],
  ][lines - 1]!;
  const height = 1.22 * plan.size;
  return written.map(([plain = "", bold = ""], at) => {
    const width = (measure(plain) + measure(bold, true)) * plan.size;
    const share = { left: 0, center: 0.5, right: 1 }[label.align];
    const left = label.x + (label.w - width) * share;
    const isBelow = isAcross && lines > 1 && at === written.length - 1;
    const top = isBelow ? label.y + label.h - height : label.y + at * height;
    return [left, top, left + width, top + height];
  });
}

const meet = (one: Box, other: Box, by: number) =>
  one[0] < other[2] - by &&
  other[0] < one[2] - by &&
  one[1] < other[3] - by &&
  other[1] < one[3] - by;

function distance([left, top, right, bottom]: Box, [x, y]: Place): number {
  return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
}

/** Return points along a line, at most a pixel apart. */
function dense(line: readonly Place[]): Place[] {
  return line.slice(1).flatMap(([x, y], at) => {
    const [fromX, fromY] = line[at]!;
    const count = Math.ceil(Math.hypot(x - fromX, y - fromY)) + 2;
    return Array.from({ length: count }, (_, step): Place => {
      const share = step / (count - 1);
      return [fromX + (x - fromX) * share, fromY + (y - fromY) * share];
    });
  });
}

/** Check every property of a plan, and return the number of its labels. */
function check(plan: Plan, texts: Texts, where: string): number {
  const boxes = plan.cards.map(({ x, y, w, h }): Box => [x, y, x + w, y + h]);
  const isInside = ([left, top, right, bottom]: Box) =>
    left > -1 && top > -1 && right < plan.width + 1 && bottom < plan.height + 1;
  for (const [at, box] of boxes.entries()) {
    assert.ok(isInside(box), `${where}: card ${at} is outside, ${box.map(Math.round)}`);
    const isOver = boxes.slice(0, at).some((other) => meet(box, other, 0.5));
    assert.ok(!isOver, `${where}: card ${at} is over another`);
  }
  assert.ok(plan.size >= 12 - 1e-6, `${where}: letters of ${plan.size} px`);
  const lines = plan.arrows.map(({ path }) => dense(flattened(path)));
  const around = lines.map((points): Box => {
    const [x, y] = [0, 1].map((axis) => points.map((point) => point[axis]!)) as [
      number[],
      number[],
    ];
    return [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)];
  });
  const labelled = plan.arrows.filter(({ id }) => texts.labels[id]!.hasGradient);
  const labels = labelled.map((arrow) => linesOf(arrow, plan, texts));
  for (const [at, arrow] of labelled.entries()) {
    const label = labels[at]!;
    const near = (points: readonly Place[]) =>
      Math.min(...label.flatMap((line) => points.map((point) => distance(line, point))));
    const own = near(lines[plan.arrows.indexOf(arrow)]!);
    for (const [other, points] of lines.entries())
      if (plan.arrows[other] !== arrow && label.some((line) => meet(around[other]!, line, -own)))
        assert.ok(
          near(points) > own - 1e-6,
          `${where}: label ${arrow.id} is nearer to arrow ${other}: ${near(points)}, ${own}`,
        );
    for (const line of label) {
      assert.ok(isInside(line), `${where}: label ${arrow.id} is outside`);
      assert.ok(
        !boxes.some((box) => meet(box, line, 1.5)),
        `${where}: label ${arrow.id} on a card`,
      );
      const others = labels.slice(0, at).flat();
      assert.ok(!others.some((other) => meet(line, other, 1.5)), `${where}: two labels meet`);
    }
    const need = Math.max(...label.map(([left, , right]) => right - left)) / plan.size;
    assert.ok(need <= arrow.room + 0.01, `${where}: label ${arrow.id} is wider than its room`);
  }
  return labelled.length;
}

function windowOf([width, height]: readonly [number, number]) {
  return { width, height, measure };
}

for (const [name, document] of DOCUMENTS)
  test(`nothing overlaps or is outside, and each label is nearest to its arrow: ${name}`, () => {
    for (const stage of STAGES) {
      const { plan, texts, lens } = arrange(document, windowOf(stage));
      if (plan !== null) check(plan, texts, `${stage}`);
      const steps = document.edges.filter(({ contribution }) => contribution !== null).length;
      const seen = new Set<Plan>();
      for (let at = 0; lens !== null && at < steps; at++) {
        const part = lens.partAt(at);
        if (!seen.has(part.plan)) check(part.plan, texts, `${stage}, part ${at}`);
        seen.add(part.plan);
      }
    }
  });

test("a part shows both ends of its step, stays if it can, and has stubs at its border", () => {
  const document = documentOf("logistic loss");
  const [width, height] = STAGES[3];
  const { lens } = arrange(document, { width, height, measure });
  const order = new Map(document.backward_order.map((id, at) => [id, at]));
  const steps = document.edges
    .filter(({ contribution }) => contribution !== null)
    .sort((a, b) => order.get(a.to)! - order.get(b.to)! || a.slot - b.slot);
  let moves = 0;
  for (const [at, { from, to }] of steps.entries()) {
    const { nodes, plan } = lens!.partAt(at);
    assert.ok(nodes.has(from) && nodes.has(to), `step ${at}`);
    const drawn = new Set(plan.arrows.map(({ id }) => id));
    const leaving = document.edges.filter((edge) => !drawn.has(edge.id));
    const cut = leaving.filter((edge) => nodes.has(edge.from) || nodes.has(edge.to));
    const shown = new Set(plan.stubs.flatMap(({ edges }) => edges));
    assert.deepEqual(
      cut.map(({ id }) => id),
      [...shown].sort((a, b) => a - b),
    );
    const before = lens!.partAt(Math.max(0, at - 1));
    if (before.nodes.has(from) && before.nodes.has(to) && before !== lens!.partAt(at)) moves++;
  }
  assert.ok(moves <= steps.length / 16, "a part stays while it has both ends");
});

/** Return a generator of numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function randomDocument(seed: number): GradientDocument {
  const random = randomOf(seed);
  const below = (most: number) => Math.floor(random() * most);
  const values: Values = {};
  const write = (size: number): string => {
    if (size === 1) {
      if (random() < 0.12) return String(1 + below(4));
      const name = "abcdefghk"[below(9)]!;
      values[name] ??= Math.round((random() * 8 - 4) * 100) / 100;
      return name;
    }
    if (random() < 0.18) return `${["tanh", "sigmoid", "relu"][below(3)]}(${write(size - 1)})`;
    const left = 1 + below(size - 1);
    return `(${write(left)}${"+-**"[below(4)]}${write(size - left)})`;
  };
  return introspect(write(2 + below(16)), values);
}

test("in a window of size 0 all places are finite", () => {
  const document = introspect("(a + b) * c", { a: 2, b: -3, c: 10 });
  for (const [width, height] of [
    [0, 0],
    [288, 0],
    [0, 200],
  ] as const) {
    const { plan } = arrange(document, { width, height, measure }).lens!.partAt(0);
    const written = JSON.stringify(plan, (_, value: unknown) => (value === value ? value : "NaN"));
    assert.ok(!written.includes('"NaN"'), `${width} x ${height}`);
  }
});

test("pruning the search does not change its result", () => {
  for (let seed = 0; seed < 40; seed++) {
    const document = randomDocument(seed);
    const [cells, texts] = [cellsOf(document), textsOf(document, measure)];
    for (const [width, height] of [STAGES[3], STAGES[8]]) {
      const window = { width, height, least: 12, most: Math.max(16, height / 12) };
      const quick = placesIn(cells, texts, window);
      const full = placesIn(cells, texts, window, { isFull: true });
      assert.deepEqual([quick.variant, quick.cards], [full.variant, full.cards], `seed ${seed}`);
      assert.ok(quick.count <= full.count / 3, `${quick.count} of ${full.count} were placed`);
    }
  }
});

test("pictures of random graphs have the same properties", () => {
  let count = 0;
  for (let seed = 100; seed < 130; seed++) {
    const { plan, texts } = arrange(randomDocument(seed), windowOf(STAGES[7 + (seed % 3)]!));
    if (plan !== null) count += check(plan, texts, `seed ${seed}`);
  }
  assert.ok(count > 200);
});

test("a small change of the window's width keeps the variant", () => {
  let [all, changes] = [0, 0];
  for (const name of ["first", "neuron", "neuron with loss", "quotient"])
    for (let width = 340; width < 1900; width += 120) {
      let previous: Plan["variant"] | null = null;
      for (const by of [0, 16, 0, -16, 0]) {
        const { plan } = arrange(documentOf(name), {
          ...{ width: width + by, height: 640, measure, previous },
        });
        all++;
        if (plan !== null && previous !== null && !isDeepStrictEqual(plan.variant, previous))
          changes++;
        previous = plan?.variant ?? null;
      }
    }
  assert.ok(changes <= 0.01 * all, `${changes} of ${all}`);
});

test("while a number is dragged, texts fit into the places of the first picture", () => {
  let [all, small] = [0, 0];
  for (const [name, variable] of [
    ["first", "a"],
    ["neuron with loss", "b"],
    ["four uses", "a"],
  ] as const)
    for (const stage of [STAGES[3], STAGES[8]]) {
      const [text, values] = FORMULAS[name]!;
      const { plan, texts } = arrange(introspect(text, values), windowOf(stage));
      for (let value = -5; value <= 5; value += 0.25) {
        const document = introspect(text, { ...values, [variable]: value });
        const held = heldTexts(texts, document, plan!);
        for (const { id } of plan!.arrows) {
          if (!held.labels[id]!.hasGradient) continue;
          all++;
          const { scale } = held.labels[id]!;
          if (scale < 1) small++;
          assert.ok(scale > 0.55, `${name}, ${variable} = ${value}: letters of ${scale}`);
        }
      }
    }
  assert.ok(small <= 0.05 * all, `${small} of ${all}`);
});

test("a number that is shortened to fit has the same digits everywhere", () => {
  let cut = 0;
  for (const [text, values] of Object.values(FORMULAS))
    for (const stage of STAGES) {
      const { plan, texts } = arrange(introspect(text, values), windowOf(stage));
      if (plan === null) continue;
      const moved = Object.entries(values).map(([name, value]) => [name, value + 2.123456789]);
      const document = introspect(text, Object.fromEntries(moved) as Values);
      const held = heldTexts(texts, document, plan);
      const { write, cards, labels, arriving, sumText } = held;
      cut += held.cut;
      for (const { id, data, grad } of document.nodes) {
        assert.equal(cards[id]!.data, write(data));
        if (grad !== null) assert.equal(cards[id]!.grad, write(grad));
        const terms = arriving[id]!.map(({ contribution }) => write(contribution));
        const sum = terms.length > 3 ? "" : sumText(id);
        if (sum !== "") assert.equal(sum, terms.join(" + ").replaceAll("+ −", "− "));
      }
      for (const { id, incoming_grad, local_grad, contribution } of document.edges) {
        if (!labels[id]!.hasGradient) continue;
        assert.equal(labels[id]!.incoming, write(incoming_grad));
        assert.equal(labels[id]!.local, write(local_grad));
        assert.equal(labels[id]!.contribution, write(contribution));
      }
    }
  assert.ok(cut > 0, "ten digits do not fit");
});

test("products and sums are correct in the digits shown", () => {
  let [all, off] = [0, 0];
  const documents = [
    ...DOCUMENTS.map(([, document]) => document),
    ...Array.from({ length: 60 }, (_, seed) => randomDocument(seed)),
  ];
  for (const document of documents) {
    const digits = digitsOf(document);
    for (const equation of digits.equations) {
      all++;
      if (digits.off(equation) > 1.0000001) off++;
    }
  }
  assert.ok(off <= 0.005 * all, `${off} of ${all}`);
});

test("a number has the same digits everywhere, and its integer part is not rounded", () => {
  const { write } = digitsOf(documentOf("long names"));
  for (const [number, text] of [
    [-12345.68, "−12345.68"],
    [1e-12, "1e−12"],
    [0, "0"],
    [0.5, "0.5"],
    [2 / 3, "0.667"],
    [null, "--"],
  ] as const)
    assert.equal(write(number), text);
  const other = digitsOf(introspect("a * b", { a: 1.23456, b: 1 })).write;
  for (const [number, text] of [
    [1.23456, "1.23"],
    [-0.123456, "−0.123"],
    [0.0123456, "0.012"],
    [3456789.25, "3.46e6"],
  ] as const)
    assert.equal(other(number), text);
});

test("in every part, an arrow's first factor is the gradient on the card where it starts", () => {
  const check = ({ texts, plan, lens }: Arrangement, document: GradientDocument) => {
    const plans = plan ? [plan] : document.edges.map((_, at) => lens!.partAt(at).plan);
    for (const { arrows, cards } of plans)
      for (const { id } of arrows.filter(({ id }) => texts.labels[id]!.hasGradient)) {
        const { to, contribution } = document.edges[id]!;
        assert.ok(cards.some((card) => card.id === to));
        assert.equal(texts.labels[id]!.incoming, texts.cards[to]!.grad);
        assert.equal(texts.labels[id]!.contribution, texts.write(contribution));
      }
  };
  for (const [, document] of DOCUMENTS)
    for (const stage of [STAGES[1], STAGES[8]]) check(arrange(document, windowOf(stage)), document);
});

test("in a wide window the picture runs from left to right and fills the width", () => {
  for (const stage of STAGES.slice(7))
    for (const name of ["first", "neuron", "neuron with loss", "quotient", "a + a"]) {
      const { plan } = arrange(documentOf(name), windowOf(stage));
      assert.ok(plan!.variant.isAcross, `${name} ${stage}`);
      const left = Math.min(...plan!.cards.map(({ x }) => x));
      const right = Math.max(...plan!.cards.map(({ x, w }) => x + w));
      assert.ok(right - left > 0.85 * stage[0], `${name} ${stage}: ${right - left}`);
    }
});

test("a long name is shortened in the middle", () => {
  const texts = textsOf(documentOf("long names"), measure);
  assert.deepEqual(texts.cards[0]!.name, "learning…ayer1");
  assert.equal(texts.cards[0]!.fullName, "learning_rate_layer1");
});

test("every partial sum fits, and a sum of many terms shows the sum so far", () => {
  const document = documentOf("four uses");
  const texts = textsOf(document, measure);
  const node = document.nodes.find(({ label }) => label === "a")!.id;
  assert.equal(texts.arriving[node]!.length, 5);
  const sums = texts.arriving[node]!.map((_, at) => texts.sumText(node, at + 1));
  assert.match(sums[0]!, /\+ …$/);
  for (const sum of sums) assert.ok(measure(sum, true) <= texts.widths.sum[node]! + 1e-9);
  for (const { running_grad } of texts.arriving[node]!)
    assert.ok(measure(texts.write(running_grad), true) <= texts.widths.grad[node]! + 1e-9);
});

// Texts of pictures; the positions of cards are in fixtures

/** Return the texts of the elements with this class. */
function texts(document: GradientDocument, name: string): string[] {
  const found = draw(document).matchAll(/<text class="([^"]+)"[^>]*>([^<]*)</g);
  return [...found].filter(([, names]) => names!.split(" ").includes(name)).map((each) => each[2]!);
}

test("labels may have names that JavaScript treats specially", () => {
  for (const label of ["10", "__proto__", "constructor"]) {
    const document = introspectValue(new Value(1, label).add(new Value(2, "b")));
    assert.deepEqual(texts(document, "gp-name").slice(0, 2), [label, "b"]);
  }
});

test("a number is shortened", () => {
  for (const { rows } of casesOf("picture_text", "numbers")) {
    for (const [value, most, text] of rows) assert.equal(shortened(value, most), text);
  }
});

units("picture_text", "labels", ({ rows }) => {
  for (const [text, most, shown] of rows) {
    assert.equal(visible(text, most), shown);
    assert.ok(width(shown) <= most);
  }
});
