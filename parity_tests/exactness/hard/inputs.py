"""A seed -> operands where rounding is hard, class by class, for each operation.

Hard is: the ends of a range (overflow, underflow, subnormals), exact ties, and results so close to
halfway between two doubles that many more bits are needed to round them.
"""

from collections import deque
from collections.abc import Iterator
from random import Random
from struct import pack

from parity_tests.exactness.hard.arithmetic import PRODUCTS, QUOTIENTS, SUMS
from parity_tests.exactness.hard.draws import Operands, Source
from parity_tests.exactness.hard.functions import FUNCTIONS
from parity_tests.exactness.hard.powers import POWERS
from parity_tests.exactness.hard.roots import ROOTS

HARD: dict[str, dict[str, Source]] = {
    "+": SUMS,
    "-": SUMS,
    "*": PRODUCTS,
    "/": QUOTIENTS,
    "**": POWERS,
    **FUNCTIONS,
    "sqrt": ROOTS,
}


def hard_inputs(operation: str, count: int, seed: int) -> Iterator[tuple[str, Operands]]:
    """Give `count` different operands with their class, the classes in turn.

    A class that is used up (a list, or a few powers of two) leaves the rotation.
    """
    random = Random(f"{operation} {seed}")
    seen: set[bytes] = set()
    rotation = deque(HARD[operation].items())
    while len(seen) < count:
        name, source = rotation.popleft()
        for _ in range(100):
            operands = source(random)
            key = pack(f"{len(operands)}d", *operands)  # 0 and -0 are equal, their bytes are not
            if key not in seen:
                seen.add(key)
                rotation.append((name, source))
                yield name, operands
                break
