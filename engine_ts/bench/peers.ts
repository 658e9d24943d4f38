/** Two classes to compare with, as in lessons, and graphs that they and the engine can build. */

/** Each node keeps a closure, as in ports of micrograd; the sort is recursive. */
export class Closure {
  data: number;
  grad = 0;
  readonly children: Set<Closure>;
  passOn: () => void = () => undefined;

  constructor(data: number, children: Closure[] = []) {
    this.data = data;
    this.children = new Set(children);
  }

  add(other: Closure): Closure {
    const out = new Closure(this.data + other.data, [this, other]);
    out.passOn = () => {
      this.grad += out.grad;
      other.grad += out.grad;
    };
    return out;
  }

  mul(other: Closure): Closure {
    const out = new Closure(this.data * other.data, [this, other]);
    out.passOn = () => {
      this.grad += other.data * out.grad;
      other.grad += this.data * out.grad;
    };
    return out;
  }

  relu(): Closure {
    const out = new Closure(Math.max(0, this.data), [this]);
    out.passOn = () => {
      this.grad += (out.data > 0 ? 1 : 0) * out.grad;
    };
    return out;
  }

  backward(): void {
    const order: Closure[] = [];
    const seen = new Set<Closure>();
    const sort = (node: Closure) => {
      if (seen.has(node)) return;
      seen.add(node);
      for (const child of node.children) sort(child);
      order.push(node);
    };
    sort(this);
    this.grad = 1;
    for (const node of order.reverse()) node.passOn();
  }
}

/** Each node keeps its operands and local gradients; functions are the platform's. */
export class Plain {
  data: number;
  grad = 0;
  readonly children: readonly Plain[];
  readonly localGrads: readonly number[];

  constructor(data: number, children: readonly Plain[] = [], localGrads: readonly number[] = []) {
    this.data = data;
    this.children = children;
    this.localGrads = localGrads;
  }

  add(other: Plain | number): Plain {
    const y = other instanceof Plain ? other : new Plain(other);
    return new Plain(this.data + y.data, [this, y], [1, 1]);
  }

  mul(other: Plain | number): Plain {
    const y = other instanceof Plain ? other : new Plain(other);
    return new Plain(this.data * y.data, [this, y], [y.data, this.data]);
  }

  pow(c: number): Plain {
    return new Plain(this.data ** c, [this], [c * this.data ** (c - 1)]);
  }

  log(): Plain {
    return new Plain(Math.log(this.data), [this], [1 / this.data]);
  }

  exp(): Plain {
    const out = Math.exp(this.data);
    return new Plain(out, [this], [out]);
  }

  relu(): Plain {
    return new Plain(Math.max(0, this.data), [this], [Number(this.data > 0)]);
  }

  neg(): Plain {
    return this.mul(-1);
  }

  sub(other: Plain | number): Plain {
    return this.add(other instanceof Plain ? other.neg() : -other);
  }

  div(other: Plain | number): Plain {
    return this.mul(other instanceof Plain ? other.pow(-1) : other ** -1);
  }

  backward(): void {
    const order: Plain[] = [];
    const seen = new Set<Plain>();
    const sort = (value: Plain) => {
      if (seen.has(value)) return;
      seen.add(value);
      for (const child of value.children) sort(child);
      order.push(value);
    };
    sort(this);
    this.grad = 1;
    for (const { grad, children, localGrads } of order.reverse()) {
      for (let slot = 0; slot < children.length; slot++) {
        children[slot]!.grad += localGrads[slot]! * grad;
      }
    }
  }
}

export interface Node<T> {
  add(other: T): T;
  mul(other: T): T;
  relu(): T;
}

/** As in engine_py/bench: leaves, three layers of operations on any two below, and a balanced sum. */
export function wide<T extends Node<T>>(leaf: (name: string, data: number) => T, nodes: number): T {
  let state = 2;
  const draw = () => (state = (state * 48271) % 2147483647) / 2147483647;
  let layer = Array.from({ length: nodes / 5 }, (_, place) => leaf(`v${place}`, 2 * draw() - 1));
  for (let depth = 0; depth < 3; depth++) {
    const below = layer;
    const any = () => below[Math.floor(draw() * below.length)]!;
    layer = below.map((_, place) => (place % 2 ? any().mul(any()) : any().add(any())));
  }
  while (layer.length > 1) {
    const pairs = layer.filter((_, place) => place % 2 === 0);
    layer = pairs.map((x, place) => layer[2 * place + 1]?.add(x) ?? x);
  }
  return layer[0]!;
}

/** A 2-16-16-1 perceptron's squared error on eight points, about 5,500 nodes. */
export function mlpLoss<T extends Node<T>>(leaf: (name: string, data: number) => T): T {
  let state = 1;
  let count = 0;
  const draw = () => {
    state = (state * 48271) % 2147483647;
    return leaf(`v${count++}`, state / 1073741823.5 - 1);
  };
  const row = (size: number) => Array.from({ length: size }, draw);
  const shapes: [inputs: number, outputs: number][] = [[2, 16], [16, 16], [16, 1]]; // prettier-ignore
  const layers = shapes.map(([inputs, outputs]) =>
    Array.from({ length: outputs }, () => ({ weights: row(inputs), bias: draw() })),
  );
  const errors = Array.from({ length: 8 }, () => {
    let signals = row(2);
    for (const [depth, layer] of layers.entries()) {
      const sums = layer.map(({ weights, bias }) =>
        weights.reduce((sum, weight, place) => sum.add(weight.mul(signals[place]!)), bias),
      );
      signals = depth < 2 ? sums.map((sum) => sum.relu()) : sums;
    }
    const error = signals[0]!.add(draw());
    return error.mul(error);
  });
  return errors.reduce((sum, error) => sum.add(error));
}
