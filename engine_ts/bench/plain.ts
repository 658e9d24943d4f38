/** A peer: the lessons' class, which keeps its operands and local gradients, with platform functions. */

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
