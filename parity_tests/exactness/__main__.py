"""Compare every operation of the engines with MPFR's correctly rounded result (R1).

python -m parity_tests.exactness --count 200000 --seed 1     200,000 inputs for each operation
python -m parity_tests.exactness --engines mine.toml         the engines of a file
python -m parity_tests.exactness --write                     choose hard_cases/*.txt again
python -m parity_tests.exactness --write --operation exp     choose hard_cases/exp.txt alone
python -m parity_tests.exactness --search 30                 search operands very close to halfway
"""

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from parity_tests.exactness.cases import case_file, fresh_rows, searched_rows, write_rows
from parity_tests.exactness.hard.inputs import HARD
from parity_tests.exactness.hard.search import RANGES
from parity_tests.exactness.table import compare_all
from parity_tests.kit.engines import ENGINES, Engine, SetupError, load_engines
from parity_tests.kit.hard import Row
from parity_tests.kit.worker import EngineFault


def main(arguments: list[str] | None = None) -> int:
    """Read the arguments; give the exit code."""
    parser = argparse.ArgumentParser(description="Compare every operation with MPFR.")
    parser.add_argument("--count", type=int, default=200_000, help="inputs an operation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", help="this one alone")
    parser.add_argument(
        "--engines", action="append", type=Path, default=[], metavar="FILE",
        help="the engines of this file instead of those of the kit",
    )  # fmt: skip
    parser.add_argument("--operation", choices=HARD, help="this one alone, by its symbol")
    parser.add_argument(
        "--search", type=float, metavar="SECONDS",
        help="compare what is found near halfway in so long a class, instead of --count draws",
    )  # fmt: skip
    parser.add_argument("--write", action="store_true", help="choose the committed cases anew")
    parser.add_argument(
        "--many", type=int, default=1_000_000, help="of so many draws --write takes the closest"
    )
    options = parser.parse_args(arguments)
    operations = [options.operation] if options.operation else list(HARD)
    if options.write:
        for operation in operations:
            print(f"{case_file(operation).name}: {write_rows(operation, options.many)} rows")
        return 0
    try:
        files = options.engines or [ENGINES]
        known = {name: each for file in files for name, each in load_engines(file).items()}
        engines = selected(known, options.engine)
        if options.search is None:
            rows = {each: fresh_rows(each, options.count, options.seed) for each in operations}
        else:
            searched = [each for each in operations if each in RANGES]
            seed = str(options.seed)
            rows = {each: searched_rows(each, seed, options.search) for each in searched}
        return report(engines, rows)
    except (SetupError, EngineFault) as fault:
        print(fault, file=sys.stderr)
        return 1


def selected(engines: Mapping[str, Engine], name: str | None) -> list[Engine]:
    """Give all engines, or the one of that name."""
    if name is not None and name not in engines:
        raise SetupError(f"no engine {name}; there are {', '.join(engines)}")
    return [engine for engine in engines.values() if name in (None, engine.name)]


def report(engines: list[Engine], rows: Mapping[str, Iterator[Row]]) -> int:
    """Print a line for each operation, then the first differences; 1 if there is one, else 0."""
    print(f"{'':9} {'inputs':>9}", *(f"{engine.name:>24}" for engine in engines))
    first: list[str] = []
    for operation, count, columns in compare_all(engines, rows):
        cells = (f"{len(column.wrong):>8,} wrong {column.seconds:7.1f} s" for column in columns)
        print(f"{operation:9} {count:9,}", *cells, flush=True)
        first += [f"{column.name}: {column.wrong[0]}" for column in columns if column.wrong]
    print(*first, sep="\n", end="\n" if first else "")
    return 1 if first else 0


if __name__ == "__main__":
    sys.exit(main())
