/**
 * Parameter + gradient -> the parameter after a step; null where a number is not finite.
 *
 * An optimizer keeps what it needs of earlier steps for each parameter, by its place.
 */

import * as elementary from "../numerics/elementary.ts";
import type { Settings } from "./settings.ts";

/** A rule by which parameters move. */
export interface Optimizer {
  /** Take the learning rate of the step, before the first parameter moves. */
  beginStep(rate: number): void;
  /** Move one parameter, each operation rounded (CONTRACT.md R40). */
  move(place: number, parameter: number, gradient: number): number | null;
}

/** Gradient descent with momentum, which adds up earlier gradients. */
class Sgd implements Optimizer {
  readonly #momentum: number;
  readonly #velocities: number[];
  #rate = 0;

  /** Begin at rest. */
  constructor(settings: Settings, count: number) {
    this.#momentum = settings.momentum;
    this.#velocities = new Array(count).fill(0);
  }

  /** Take the learning rate. */
  beginStep(rate: number): void {
    this.#rate = rate;
  }

  /** Move by the velocity, in which the momentum is left of the one before. */
  move(place: number, parameter: number, gradient: number): number | null {
    const velocity = this.#momentum * this.#velocities[place]! + gradient;
    this.#velocities[place] = velocity;
    const moved = parameter - this.#rate * velocity;
    return Number.isFinite(velocity) && Number.isFinite(moved) ? moved + 0 : null;
  }
}

/** Adam with decoupled weight decay (Loshchilov and Hutter, 2019), which may be 0: Adam. */
class AdamW implements Optimizer {
  readonly #settings: Settings;
  readonly #weightDecay: number;
  readonly #means: number[];
  readonly #squares: number[];
  #power1 = 1;
  #power2 = 1;
  #rate = 0;

  /** Begin with no moments. */
  constructor(settings: Settings, count: number, weightDecay: number) {
    this.#settings = settings;
    this.#weightDecay = weightDecay;
    this.#means = new Array(count).fill(0);
    this.#squares = new Array(count).fill(0);
  }

  /** Take the rate, and raise the betas to the next power, by a product that runs along. */
  beginStep(rate: number): void {
    this.#rate = rate;
    this.#power1 *= this.#settings.beta1;
    this.#power2 *= this.#settings.beta2;
  }

  /** Let the weight decay, then move by the mean over the root of the mean square. */
  move(place: number, parameter: number, gradient: number): number | null {
    const { beta1, beta2, epsilon } = this.#settings;
    const mean = beta1 * this.#means[place]! + (1 - beta1) * gradient;
    const square = beta2 * this.#squares[place]! + (1 - beta2) * (gradient * gradient);
    this.#means[place] = mean;
    this.#squares[place] = square;
    const unbiased = square / (1 - this.#power2);
    if (!Number.isFinite(mean) || !Number.isFinite(unbiased)) return null;
    const root = elementary.sqrt(unbiased);
    const step = mean / (1 - this.#power1) / (root + epsilon);
    const moved = parameter * (1 - this.#rate * this.#weightDecay) - this.#rate * step;
    return Number.isFinite(moved) ? moved + 0 : null;
  }
}

/** Make the optimizer that the settings name, for so many parameters. */
export function optimizerOf(settings: Settings, count: number): Optimizer {
  const { optimizer, weightDecay } = settings;
  if (optimizer === "sgd") return new Sgd(settings, count);
  return new AdamW(settings, count, optimizer === "adamw" ? weightDecay : 0);
}
