/** The operations on integers and doubles that Python has built in. */

/** A double, and its bits. */
export const DOUBLE = new Float64Array([1]);
export const BITS = new BigUint64Array(DOUBLE.buffer);

const WORDS = new Uint32Array(DOUBLE.buffer);
const TOP = WORDS[1] === 0 ? 0 : 1; // where this processor has the sign and the exponent

/** Cache the results of `make`. */
export function cached<Key, Result>(make: (key: Key) => Result): (key: Key) => Result {
  const kept = new Map<Key, Result>();
  return (key) => {
    if (!kept.has(key)) kept.set(key, make(key));
    return kept.get(key)!;
  };
}

export function abs(n: bigint): bigint {
  return n < 0n ? -n : n;
}

/** The bits of |n|, by those of the double nearest to it. */
export function bitLength(n: bigint): number {
  const x = Number(n);
  if (x === 0) return 0;
  if (x - x !== 0) return 960 + bitLength(abs(n) >> 960n);
  const bits = exponentOf(Math.abs(x));
  // A number just below a power of two is rounded up to it.
  const isPower = (WORDS[TOP]! & 0xfffff) === 0 && bits > 53;
  return isPower && abs(n) >> BigInt(bits - 1) === 0n ? bits - 1 : bits;
}

/** k with 2**(k-1) <= x < 2**k, for a normal x > 0. */
export function exponentOf(x: number): number {
  DOUBLE[0] = x;
  return (WORDS[TOP]! >>> 20) - 1022;
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

/** The integer part of the square root: each step doubles the number of right bits. */
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

/** |x| as a factor from 1/2 to 1 and a power of two; [0, 0] for 0. */
export function frexp(x: number): [part: number, exponent: number] {
  const size = Math.abs(x);
  if (size < 2 ** -1022) {
    if (size === 0) return [0, 0];
    const [part, exponent] = frexp(size * 2 ** 54);
    return [part, exponent - 54];
  }
  const exponent = exponentOf(size);
  return [size * 2 ** -exponent, exponent];
}

/** x * 2**k, rounded once, for k from -1022 to 2046. */
export function ldexp(x: number, k: number): number {
  return x * 2 ** Math.min(k, 1023) * 2 ** Math.max(k - 1023, 0);
}
