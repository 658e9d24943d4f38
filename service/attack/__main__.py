"""`make attack`: each attack on a server of its own, a table, and 1 where a bound is passed.

    python -m service.attack                     every attack, and ten minutes of mixed clients
    python -m service.attack --only batches      some attacks
    python -m service.attack --url http://127.0.0.1:8000 --pid 123   a server that runs already

Memory is what all processes of the server hold together, in MB. Probes are asked for every 100 ms,
each on a new connection; the good client sends one small request after the other. Times are in ms,
without those in which the server, or who asks, waited for a processor that others had. `--robust`
is for machines that are shared: times may be longer, and 30 MB more be held at the peak.
"""

import argparse
import asyncio
import signal
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from urllib.parse import urlsplit

from service.attack.attacks import ATTACKS, SOAK, TIMED
from service.attack.crowd import percentile
from service.attack.measure import MEGABYTE, SHARED, Bounds, Row, measure
from service.attack.target import Target, started
from service.attack.wire import Address

_HEAD = ("attack", "rest", "peak", "after", "probes", "worst", "p50", "p99", "outcomes")
_WIDTHS = (17, 6, 6, 6, 13, 8, 8, 8)


def main() -> int:
    """Attack; 1 where a bound is passed."""
    options = _parser().parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # or the server would be left behind
    print(_line(_HEAD), flush=True)
    faults = []
    for row in _rows(options):
        print(_line(_cells(row)), flush=True)
        bounds = SHARED if options.robust else Bounds()
        faults += [f"{row.name}: {fault}" for fault in row.faults(bounds)]
    print("\n" + "\n".join(faults or ["no bound was passed"]))
    return 1 if faults else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("attack", description="Attack a server, and say how it did.")
    parser.add_argument("--only", nargs="+", choices=list(ATTACKS), metavar="ATTACK")
    parser.add_argument("--seconds", type=float, default=5, help="of each attack; default 5")
    parser.add_argument("--pause", type=float, default=20, help="most seconds to be at rest again")
    parser.add_argument("--soak", type=float, default=600, help="seconds of it; 0 for none")
    parser.add_argument("--robust", action="store_true", help="bounds for a shared machine")
    parser.add_argument("--url", help="a server that runs already")
    parser.add_argument("--attacker", help="address of the attackers there, such as 127.0.0.2")
    parser.add_argument("--pid", type=int, help="its first process, whose descendants are counted")
    return parser


def _rows(options: argparse.Namespace) -> Iterator[Row]:
    for name in options.only or ATTACKS:
        seconds = options.soak if name == SOAK else options.seconds
        # Where others come and go, two times in a row compare them.
        if seconds and not (options.robust and name == TIMED):
            with _target(options) as target:
                yield asyncio.run(measure(target, name, seconds, options.pause))


def _target(options: argparse.Namespace) -> AbstractContextManager[Target]:
    if not options.url:
        return started()
    url = urlsplit(options.url)
    address = Address(url.hostname or "", url.port or 80)
    return nullcontext(Target(address, options.pid, options.attacker))


def _cells(row: Row) -> tuple[str, ...]:
    seen = row.seen
    worst = max(seen.probes.seconds, default=0)
    times = (worst, percentile(seen.small.seconds, 50), percentile(seen.small.seconds, 99))
    return (
        row.name,
        *(
            "-" if size is None else f"{size // MEGABYTE}"
            for size in (row.rest, seen.peak, row.after)
        ),
        f"{seen.probes.outcomes['200']}/{seen.probes.outcomes.total()}",
        *(f"{seconds * 1e3:.1f}" for seconds in times),
        ", ".join(f"{count} x {label}" for label, count in row.outcomes.most_common()),
    )


def _line(cells: tuple[str, ...]) -> str:
    padded = (f"{cell:>{width}}" for cell, width in zip(cells[1:-1], _WIDTHS[1:], strict=True))
    return f"{cells[0]:{_WIDTHS[0]}}{''.join(padded)}  {cells[-1]}"


if __name__ == "__main__":
    sys.exit(main())
