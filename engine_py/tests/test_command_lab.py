"""The lab on a terminal; the expected texts are derived by hand from the lessons' programs."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine_py.command.main import main

DIAMOND = ["b = a + 1; c = a * 3; d = b * c", "a=2"]
SUM = ["d = a * b + c", "a=2", "b=3", "c=10"]

Capture = pytest.CaptureFixture[str]


def printed(capsys: Capture, *arguments: str, code: int = 0) -> str:
    assert main(list(arguments)) == code
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_a_wrong_order_is_explained(capsys: Capture) -> None:
    assert printed(capsys, "experiment", *DIAMOND, "--order", "b,d,c,0") == (
        "not a reverse topological order: 2 b = + is visited, and 5 d = *, which uses it, "
        "is not visited before it\n"
        "\n"
        "variable  right  here  difference\n"
        "a            15     9          -6\n"
        "\n"
        "lost: `b` was visited before `d` had sent it 6\n"
    )


def test_the_package_shows_an_experiment_in_its_readme(capsys: Capture) -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    shown = printed(capsys, "experiment", *DIAMOND, "--order", "b,d,c,a")
    command = 'gradient experiment "b = a + 1; c = a * 3; d = b * c" a=2 --order b,d,c,a\n'
    assert f"{command}```\n\n```\n{shown}```\n" in readme


def test_an_order_with_nodes_left_out_is_explained(capsys: Capture) -> None:
    shown = printed(capsys, "experiment", *DIAMOND, "--order", "d, c")
    assert shown.startswith("not a whole order: without 2 b = +\n")
    assert "lost: `d` sent 6 to `b`, which was never visited\n" in shown


def test_assigning_is_explained(capsys: Capture) -> None:
    assert printed(capsys, "experiment", "a * a", "a=3", "--replace") == (
        "the order is a reverse topological order\n"
        "\n"
        "variable  right  here  difference\n"
        "a             6     3          -3\n"
        "\n"
        "lost: the 3 that node 1 (`*`) had sent to `a` was overwritten by 3 from node 1 (`*`)\n"
    )


def test_a_second_pass_is_explained(capsys: Capture) -> None:
    shown = printed(capsys, "experiment", *SUM, "--passes", "2")
    rows = [line.split() for line in shown.splitlines()[3:6]]
    assert rows == [["a", "3", "9", "6"], ["b", "2", "6", "4"], ["c", "1", "2", "1"]]
    assert shown.endswith("nothing is lost\n")


def test_a_mutation_is_explained_for_both_engines(capsys: Capture) -> None:
    shown = printed(capsys, "experiment", *SUM, "--mutate", "a=5")
    stored, reread = shown.split("local gradients ")[1:]
    assert stored.startswith("stored in the forward pass:\n")
    assert reread.startswith("computed when they are needed:\n")
    assert ["b", "2", "5", "3"] in [line.split() for line in reread.splitlines()]
    assert ["b", "2", "2", "0"] in [line.split() for line in stored.splitlines()]


def test_paths_add_up(capsys: Capture) -> None:
    assert printed(capsys, "paths", *DIAMOND, "--variable", "a") == (
        "product  from the root to the variable\n"
        "      6  5 d = *, 2 b = +, 0 a\n"
        "      9  5 d = *, 4 c = *, 0 a\n"
        "\n"
        "d/da = 15, by 2 paths\n"
    )


def test_paths_that_are_not_listed_are_counted(capsys: Capture) -> None:
    shown = printed(capsys, "paths", "(a + a) * (a + a)", "a=1", "--variable", "a", "--most", "1")
    assert shown.endswith("\nd/da = 8, by 4 paths, of which 1 are listed\n")
    assert printed(capsys, "paths", "a", "a=1", "--variable", "a").endswith("by 1 path\n")


def test_a_check_shows_every_witness(capsys: Capture) -> None:
    shown = printed(capsys, "check", "a * b", "a=2", "b=3")
    rows = [line.split() for line in shown.splitlines()]
    assert rows[0] == ["variable", "way", "derivative", "difference", "bound", "verdict"]
    assert [row[:3] for row in rows[1:7:3]] == [["a", "reverse", "3"], ["b", "reverse", "2"]]
    assert rows[2][:3] == ["forward", "3", "0"]
    assert rows[3][0] == "central"
    assert {rows[place][-1] for place in (2, 3, 5, 6)} == {"agrees"}
    assert shown.endswith("multiplications by local gradients: reverse 2, forward 4\n")


def test_a_wrong_claim_ends_with_1(capsys: Capture) -> None:
    shown = printed(capsys, "check", "a * b", "a=2", "b=3", "--claim", "b=-2", code=1)
    assert re.search(r"claimed +-2 +-4\.0e\+00 +\S+ +differs", shown)


def test_what_cannot_be_said_is_in_words(capsys: Capture) -> None:
    shown = printed(capsys, "check", "relu(a)", "a=0")
    assert re.search(r"central +none +not differentiable here", shown)


PARABOLA = ("(w - 3)**2", "w=1", "--parameter", "w", "--learning-rate", "0.25")


def test_a_descent_is_a_table_of_steps(capsys: Capture) -> None:
    assert printed(capsys, "descend", *PARABOLA, "--steps", "2") == (
        "step  loss  norm    w\n"
        "   0     4     4    1\n"
        "   1     1     2    2\n"
        "   2  0.25     1  2.5\n"
    )


def test_a_long_descent_shows_about_ten_steps(capsys: Capture) -> None:
    shown = printed(capsys, "descend", *PARABOLA, "--steps", "45").splitlines()
    steps = [line.split()[0] for line in shown[1:]]
    assert steps == ["0", "4", "8", "12", "16", "20", "24", "28", "32", "36", "40", "44", "45"]


def test_rows_and_settings_of_a_descent_are_read(capsys: Capture) -> None:
    line = ("w * x", "w=0", "x=0", "--parameter", "w", "--row", "x=1", "--row", "x=3")
    shown = printed(capsys, "descend", *line, "--loss", "sum", "--momentum", "0.5", "--steps", "1")
    assert shown.splitlines()[1].split() == ["0", "0", "4", "0"]
    shown = printed(capsys, "descend", *line, "--optimizer", "adamw", "--steps", "0")
    assert shown.splitlines()[1].split() == ["0", "0", "2", "0"]


def test_a_descent_that_ends_early_says_why(capsys: Capture) -> None:
    arguments = ("log(w)", "w=1", "--parameter", "w", "--learning-rate", "2")
    shown = printed(capsys, "descend", *arguments, code=1)
    assert re.search(r"no step 1, row 0: the logarithm exists for numbers above 0 only", shown)
    big = ("w * 1e308", "w=0", "--parameter", "w", "--learning-rate", "10")
    shown = printed(capsys, "descend", *big, code=1)
    assert shown.splitlines()[1].split() == ["0", "0", "none", "0"]
    assert "no step 1: `w`, once moved, is too large" in shown


def test_second_derivatives_are_a_square_table(capsys: Capture) -> None:
    assert printed(capsys, "hessian", "x**2 * y", "x=3", "y=2", "--vector", "x=1") == (
        "   x  y\nx  4  6\ny  6  0\n\n"
        "variable  times the vector\nx                        4\ny                        6\n"
    )
    shown = printed(capsys, "hessian", "x**2 * y", "x=3", "y=2", "--variable", "y")
    assert shown == "   y\ny  0\n"
    assert printed(capsys, "hessian", "2 * 3") == "(no variables)\n"


@pytest.mark.parametrize(
    ("arguments", "member"),
    [
        (["experiment", *DIAMOND], "walks"),
        (["paths", *DIAMOND, "--variable", "a"], "paths"),
        (["check", *DIAMOND], "variables"),
        (["descend", *DIAMOND, "--parameter", "a"], "trajectory"),
        (["hessian", *DIAMOND], "hessian"),
    ],
)
def test_json_is_the_whole_answer(capsys: Capture, arguments: list[str], member: str) -> None:
    # It is written past the captured text, as bytes.
    capture: Any = json.loads(printed(capsys, *arguments, "--json"))
    assert capture["document"]["result"] == 18
    assert member in capture


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["experiment", *DIAMOND, "--order", "z"], 'no node has the label "z"'),
        (["experiment", *DIAMOND, "--passes", "11"], "passes must be a whole number from 1 to 10"),
        (["experiment", *DIAMOND, "--mutate", "a"], "write name=number"),
        (["paths", *DIAMOND, "--variable", "b"], "variable must be the name of a variable"),
        (["check", *DIAMOND, "--claim", "z=1"], "no variable of the program"),
        (["check", "log(a)", "a=-1"], "above 0 only"),
        (["descend", *DIAMOND], "list under parameters those that it may move"),
        (["descend", *DIAMOND, "--parameter", "a", "--row", "b"], "write name=number"),
        (["hessian", *DIAMOND, "--variable", "b"], "must be the name of a variable"),
    ],
)
def test_what_is_wrong_is_said(capsys: Capture, arguments: list[str], complaint: str) -> None:
    assert main(arguments) == 2
    assert complaint in capsys.readouterr().err
