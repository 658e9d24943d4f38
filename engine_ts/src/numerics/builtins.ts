/** What Python's integers and doubles bring along. */

const view = new DataView(new ArrayBuffer(8));

export function abs(n: bigint): bigint {
  return n < 0n ? -n : n;
}

/** The bits of |n|, by those of the double nearest to it. */
export function bitLength(n: bigint): number {
  const x = Number(n);
  if (x === 0) return 0;
  if (x - x !== 0) return 960 + bitLength(abs(n) >> 960n);
  view.setFloat64(0, x);
  const high = view.getUint32(0);
  const bits = ((high >>> 20) & 0x7ff) - 1022;
  // A number just below a power of two is rounded up to it.
  const isPower = (high & 0xfffff) === 0 && bits > 53;
  return isPower && abs(n) >> BigInt(bits - 1) === 0n ? bits - 1 : bits;
}

/** a / b rounded down, for b > 0. */
export function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a < 0n && quotient * b !== a ? quotient - 1n : quotient;
}

/** For b > 0. */
export function divmod(a: bigint, b: bigint): [quotient: bigint, remainder: bigint] {
  const quotient = floorDiv(a, b);
  return [quotient, a - quotient * b];
}

/** The integer part of the square root: each step doubles the bits that are right. */
export function isqrt(n: bigint): bigint {
  if (n === 0n) return 0n;
  const c = (bitLength(n) - 1) >> 1;
  let root = 1n;
  for (let s = 31 - Math.clz32(c), d = 0; s >= 0; s--) {
    const e = d;
    d = c >> s;
    root = (root << BigInt(d - e - 1)) + (n >> BigInt(2 * c - e - d + 1)) / root;
  }
  return root * root > n ? root - 1n : root;
}

/** |x| as a part from 1/2 to 1 and a power of two; 0 has neither. */
export function frexp(x: number): [part: number, exponent: number] {
  const size = Math.abs(x);
  if (size < 2 ** -1022) {
    if (size === 0) return [0, 0];
    const [part, exponent] = frexp(size * 2 ** 54);
    return [part, exponent - 54];
  }
  view.setFloat64(0, size);
  const exponent = (view.getUint32(0) >>> 20) - 1022;
  return [size * 2 ** -exponent, exponent];
}

/** x * 2**k, rounded once, for k from -1022 to 2046. */
export function ldexp(x: number, k: number): number {
  return x * 2 ** Math.min(k, 1023) * 2 ** Math.max(k - 1023, 0);
}
