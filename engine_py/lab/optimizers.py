"""Parameter + gradient -> the parameter after a step; None where a number is not finite.

An optimizer keeps what it needs of earlier steps for each parameter, by its place.
"""

from math import isfinite
from typing import Protocol

from engine_py.lab.settings import Settings
from engine_py.numerics import elementary


class Optimizer(Protocol):
    """A rule by which parameters move."""

    def begin_step(self, rate: float) -> None:
        """Take the learning rate of the step, before the first parameter moves."""

    def move(self, place: int, parameter: float, gradient: float) -> float | None:
        """Move one parameter, each operation rounded (CONTRACT.md R40)."""


class Sgd:
    """Gradient descent with momentum, which adds up earlier gradients."""

    def __init__(self, settings: Settings, count: int) -> None:
        """Begin at rest."""
        self._momentum, self._rate = settings.momentum, 0.0
        self._velocities = [0.0] * count

    def begin_step(self, rate: float) -> None:
        """Take the learning rate."""
        self._rate = rate

    def move(self, place: int, parameter: float, gradient: float) -> float | None:
        """Move by the velocity, in which the momentum is left of the one before."""
        velocity = self._momentum * self._velocities[place] + gradient
        self._velocities[place] = velocity
        moved = parameter - self._rate * velocity
        return moved + 0.0 if isfinite(velocity) and isfinite(moved) else None


class AdamW:
    """Adam with decoupled weight decay (Loshchilov and Hutter, 2019), which may be 0: Adam."""

    def __init__(self, settings: Settings, count: int, weight_decay: float) -> None:
        """Begin with no moments."""
        self._settings, self._weight_decay, self._rate = settings, weight_decay, 0.0
        self._means, self._squares = [0.0] * count, [0.0] * count
        self._power1 = self._power2 = 1.0

    def begin_step(self, rate: float) -> None:
        """Take the rate, and raise the betas to the next power, by a product that runs along."""
        self._rate = rate
        self._power1 *= self._settings.beta1
        self._power2 *= self._settings.beta2

    def move(self, place: int, parameter: float, gradient: float) -> float | None:
        """Let the weight decay, then move by the mean over the root of the mean square."""
        rate, beta1, beta2 = self._rate, self._settings.beta1, self._settings.beta2
        mean = beta1 * self._means[place] + (1.0 - beta1) * gradient
        square = beta2 * self._squares[place] + (1.0 - beta2) * (gradient * gradient)
        self._means[place], self._squares[place] = mean, square
        unbiased = square / (1.0 - self._power2)
        if not (isfinite(mean) and isfinite(unbiased)):
            return None
        root = elementary.sqrt(unbiased)
        step = mean / (1.0 - self._power1) / (root + self._settings.epsilon)
        moved = parameter * (1.0 - rate * self._weight_decay) - rate * step
        return moved + 0.0 if isfinite(moved) else None


def optimizer_of(settings: Settings, count: int) -> Optimizer:
    """Make the optimizer that the settings name, for so many parameters."""
    if settings.optimizer == "sgd":
        return Sgd(settings, count)
    return AdamW(settings, count, settings.weight_decay if settings.optimizer == "adamw" else 0.0)
