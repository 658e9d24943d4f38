"""`gradient sweep`; the expected numbers are derived by hand."""

import csv
import io
import json

import pytest

from engine_py import sweep
from engine_py.command.main import main

Capture = pytest.CaptureFixture[str]
LOG = ["log(x) * w", "x=-1:1:3", "w=2,3"]


def printed(capsys: Capture, *arguments: str) -> str:
    assert main(["sweep", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def complaint(capsys: Capture, *arguments: str) -> str:
    assert main(["sweep", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err.partition(": ")[2]


def test_a_grid_is_a_table(capsys: Capture) -> None:
    """The slope of x ** 3 is 3 x ** 2."""
    assert printed(capsys, "x ** 3", "x=0:1:5") == (
        "   x    result    d/dx\n"
        "   0         0       0\n"
        "0.25  0.015625  0.1875\n"
        " 0.5     0.125    0.75\n"
        "0.75  0.421875  1.6875\n"
        "   1         1       3\n"
    )


def test_a_point_without_a_result_says_why_and_the_others_are_there(capsys: Capture) -> None:
    """With w = 2 and 3 slowest, log has a value at 1 alone, where its slope is 1."""
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


def test_many_problems_are_explained_by_the_first(capsys: Capture) -> None:
    """Each of the 14 sums is outside the domain at a node of its own."""
    program = " + ".join(f"log(x - {place})" for place in range(14))
    shown = printed(capsys, program, "x=0.5:13.5:14").splitlines()
    assert len(shown) == 1 + 14 + 1 + 10 + 1
    assert shown[-1] == "and 3 other problems"


def test_a_table_may_be_csv(capsys: Capture) -> None:
    head, *rows = csv.reader(io.StringIO(printed(capsys, *LOG, "--csv")))
    assert head == ["w", "x", "result", "d/dx", "d/dw", "problem"]
    assert rows[0] == ["2", "-1", "", "", "", "domain_error"]
    assert rows[5] == ["3", "1", "0", "3", "0", ""]
    assert len(rows) == 6


def test_the_whole_sweep_is_json(capsys: Capture) -> None:
    values = {"x": {"from": -1, "to": 1, "count": 3}, "w": [2, 3]}
    assert json.loads(printed(capsys, *LOG, "--json")) == sweep("log(x) * w", values)
    made = json.loads(printed(capsys, "1 / x", "x=3", "--view", "primitive", "--json"))
    assert (made["view"], made["axes"]) == ("primitive", [])


def test_a_program_without_variables_has_one_point(capsys: Capture) -> None:
    assert printed(capsys, "2 * 3") == "result\n     6\n"


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("x", '"x" is no value; write name=number, name=1,2,3 or name=from:to:count\n'),
        ("x=1:2", "the grid of `x` must be from:to:count, such as -2:2:101\n"),
        ("x=1,,2", 'the value of `x` must be a number, not the string ""\n'),
        ("x=a:2:3", 'the value of `x` must be a number, not the string "a"\n'),
        ("y=1", "`y` is given twice; give it once\n"),
    ],
)
def test_what_cannot_be_read_is_said(capsys: Capture, argument: str, message: str) -> None:
    assert complaint(capsys, "x * y", "y=2", argument) == message


@pytest.mark.parametrize(
    "argument", ["--table=points.parquet", "--form=ndjson", "--chunk=5", "--into=out"]
)
def test_what_a_cluster_alone_reads_is_refused_without_one(capsys: Capture, argument: str) -> None:
    expected = f"{argument.partition('=')[0]}: a cluster needs --scheduler and --into\n"
    assert complaint(capsys, "x", "x=1", argument) == expected


def test_what_the_engine_refuses_is_said(capsys: Capture) -> None:
    assert "must be a whole number from 1 to" in complaint(capsys, "x", "x=0:1:1.5")
    assert (
        "at most 1000000 in all are accepted; use fewer points, or a Dask cluster with --sched"
        in (complaint(capsys, "x", "x=0:1:2000000"))
    )
    assert "has a length of 2, that of `x` one of 3" in complaint(capsys, "x", "x=1,2,3", "y=1,2")
    assert complaint(capsys, "2x", "x=1").endswith("\n\n    2x\n     ^\n")
