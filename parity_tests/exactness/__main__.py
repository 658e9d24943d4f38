"""Compare every operation of the engines with MPFR's correctly rounded result (R1).

python -m parity_tests.exactness --count 200000 --seed 1     200,000 inputs for each operation
python -m parity_tests.exactness --engines mine.toml         the engines of a file
python -m parity_tests.exactness --kind "near halfway"       operands of one class only
python -m parity_tests.exactness --write sinh                choose hard_cases/sinh.txt
"""

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from parity_tests.exactness.cases import case_file, fresh_rows, write_rows
from parity_tests.exactness.classes import HARD
from parity_tests.exactness.compare import compare_all
from parity_tests.kit.cases import Row
from parity_tests.kit.engines import ENGINES, Engine, SetupError, load_engines
from parity_tests.kit.worker import EngineFault


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(description="Compare every operation with MPFR.")
    parser.add_argument("--count", type=int, default=200_000, help="inputs per operation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", help="this engine only")
    parser.add_argument(
        "--engines", action="append", type=Path, default=[], metavar="FILE",
        help="the engines of this file instead of those of the kit",
    )  # fmt: skip
    parser.add_argument("--operation", choices=HARD, help="this operation only, by its symbol")
    parser.add_argument("--kind", metavar="CLASS", help="operands of this class only")
    new = [operation for operation in HARD if not case_file(operation).exists()]
    parser.add_argument(
        "--write", choices=new, help="choose the committed cases of an operation that has none"
    )
    options = parser.parse_args(arguments)
    if options.write:
        print(f"{case_file(options.write).name}: {write_rows(options.write)} rows")
        return 0
    operations = [options.operation] if options.operation else list(HARD)
    try:
        files = options.engines or [ENGINES]
        known = {name: each for file in files for name, each in load_engines(file).items()}
        engines = selected(known, options.engine)
        drawn = options.count, options.seed, options.kind
        return report(engines, {each: fresh_rows(each, *drawn) for each in operations})
    except (SetupError, EngineFault) as fault:
        print(fault, file=sys.stderr)
        return 1


def selected(engines: Mapping[str, Engine], name: str | None) -> list[Engine]:
    """Return the engine called `name`, or all engines if it is None."""
    if name is not None and name not in engines:
        raise SetupError(f"no engine is called {name}; known: {', '.join(engines)}")
    return [engine for engine in engines.values() if name in (None, engine.name)]


def report(engines: list[Engine], rows: Mapping[str, Iterator[Row]]) -> int:
    """Print a line per operation, then the first errors; return 1 if there are any, else 0."""
    print(f"{'':9} {'inputs':>9}", *(f"{engine.name:>24}" for engine in engines))
    first: list[str] = []
    for operation, count, wrong in compare_all(engines, rows):
        cells = (f"{len(found):>18,} wrong" for found in wrong)
        print(f"{operation:9} {count:9,}", *cells, flush=True)
        named = zip(engines, wrong, strict=True)
        first += [f"{engine.name}: {found[0]}" for engine, found in named if found]
    print(*first, sep="\n", end="\n" if first else "")
    return 1 if first else 0


if __name__ == "__main__":
    sys.exit(main())
