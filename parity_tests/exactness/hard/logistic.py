"""Hard operands of sigmoid and softplus, class by class."""

from math import ldexp

from parity_tests.exactness.hard.draws import (
    HALFWAY,
    Source,
    any_bits,
    few_bits,
    magnitude,
    near,
    odd,
    one_of,
    power_of_two,
    row,
    signed,
    step,
    subnormal,
    uniform,
    zero,
)
from parity_tests.exactness.hard.halfway import halfway


def _classes(operation: str) -> dict[str, Source]:
    return {
        "any bits": row(any_bits),
        "whole range": row(uniform(-746.0, 42.0)),
        "moderate": row(uniform(-9.0, 9.0)),
        "near 0": row(magnitude(-60, -1)),
        "at the ends of the quick step": row(near(-600.0, 40.0, steps=10**4)),
        # 1 / (1 + E) next to halfway between 1/2 and its neighbours; and where E is 2**-17
        "few halves of the last place of 1/2": lambda random: (
            step(signed(random, ldexp(float(odd(random, random.randint(1, 9))), -53)), 0),
        ),
        "where series change": row(near(-11.783502069519, 11.783502069519, 0.5, -0.5, steps=10**4)),
        "result next to 1": row(uniform(33.0, 38.0)),
        "subnormal result": row(uniform(-745.2, -708.3)),
        "first subnormal result": row(near(-708.3964185322641, steps=10**4)),
        "smallest result": row(near(-745.1332191019411, -744.4400719213812, -746.0, steps=10**4)),
        "subnormal or zero": row(one_of(zero, subnormal, subnormal, subnormal)),
        "power of two or next to it": row(power_of_two),
        "few bits": row(few_bits(-60, 9)),
        HALFWAY: halfway(
            operation, one_of(magnitude(-20, 4), uniform(-700.0, 30.0), few_bits(-20, 4))
        ),
    }


LOGISTIC = {name: _classes(name) for name in ("sigmoid", "softplus")}
