/**
 * Parameter + gradient -> the parameter after a step; null where a number is not finite.
 *
 * An optimizer keeps what it needs of earlier steps for each parameter, by its place.
 */

import * as numerics from "../numerics.ts";
import type { Settings } from "./settings.ts";

/** A rule by which parameters move. */
export interface Optimizer {
  /** Do what happens once a step, before the first parameter moves. */
  beginStep(): void;
  /** Move one parameter, each operation rounded (CONTRACT.md R40). */
  move(place: number, parameter: number, gradient: number): number | null;
}

/** Gradient descent with momentum, which adds up earlier gradients. */
class Sgd implements Optimizer {
  readonly #settings: Settings;
  readonly #velocities: number[];

  /** Begin at rest. */
  constructor(settings: Settings, count: number) {
    this.#settings = settings;
    this.#velocities = new Array(count).fill(0);
  }

  /** Do nothing. */
  beginStep(): void {}

  /** Move by the velocity, in which the momentum is left of the one before. */
  move(place: number, parameter: number, gradient: number): number | null {
    const { momentum, learningRate } = this.#settings;
    const velocity = momentum * this.#velocities[place]! + gradient;
    this.#velocities[place] = velocity;
    const moved = parameter - learningRate * velocity;
    return Number.isFinite(velocity) && Number.isFinite(moved) ? moved + 0 : null;
  }
}

/** Adam with decoupled weight decay (Loshchilov and Hutter, 2019). */
class AdamW implements Optimizer {
  readonly #settings: Settings;
  readonly #means: number[];
  readonly #squares: number[];
  #power1 = 1;
  #power2 = 1;

  /** Begin with no moments. */
  constructor(settings: Settings, count: number) {
    this.#settings = settings;
    this.#means = new Array(count).fill(0);
    this.#squares = new Array(count).fill(0);
  }

  /** Raise the betas to the next power, by a product that runs along. */
  beginStep(): void {
    this.#power1 *= this.#settings.beta1;
    this.#power2 *= this.#settings.beta2;
  }

  /** Let the weight decay, then move by the mean over the root of the mean square. */
  move(place: number, parameter: number, gradient: number): number | null {
    const { learningRate: rate, beta1, beta2, epsilon, weightDecay } = this.#settings;
    const mean = beta1 * this.#means[place]! + (1 - beta1) * gradient;
    const square = beta2 * this.#squares[place]! + (1 - beta2) * (gradient * gradient);
    this.#means[place] = mean;
    this.#squares[place] = square;
    const unbiased = square / (1 - this.#power2);
    if (!Number.isFinite(mean) || !Number.isFinite(unbiased)) return null;
    const root = numerics.sqrt(unbiased);
    const step = mean / (1 - this.#power1) / (root + epsilon);
    const moved = parameter * (1 - rate * weightDecay) - rate * step;
    return Number.isFinite(moved) ? moved + 0 : null;
  }
}

/** Make the optimizer that the settings name, for so many parameters. */
export function optimizerOf(settings: Settings, count: number): Optimizer {
  return settings.optimizer === "adamw" ? new AdamW(settings, count) : new Sgd(settings, count);
}
