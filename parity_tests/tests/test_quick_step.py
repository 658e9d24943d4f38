"""The quick steps of the functions: the same pairs in both languages, and saboteurs.

A mistake in a quick step that only the last bits show is put into all functions of a copy of an
engine, and the committed hard cases must find it in each. The square root's is a wrong platform.
"""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from struct import pack

import pytest

from engine_py.numerics import quick
from parity_tests.exactness.cases import committed_rows, double
from parity_tests.exactness.compare import compare
from parity_tests.kit.engines import ROOT, find_program, load_engines
from parity_tests.kit.worker import Worker
from parity_tests.mutation.mistakes import Change, put_into_copy

ENGINES = load_engines()
FUNCTIONS = ["exp", "log", "tanh", "**", "sin", "cos", "sigmoid"]

DECIDED = "    if rounded == high + (low - error):\n        "
LOGS = " * (z * (1 / 3 + z * (-0.25 + z * (0.2 + z * (-1 / 6)))) - 0.5)"
SHORT = LOGS.replace(" + z * (-1 / 6)", "")
KEPT = "=== high + (low - error) ? rounded : "

SABOTEURS: dict[str, dict[str, list[tuple[str, str, str]]]] = {
    "the test is removed": {
        "engine_py": [
            ("elementary.py", " == high + (low - error) else exact.exp", " else exact.exp"),
            ("elementary.py", " == high + (low - error) else exact.log", " else exact.log"),
            ("elementary.py", f"{DECIDED}return", "    if rounded:\n        return"),
            ("elementary.py", f"{DECIDED}rounded", "    if rounded:\n        rounded"),
            ("wave.py", " == high + (low - error) else exact_wave(x, 0)", " else x"),
            ("wave.py", " == high + (low - error) else exact_wave(x, 1)", " else x"),
            ("logistic.py", " == high + (low - error) else exact_sigmoid", " else exact"),
        ],
        "engine_ts": [
            ("elementary.ts", " === high + (low - error) ? ldexp", " ? ldexp"),
            ("elementary.ts", " === high + (low - error) ? rounded", " ? rounded"),
            ("elementary.ts", " === high + (low - error)) return x >", ") return x >"),
            ("elementary.ts", "if (rounded !== high + (low - error)) return", "if (0) return"),
            ("wave.ts", f"{KEPT}exactWave(x, 0n)", "? rounded : x"),
            ("wave.ts", f"{KEPT}exactWave(x, 1n)", "? rounded : x"),
            ("logistic.ts", f"{KEPT}exactSigmoid(x)", "? rounded : x"),
        ],
    },
    "the bound is divided by 2**12": {
        "engine_py": [
            ("quick.py", "EXP_ERROR = 2.0**-66", "EXP_ERROR = 2.0**-78"),
            ("quick.py", "LOG_ERROR = 2.0**-70", "LOG_ERROR = 2.0**-82"),
            ("quick.py", "FOUR_U = 2.0**-51", "FOUR_U = 2.0**-63"),
            ("quick.py", "EIGHT_U = 2.0**-50", "EIGHT_U = 2.0**-62"),
            ("quick.py", "TANH_ERROR = 2.0**-64", "TANH_ERROR = 2.0**-76"),
            ("elementary.py", "POWER_ERROR = 2.0**-64", "POWER_ERROR = 2.0**-76"),
            ("wave.py", "WAVE_ERROR = 2.0**-67", "WAVE_ERROR = 2.0**-79"),
            ("wave.py", "WAVE_LEAST = 2.0**-75", "WAVE_LEAST = 2.0**-87"),
        ],
        "engine_ts": [
            ("quick.ts", "EXP_ERROR = 2 ** -66", "EXP_ERROR = 2 ** -78"),
            ("quick.ts", "LOG_ERROR = 2 ** -70", "LOG_ERROR = 2 ** -82"),
            ("quick.ts", "FOUR_U = 2 ** -51", "FOUR_U = 2 ** -63"),
            ("quick.ts", "EIGHT_U = 2 ** -50", "EIGHT_U = 2 ** -62"),
            ("quick.ts", "TANH_ERROR = 2 ** -64", "TANH_ERROR = 2 ** -76"),
            ("elementary.ts", "POWER_ERROR = 2 ** -64", "POWER_ERROR = 2 ** -76"),
            ("wave.ts", "WAVE_ERROR = 2 ** -67", "WAVE_ERROR = 2 ** -79"),
            ("wave.ts", "WAVE_LEAST = 2 ** -75", "WAVE_LEAST = 2 ** -87"),
        ],
    },
    "a term is dropped": {
        "engine_py": [
            ("elementary.py", "t_low * (s + q)", "t_low * s"),
            ("quick.py", "t_low * (s + q) + t_high", "t_low * s + t_high"),
            ("quick.py", f"z * z{LOGS}", f"z * z{SHORT}"),
            ("quick.py", f"square{LOGS}", f"square{SHORT}"),
            ("quick.py", "(d_low * (r + bend)", "(d_low * r"),
            ("wave.py", "c_low * (s + v)", "c_low * s"),
            ("logistic.py", "n_low - high * d_low", "n_low"),
        ],
        "engine_ts": [
            ("quick.ts", "tLow * (s + q) + tHigh", "tLow * s + tHigh"),
            ("quick.ts", f"z * z{LOGS}", f"z * z{SHORT}"),
            ("quick.ts", f"square{LOGS}", f"square{SHORT}"),
            ("quick.ts", "TANH[4 * j + 3]! * (r + bend)", "TANH[4 * j + 3]! * r"),
            ("wave.ts", "cLow * (s + v)", "cLow * s"),
            ("logistic.ts", "nLow - high * dLow", "nLow"),
        ],
    },
}  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("engine", sorted(ENGINES))
@pytest.mark.parametrize("name", SABOTEURS)
def test_hard_cases_find_the_saboteur_in_every_function(
    name: str, engine: str, tmp_path: Path
) -> None:
    changes = [Change(f"numerics/{file}", *each) for file, *each in SABOTEURS[name][engine]]
    put_into_copy(changes, ENGINES[engine], tmp_path)
    with Worker(ENGINES[engine], root=tmp_path) as worker:
        wrong = {each: compare(worker, each, committed_rows(each)) for each in FUNCTIONS}
    assert all(wrong.values()), {each: len(found) for each, found in wrong.items()}
    assert all(len(found) < len(committed_rows(each)) for each, found in wrong.items())


# Roots

ROOT_OF = {
    "engine_py": ("elementary.py", "root = platform_root(x)"),
    "engine_ts": ("elementary.ts", "const root = Math.sqrt(x)"),
}
UNTESTED = {
    "engine_py": Change("numerics/elementary.py", "if x / root == root", "if True"),
    "engine_ts": Change("numerics/elementary.ts", "if (root + ALMOST_1 * d === root)", "if (root)"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("engine", sorted(ENGINES))
@pytest.mark.parametrize("factor", ["0.9999999999999999", "1.0000000000000002"])
def test_a_platform_whose_root_is_off_by_an_ulp_changes_no_result(
    factor: str, engine: str, tmp_path: Path
) -> None:
    file, root = ROOT_OF[engine]
    lie = Change(f"numerics/{file}", root, f"{root} * {factor}")
    put_into_copy([lie], ENGINES[engine], tmp_path / "tested")
    with Worker(ENGINES[engine], root=tmp_path / "tested") as worker:
        assert compare(worker, "sqrt", committed_rows("sqrt")) == []
    put_into_copy([lie, UNTESTED[engine]], ENGINES[engine], tmp_path / "untested")
    with Worker(ENGINES[engine], root=tmp_path / "untested") as worker:
        assert len(compare(worker, "sqrt", committed_rows("sqrt"))) > 250


# Bounds


def test_a_bound_that_one_engine_is_held_to_is_the_other_engines_too() -> None:
    """Python's tests measure the bounds; what a larger one would cost is counted there, too."""
    for name, bound in {"SHORT_ERROR": 98, "POWER_ERROR": 64}.items():
        ours = (ROOT / "engine_py" / "numerics" / "elementary.py").read_text()
        theirs = (ROOT / "engine_ts" / "src" / "numerics" / "elementary.ts").read_text()
        assert f"{name} = 2.0**-{bound}\n" in ours
        assert f"const {name} = 2 ** -{bound};\n" in theirs


# Pairs

TELL = """
import { readFileSync } from "node:fs";
import * as quick from "./engine_ts/src/numerics/quick.ts";
const bytes = new DataView(new ArrayBuffer(8));
const bits = (x) => (bytes.setFloat64(0, x), bytes.getBigUint64(0).toString(16).padStart(16, "0"));
for (const [name, ...operands] of JSON.parse(readFileSync(0, "utf8"))) {
  const { high, low, error, k = 0 } = quick[name](...operands);
  console.log(name, bits(high), bits(low), bits(error), k);
}
"""


def operands(name: str) -> list[tuple[float, ...]]:
    """Take the hard operands that a quick step is for."""
    if name == "**":
        return []
    rows = [tuple(map(double, case.operands)) for case in committed_rows(name)]
    if name == "exp":
        return [(x, rest) for (x,) in rows if -708.0 < x < 709.0 for rest in (0.0, x * 2.0**-26)]
    if name == "log":
        return [(x,) for (x,) in rows if x >= 2.0**-1022]
    return [(abs(x),) for (x,) in rows]


def calls() -> list[tuple[str, str, tuple[float, ...]]]:
    """Give the quick step's name in each language, and the operands."""
    found = [("exp_pair", "expPair", each) for each in operands("exp")]
    found += [("log_pair", "logPair", each) for each in operands("log")]
    for x in operands("tanh"):
        if 0.03125 <= x[0] < 4.0:
            found.append(("tanh_pair", "tanhPair", x))
        elif 2.0**-28 <= x[0] < 0.03125:
            found.append(("tanh_pair_near_0", "tanhPairNear0", x))
        elif 4.0 <= x[0] <= 20.0:
            found.append(("tanh_pair_near_1", "tanhPairNear1", x))
    return found


def told(name: str, numbers: Sequence[float]) -> str:
    """Write a pair of Python's engine as the script above does."""
    high, low, last = numbers
    k = 0
    if name == "expPair":
        last, k = quick.EXP_ERROR * high, int(last)
    return " ".join([name, *(pack(">d", x).hex() for x in (high, low, last)), str(k)])


def test_the_pairs_before_rounding_have_the_same_bits_in_both_languages() -> None:
    assert len({name for name, _, _ in calls()}) == 5
    assert len(calls()) > 700
    lines = subprocess.run(
        [find_program("node"), "--input-type=module-typescript", "--eval", TELL],
        input=json.dumps([[name, *numbers] for _, name, numbers in calls()]),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout.splitlines()
    expected = [told(name, getattr(quick, py)(*numbers)) for py, name, numbers in calls()]
    assert lines == expected
