"""The arguments of `gradient-parity`."""

from argparse import ArgumentParser, ArgumentTypeError
from importlib.metadata import version
from pathlib import Path

from parity_tests.kit.again import again
from parity_tests.kit.contracts import contract_version, judged_number
from parity_tests.kit.engines import IS_INSTALLED, SetupError
from parity_tests.kit.report import FORMATS

KIT = version("gradient-parity") if IS_INSTALLED else "of a checkout"


def parser() -> ArgumentParser:
    """Make the parser."""
    options = ArgumentParser(
        prog=again("parity_tests"),
        description="Run the fixtures and the hard cases against engines.",
    )
    options.add_argument(
        "--version", action="version",
        version=f"gradient-parity {KIT}, contract {contract_version()}",
    )  # fmt: skip
    options.add_argument(
        "--list", action="store_true", help="count the cases by profile and topic; run none"
    )
    options.add_argument(
        "--engine",
        action="append",
        metavar="NAME",
        help="run this engine only, of that file or of those that come with the kit",
    )
    options.add_argument(
        "--engines", action="append", type=Path, metavar="FILE", default=None,
        help="run the engines of this file",
    )  # fmt: skip
    options.add_argument(
        "--contract", type=_contract, metavar="VERSION",
        help="the contract by which engines are judged, such as 2.0; their own, if not said",
    )  # fmt: skip
    options.add_argument(
        "--filter", action="append", metavar="TOPIC",
        help="a topic, or a part of a case's name; may be repeated",
    )  # fmt: skip
    options.add_argument(
        "--skip", action="append", metavar="TOPIC", default=[],
        help="leave out what --filter would choose; may be repeated",
    )  # fmt: skip
    options.add_argument(
        "--lines", action="store_true", help="send the lines of the protocol, too, good and bad"
    )
    options.add_argument("--max-failures", type=_count, metavar="N", help="stop at the Nth failure")
    options.add_argument(
        "--fail-fast", action="store_const", const=1, dest="max_failures",
        help="stop at the first failure",
    )  # fmt: skip
    options.add_argument("--format", choices=FORMATS, default="text", help="what is printed")
    options.add_argument(
        "--report", action="append", type=_report, default=[], metavar="FORMAT=FILE",
        help="write this, too; may be repeated, such as --report badge=badge.json",
    )  # fmt: skip
    options.add_argument("--seconds", type=float, default=10.0, help="time limit of one case")
    options.add_argument(
        "--validate", action="store_true", help="check every message against the protocol's schema"
    )
    return options


def _report(text: str) -> tuple[str, Path]:
    name, _, file = text.partition("=")
    if name not in FORMATS or not file:
        raise ArgumentTypeError(f"{text!r} is not FORMAT=FILE, of {', '.join(FORMATS)}")
    return name, Path(file)


def _contract(text: str) -> str:
    try:
        judged_number(text)
    except SetupError as fault:
        raise ArgumentTypeError(str(fault)) from None
    return text


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise ArgumentTypeError(f"{text!r} is no count from 1 up")
    return int(text)
