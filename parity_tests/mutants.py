"""Plant bugs in `engine_py/language`, one at a time, and count those that tests or cases detect.

    python -m parity_tests.mutants --count 60 --seed 1

A bug is a changed comparison, operator, number or condition in a copy of the engine. The unit tests
and the cases of the language should detect it; the exit code is 1 if too few bugs are detected.
"""

import ast
import shutil
import subprocess
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from parity_tests.kit.engines import ROOT

ENOUGH = 0.8  # of the bugs; some change nothing that can be observed
SECONDS = 120  # for the tests; an endless loop counts as detected
TESTS = [f"engine_py/tests/test_{name}.py" for name in ("language", "pipeline")]
TOPICS = "error_order literals name_errors names precedence programs rewrite spans syntax_errors"
ENTRY = '[mutant]\nfolder = "engine_py"\nargv = ["python", "-m", "engine_py", "worker"]\n'

PAIRS = ["Lt LtE", "Gt GtE", "Eq NotEq", "Is IsNot", "In NotIn", "And Or", "Add Sub"]
KINDS = [[getattr(ast, name) for name in pair.split()] for pair in PAIRS]
SWAPPED = {one: other for pair in KINDS for one, other in (pair, pair[::-1])}


def plant(node: ast.AST) -> bool:
    """Change a node; return whether there is a change for its kind."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
        node.ops[0] = SWAPPED[type(node.ops[0])]()
    elif isinstance(node, ast.BoolOp | ast.BinOp) and type(node.op) in SWAPPED:
        node.op = SWAPPED[type(node.op)]()
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        node.test = ast.UnaryOp(ast.Not(), node.test)
    else:
        return False
    return True


def mutant(source: str, random: Random) -> tuple[str, str]:
    """Return a source with a bug, and a description of the bug."""
    tree = ast.parse(source)
    nodes = [*ast.walk(tree)]
    while True:
        node = random.choice(nodes)
        line, before = getattr(node, "lineno", 0), ast.unparse(node).partition("\n")[0]
        if plant(node):
            ast.fix_missing_locations(tree)
            after = ast.unparse(node).partition("\n")[0]
            return ast.unparse(tree), f"{line}: {before}  ->  {after}"


def is_detected(folder: Path) -> bool:
    """Run the tests, then the cases, on the engine in a folder."""
    filters = [f"--filter={topic}" for topic in TOPICS.split()]
    kit = ["parity_tests", f"--engines={folder}/mutant.toml", "--fail-fast", *filters]
    for where, command in ((folder, ["pytest", "-qx", *TESTS]), (ROOT, kit)):
        argv = [sys.executable, "-m", *command]
        try:
            subprocess.run(argv, cwd=where, capture_output=True, timeout=SECONDS, check=True)
        except subprocess.SubprocessError:  # they failed, or took too long
            return True
    return False


def main() -> int:
    """Plant the bugs; return the exit code."""
    parser = ArgumentParser(description="Plant bugs in engine_py/language and count the detected.")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    random, detected = Random(options.seed), 0
    with TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "engine_py", folder / "engine_py")
        for shared in ("parity_tests", "schemas", "pyproject.toml"):
            (folder / shared).symlink_to(ROOT / shared)
        (folder / "mutant.toml").write_text(ENTRY)
        files = sorted((folder / "engine_py/language").glob("[!_]*.py"))
        if is_detected(folder):
            print("mutants: the tests fail without a bug", file=sys.stderr)
            return 2
        for _ in range(options.count):
            file = random.choice(files)
            source = file.read_text()
            changed, text = mutant(source, random)
            file.write_text(changed)
            if is_detected(folder):
                detected += 1
            else:
                print(f"not detected: {file.relative_to(folder)}:{text}", flush=True)
            file.write_text(source)
    print(f"{detected} of {options.count} bugs of seed {options.seed} are detected")
    return 0 if detected >= ENOUGH * options.count else 1


if __name__ == "__main__":
    sys.exit(main())
