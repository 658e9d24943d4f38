"""mutmut without its mutations of texts, for which its command line has no switch.

Most texts are prose, which is not contract. Runs in the environment of mutmut, beside the copy of
the engine, and writes mutants.json: each mutant's module, name and exit code, and what it changed
where it may have survived.
"""

import argparse
import json
from pathlib import Path
from random import Random
from typing import Any

import libcst  # type: ignore[import-not-found, unused-ignore]
import mutmut.__main__  # type: ignore[import-not-found, unused-ignore]
import mutmut.configuration  # type: ignore[import-not-found, unused-ignore]
from mutmut.__main__ import cli  # type: ignore[import-not-found, unused-ignore]
from mutmut.mutation import mutators  # type: ignore[import-not-found, unused-ignore]
from mutmut.mutation.diff_apply import (  # type: ignore[import-not-found, unused-ignore]
    get_diff_for_mutant,
)

COPY = Path("mutants/engine_py")


def main() -> None:
    """Run all mutants, or those of some modules (`lab/paths`), so many at a time."""
    options = _options()
    mutators.mutation_operators.remove((libcst.BaseString, mutators.operator_string))
    settings = mutmut.configuration.config()
    settings.pytest_add_cli_args_test_selection = options.tests
    # In other modules no mutant is made: mutmut would follow each of their calls, too.
    settings.only_mutate = [f"engine_py/{module}.py" for module in options.modules]
    collect = mutmut.__main__.collect_source_file_mutation_data

    def sample(**arguments: Any) -> Any:
        mutants, data = collect(**arguments)
        return [each for each in mutants if Random(each[1]).randrange(options.share) == 0], data

    mutmut.__main__.collect_source_file_mutation_data = sample
    cli.main(["run", "--max-children", options.jobs], standalone_mode=False)
    mutants = [
        {"module": module, "name": name, "exit": code, "diff": _diff(name, source, code)}
        for meta in sorted(COPY.rglob("*.py.meta"))
        for module in [str(meta.relative_to(COPY)).removesuffix(".py.meta")]
        for source in [Path("engine_py") / f"{module}.py"]
        for name, code in json.loads(meta.read_text())["exit_code_by_key"].items()
        if code is not None
    ]
    Path("mutants.json").write_text(json.dumps(mutants))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", required=True)
    parser.add_argument("--share", type=int, required=True)
    parser.add_argument("--tests", nargs="+", required=True)
    parser.add_argument("--modules", nargs="*", required=True)
    return parser.parse_args()


def _diff(name: str, source: Path, code: int | None) -> list[str]:
    """Give the lines that differ, without a context."""
    if code == 1:
        return []
    lines = get_diff_for_mutant(name, path=source).splitlines()[2:]
    return [line for line in lines if line[:1] in ("-", "+")]


if __name__ == "__main__":
    main()
