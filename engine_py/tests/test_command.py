"""The command `gradient`. Expected texts are derived by hand from the README's document."""

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

import pytest

from engine_py import draw, introspect, outline
from engine_py.command.main import COMMANDS, main
from engine_py.command.terminal import paint_of
from engine_py.show.diagrams import to_dot, to_mermaid
from engine_py.show.explanation import Paint, coloured, plain

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
Patch = pytest.MonkeyPatch


def explained(capsys: Capture, *arguments: str) -> str:
    """Return what `explain` prints; it must succeed."""
    assert main(["explain", *arguments]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def refused(capsys: Capture, *arguments: str) -> str:
    """Return the error message of a command that must exit with 2."""
    code = main(list(arguments))
    printed = capsys.readouterr()
    if "--json" in arguments and not printed.err:
        printed = printed._replace(err=json.loads(printed.out)["detail"], out="")
    assert (code, printed.out) == (2, "")
    return printed.err


def run(*arguments: str, redirection: str = "") -> "subprocess.CompletedProcess[str]":
    """Run in a process, with the streams that a shell opens."""
    line = f"{shlex.join([*GRADIENT, *arguments])} {redirection}"
    command = ["/bin/sh", "-c", line]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False, text=True)


def give_stdin(monkeypatch: Patch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


def test_the_readme_of_the_package_shows_this_tree() -> None:
    readme = (ROOT / "engine_py" / "README.md").read_text(encoding="utf-8")
    tree, *_ = EXPLAINED.split("\n\n")
    assert 'gradient explain "(a + b) * c" a=2 b=-3 c=10\n' in readme
    assert f"```\n{tree}\n```\n" in readme


def test_a_program_without_variables_says_which_names_are_numbers(capsys: Capture) -> None:
    last = explained(capsys, "x = 3; x**2").splitlines()[-1]
    assert last == "no gradients: x is a number of the program, not a variable"


@pytest.mark.parametrize(
    ("program", "shown"),
    [
        ("2x^2", ["2*x**2"]),
        ("1/2x", ["1/2*x", "1/(2*x)"]),
        ("0x10*x", ["perhaps:", "", "16*x"]),
        ("acos(x)", []),
        ("y*2", []),
    ],
)
def test_possible_rewrites_are_shown_below_an_error(
    capsys: Capture, program: str, shown: list[str]
) -> None:
    lines = refused(capsys, "explain", program, "x=3").splitlines()
    assert [line.strip() for line in lines[lines.index("    " + program) + 2 :][3:]] == shown


def test_rewrite_accepts_other_notations_and_reports_the_program(capsys: Capture) -> None:
    assert main(["explain", "x^y", "x=2", "y=3", "--rewrite"]) == 0
    out, err = capsys.readouterr()
    assert err.endswith(": read as `exp(y * log(x))`, where x > 0\n")
    assert "d/dx = " in out
    assert "an operator is missing" in refused(capsys, "explain", "1/2x", "x=2", "--rewrite")


def test_the_operands_of_a_shared_node_are_printed_once(capsys: Capture) -> None:
    tree = explained(capsys, "s = a + 1; s * s", "a=2").split("\n\n")[0]
    # (a + 1)² has the slope 2 · 3; each of the two edges brings 3, and the leaves get 6
    assert tree.splitlines()[1:] == [
        "*                3     9     1",
        "├─ s = +         2     3     6  1 × 3 = 3",
        "│  ├─ a          0     2     6  6 × 1 = 6",
        "│  └─ constant   1     1     6  6 × 1 = 6",
        "└─ s = + above   2     3     6  1 × 3 = 3",
    ]
    assert "above" not in explained(capsys, "a * a", "a=3")  # a leaf has no operands


def test_kinds_are_named_and_an_exponent_has_no_gradient(capsys: Capture) -> None:
    text = explained(capsys, "-(w ** 2)", "w=3", "x=1", "--parameter", "w")
    tree, ledger, result = text.split("\n\n")
    assert tree.splitlines()[1:] == [
        "neg derived         3    -9     1",
        "└─ **               2     9    -1  1 × -1 = -1",
        "   ├─ w parameter   0     3    -6  -1 × 6 = -6",
        "   └─ constant      1     2  none  no gradient",
    ]
    cells = "3 | 2 ** | 1 | 1 constant | -1 | none | none | none"
    assert ledger.splitlines()[3].split() == cells.replace("|", "").split()
    assert result == "result = -9\nd/dw = -6\nunused values: x\n"


def test_a_missing_gradient_is_named_in_the_tree_and_the_ledger(capsys: Capture) -> None:
    tree, ledger, _ = explained(capsys, "sqrt(0 * 5) * x", "x=3").split("\n\n")
    assert tree.count("no gradient") == 3
    assert ledger.splitlines()[-1].split()[-4:] == ["none", "0", "none", "none"]


def test_the_tree_rounds_numbers_and_the_ledger_does_not(capsys: Capture) -> None:
    tree, ledger, result = explained(capsys, "a / 3", "a=1").split("\n\n")
    assert "0.333333 " in tree
    assert "0.3333333333333333" not in tree
    assert " 0.3333333333333333 " in ledger  # the local gradient 1 / 3
    assert result.startswith("result = 0.3333333333333333\n")


def test_a_single_variable_has_no_edges(capsys: Capture) -> None:
    assert explained(capsys, "a", "a=7").split("\n\n")[1] == "(no edges)"


def test_a_graph_of_more_than_300_nodes_has_no_tree(capsys: Capture) -> None:
    none = "(no tree: the graph has 301 nodes; at most 300 are drawn)\n"
    assert "─ " in explained(capsys, "+".join(["a"] * 300), "a=1")  # 1 leaf, 299 sums
    text = explained(capsys, "+".join(["a"] * 301), "a=1")
    assert text.startswith(none)
    assert text.endswith("\nresult = 301\nd/da = 301\n")
    assert main(["parse", "+".join(["a"] * 301)]) == 0
    assert capsys.readouterr().out.startswith(none)


def test_the_primitive_view_is_explained(capsys: Capture) -> None:
    text = explained(capsys, "a - b", "a=1", "b=2", "--view", "primitive")
    assert [line.split()[0] for line in text.splitlines()[1:3]] == ["+", "├─"]
    assert text.endswith("result = -1\nd/da = 1\nd/db = -1\n")


def test_parse_prints_the_tree_and_the_variables_without_values(capsys: Capture) -> None:
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


def test_other_formats_are_those_of_the_engine(capsys: Capture, tmp_path: Path) -> None:
    assert json.loads(explained(capsys, *README, "--json")) == DOCUMENT
    assert explained(capsys, *README, "--dot") == to_dot(DOCUMENT)
    assert explained(capsys, *README, "--mermaid") == to_mermaid(DOCUMENT)
    assert explained(capsys, *README, "--svg", "-") == draw(DOCUMENT)
    file = tmp_path / "graph.svg"
    assert explained(capsys, *README, "--svg", str(file)) == ""
    assert file.read_text(encoding="utf-8") == draw(DOCUMENT)
    assert main(["parse", "a - 1", "--view", "primitive", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == outline("a - 1", view="primitive")


def test_a_picture_has_at_most_2000_nodes(capsys: Capture) -> None:
    program = "+".join(["a"] * 2_001)
    assert "at most 2000 are drawn" in refused(capsys, "explain", program, "a=1", "--svg", "-")


def test_a_program_may_come_from_stdin(capsys: Capture, monkeypatch: Patch) -> None:
    give_stdin(monkeypatch, b"b = a + 1\nb * b\n")
    assert "result = 9\nd/da = 6\n" in explained(capsys, "-", "a=2")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"\xff", "explain: stdin is not UTF-8"),
        (b"1" * 300_000, "stdin has more than 262144 bytes; at most 65536 characters are accepted"),
        (b"a $ b\n", "    a $ b\n      ^\n"),
    ],
)
def test_an_invalid_program_on_stdin_is_rejected(
    capsys: Capture, monkeypatch: Patch, content: bytes, complaint: str
) -> None:
    give_stdin(monkeypatch, content)
    assert complaint in refused(capsys, "explain", "-")


def test_a_program_may_begin_with_a_minus_sign(capsys: Capture) -> None:
    assert explained(capsys, "--", "-a**2", "a=3").endswith("result = -9\nd/da = -6\n")
    assert explained(capsys, "-a ** 2", "a=3").endswith("result = -9\nd/da = -6\n")


def test_values_may_follow_an_option(capsys: Capture) -> None:
    text = explained(capsys, "a * b", "a=2", "--view", "primitive", "b=3", "--parameter", "a")
    assert text.endswith("result = 6\nd/da = 3\nd/db = 2\n")
    assert " explain a --json a=1" in refused(capsys, "parse", "a", "--json", "a=1")


def test_a_sweep_has_no_parameters(capsys: Capture) -> None:
    assert "unrecognized arguments" in refused(capsys, "sweep", "a", "a=1", "--parameter", "a")


@pytest.mark.parametrize("number", ["2", "+2", "2.", "2.0", "0.2e1", "20E-1"])
def test_a_value_is_a_number_of_the_language(capsys: Capture, number: str) -> None:
    assert explained(capsys, "a * a", f"a={number}").endswith("result = 4\nd/da = 4\n")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["a=1", "a=2"], "`a` is given twice"),
        (["a=1e400"], "must be a finite number"),
        (["1a=1"], '"1a" is not a name'),
        (["a=1", "--view", "flat"], "invalid choice"),
        (["a=1", "--parameter", "b"], "`b` has no value"),
        (["a=1", "--json", "--dot"], "not allowed with"),
        (["a=1", "--svg", "/nowhere/graph.svg"], "cannot write /nowhere/graph.svg: No such file"),
    ],
)
def test_an_error_names_the_invalid_argument(
    capsys: Capture, arguments: list[str], complaint: str
) -> None:
    assert complaint in refused(capsys, "explain", "a * a", *arguments)


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["a", "a=1", "--jsn"], "(`--jsn` is not a flag; did you mean `--json`?)"),
        (["a", "a=1", "-json"], "(`-json` is not a flag; did you mean `--json`?)"),
        (["a", "a=1", "--foo"], "(`--foo` is not a flag; --help lists them)"),
        (["a", "--foo=1", "-2 * x"], "(`--foo` is not a flag; --help lists them)"),
        (["--a**2", "a=1"], "(write `--` before a program that begins with a minus sign)"),
        (["-a"], "(write `--` before a program that begins with a minus sign)"),
        (["--json", "--", "-a", "--jsn"], "not a value; write name=number, such as a=2"),
    ],
)
def test_an_unknown_flag_gets_a_hint(capsys: Capture, arguments: list[str], hint: str) -> None:
    assert refused(capsys, "explain", *arguments).splitlines()[-1].endswith(hint)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["explane", "a", "a=1"], "`explane` is not a command; did you mean `explain`?"),
        (["(a+b)*c", "a=1"], "missing; write `python -m engine_py explain` before the program"),
        (["translate", "a"], "`translate` is not a command; commands are accuracy, completion, "),
        (["explain"], "the program is missing; write it first, such as '(a + b) * c'"),
        (["explain", "--json"], "the program is missing; write it first"),
        (["descend", "a", "a=1", "--lr", "1"], "did you mean `--learning-rate`?"),
        (["descend", "a", "a=1", "--learn=1"], "did you mean `--learning-rate`?"),
        (["descend", "a", "a=1", "--epochs", "9"], "did you mean `--steps`?"),
    ],
)
def test_a_wrong_command_or_option_gets_a_suggestion(
    capsys: Capture, monkeypatch: Patch, arguments: list[str], complaint: str
) -> None:
    monkeypatch.setattr(sys, "argv", ["-m"])
    assert complaint in refused(capsys, *arguments)


def test_file_reads_the_program_from_a_file(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "program.txt"
    file.write_text("\ufeff(a + b) * c\n", encoding="utf-8")
    assert explained(capsys, "a=2", "--file", str(file), "b=-3", "c=10") == EXPLAINED
    assert f"which --file {file} reads\n" in refused(capsys, "explain", str(file), "a=2")
    file.write_text(' {"expression": "x"}')
    assert f"JSON, which only `sweep {file} --sch" in refused(capsys, "sweep", str(file), "a=2")
    assert "there are two programs" in refused(capsys, "parse", "a", "--file", str(file))
    assert "No such file" in refused(capsys, "parse", "--file", str(tmp_path / "other"))


def test_an_error_shows_its_place_and_exits_with_2() -> None:
    ended = run("explain", "2x + 1", "x=3")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == (
        "python -m engine_py explain: `x` at offset 1 is unexpected; "
        "an operator is missing between `2` and `x`\n\n    2x + 1\n     ^\n"
        "\nperhaps this, which --rewrite accepts:\n\n    2*x + 1\n"
    )


def test_all_missing_values_are_named_at_once(capsys: Capture) -> None:
    complaint = refused(capsys, "explain", "a * x + y", "a=1", "--parameter", "w")
    message = "`x`, `y`, `w` have no values; write after the program: x=... y=... w=...\n"
    assert message in complaint
    assert complaint.endswith("\n\n    a * x + y\n        ^\n")


def test_without_a_command_all_commands_are_listed(capsys: Capture) -> None:
    text = refused(capsys)
    assert [name for name in COMMANDS if not re.search(rf"\n    {name}\s", text)] == []


def examples_of(capsys: Capture, name: str) -> list[list[str]]:
    """Return the arguments of the examples in a command's help, up to `>`, except pipes."""
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out.partition("Example")[2].partition("\n\n")[0]
    lines = re.findall(r"^  (.*?)(?: > .*)?$", shown, re.MULTILINE)
    examples = [shlex.split(line) for line in lines]
    assert examples
    return [words[words.index(name) :] for words in examples if "|" not in words]


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help_with_examples_that_run(
    capsys: Capture, name: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.chdir(tmp_path)
    classes = tomllib.loads(Path(__file__).with_name("test_grade.toml").read_text())
    Path("handed-in").mkdir()
    for file in ("student.py", "handed-in/ann.py"):
        Path(file).write_text(classes["forms"]["microgpt"])
    monkeypatch.setattr("engine_py.command.grade._SECONDS", 60.0)  # the machine may be busy
    monkeypatch.setattr("engine_py.notebook.PAGES", (Path("student.py"),))
    monkeypatch.setattr("engine_py.command.page_server.show", bool)
    monkeypatch.setattr("http.server.ThreadingHTTPServer.serve_forever", lambda _: None)
    for example in examples_of(capsys, name):
        assert main(example) == 0


def on_terminal(*arguments: str, columns: int) -> str:
    """Run with a pseudo-terminal as stdin, stdout and stderr, and return its output."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*GRADIENT, *arguments],
        cwd=ROOT,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "NO_COLOR": "", "COLUMNS": str(columns)},
    ) as process:
        os.close(theirs)
        text = b""
        try:
            while piece := os.read(ours, 65_536):
                text += piece
        except OSError:  # the end of a pseudo-terminal on Linux
            pass
        os.close(ours)
        assert process.wait() == 0
    return text.decode().replace("\r\n", "\n")


def test_output_to_a_terminal_has_colours() -> None:
    text = on_terminal("explain", *README, columns=80)
    assert "\x1b[36m" in text
    assert re.sub(r"\x1b\[\d+m", "", text) == EXPLAINED


@pytest.mark.parametrize(
    "arguments",
    [
        ["explain", "neuron = tanh(x*w + b); neuron / 3", "x=1.1", "w=0.3", "b=1"],
        ["descend", "(w*x - y)**2", "w=0.3", "x=1", "y=3", "--parameter", "w", "--steps", "3"],
        ["hessian", "exp(a*b/c*d)", "a=0.1", "b=0.2", "c=0.7", "d=0.3"],
        ["sweep", "exp(a*b/c*d)", "a=0:1:3", "b=0.2", "c=0.7", "d=0.3"],
        ["accuracy", "exp(average_of_all*2 + average_of_all*2) - 1", "average_of_all=0.1"],
        ["paths", "(a+b)*(a-b)", "a=1.1", "b=0.3", "--node", "a"],
        ["experiment", "tanh(a*b)", "a=1.1", "b=0.3", "--mutate", "a=5"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_table_fits_the_width_of_the_terminal(arguments: list[str]) -> None:
    text = re.sub(r"\x1b\[\d+m", "", on_terminal(*arguments, columns=60))
    rows = [line for line in text.splitlines() if "  " in line]
    assert rows
    assert max(map(len, rows)) <= 60


@pytest.mark.parametrize(
    ("environment", "paint"),
    [({}, coloured), ({"NO_COLOR": "1"}, plain), ({"TERM": "dumb"}, plain)],
)
def test_only_a_terminal_that_accepts_colours_gets_them(
    monkeypatch: Patch, environment: dict[str, str], paint: Paint
) -> None:
    base = {"TERM": "xterm", "NO_COLOR": "", "FORCE_COLOR": ""}
    for name, value in (base | environment).items():
        monkeypatch.setenv(name, value)
    stream = io.StringIO()
    assert paint_of(stream) is plain
    monkeypatch.setattr(stream, "isatty", lambda: True)
    assert paint_of(stream) is paint


def test_colours_may_be_forced(monkeypatch: Patch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "")
    assert paint_of(io.StringIO()) is coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert paint_of(io.StringIO()) is plain


def test_an_ascii_terminal_gets_ascii(monkeypatch: Patch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    assert main(["explain", *README]) == 0
    lines = written.getvalue().decode("ascii").splitlines()
    assert lines[2] == "|- +      2    -1    10  1 x 10 = 10"
    assert lines[5] == "`- c      3    10    -1  1 x -1 = -1"
    before = len(written.getvalue())
    assert main(["explain", *README, "--svg", "-"]) == 0
    assert written.getvalue()[before:].decode("utf-8") == draw(DOCUMENT)


def test_the_worker_says_on_a_terminal_which_input_it_waits_for(
    capsys: Capture, monkeypatch: Patch
) -> None:
    give_stdin(monkeypatch, b'{"kind": "stop"}\n')
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    assert main(["worker"]) == 0
    printed = capsys.readouterr()
    assert "one JSON object a line" in printed.err
    assert json.loads(printed.out) == {"kind": "stopped"}


def test_explain_imports_no_package_and_no_slow_module() -> None:
    code = (
        "import sys; from engine_py.command.main import main;"
        f"main({['explain', *README]!r}); print(*sys.modules, file=sys.stderr)"
    )
    # -S excludes site-packages, so importing any package would fail.
    ended = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, check=True, text=True
    )
    assert ended.stdout == EXPLAINED
    slow = {"asyncio", "dataclasses", "inspect", "socket", "unittest", "xml"}
    assert slow.isdisjoint(ended.stderr.split())


def test_a_closed_pipe_causes_no_message() -> None:
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
        assert process.wait() == 141  # 128 and SIGPIPE


MORE_FORMS = {"explain": ["--json", "--dot", "--mermaid", "--svg=-"], "sweep": ["--csv"]}


@pytest.mark.parametrize("name", COMMANDS)
def test_an_error_of_stdout_is_reported_in_one_line(
    capsys: Capture, name: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("student.py").write_text("")
    [use, *_] = [*examples_of(capsys, name), [name]]
    for arguments in [use, *[[*use, form] for form in MORE_FORMS.get(name, [])]]:
        with Path("/dev/full").open("w", encoding="utf-8") as full:
            for stdout, reason in [(None, "is closed"), (full, "No space left on device")]:
                give_stdin(monkeypatch, b'{"kind": "stop"}\n')
                with monkeypatch.context() as patched:
                    patched.setattr(sys, "stdout", stdout)
                    assert main(arguments) == 2
                [line] = capsys.readouterr().err.splitlines()
                assert line.partition(": ")[0].endswith(f" {name}")
                assert line.endswith(reason)


READERS = [name for name in COMMANDS if name not in ("completion", "grade", "worker")]


@pytest.mark.parametrize("name", READERS)
def test_an_error_of_stdin_is_reported_in_one_line(
    capsys: Capture, name: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    [[_, _program, *more], *_] = examples_of(capsys, name)
    monkeypatch.setattr(sys, "stdin", None)
    assert refused(capsys, name, "-", *more).endswith(f" {name}: stdin is closed\n")
    for_writing = os.open(tmp_path / "written", os.O_WRONLY | os.O_CREAT)
    with os.fdopen(for_writing) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        complaint = refused(capsys, name, "-", *more)
    assert complaint.endswith(f" {name}: stdin failed: Bad file descriptor\n")


@pytest.mark.parametrize(
    ("redirection", "arguments", "complaint"),
    [
        (">&-", ["explain", *README], " explain: stdout is closed"),
        (">/dev/full", ["explain", *README], " explain: stdout failed: No space left on device"),
        (">/dev/full", ["--help"], ": stdout failed: No space left on device"),
        ("<&-", ["worker"], " worker: stdin is closed"),
    ],
)
def test_a_process_reports_in_one_line_which_stream_fails(
    redirection: str, arguments: list[str], complaint: str
) -> None:
    ended = run(*arguments, redirection=redirection)
    assert (ended.returncode, ended.stderr) == (2, f"python -m engine_py{complaint}\n")


@pytest.mark.parametrize(
    ("redirection", "arguments", "code"),
    [
        ("2>&-", ["a * ("], 2),
        ("2>&-", ["a", "--none"], 2),
        ("2>/dev/full", ["a * ("], 2),
        ("2>/dev/full <&-", ["a * a", "a=2"], 0),
    ],
)
def test_without_stderr_the_exit_code_stays_the_same(
    redirection: str, arguments: list[str], code: int
) -> None:
    ended = run("explain", *arguments, redirection=redirection)
    assert (ended.returncode, ended.stdout[:4]) == (code, "" if code else "    ")
