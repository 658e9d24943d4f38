/**
 * When a computation has to end: long loops look at a deadline, and stop once it has passed.
 *
 * A look costs a microsecond at most, so that loops look after each some hundred cheap items, or
 * before each expensive one: every few milliseconds.
 */

/** Browsers and Node have it. */
declare const performance: { now(): number };

/** Nodes of a pass between two looks: a tenth of a millisecond, 20 where integers decide each. */
export const NODES_PER_CHECK = 256;

/** A computation took too long, which says nothing about what was asked for. */
export class DeadlineExceeded extends Error {
  override readonly name = "DeadlineExceeded";
  readonly seconds: number;

  /** Keep how long it might have taken. */
  constructor(seconds: number) {
    super(`the computation takes more than ${seconds} s`);
    this.seconds = seconds;
  }
}

/**
 * An end, so many seconds after it was made, for what is computed.
 *
 * The clock is by default the time of day. To stop for another reason, such as a flag in memory that
 * a worker shares with its page, derive a class with a `check` of its own.
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

  /**
   * Look at the clock.
   *
   * @throws {DeadlineExceeded} the end has passed
   */
  check(): void {
    if (this.#clock() > this.#end) throw new DeadlineExceeded(this.seconds);
  }

  /** Return the items, with a look before each so many; no look where there are no more. */
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

/** Return how many passes over so many nodes are made between two looks. */
export function passesPerCheck(nodes: number): number {
  return Math.max(1, Math.floor(NODES_PER_CHECK / nodes));
}

/** The deadline of what may take as long as it takes. */
export const NEVER = new Deadline(Infinity, () => 0);
