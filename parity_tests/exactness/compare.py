"""Cases -> an engine's results that are not the nearest double."""

import json
from typing import NamedTuple

from parity_tests.exactness.cases import Case, double
from parity_tests.kit.compare import ulps_between
from parity_tests.kit.worker import EngineFault, Worker

SIGN_OF_ZERO_COUNTS = frozenset("+-*/")
"""Hardware operations, so equal to IEEE in every bit. The functions may return 0 for -0 and the
other way round: no document can show the sign of a zero (R6), and dividing by either is an error.
"""


class Wrong(NamedTuple):
    """An answer that is not the nearest double."""

    operation: str
    case: Case
    actual: str | None

    def __str__(self) -> str:
        """Show operands, expected and actual result, a line each."""
        shown = [
            f"{label:9} {bits} {'outside the domain' if bits is None else repr(double(bits))}"
            for label, bits in [
                *(("operand", bits) for bits in self.case.operands),
                ("expected", self.case.expected),
                ("actual", self.actual),
            ]
        ]
        if self.case.expected is not None and self.actual is not None:
            off = ulps_between(double(self.case.expected), double(self.actual))
            shown[-1] += f", {off} ulp away"
        return "\n  ".join([f"{self.operation} ({self.case.kind})", *shown])


def compare(worker: Worker, operation: str, cases: list[Case]) -> list[Wrong]:
    """Give an engine's results that are wrong."""
    return [
        Wrong(operation, case, actual)
        for case, actual in zip(cases, evaluate(worker, operation, cases), strict=True)
        if actual != case.expected and not is_other_zero(operation, case.expected, actual)
    ]


def evaluate(worker: Worker, operation: str, cases: list[Case]) -> list[str | None]:
    """Give an engine's results. Raises EngineFault with the operands that it crashes on."""
    request = {"operation": operation, "operands": [case.operands for case in cases]}
    response = worker.run("evaluate", request)
    if response["kind"] == "result" and len(response["result"]) == len(cases):
        return list(response["result"])
    if len(cases) == 1:
        operands = ", ".join(repr(double(bits)) for bits in cases[0].operands)
        reason = response.get("message") or json.dumps(response)[:300]
        raise EngineFault(f"{worker.engine.name}, {operation} of {operands}: {reason}")
    return [result for case in cases for result in evaluate(worker, operation, [case])]


def is_other_zero(operation: str, one: str | None, other: str | None) -> bool:
    """True for 0 beside -0, where the sign is free."""
    zeros = {"0000000000000000", "8000000000000000"}
    return operation not in SIGN_OF_ZERO_COUNTS and {one, other} == zeros
