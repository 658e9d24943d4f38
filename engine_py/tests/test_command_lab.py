"""The commands of the lab, accuracy and sweep. Whole outputs are in packaging/docs/pages/lab.md."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine_py import sweep
from engine_py.command.main import main

DIAMOND = ["b = a + 1; c = a * 3; d = b * c", "a=2"]
SUM = ["d = a * b + c", "a=2", "b=3", "c=10"]
LOG = ["sweep", "log(x) * w", "x=-1:1:3", "w=2,3"]

Capture = pytest.CaptureFixture[str]


def printed(capsys: Capture, *arguments: str, code: int = 0) -> str:
    assert main(list(arguments)) == code
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_a_wrong_order_is_explained_as_in_the_readme_of_the_package(capsys: Capture) -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    shown = printed(capsys, "experiment", *DIAMOND, "--order", "b,d,c,a")
    command = 'gradient experiment "b = a + 1; c = a * 3; d = b * c" a=2 --order b,d,c,a\n'
    assert f"{command}```\n\n```\n{shown}```\n" in readme


def test_an_incomplete_order_is_explained(capsys: Capture) -> None:
    shown = printed(capsys, "experiment", *DIAMOND, "--order", "d, c")
    assert shown.startswith("not a complete order: 2 b = + is missing\n")
    assert "lost: `d` gave 6 to `b`, which was never visited\n" in shown


def test_replacing_gradients_is_explained(capsys: Capture) -> None:
    assert printed(capsys, "experiment", "a * a", "a=3", "--replace") == (
        "the order is a reverse topological order\n"
        "\n"
        "variable  right  here  difference\n"
        "a             6     3          -3\n"
        "\n"
        "lost: the 3 that `a` had from node 1 (`*`) was overwritten by 3 from node 1 (`*`)\n"
    )


def test_a_pull_is_explained(capsys: Capture) -> None:
    assert printed(capsys, "experiment", *DIAMOND, "--pull", "--order", "b,0,c").endswith(
        "a            15     6          -9\n\nlost: `a` was visited before `c` had 3 from `d`\n"
    )


def test_seed_and_reset_change_the_experiment(capsys: Capture) -> None:
    line = ("experiment", *SUM, "--seed", "-0.5", "--passes", "2")
    assert "a             3    -3          -6\n" in printed(capsys, *line, "--reset", "inner")
    assert "a             3  -1.5        -4.5\n" in printed(capsys, *line, "--reset", "all")


def test_a_second_pass_is_explained(capsys: Capture) -> None:
    shown = printed(capsys, "experiment", *SUM, "--passes", "2")
    rows = [line.split() for line in shown.splitlines()[3:6]]
    assert rows == [["a", "3", "9", "6"], ["b", "2", "6", "4"], ["c", "1", "2", "1"]]
    assert shown.endswith("nothing is lost\n")


def test_a_mutation_is_explained_for_stored_and_for_computed_gradients(capsys: Capture) -> None:
    shown = printed(capsys, "experiment", *SUM, "--mutate", "a=5")
    stored, reread = shown.split("local gradients ")[1:]
    assert stored.startswith("stored in the forward pass:\n")
    assert reread.startswith("computed when they are needed:\n")
    assert ["b", "2", "5", "3"] in [line.split() for line in reread.splitlines()]
    assert ["b", "2", "2", "0"] in [line.split() for line in stored.splitlines()]


def test_paths_that_are_not_listed_are_counted(capsys: Capture) -> None:
    shown = printed(capsys, "paths", "(a + a) * (a + a)", "a=1", "--node", "a", "--most", "1")
    assert shown.endswith("\nd/da = 8, by 4 paths, of which 1 are listed\n")
    assert printed(capsys, "paths", "a", "a=1", "--node", "a").endswith("by 1 path\n")


def test_paths_to_an_operation_and_to_an_exponent(capsys: Capture) -> None:
    shown = printed(capsys, "paths", "a * a + a**2", "a=3", "--node", "1")
    assert shown.endswith("      1  4 +, 1 *\n\nd/d(1 *) = 1, by 1 path\n")
    shown = printed(capsys, "paths", "a**2", "a=3", "--node", "1")
    assert shown == "d/d(1 constant) = none, by 0 paths\n"


def test_a_wrong_claim_exits_with_1(capsys: Capture) -> None:
    shown = printed(capsys, "accuracy", "a * b", "a=2", "b=3", "--claim", "b=-2", code=1)
    assert re.search(r"^b +-2 +0 +-4\.0e\+00 +differs$", shown, re.MULTILINE)


def test_exact_values_are_printed_without_a_document(capsys: Capture) -> None:
    shown = printed(capsys, "accuracy", "log(exp(x))", "x=800")
    assert re.search(r"^exp\(x\) +none +too large$", shown, re.MULTILINE)
    assert re.search(r"^log\(exp\(x\)\) +none +800$", shown, re.MULTILINE)
    assert "\nno document: " in shown


def test_a_number_that_counts_as_0_is_named(capsys: Capture) -> None:
    shown = printed(capsys, "accuracy", "relu(log(exp(x)) - x)", "x=1")
    assert shown.endswith("\ncounts as 0, or as a midpoint of doubles: relu(log(exp(x)) - x)\n")


def test_a_slope_at_a_kink_is_reported_as_a_choice(capsys: Capture) -> None:
    shown = printed(capsys, "accuracy", "max(x, 0) + abs(y)", "x=0", "y=1")
    assert shown.endswith("\nat a kink, where a slope is a choice: max(x, 0)\n")


PARABOLA = ("(w - 3)**2", "w=1", "--parameter", "w", "--learning-rate", "0.25")


def test_a_long_descent_shows_about_ten_steps(capsys: Capture) -> None:
    shown = printed(capsys, "descend", *PARABOLA, "--steps", "45").splitlines()
    steps = [line.split()[0] for line in shown[1:]]
    assert steps == ["0", "4", "8", "12", "16", "20", "24", "28", "32", "36", "40", "44", "45"]
    assert printed(capsys, "descend", *PARABOLA).splitlines()[-1].split()[0] == "100"


def test_rows_and_settings_change_the_descent(capsys: Capture) -> None:
    line = ("w * x", "w=0", "x=0", "--parameter", "w", "--row", "x=1", "--row", "x=3")
    shown = printed(capsys, "descend", *line, "--loss", "sum", "--momentum", "0.5", "--steps", "1")
    assert shown.splitlines()[1].split() == ["0", "0", "4", "0"]
    shown = printed(capsys, "descend", *line, "--optimizer", "adamw", "--steps", "0")
    assert shown.splitlines()[1].split() == ["0", "0", "2", "0"]
    whole = ("--learning-rate", "1", "--schedule", "linear", "--no-zero-grad", "--steps", "2")
    shown = printed(capsys, "descend", *line, *whole)
    # The first step is 1 * 2; the second is half the rate times the sum 4 of both gradients.
    assert [row.split()[2:] for row in shown.splitlines()[1:]] == [
        ["2", "0"],
        ["4", "-2"],
        ["6", "-4"],
    ]


def test_a_descent_that_ends_early_says_why(capsys: Capture) -> None:
    arguments = ("log(w)", "w=1", "--parameter", "w", "--learning-rate", "2")
    shown = printed(capsys, "descend", *arguments, code=3)
    assert re.search(r"no step 1, row 0: the logarithm exists for numbers above 0 only", shown)
    big = ("w * 1e308", "w=0", "--parameter", "w", "--learning-rate", "10")
    shown = printed(capsys, "descend", *big, code=3)
    assert shown.splitlines()[1].split() == ["0", "0", "none", "0"]
    assert "no step 1: `w`, once moved, is too large" in shown


def test_second_derivatives_are_a_square_table(capsys: Capture) -> None:
    assert printed(capsys, "hessian", "x**2 * y", "x=3", "y=2", "--vector", "x=1") == (
        "   x  y\nx  4  6\ny  6  0\n\n"
        "variable  times the vector\nx                        4\ny                        6\n\n"
        "directional derivative: 12\n"
    )
    shown = printed(capsys, "hessian", "x**2 * y", "x=3", "y=2", "--variable", "y")
    assert shown == "   y\ny  0\n"
    assert printed(capsys, "hessian", "2 * 3") == "(no variables)\n"


@pytest.mark.parametrize(
    ("arguments", "member"),
    [
        (["experiment", *DIAMOND], "walks"),
        (["paths", *DIAMOND, "--node", "a"], "paths"),
        (["accuracy", *DIAMOND], "counts_as_zero"),
        (["descend", *DIAMOND, "--parameter", "a"], "trajectory"),
        (["hessian", *DIAMOND], "hessian"),
    ],
)
def test_json_prints_the_whole_answer(capsys: Capture, arguments: list[str], member: str) -> None:
    answer: Any = json.loads(printed(capsys, *arguments, "--json"))
    assert answer["document"]["result"] == 18
    assert member in answer


def test_a_point_without_a_result_has_a_problem_and_the_others_have_results(
    capsys: Capture,
) -> None:
    """w changes slowest. Of -1, 0 and 1, log has a result only at 1, with the slope 1."""
    assert printed(capsys, *LOG, "c=4") == (
        "w   x  result  d/dx  d/dw  problem\n"
        "2  -1                      domain_error\n"
        "2   0                      domain_error\n"
        "2   1       0     2     0\n"
        "3  -1                      domain_error\n"
        "3   0                      domain_error\n"
        "3   1       0     3     0\n"
        "\n"
        "domain_error: the logarithm exists for numbers above 0 only, at node 1 (`log`) "
        "(4 points)\n"
        "unused values: c\n"
    )


def test_only_the_first_of_many_problems_are_explained(capsys: Capture) -> None:
    """Each of the 14 points is outside the domain of another logarithm."""
    program = " + ".join(f"log(x - {place})" for place in range(14))
    shown = printed(capsys, "sweep", program, "x=0.5:13.5:14").splitlines()
    assert len(shown) == 1 + 14 + 1 + 10 + 1
    assert shown[-1] == "and 3 other problems"


def test_csv_prints_the_table(capsys: Capture) -> None:
    head, *rows = csv.reader(io.StringIO(printed(capsys, *LOG, "--csv")))
    assert head == ["w", "x", "result", "d/dx", "d/dw", "problem"]
    assert rows[0] == ["2", "-1", "", "", "", "domain_error"]
    assert rows[5] == ["3", "1", "0", "3", "0", ""]
    assert len(rows) == 6


def test_json_prints_the_whole_sweep(capsys: Capture) -> None:
    values = {"x": {"from": -1, "to": 1, "count": 3}, "w": [2, 3]}
    assert json.loads(printed(capsys, *LOG, "--json")) == sweep("log(x) * w", values)
    made = json.loads(printed(capsys, "sweep", "1 / x", "x=3", "--view", "primitive", "--json"))
    assert (made["view"], made["axes"]) == ("primitive", [])


def test_a_program_without_variables_has_one_point(capsys: Capture) -> None:
    assert printed(capsys, "sweep", "2 * 3") == "result\n     6\n"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["experiment", *DIAMOND, "--order", "z"], 'no node has the label "z"'),
        (["experiment", *DIAMOND, "--order", "9" * 5000], 'no node has the label "9999'),
        (["experiment", *DIAMOND, "--passes", "11"], "passes must be a whole number from 1 to 10"),
        (["experiment", *DIAMOND, "--mutate", "a"], "write name=number"),
        (["experiment", *DIAMOND, "--seed", "nan"], "seed must be a finite number"),
        (["paths", *DIAMOND, "--node", "e"], 'no node has the label "e"'),
        (["accuracy", *DIAMOND, "--claim", "z=1"], 'no node has the label "z"'),
        (["accuracy", *DIAMOND, "--why", "z"], 'no node has the label "z"'),
        (
            ["descend", *SUM],
            "name with --parameter a variable that may move; the program has a, b, c",
        ),
        (["descend", *SUM, "z=1", "--parameter", "z"], "may move; the program has a, b, c\n"),
        (
            ["descend", "+".join("abcdefghijklm"), *[f"{name}=1" for name in "abcdefghijklm"]],
            "i, j and 3 more\n",
        ),
        (["descend", *DIAMOND, "--row", "b=1"], "not a variable of the program, which has a\n"),
        (["descend", *DIAMOND, "--parameter", "a", "--row", "b"], "write name=number"),
        (["hessian", *DIAMOND, "--variable", "b"], "not a variable of the program, which has a\n"),
        (["hessian", *DIAMOND, "--vector", "b=1"], "not a variable of the program, which has a\n"),
        (["hessian", "2", "--variable", "q"], "not a variable of the program, which has none"),
        (["experiment", *DIAMOND, "--mutate", "b=1"], "the program, which has a\n"),
        (["sweep", "x", "x"], '"x" is not a value; write name=number, name=1,2,3 or name='),
        (["sweep", "x", "x=1:2"], "the grid of `x` must be from:to:count, such as -2:2:101\n"),
        (["sweep", "x", "x=1,,2"], 'the value of `x` must be a number, not the string ""\n'),
        (["sweep", "x", "x=a:2:3"], 'the value of `x` must be a number, not the string "a"\n'),
        (["sweep", "x * y", "y=2", "y=1"], "`y` is given twice; give it once\n"),
        (["sweep", "x", "x=1", "--table=points.parquet"], "--table: a cluster needs --scheduler"),
        (["sweep", "x", "x=1", "--form=ndjson"], "--form: a cluster needs --scheduler"),
        (["sweep", "x", "x=1", "--chunk=5"], "--chunk: a cluster needs --scheduler and --into\n"),
        (["sweep", "x", "x=0:1:1.5"], "must be a whole number from 1 to"),
        (["sweep", "x", "x=1,2,3", "y=1,2"], "has a length of 2, that of `x` one of 3"),
        (["sweep", "2x", "x=1"], "\n\n    2x\n     ^\n"),
    ],
)
def test_an_error_says_what_is_invalid(
    capsys: Capture, arguments: list[str], complaint: str
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert complaint in err
