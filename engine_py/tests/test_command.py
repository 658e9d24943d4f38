"""The command on a terminal: the expected texts are derived by hand from the README's document."""

import io
import json
import os
import pty
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from engine_py import draw, introspect, outline
from engine_py.command.main import COMMANDS, main
from engine_py.show.diagrams import to_dot, to_mermaid

ROOT = Path(__file__).parents[2]
GRADIENT = [sys.executable, "-m", "engine_py"]
README = ["(a + b) * c", "a=2", "b=-3", "c=10"]
DOCUMENT = introspect("(a + b) * c", {"a": 2, "b": -3, "c": 10})
EXPLAINED = """\
         id  data  grad  incoming × local = contribution
*         4   -10     1
├─ +      2    -1    10  1 × 10 = 10
│  ├─ a   0     2    10  10 × 1 = 10
│  └─ b   1    -3    10  10 × 1 = 10
└─ c      3    10    -1  1 × -1 = -1

step  to   slot  from  incoming  × local  = contribution  running grad
   1  4 *     0  2 +          1       10              10            10
   2  4 *     1  3 c          1       -1              -1            -1
   3  2 +     0  0 a         10        1              10            10
   4  2 +     1  1 b         10        1              10            10

result = -10
d/da = 10
d/db = 10
d/dc = -1
"""

Capture = pytest.CaptureFixture[str]


def explained(capsys: Capture, *arguments: str) -> str:
    """Give what `explain` prints where it has an answer."""
    assert main(["explain", *arguments]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def refused(capsys: Capture, *arguments: str) -> str:
    """Give the complaint where it has none; argparse ends the process by itself."""
    try:
        code: Any = main(list(arguments))
    except SystemExit as ended:
        code = ended.code
    printed = capsys.readouterr()
    assert (code, printed.out) == (2, "")
    return printed.err


def run(*arguments: str, **options: Any) -> "subprocess.CompletedProcess[bytes]":
    command = [*GRADIENT, *arguments]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, timeout=30, check=False, **options
    )


def on_a_terminal(*arguments: str, **environment: str) -> tuple[int, str]:
    """Run with a pseudo-terminal as stdin, stdout and stderr; give exit code and text."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*GRADIENT, *arguments],
        cwd=ROOT,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "NO_COLOR": "", **environment},
    ) as process:
        os.close(theirs)
        text = b""
        try:
            while piece := os.read(ours, 65_536):
                text += piece
        except OSError:  # so Linux reports the end of a pseudo-terminal
            pass
        os.close(ours)
        return process.wait(timeout=30), text.decode().replace("\r\n", "\n")


def test_explain_prints_the_tree_the_ledger_and_the_gradients(capsys: Capture) -> None:
    assert explained(capsys, *README) == EXPLAINED


def test_the_package_shows_the_tree_in_its_readme() -> None:
    readme = (ROOT / "engine_py" / "README.md").read_text(encoding="utf-8")
    tree, *_ = EXPLAINED.split("\n\n")
    assert 'gradient explain "(a + b) * c" a=2 b=-3 c=10\n' in readme
    assert f"```\n{tree}\n```\n" in readme


def test_what_is_used_twice_has_its_operands_once(capsys: Capture) -> None:
    tree = explained(capsys, "s = a + 1; s * s", "a=2").split("\n\n")[0]
    # (a + 1)² has the slope 2 · 3; each of the two edges brings 3, and the leaves get 6
    assert tree.splitlines()[1:] == [
        "*                3     9     1",
        "├─ s = +         2     3     6  1 × 3 = 3",
        "│  ├─ a          0     2     6  6 × 1 = 6",
        "│  └─ constant   1     1     6  6 × 1 = 6",
        "└─ s = + above   2     3     6  1 × 3 = 3",
    ]


def test_kinds_and_what_has_no_gradient_are_said_in_words(capsys: Capture) -> None:
    text = explained(capsys, "-(w ** 2)", "w=3", "x=1", "--parameter", "w")
    tree, ledger, result = text.split("\n\n")
    assert tree.splitlines()[1:] == [
        "neg derived         3    -9     1",
        "└─ **               2     9    -1  1 × -1 = -1",
        "   ├─ w parameter   0     3    -6  -1 × 6 = -6",
        "   └─ constant      1     2  none  no gradient",
    ]
    assert ledger.splitlines()[3].split() == [
        "3",
        "2",
        "**",
        "1",
        "1",
        "constant",
        "-1",
        "none",
        "none",
        "none",
    ]
    assert result == "result = -9\nd/dw = -6\nunused values: x\n"


def test_what_has_no_gradient_says_so_in_the_tree_and_in_the_ledger(capsys: Capture) -> None:
    tree, ledger, _ = explained(capsys, "sqrt(0 * 5) * x", "x=3").split("\n\n")
    assert tree.count("no gradient") == 3
    assert ledger.splitlines()[-1].split()[-4:] == ["none", "0", "none", "none"]


def test_the_tree_shortens_numbers_and_the_ledger_does_not(capsys: Capture) -> None:
    tree, ledger, result = explained(capsys, "a / 3", "a=1").split("\n\n")
    assert "0.333333 " in tree
    assert "0.3333333333333333" not in tree
    assert " 0.3333333333333333 " in ledger  # the local gradient 1 / 3
    assert result.startswith("result = 0.3333333333333333\n")


def test_a_lone_variable_has_no_edges(capsys: Capture) -> None:
    assert explained(capsys, "a", "a=7").split("\n\n")[1] == "(no edges)"


def test_a_graph_of_more_than_300_nodes_has_no_tree(capsys: Capture) -> None:
    assert "─ " in explained(capsys, "+".join(["a"] * 300), "a=1")  # 1 leaf, 299 sums
    text = explained(capsys, "+".join(["a"] * 301), "a=1")
    assert text.startswith("(no tree: it is drawn of at most 300 nodes, and the graph has 301)\n")
    assert text.endswith("\nresult = 301\nd/da = 301\n")


def test_the_primitive_view_is_explained(capsys: Capture) -> None:
    text = explained(capsys, "a - b", "a=1", "b=2", "--view", "primitive")
    assert [line.split()[0] for line in text.splitlines()[1:3]] == ["+", "├─"]
    assert text.endswith("result = -1\nd/da = 1\nd/db = -1\n")


def test_a_program_may_come_from_stdin(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(b"b = a + 1\nb * b\n"))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert "result = 9\nd/da = 6\n" in explained(capsys, "-", "a=2")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"\xff", "explain: stdin is not UTF-8"),
        (b"1" * 300_000, "at most 65536 are accepted"),
        (b"a $ b\n", "    a $ b\n      ^\n"),
    ],
)
def test_what_stdin_may_hold(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, content: bytes, complaint: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert complaint in refused(capsys, "explain", "-")


def test_a_program_may_begin_with_a_minus_sign(capsys: Capture) -> None:
    assert explained(capsys, "--", "-a**2", "a=3").endswith("result = -9\nd/da = -6\n")
    assert explained(capsys, "-a ** 2", "a=3").endswith("result = -9\nd/da = -6\n")
    assert "write `--` before" in refused(capsys, "explain", "-a**2", "a=3")


@pytest.mark.parametrize("number", ["2", "+2", "2.", "2.0", "0.2e1", "20E-1"])
def test_a_value_is_written_as_a_number_of_the_language(capsys: Capture, number: str) -> None:
    assert explained(capsys, "a * a", f"a={number}").endswith("result = 4\nd/da = 4\n")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["a=1", "a=2"], "`a` is given twice"),
        (["a"], '"a" is no value; write name=number'),
        (["a=x"], 'the value of `a` must be a number, not the string "x"'),
        (["a=nan"], "must be a number"),
        (["a=1_000"], "must be a number"),
        (["a=1e400"], "must be a finite number"),
        (["1a=1"], '"1a" is not a name'),
        (["a=1", "--view", "flat"], "invalid choice"),
        (["a=1", "--parameter", "b"], "`b` has no value"),
        (["a=1", "--json", "--dot"], "not allowed with"),
        (["a=1", "--svg", "/nowhere/graph.svg"], "cannot write /nowhere/graph.svg: No such file"),
    ],
)
def test_arguments_that_cannot_be_used_are_named(
    capsys: Capture, arguments: list[str], complaint: str
) -> None:
    assert complaint in refused(capsys, "explain", "a * a", *arguments)


def test_an_error_shows_its_place_and_exits_with_2() -> None:
    ended = run("explain", "2x + 1", "x=3")
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert ended.stderr.decode() == (
        "python -m engine_py explain: `x` at offset 1 is unexpected; "
        "put `*` between `2` and `x` to multiply\n\n    2x + 1\n     ^\n"
    )


def test_all_missing_values_are_named_at_once(capsys: Capture) -> None:
    complaint = refused(capsys, "explain", "a * x + y", "a=1", "--parameter", "w")
    assert "`x`, `y`, `w` have no values; add them to values\n" in complaint
    assert "\nwrite after the program: x=... y=... w=...\n" in complaint
    assert complaint.endswith("\n\n    a * x + y\n        ^\n")


def test_parse_prints_the_tree_and_the_variables_before_any_value(capsys: Capture) -> None:
    assert main(["parse", "s = b - a\ns * s ** 2", "--parameter", "a"]) == 0
    assert (
        capsys.readouterr().out
        == """\
                           id  text
*                           5  s * s ** 2
├─ s = - derived            2  b - a
│  ├─ b                     0  b
│  └─ a parameter           1  a
└─ **                       4  s ** 2
   ├─ s = - derived above   2  b - a
   └─ constant              3  2

variables: b, a
"""
    )
    assert main(["parse", "1 + 2"]) == 0
    assert capsys.readouterr().out.endswith("\n\nvariables: none\n")


def test_parse_gives_the_outline(capsys: Capture) -> None:
    assert main(["parse", "a - 1", "--view", "primitive", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == outline("a - 1", view="primitive")
    large = "+".join(["a"] * 301)
    assert main(["parse", large]) == 0
    assert capsys.readouterr().out.startswith("(no tree: ")
    assert refused(capsys, "parse", "a ** bc").endswith("\n\n    a ** bc\n         ^^\n")


def test_other_forms_are_those_of_the_engine(capsys: Capture, tmp_path: Path) -> None:
    assert json.loads(explained(capsys, *README, "--json")) == DOCUMENT
    assert explained(capsys, *README, "--dot") == to_dot(DOCUMENT)
    assert explained(capsys, *README, "--mermaid") == to_mermaid(DOCUMENT)
    assert explained(capsys, *README, "--svg", "-") == draw(DOCUMENT)
    file = tmp_path / "graph.svg"
    assert explained(capsys, *README, "--svg", str(file)) == ""
    assert file.read_text(encoding="utf-8") == draw(DOCUMENT)


def test_a_picture_is_drawn_of_at_most_2000_nodes(capsys: Capture) -> None:
    program = "+".join(["a"] * 2_001)
    assert "of at most 2000" in refused(capsys, "explain", program, "a=1", "--svg", "-")


def test_colours_are_for_terminals_alone() -> None:
    code, text = on_a_terminal("explain", *README)
    assert code == 0
    assert "\x1b[36m" in text
    assert re.sub(r"\x1b\[\d+m", "", text).split() == EXPLAINED.split()
    for variable in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert on_a_terminal("explain", *README, **variable) == (0, EXPLAINED)
    assert run("explain", *README).stdout.decode() == EXPLAINED


def test_a_terminal_of_ascii_gets_ascii() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    text = run("explain", *README, env=environment).stdout.decode("ascii")
    assert text.splitlines()[2] == "|- +      2    -1    10  1 x 10 = 10"
    assert text.splitlines()[5] == "`- c      3    10    -1  1 x -1 = -1"
    picture = run("explain", *README, "--svg", "-", env=environment).stdout
    assert picture.decode("utf-8") == draw(DOCUMENT)


def test_explain_needs_no_package_and_not_the_slow_modules() -> None:
    code = (
        "import sys; from engine_py.command.main import main;"
        f"main({['explain', *README]!r}); print(*sys.modules, file=sys.stderr)"
    )
    # -S leaves out site-packages, so that an import of any package would fail.
    ended = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, check=True, text=True
    )
    assert ended.stdout == EXPLAINED
    slow = {"asyncio", "dataclasses", "inspect", "socket", "unittest", "xml"}
    assert slow.isdisjoint(ended.stderr.split())


def test_a_reader_that_leaves_early_is_no_fault() -> None:
    ones = "+".join(["a"] * 5_000)
    with subprocess.Popen(
        [*GRADIENT, "explain", ones, "a=1"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=30) == 1


def test_without_a_command_it_explains_itself_and_does_not_wait() -> None:
    code, text = on_a_terminal()
    assert code == 2
    assert [name for name in COMMANDS if not re.search(rf"\n    {name}\s", text)] == []
    piped = run(stdin=subprocess.PIPE)
    assert (piped.returncode, piped.stdout) == (2, b"")
    assert "worker" in piped.stderr.decode()


def test_the_worker_on_a_terminal_says_what_it_waits_for() -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*GRADIENT, "worker"], cwd=ROOT, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE
    ) as process:
        os.close(theirs)
        assert process.stderr
        assert b"one JSON object a line" in process.stderr.readline()
        os.write(ours, b'{"kind": "stop"}\n')
        assert process.wait(timeout=30) == 0
    os.close(ours)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help_with_examples_that_run(
    capsys: Capture, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("--help").returncode == 0
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out.partition("Example")[2]
    examples = re.findall(r"^  (.*)$", shown.partition("\n\n")[0], re.MULTILINE)
    assert examples
    monkeypatch.chdir(tmp_path)
    forms = tomllib.loads(Path(__file__).with_name("test_grade.toml").read_text())["forms"]
    Path("student.py").write_text(forms["short"])
    for example in examples:
        if "|" not in example:
            words = shlex.split(example)
            assert main(words[words.index(name) :]) == 0


def test_a_piped_example_runs() -> None:
    assert run("explain", "-", "x=1", input=b"exp(x)\n").returncode == 0
    started = run("worker", input=b'{"kind": "start", "protocol": "1"}\n')
    assert json.loads(started.stdout)["kind"] == "started"


USES = [
    *[[name, "a * a", "a=2"] for name in ("accuracy", "experiment", "explain", "hessian", "sweep")],
    *[["explain", "a * a", "a=2", form] for form in ("--json", "--dot", "--mermaid", "--svg=-")],
    ["descend", "a * a", "a=2", "--parameter", "a"],
    ["grade", "engine_py/value.py"],
    ["parse", "a * a"],
    ["paths", "a * a", "a=2", "--node", "a"],
    ["sweep", "a * a", "a=2", "--csv"],
    ["worker"],
]


@pytest.mark.thorough
@pytest.mark.parametrize("arguments", USES, ids=" ".join)
def test_a_stdout_that_cannot_be_written_is_told_in_one_sentence(arguments: list[str]) -> None:
    assert {name for name, *_ in USES} == set(COMMANDS)
    for redirection, reason in [(">&-", "stdout is closed"), (">/dev/full", "No space left")]:
        ended = redirected(redirection, *arguments)
        assert ended.returncode == 2
        [line] = ended.stderr.decode().splitlines()
        assert line.startswith(f"python -m engine_py {arguments[0]}: ")
        assert reason in line


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", "2>/dev/full <&-"])
def test_without_stderr_the_exit_code_remains(redirection: str) -> None:
    for arguments, code in [(["a * ("], 2), (["a * a", "a=2"], 0), (["a", "--none"], 2)]:
        ended = redirected(redirection, "explain", *arguments)
        assert (ended.returncode, ended.stdout[:4]) == (code, b"" if code else b"    ")


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("grade", "worker")])
def test_a_stdin_that_cannot_be_read_is_told_in_one_sentence(name: str, tmp_path: Path) -> None:
    more = ["--node", "a"] if name == "paths" else []
    into = tmp_path / "written"
    for redirection, reason in [
        ("<&-", "stdin is closed"),
        (f"0>{into}", "stdin failed: Bad file descriptor"),
    ]:
        ended = redirected(redirection, name, "-", *more)
        assert (ended.returncode, ended.stdout) == (2, b"")
        assert ended.stderr.decode() == f"python -m engine_py {name}: {reason}\n"


def test_help_and_version_that_cannot_be_written_are_told() -> None:
    for option in ("--help", "--version"):
        ended = redirected(">/dev/full", option)
        assert ended.returncode == 2
        assert ended.stderr == b"python -m engine_py: stdout failed: No space left on device\n"
    assert redirected("<&-", "worker").stderr == b"python -m engine_py worker: stdin is closed\n"


def redirected(redirection: str, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    """Run with streams as a shell makes them; the worker gets a line to answer."""
    line = f"{shlex.join([*GRADIENT, *arguments])} {redirection}"
    stop = b'{"kind": "stop"}\n'
    return subprocess.run(
        ["/bin/sh", "-c", line], cwd=ROOT, capture_output=True, timeout=30, check=False, input=stop
    )


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["a", "a=1", "--jsn"], "(`--jsn` is no flag; did you mean `--json`?)"),
        (["a", "a=1", "-json"], "(`-json` is no flag; did you mean `--json`?)"),
        (["a", "a=1", "--foo"], "(`--foo` is no flag; --help lists them)"),
        (["a", "--foo=1", "-2 * x"], "(`--foo` is no flag; --help lists them)"),
        (["--a**2", "a=1"], "(write `--` before a program that begins with a minus sign)"),
        (["-a"], "(write `--` before a program that begins with a minus sign)"),
        (["--json", "--", "-a", "--jsn"], "no value; write name=number, such as a=2"),
    ],
)
def test_what_only_looks_like_a_flag_gets_the_hint_that_helps(
    capsys: Capture, arguments: list[str], hint: str
) -> None:
    assert refused(capsys, "explain", *arguments).splitlines()[-1].endswith(hint)


def test_values_may_stand_after_an_option(capsys: Capture) -> None:
    text = explained(capsys, "a * b", "a=2", "--view", "primitive", "b=3", "--parameter", "a")
    assert text.endswith("result = 6\nd/da = 3\nd/db = 2\n")
    assert "unrecognized arguments: a=1" in refused(capsys, "parse", "a", "--json", "a=1")


def test_missing_arguments_get_no_hint_on_any_python(capsys: Capture) -> None:
    shown = refused(capsys, "explain").splitlines()[-1]
    assert re.search(r"arguments are required: program(, name=number)?$", shown)
