"""Outline + values + document -> the reply: every number beside the true one."""

from collections.abc import Mapping
from math import frexp, ldexp
from typing import Any, TypedDict, Unpack

from engine_py.accuracy.asks import Part, Why, check_asks
from engine_py.accuracy.claims import Case, Judged, Verdict, judge
from engine_py.accuracy.program import Passes, program_of
from engine_py.accuracy.shares import Kind, Rounding, Shares
from engine_py.accuracy.truth import Numbers, Told, Truth, settle, true_numbers
from engine_py.accuracy.witnesses import Witnesses, witness
from engine_py.document import Document, Outline
from engine_py.errors import GradientError
from engine_py.lab.checks import NOTHING, variables
from engine_py.limits import DEFAULT_LIMITS, Limits, check_limits

BITS = 53
LARGEST = 1024
"""Every double is below 2**1024."""


class Beside(TypedDict):
    """The true number, and what the document's is off by, also in units of its last place.

    `bits` are those that are right, up to 53. What does not exist, or is no double, is None.
    """

    true: float | None
    error: float | None
    ulps: float | None
    bits: int | None
    reason: str | None


class NodeBeside(TypedDict):
    """A node's numbers; an exponent has no grad."""

    id: int
    data: Beside
    grad: Beside | None


class Culprit(TypedDict):
    """A rounding: its weight times what it is off by is its share of the error."""

    kind: Kind
    node: int
    slot: int | None
    rounding: float | None
    weight: float | None
    share: float


class Explained(TypedDict):
    """Where the error of a number comes from: its largest shares."""

    node: int
    number: Part
    error: float | None
    culprits: list[Culprit]


class Claimed(TypedDict):
    """A claimed gradient beside the truth."""

    node: int
    value: float
    error: float | None
    bits: int | None
    scale: float | None
    verdict: Verdict
    kinks: list[int]


class Accuracy(TypedDict):
    """The truth about a program at its values, and about its document where it has one."""

    document: Document | None
    error: dict[str, Any] | None
    nodes: list[NodeBeside]
    result: Beside
    gradients: dict[str, Beside]
    why: Explained
    claims: dict[str, Claimed]
    counts_as_zero: list[int]
    witnesses: Witnesses | None


class AccuracyMembers(TypedDict, total=False):
    """What a request may say besides its program; what is left out has its default."""

    why: Mapping[str, int | str] | None
    claimed: Mapping[str, float]
    tolerance: float
    most: int
    witnesses: bool


DEFAULTS: AccuracyMembers = {
    "why": None,
    "claimed": NOTHING,
    "tolerance": 1e-9,
    "most": 3,
    "witnesses": False,
}


def compare(
    outline: Outline | Document,
    values: Mapping[str, float],
    outcome: Document | GradientError,
    *,
    limits: Limits = DEFAULT_LIMITS,
    **members: Unpack[AccuracyMembers],
) -> Accuracy:
    """Compare every number of a document with the true one (CONTRACT.md R38).

    Args:
        outline: the program's; a document has all that is read of it, too.
        values: of the variables, by name.
        outcome: the document, or the error of its forward or backward pass.
        limits: of these, those of claims, of the truth's work and of evaluations.
        members: those of the request; `answer` describes them.

    Raises:
        GradientError: a member is wrong, or there is too much work.
    """
    check_limits(limits)
    asks = check_asks(outline, {**DEFAULTS, **members}, limits)
    program = program_of(outline, values)
    document = None if isinstance(outcome, GradientError) else outcome
    truth = Truth(program, most_work=limits.truth_work)
    numbers = true_numbers(truth, document)
    names = variables(outline)
    grads = (
        [node["grad"] for node in document["nodes"]] if document else [None] * len(program.steps)
    )
    cases = [Case(node, claim, grads[node]) for node, claim in asks.claimed.values()]
    judged = judge(truth, numbers, cases, asks.tolerance)
    data, slopes = [_beside(each) for each in numbers.data], [_beside(x) for x in numbers.grads]
    return {
        "document": document,
        "error": outcome.as_dict() if isinstance(outcome, GradientError) else None,
        "nodes": [
            {"id": node, "data": x, "grad": None if node in asks.no_grad else slope}
            for node, (x, slope) in enumerate(zip(data, slopes, strict=True))
        ],
        "result": data[program.root],
        "gradients": {name: slopes[node] for name, node in names.items()},
        "why": explain(truth, document, numbers, asks.why, asks.most),
        "claims": {
            name: _claimed(case, numbers.grads[case.node], each)
            for name, case, each in zip(asks.claimed, cases, judged, strict=True)
        },
        "counts_as_zero": numbers.counts_as_zero,
        "witnesses": witness(truth, document, limits.evaluations)
        if asks.witnesses and document
        else None,
    }


def explain(
    truth: Truth, document: Document | None, numbers: Numbers, why: Why, most: int
) -> Explained:
    """Name the roundings with the largest shares of a number's error."""
    told = (numbers.data if why.number == "data" else numbers.grads)[why.node]
    culprits: list[Culprit] = []

    def name(found: Passes) -> bool:
        if document is None:
            return True
        shares = Shares(truth.program, document, found)
        of = shares.of_data if why.number == "data" else shares.of_grad
        named = _largest(shares, list(of(why.node)), most)
        culprits[:] = named or []
        return named is not None

    if told.error is not None and told.error.double != 0.0 and most:
        truth.until(name, 1)
    error = told.error and told.error.double
    return {"node": why.node, "number": why.number, "error": error, "culprits": culprits}


def _largest(shares: Shares, roundings: list[Rounding], most: int) -> list[Culprit] | None:
    """Sort by |share|, node, slot and kind; None where these bits do not tell."""
    last = shares.last
    rows: list[tuple[float, int, int, str, Rounding, float]] = []
    for each in roundings:
        settled = settle(shares.share(each), last=last)
        if settled is None:
            return None
        if share := settled.double:
            slot = -1 if each.slot is None else each.slot
            rows.append((-abs(share), each.node, slot, each.kind, each, share))
    culprits: list[Culprit] = []
    for *_, rounding, share in sorted(rows, key=lambda row: row[:4])[:most]:
        own, weight = settle(rounding.own, last=last), settle(rounding.weight, last=last)
        if own is None or weight is None:
            return None
        culprits.append(
            {
                "kind": rounding.kind,
                "node": rounding.node,
                "slot": rounding.slot,
                "rounding": own.double,
                "weight": weight.double,
                "share": share,
            }
        )
    return culprits


def _beside(told: Told) -> Beside:
    true, error = told.true.double, told.error and told.error.double
    return {
        "true": true,
        "error": error,
        "ulps": None if true is None or error is None else _ulps(true, error),
        "bits": None if true is None or error is None else bits(true, error),
        "reason": told.true.reason,
    }


def _ulps(true: float, error: float) -> float | None:
    """Give |error| in units of the last place of the true number; None where that is no double."""
    exponent = max(frexp(true)[1] - BITS, -1074) if true else -1074
    too_large = error != 0.0 and frexp(error)[1] - exponent > LARGEST
    return None if too_large else ldexp(abs(error), -exponent)


def bits(true: float, error: float) -> int:
    """Count the leading bits that are right: |error| <= 2**-bits |true|, from 0 to 53."""
    if error == 0.0:
        return BITS
    right = frexp(true)[1] - frexp(error)[1]
    right -= frexp(abs(error))[0] > frexp(abs(true))[0]
    return min(max(right, 0), BITS) if true else 0


def _claimed(case: Case, told: Told, judged: Judged) -> Claimed:
    error, true = judged.error and judged.error.double, told.true.double
    return {
        "node": case.node,
        "value": case.claim,
        "error": error,
        "bits": None if error is None or true is None else bits(true, error),
        "scale": judged.scale and judged.scale.double,
        "verdict": judged.verdict,
        "kinks": judged.kinks,
    }
