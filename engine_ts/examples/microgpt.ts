/**
 * A GPT of 4,064 parameters, trained on names with `Value`: `make microgpt`.
 *
 * Its twin, engine_py/examples/microgpt.py, ends with bit-identical parameters: each operation of
 * `Value` has one correct result, sums have a fixed order, and the rest is integers and + - * / of
 * doubles.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Value } from "../src/index.ts";

const FILE = new URL("../../engine_py/examples/names.txt", import.meta.url);
const NAMES = readFileSync(FILE, "utf8").trim().split(/\s+/);
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const END = LETTERS.length; // the token before and after a name
const [WIDTH, HEAD, HIDDEN, POSITIONS] = [16, 4, 64, 8];
const [RATE, DECAY, SQUARE_DECAY, EPSILON] = [0.01, 0.9, 0.99, 1e-8];
const sum = (xs: number[]) => xs.reduce((left, right) => left + right);
const range = (count: number) => Array.from({ length: count }, (_, place) => place);

type Vector = Value[];
type Matrix = Vector[];
type Weights = ReturnType<typeof makeWeights>;

/** Yield uniform numbers from 0 to 1 (Lehmer's generator); no product exceeds 2**53. */
export function* uniforms(): Generator<number, never> {
  for (let state = 48271; ; state = (state * 48271) % (2 ** 31 - 1)) yield state / (2 ** 31 - 1);
}

export function makeWeights(random: Generator<number, never>, Leaf = Value) {
  const uniform = () => random.next().value;
  const normal = () => sum(range(12).map(uniform)) - 6; // nearly: a sum of twelve has the variance 1
  const row = (columns: number) => range(columns).map(() => new Leaf(0.1 * normal()));
  const matrix = (rows: number, columns: number) => range(rows).map(() => row(columns));
  return {
    tokenEmbedding: matrix(END + 1, WIDTH),
    positionEmbedding: matrix(POSITIONS, WIDTH),
    query: matrix(WIDTH, WIDTH),
    key: matrix(WIDTH, WIDTH),
    value: matrix(WIDTH, WIDTH),
    attentionOutput: matrix(WIDTH, WIDTH),
    hidden: matrix(HIDDEN, WIDTH),
    hiddenOutput: matrix(WIDTH, HIDDEN),
    logits: matrix(END + 1, WIDTH),
  };
}

const total = (xs: Vector) => xs.reduce((left, right) => left.add(right));
const plus = (xs: Vector, ys: Vector) => xs.map((x, place) => x.add(ys[place]!));
const dot = (xs: Vector, ys: Vector) => total(xs.map((x, place) => x.mul(ys[place]!)));
const linear = (matrix: Matrix, xs: Vector) => matrix.map((row) => dot(row, xs));

function softmax(xs: Vector): Vector {
  const largest = Math.max(...xs.map((x) => x.data));
  const exps = xs.map((x) => x.sub(largest).exp());
  const whole = total(exps);
  return exps.map((each) => each.div(whole));
}

function rmsnorm(xs: Vector): Vector {
  const scale = dot(xs, xs).div(xs.length).add(1e-5).pow(-0.5);
  return xs.map((x) => x.mul(scale));
}

function attention(query: Vector, keys: Matrix, values: Matrix): Vector {
  return range(WIDTH / HEAD).flatMap((place) => {
    const head = range(HEAD).map((i) => HEAD * place + i);
    const part = (row: Vector) => head.map((i) => row[i]!);
    const shares = softmax(keys.map((key) => dot(part(query), part(key)).mul(0.5))); // 1 / sqrt(HEAD)
    const column = (i: number) => values.map((value) => value[i]!);
    return head.map((i) => dot(shares, column(i)));
  });
}

/** Return the probability of each next token, and append this token's key and value. */
function probabilities(weights: Weights, token: number, keys: Matrix, values: Matrix): Vector {
  let x = plus(weights.tokenEmbedding[token]!, weights.positionEmbedding[keys.length]!);
  const normed = rmsnorm(x);
  keys.push(linear(weights.key, normed));
  values.push(linear(weights.value, normed));
  const attended = attention(linear(weights.query, normed), keys, values);
  x = plus(x, linear(weights.attentionOutput, attended));
  const hidden = linear(weights.hidden, rmsnorm(x)).map((unit) => unit.relu());
  x = plus(x, linear(weights.hiddenOutput, hidden));
  return softmax(linear(weights.logits, rmsnorm(x)));
}

/** Return the mean cross entropy of the name's letters and its end. */
export function lossOf(weights: Weights, name: string): Value {
  const [keys, values]: [Matrix, Matrix] = [[], []];
  let token = END;
  const losses = [...[...name].map((letter) => LETTERS.indexOf(letter)), END].map((following) => {
    const shares = probabilities(weights, token, keys, values);
    token = following;
    return shares[following]!.log().neg();
  });
  return total(losses).div(losses.length);
}

function sample(weights: Weights, random: Generator<number, never>): string {
  const [keys, values]: [Matrix, Matrix] = [[], []];
  let name = "";
  for (let token = END; keys.length < POSITIONS; name += LETTERS[token]) {
    const drawn = random.next().value;
    const shares = probabilities(weights, token, keys, values);
    let end = 0;
    token = shares.findIndex(({ data }) => drawn < (end += data));
    if (token === -1 || token === END) break;
  }
  return name;
}

/** Train with Adam, and print the mean loss twenty times. */
function main(steps: number): void {
  const random = uniforms();
  const weights = makeWeights(random);
  const parameters = Object.values(weights).flat(2);
  const [means, squares] = [parameters.map(() => 0), parameters.map(() => 0)];
  let [rest, squareRest] = [1, 1]; // the weight of the zeros with which both means start
  let losses: number[] = [];
  console.log(`${parameters.length} parameters, ${NAMES.length} names, ${steps} steps`);
  for (let step = 1; step <= steps; step++) {
    const loss = lossOf(weights, NAMES[Math.floor(random.next().value * NAMES.length)]!);
    loss.backward();
    [rest, squareRest] = [rest * DECAY, squareRest * SQUARE_DECAY];
    for (const [i, parameter] of parameters.entries()) {
      const grad = parameter.grad;
      means[i] = DECAY * means[i]! + (1 - DECAY) * grad;
      squares[i] = SQUARE_DECAY * squares[i]! + (1 - SQUARE_DECAY) * grad * grad;
      const root = new Value(squares[i] / (1 - squareRest)).sqrt().data;
      parameter.data -= (RATE * means[i]) / (1 - rest) / (root + EPSILON);
      parameter.grad = 0;
    }
    losses.push(loss.data);
    if (losses.length === Math.max(1, Math.floor(steps / 20))) {
      const mean = sum(losses) / losses.length;
      const bar = "#".repeat(16 * mean);
      console.log(`step ${String(step).padStart(4)}  loss ${mean.toFixed(4)}  ${bar}`);
      losses = [];
    }
  }
  console.log("samples:", ...range(10).map(() => sample(weights, random)));
  const doubles = Buffer.alloc(8 * parameters.length);
  for (const [i, { data }] of parameters.entries()) doubles.writeDoubleLE(data, 8 * i);
  console.log(`SHA-256 of the parameters: ${createHash("sha256").update(doubles).digest("hex")}`);
}

if (import.meta.main) main(Number(process.argv[2] ?? 100));
