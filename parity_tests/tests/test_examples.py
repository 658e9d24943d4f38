"""The notebook and the GPT, run and compared with numbers derived elsewhere."""

import ast
import io
import json
import re
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from engine_py import draw, introspect
from parity_tests.kit.engines import ROOT

NOTEBOOK = ROOT / "engine_py" / "examples" / "gradients.ipynb"
GUIDE = ROOT / "parity_tests" / "IMPLEMENTING.md"

CELLS = [cell for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == "code"]
QUARTERS = [{"x": [0.0, 0.25, 0.5, 0.75, 1.0]}]
SLOPES = {"x": [0.0, 0.1875, 0.75, 1.6875, 3.0]}
BY_HAND = {
    "gradients": ["(-10.0, {'a': 10.0, 'b': 10.0, 'c': -1.0})"],  # c, c, a + b
    "picture": ["<document of '(a + b) * c': -10.0, 5 nodes>"],
    "slope": ["10.0"],  # c
    "ledger": [
        "* -> +: 1 × 10 = 10, together 10",
        "* -> c: 1 × -1 = -1, together -1",
        "+ -> a: 10 × 1 = 10, together 10",
        "+ -> b: 10 × 1 = 10, together 10",
    ],
    "shared": [  # b = 3 and c = 6, so b * c sends 6 to b and 3 to c
        "* -> b: 1 × 6 = 6, together 6",
        "* -> c: 1 × 3 = 3, together 3",
        "* -> a: 3 × 3 = 9, together 9",
        "* -> 3.0: 3 × 2 = 6, together 6",
        "+ -> a: 6 × 1 = 6, together 15",
        "+ -> 1.0: 6 × 1 = 6, together 6",
        "{'a': 15.0}",
    ],
    "descent": [  # the error e = 2 - w shrinks to 3/8 of itself; the loss is 5 e², its slope -10 e
        f"{2 - e} {5 * e**2} {-10 * e}" for e in (2.0, 2 * 3 / 8, 2 * 9 / 64, 2 * 27 / 512)
    ],
    "value": [  # the fixture the-tanh-neuron-shows-the-computed-double, whose source is MPFR
        "0.7071067811865476",
        "[-1.4999999999999996, 0.9999999999999998, 0.4999999999999999, 0.0, 0.4999999999999999]",
        "Value(data=0.7071067811865476, grad=1.0)",
    ],
    "curve": [  # x, x³ and 3x² at 0, 1/4, 1/2, 3/4 and 1: n³ / 64 and 3 n² / 16, which are doubles
        repr((QUARTERS, [0.0, 0.015625, 0.125, 0.421875, 1.0], SLOPES)),
    ],
    "error": ["domain_error", "2 * log(a - 3)", "    ^^^^^^^^^^"],
}


def output_of(cell: dict[str, Any], names: dict[str, Any]) -> list[str]:
    """Run a cell as Jupyter does; return its printed lines, then its last expression."""
    *statements, last = ast.parse("".join(cell["source"])).body
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(ast.Module(statements, []), "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            if value is not None:
                print(repr(value))
        else:
            exec(compile(ast.Module([last], []), "cell", "exec"), names)
    return printed.getvalue().splitlines()


def shown(cell: dict[str, Any]) -> list[str]:
    texts = [
        "".join(output.get("text") or output["data"]["text/plain"]) for output in cell["outputs"]
    ]
    return "\n".join(text.rstrip("\n") for text in texts).splitlines()


def test_the_notebook_shows_its_results_and_they_are_right(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(NOTEBOOK.parent)
    monkeypatch.setattr(sys, "path", list(sys.path))
    names: dict[str, Any] = {}
    outputs = {cell["id"]: output_of(cell, names) for cell in CELLS}
    assert outputs == {"import": [], **BY_HAND}
    assert {cell["id"]: shown(cell) for cell in CELLS} == outputs


def test_the_notebook_has_the_pictures_of_its_documents() -> None:
    product = draw(introspect("(a + b) * c", {"a": 2, "b": -3, "c": 10}))
    neuron = [svg for cell in CELLS if cell["id"] == "value" for svg in pictures(cell)]
    assert [svg for cell in CELLS if cell["id"] == "picture" for svg in pictures(cell)] == [product]
    # The neuron's bias and its result, rounded to the six digits of a card
    assert all(number in neuron[0] for number in (">x1<", ">6.88137<", ">0.707107<"))


def pictures(cell: dict[str, Any]) -> list[str]:
    data = [output.get("data", {}) for output in cell["outputs"]]
    return ["".join(each["image/svg+xml"]) for each in data if "image/svg+xml" in each]


def test_the_gpt_has_the_digest_of_the_guide_in_both_languages() -> None:
    node = str(Path(sys.executable).parent / "node")
    python, typescript = (
        subprocess.run([*command, "3"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for command in (
            [sys.executable, "-m", "engine_py.examples.microgpt"],
            [node, "engine_ts/examples/microgpt.ts"],
        )
    )
    digests = dict(re.findall(r"(?m)^\| (\d+) \| `([0-9a-f]{64})` \|$", GUIDE.read_text()))
    assert digests.keys() == {"1", "3", "100"}
    assert python.endswith(f"\nSHA-256 of the parameters: {digests['3']}\n")
    assert typescript == python
