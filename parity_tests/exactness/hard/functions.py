"""Hard operands of the functions, class by class."""

from math import ldexp

from gmpy2 import mpfr

from parity_tests.exactness.hard.draws import (
    HALFWAY,
    KNOWN,
    LARGEST,
    WIDE,
    any_bits,
    few_bits,
    listed_hex,
    magnitude,
    near,
    one_of,
    positive,
    power_of_two,
    row,
    step,
    subnormal,
    uniform,
    zero,
)
from parity_tests.exactness.hard.halfway import halfway
from parity_tests.exactness.hard.logistic import LOGISTIC
from parity_tests.exactness.hard.waves import WAVES

# Functions. Where a list of known worst cases stands, its doubles are those closest to halfway in
# V. Lefèvre and J.-M. Muller, "Worst cases for correct rounding of the elementary functions in
# double precision" (2003), and in their later searches; a test measures how close they are.

LN2 = 0.6931471805599453

EXPS = {
    "any bits": row(any_bits),
    "whole range": row(uniform(-746.0, 710.0)),
    "largest result": row(near(709.782712893384, 710.0, steps=10**4)),
    "smallest result": row(near(-745.1332191019411, -744.4400719213812, -746.0, steps=10**4)),
    "first subnormal result": row(near(-708.3964185322641, steps=10**4)),
    "subnormal result": row(uniform(-745.2, -708.3)),
    "near 0": row(magnitude(-60, -1)),
    "result next to 1": lambda random: (
        step(ldexp(2.0 * random.randint(-99, 99) + 1.0, -54), random.randint(-9, 9)),
    ),
    "subnormal or zero": row(one_of(zero, subnormal, subnormal, subnormal)),
    "power of two or next to it": row(power_of_two),
    "near k ln 2": lambda random: (step(random.randint(-1075, 1024) * LN2, random.randint(-9, 9)),),
    HALFWAY: halfway("exp", one_of(magnitude(-40, 9), uniform(-740.0, 700.0), few_bits(-30, 5))),
    KNOWN: listed_hex("""
        0x1.9e9cbbfd6080bp-31 -0x1.4bd46601ae1efp-31 0x1.ba07d73250de7p-14 0x1.6a4d1af9cc989p-8
        0x1.accfbe46b4ef0p-1 0x1.aca7ae8da5a7bp+0 -0x1.22e24fa3d5cf9p-1 -0x1.02393d5976769p+1
        -0x1.71e0b869b5e79p+2 0x1.a8ead058bc6b8p+3
    """),
}

LOGS = {
    "any bits": row(positive(any_bits)),
    "moderate": row(positive(magnitude(-9, 9))),
    "near 1": lambda random: (step(1.0, random.randint(-1, 1) * 2 ** random.randint(0, 51)),),
    "next to 1": row(near(1.0, steps=10**4)),
    "around 1": lambda random: (1.0 + magnitude(-40, -2)(random),),
    "subnormal": row(positive(subnormal)),
    "power of two or next to it": row(positive(power_of_two)),
    "few bits": row(positive(few_bits(-1000, 1000))),
    "near a power of e": lambda random: (
        step(float(WIDE.exp(mpfr(random.randint(-744, 709)))), random.randint(-9, 9)),
    ),
    "largest and smallest": row(near(LARGEST, step(0.0, 10**4), steps=9999)),
    HALFWAY: halfway("log", positive(one_of(any_bits, magnitude(-9, 9), few_bits(-60, 60)))),
    "outside the domain": row(one_of(zero, lambda random: -abs(any_bits(random)))),
    KNOWN: listed_hex("""
        0x1.fd15daa6ce332p+732 0x1.9476e304cd7c7p-384 0x1.be87838f1a47cp+774 0x1.613955dc802f8p-35
        0x1.b7f71a488641ap+340 0x1.6b3d29c0f9e6ep+543 0x1.d6a413a59c7eap+502 0x1.a8346abf875c7p-815
        0x1.91f8729a9282bp-574 0x1.c573e7d6a51cap-512 0x1.ad9cb1932cb03p+480 0x1.452c8337ad7d3p-664
    """),
}

TANHS = {
    "any bits": row(any_bits),
    "whole range": row(uniform(-20.1, 20.1)),
    "small": row(magnitude(-29, -1)),
    "at the small cut": row(one_of(near(2.0**-28, -(2.0**-28), steps=10**4), magnitude(-29, -25))),
    "at the large cut": row(near(20.0, -20.0, steps=10**4)),
    "result next to 1": row(near(19.061547465398498, -19.061547465398498, steps=10**4)),
    "result near 1": row(one_of(uniform(15.0, 20.0), uniform(-20.0, -15.0))),
    "subnormal or zero": row(one_of(zero, subnormal, subnormal, subnormal)),
    "power of two or next to it": row(power_of_two),
    "few bits": row(few_bits(-30, 4)),
    HALFWAY: halfway("tanh", one_of(magnitude(-28, 4), uniform(-3.0, 3.0), few_bits(-28, 4))),
    KNOWN: listed_hex("""
        0x1.e0000000000e1p-22 0x1.68000000017bbp-19 0x1.ac343b179fec4p-3 0x1.1375c272d441cp+1
        0x1.30842605350a2p-21 0x1.c3f025670d6a7p-22 0x1.291c601a05276p-2 0x1.0a90d36059a04p-6
        0x1.d12ed0af1a27fp-27 0x1.880072ccb1051p-11
    """),
}

FUNCTIONS = {"exp": EXPS, "log": LOGS, "tanh": TANHS, **WAVES, **LOGISTIC}
