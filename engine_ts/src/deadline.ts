/**
 * When a computation has to end: long loops check a deadline, and stop once it has passed.
 *
 * A check costs a microsecond at most, so loops check every few milliseconds: after some hundred
 * cheap items, or before each expensive one.
 */

/** Provided by browsers and Node. */
declare const performance: { now(): number };

/** Nodes of a pass between two checks: 0.1 ms, or 20 ms if integers decide each node. */
export const NODES_PER_CHECK = 256;

/** A computation took too long; the request may still be valid. */
export class DeadlineExceeded extends Error {
  override readonly name = "DeadlineExceeded";
  readonly seconds: number;

  /** Keep the time that was allowed. */
  constructor(seconds: number) {
    super(`the computation takes more than ${seconds} s`);
    this.seconds = seconds;
  }
}

/**
 * Limits a computation to `seconds` after construction.
 *
 * The default clock is the time of day. To stop for another reason, such as a flag that a worker
 * shares with its page, derive a class and override `check`.
 */
export class Deadline {
  readonly seconds: number;
  readonly #clock: () => number;
  readonly #end: number;

  /** Begin to count. */
  constructor(seconds: number, clock: () => number = () => performance.now() / 1000) {
    this.seconds = seconds;
    this.#clock = clock;
    this.#end = clock() + seconds;
  }

  /** Check the clock. @throws {DeadlineExceeded} the time is over */
  check(): void {
    if (this.#clock() > this.#end) throw new DeadlineExceeded(this.seconds);
  }

  /** Iterate over `items`, with a check before every `every`-th, but none for at most `every`. */
  over<Item>(items: readonly Item[], every = 1): Iterable<Item> {
    return items.length <= every ? items : this.#watched(items, every);
  }

  *#watched<Item>(items: readonly Item[], every: number): Iterable<Item> {
    for (const [place, item] of items.entries()) {
      if (place % every === 0) this.check();
      yield item;
    }
  }
}

/** Return how many passes over `nodes` nodes fit between two checks. */
export function passesPerCheck(nodes: number): number {
  return Math.max(1, Math.floor(NODES_PER_CHECK / nodes));
}

/** A deadline that never ends. It is not an instance, so that bundlers can leave `Deadline` out. */
export const NEVER = {
  seconds: Infinity,
  check() {},
  over: <Item>(items: readonly Item[]) => items,
} as unknown as Deadline;
