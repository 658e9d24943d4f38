"""mutmut without its mutations of texts, for which its command line has no switch.

Most texts are prose, which is not contract. Runs in the environment of mutmut, beside the copy of
the engine, and writes mutants.json: each mutant's module, name and exit code, and what it changed
where it may have survived.
"""

import json
import sys
from pathlib import Path

import libcst  # type: ignore[import-not-found, unused-ignore]
from mutmut.__main__ import cli  # type: ignore[import-not-found, unused-ignore]
from mutmut.mutation import mutators  # type: ignore[import-not-found, unused-ignore]
from mutmut.mutation.diff_apply import (  # type: ignore[import-not-found, unused-ignore]
    get_diff_for_mutant,
)

COPY = Path("mutants/engine_py")


def main(jobs: str, *modules: str) -> None:
    """Run all mutants, or those of some modules (`lab/paths`), so many at a time."""
    mutators.mutation_operators.remove((libcst.BaseString, mutators.operator_string))
    names = [f"engine_py.{module.replace('/', '.')}.*" for module in modules]
    cli.main(["run", "--max-children", jobs, *names], standalone_mode=False)
    mutants = [
        {"module": module, "name": name, "exit": code, "diff": _diff(name, source, code)}
        for meta in sorted(COPY.rglob("*.py.meta"))
        for module in [str(meta.relative_to(COPY)).removesuffix(".py.meta")]
        for source in [Path("engine_py") / f"{module}.py"]
        for name, code in json.loads(meta.read_text())["exit_code_by_key"].items()
        if not modules or module in modules
    ]
    Path("mutants.json").write_text(json.dumps(mutants))


def _diff(name: str, source: Path, code: int | None) -> list[str]:
    """Give the lines that differ, without a context."""
    if code == 1:
        return []
    lines = get_diff_for_mutant(name, path=source).splitlines()[2:]
    return [line for line in lines if line[:1] in ("-", "+")]


if __name__ == "__main__":
    main(*sys.argv[1:])
