"""Parameter + gradient -> the parameter after a step; None where a number is not finite.

An optimizer keeps what it needs of earlier steps for each parameter, by its place.
"""

from math import isfinite
from typing import Protocol

from engine_py import numerics
from engine_py.lab.settings import Settings


class Optimizer(Protocol):
    """A rule by which parameters move."""

    def begin_step(self) -> None:
        """Do what happens once a step, before the first parameter moves."""

    def move(self, place: int, parameter: float, gradient: float) -> float | None:
        """Move one parameter, each operation rounded (CONTRACT.md R40)."""


class Sgd:
    """Gradient descent with momentum, which adds up earlier gradients."""

    def __init__(self, settings: Settings, count: int) -> None:
        """Begin at rest."""
        self._settings = settings
        self._velocities = [0.0] * count

    def begin_step(self) -> None:
        """Do nothing."""

    def move(self, place: int, parameter: float, gradient: float) -> float | None:
        """Move by the velocity, in which the momentum is left of the one before."""
        velocity = self._settings.momentum * self._velocities[place] + gradient
        self._velocities[place] = velocity
        moved = parameter - self._settings.learning_rate * velocity
        return moved + 0.0 if isfinite(velocity) and isfinite(moved) else None


class AdamW:
    """Adam with decoupled weight decay (Loshchilov and Hutter, 2019)."""

    def __init__(self, settings: Settings, count: int) -> None:
        """Begin with no moments."""
        self._settings = settings
        self._means, self._squares = [0.0] * count, [0.0] * count
        self._power1 = self._power2 = 1.0

    def begin_step(self) -> None:
        """Raise the betas to the next power, by a product that runs along."""
        self._power1 *= self._settings.beta1
        self._power2 *= self._settings.beta2

    def move(self, place: int, parameter: float, gradient: float) -> float | None:
        """Let the weight decay, then move by the mean over the root of the mean square."""
        settings = self._settings
        rate, beta1, beta2 = settings.learning_rate, settings.beta1, settings.beta2
        mean = beta1 * self._means[place] + (1.0 - beta1) * gradient
        square = beta2 * self._squares[place] + (1.0 - beta2) * (gradient * gradient)
        self._means[place], self._squares[place] = mean, square
        unbiased = square / (1.0 - self._power2)
        if not (isfinite(mean) and isfinite(unbiased)):
            return None
        root = numerics.sqrt(unbiased)
        step = mean / (1.0 - self._power1) / (root + settings.epsilon)
        moved = parameter * (1.0 - rate * settings.weight_decay) - rate * step
        return moved + 0.0 if isfinite(moved) else None


def optimizer_of(settings: Settings, count: int) -> Optimizer:
    """Make the optimizer that the settings name, for so many parameters."""
    return AdamW(settings, count) if settings.optimizer == "adamw" else Sgd(settings, count)
