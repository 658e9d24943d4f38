"""The command as people and scripts use it: the exit code and first line of each invocation."""

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from engine_py import CONTRACT, __version__, sweep
from engine_py.command import main as command

ROOT = Path(__file__).parents[2]
SCHEMAS = {
    schema["$id"]: schema
    for file in (ROOT / "schemas").glob("*.schema.json")
    for schema in [json.loads(file.read_text())]
}
GRIDS = [("w", 1, 2, 201), ("x", -1, 1, 101)]

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch

INVOCATIONS = [
    # arguments, exit code, and a part of the first line on stdout or, without one, on stderr
    ("parse 'x**2'", 0, "text"),
    ("explain 'x**2' x=3", 0, "incoming × local = contribution"),
    ("explain 'x**2' x = 3", 0, "incoming × local = contribution"),
    ("explain 'x**2' 'x = 3'", 0, "incoming × local = contribution"),
    ("explain 'a*b' a=1,b=2", 0, "incoming × local = contribution"),
    ("explain 'a*b' a=1, b=2", 0, "incoming × local = contribution"),
    ("explain 'y = x**2' x=3", 0, "incoming × local = contribution"),
    ("explain x=3", 2, "write it first, such as '(a + b) * c'"),
    ("explain x=3 'x*2'", 2, "explain 'x*2' x=3"),
    ("explain 'x' x=nan", 2, 'the value of `x` must be a number, not the string "nan"'),
    ("explain 'x' 'x=1 2'", 2, 'the value of `x` must be a number, not the string "1 2"'),
    ("explain 'x' 3", 2, 'explain: "3" is not a value; write name=number, such as a=2'),
    ("explain 'log(x)' x=-1", 3, "numbers above 0 only, at node 1 (`log`)"),
    ("explain 'exp(x)' x=1000", 3, "is too large for a double; use values nearer to 0"),
    ("accuracy 'log(exp(x))' x=800", 0, "error"),
    ("accuracy 'log(x)' x=-1", 3, "error"),
    ("accuracy 'x*x' x=3 --claim x=5", 1, "error"),
    ("explain 'a*b' --a 1 --b=-2", 2, " explain 'a*b' a=1 b=-2"),
    ("accuracy 'x*x' x=0.1 --most 1", 0, "error"),
    ("help", 0, "command ..."),
    ("help sweep", 0, "[--file file]"),
    ("help swep", 2, "`swep` is not a command; did you mean `sweep`?"),
    ("-V", 0, f"gradient {__version__}, contract {CONTRACT}, Python {sys.version.split()[0]}"),
    ("parse 'x**2' x=1", 2, " explain 'x**2' x=1"),
    (
        f"explain '{' ' * 5_000}' x=1",
        2,
        "explain: the end of the text at offset 5000 is unexpected",
    ),
    ("sweep 'log(x)' x=-1:0:3", 3, "problem"),
    ("sweep 'log(x)' x=-1:1:3", 0, "problem"),
    ("sweep 'x' x=0:1:9999999", 2, "write them to a file with --into FILE.csv, or with --csv"),
    ("sweep 'x' x=0:1:9 --into rows.txt", 2, "the name must end with .csv or .parquet"),
    ("sweep 'x' x=0:1:9 --into /nowhere/rows.csv", 2, "No such file or directory"),
    ("descend 'log(w)' w=1 --parameter w --learning-rate 2", 3, "w"),
]


@pytest.mark.parametrize(("typed", "code", "first"), INVOCATIONS)
def test_an_invocation_has_its_exit_code_and_first_line(
    capsys: Capture, typed: str, code: int, first: str
) -> None:
    try:
        ended: Any = command.main(shlex.split(typed))
    except SystemExit as end:  # argparse, after its help
        ended = end.code
    out, err = capsys.readouterr()
    assert (ended, first in (out or err).splitlines()[0]) == (code, True)
    assert not (out and code == 2)


@pytest.mark.parametrize(
    ("typed", "code", "members"),
    [
        ("explain 2x x=1", 2, {"code": "unexpected_token", "span": {"start": 1, "end": 2}}),
        ("explain 'a*b' a=1", 2, {"code": "missing_value", "name": "b", "names": ["b"]}),
        ("explain a a=b", 2, {"code": "invalid_value", "name": "a", "pointer": "/values/a"}),
        ("parse", 2, {"code": "invalid_request", "span": None, "pointer": "/expression"}),
        ("parse a --vew=folded", 2, {"code": "invalid_request", "pointer": ""}),
        ("explain 'log(x)' x=0", 3, {"code": "domain_error", "node": 1, "operands": [0]}),
        ("sweep 'x**2' x=0:1:1e15", 2, {"code": "limit_exceeded", "name": "sweep_nodes"}),
    ],
)
def test_with_json_an_error_is_a_problem_of_the_service(
    capsys: Capture, typed: str, code: int, members: dict[str, Any]
) -> None:
    assert command.main([*shlex.split(typed), "--json"]) == code
    out, err = capsys.readouterr()
    problem = json.loads(out)
    assert (members.items() <= problem.items(), err) == (True, "")
    assert ("rewrite" in problem) == ("2x" in typed)
    schema = dict(
        SCHEMAS["urn:gradient-service:schema:problem"], required=["code", "detail", "span"]
    )
    registry = [(uri, Resource.from_contents(each)) for uri, each in SCHEMAS.items()]
    Draft202012Validator(schema, registry=Registry().with_resources(registry)).validate(problem)
    assert problem.keys() <= schema["properties"].keys()


@pytest.mark.parametrize(
    ("typed", "reported"),
    [
        ("x**2 | explain x=3", "result = 9"),
        ("x*y | explain x = 2 y=1/2", "result = 1"),
        ("x**2 | sweep x=1,3", "3       9     6"),
        ("x**2 | explain 'y = x**3' x=2", "result = 8"),
        ("x**2 | parse", "variables: x"),
        ("x**2 | explain --file - x=3", "result = 9"),
        (" | explain x=3", "explain: stdin has no program"),
    ],
)
def test_a_pipe_has_the_program_if_no_argument_has_it(
    capsys: Capture, monkeypatch: Patch, tmp_path: Path, typed: str, reported: str
) -> None:
    piped, _, rest = typed.partition(" | ")
    (tmp_path / "piped").write_text(piped)
    with (tmp_path / "piped").open() as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert command.main(shlex.split(rest)) == (0 if piped else 2)
    out, err = capsys.readouterr()
    assert reported in (out or err)


def test_an_interrupted_command_shows_no_traceback(monkeypatch: Patch, capsys: Capture) -> None:
    def interrupt(_options: Any) -> int:
        raise KeyboardInterrupt

    monkeypatch.setitem(command.COMMANDS, "parse", lambda _parser: interrupt)
    assert command.main(["parse"]) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("typed", "reported"),
    [
        ("explain 'a*b' A=1 b=2", "explain 'a*b' a=1 b=2\n"),
        ("explain 'alpha*2' alhpa=1", "explain 'alpha*2' alpha=1\n"),
        ("explain 'x' x=1/3", "x=1/3 is read as x=0.3333333333333333\n"),
        ("explain 'x' x=pi", "x=pi is read as x=3.141592653589793\n"),
        ("parse '2π*x'", "\n    2π*x\n     ^\n"),
        (f"parse 'a + {' ' * 5_000}'", "\n    a +\n       ^\n"),
    ],
)
def test_stderr_has_the_text_as_read_or_the_command_to_type(
    capsys: Capture, typed: str, reported: str
) -> None:
    command.main(shlex.split(typed))
    assert reported in capsys.readouterr().err


def test_a_sweep_of_any_size_goes_into_a_file(
    capsys: Capture, monkeypatch: Patch, tmp_path: Path
) -> None:
    monkeypatch.setattr("engine_py.command.sweep_file._POINTS", 1_000)  # so a pool has 21 chunks
    typed = ["sweep", "log(x) * w", "x=-1:1:101", "w=1:2:201"]
    assert command.main([*typed, "--csv"]) == 0
    printed = capsys.readouterr().out
    file = tmp_path / "rows.csv"
    assert command.main([*typed, "--into", str(file)]) == 0
    assert file.read_text() == printed
    assert [each.name for each in tmp_path.iterdir()] == ["rows.csv"]
    assert "rows.csv: 20,301 points, " in capsys.readouterr().err
    swept = sweep(typed[1], {name: {"from": a, "to": b, "count": n} for name, a, b, n in GRIDS})
    lines = [line.split(",") for line in printed.splitlines()[1:]]
    for each, found in {2: swept["results"], 3: swept["gradients"]["x"]}.items():
        assert [float(line[each]) if line[each] else None for line in lines] == found
    assert [line[-1] for line in lines].count("domain_error") == len(swept["problems"]) == 51 * 201


@pytest.mark.parametrize(
    ("started", "module", "handler", "code"),
    [
        ("-m engine_py", "engine_py.value", "default_int_handler", -signal.SIGINT),
        ("gradient", "engine_py.command", "default_int_handler", -signal.SIGINT),
        ("gradient", "engine_py.command", "SIG_IGN", 0),  # as `nohup` and `&` start it
    ],
)
def test_ctrl_c_while_the_command_loads_shows_no_traceback(
    tmp_path: Path, started: str, module: str, handler: str, code: int
) -> None:
    """An import hook sends SIGINT, always at the same module."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os, signal, sys\n"
        f"signal.signal(signal.SIGINT, signal.{handler})\n"
        "class Finder:\n"
        "    def find_spec(name, *_):\n"
        f"        if name == {module!r}: os.kill(os.getpid(), {signal.SIGINT:d})\n"
        "sys.meta_path.insert(0, Finder)\n"
    )
    (tmp_path / "gradient").write_text("from engine_py.command.main import main\nmain()\n")
    ended = subprocess.run(  # pip writes such a script
        [sys.executable, *started.replace("gradient", f"{tmp_path}/gradient").split(), "help"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"},
        capture_output=True,
        check=False,
    )
    assert (ended.returncode, bool(ended.stdout), ended.stderr) == (code, code == 0, b"")


INTERRUPTED = """
import os, signal, sys
from concurrent.futures import ProcessPoolExecutor, wait
from engine_py.command import main, sweep_file

def submit(*given):
    submitted.append(own_submit(*given))
    return submitted[-1]

def interrupted(*given):
    for rows in computed(*given):
        yield rows
        if os.path.getsize(f"{folder}/{os.listdir(folder)[0]}"):
            wait(submitted)
            os.killpg(0, signal.SIGINT)  # as a terminal does

signal.signal(signal.SIGINT, signal.default_int_handler)  # even where it was ignored
folder, submitted = sys.argv[1], []
own_submit, ProcessPoolExecutor.submit = ProcessPoolExecutor.submit, submit
computed, sweep_file.computed = sweep_file.computed, interrupted
sweep_file._POINTS = 1_000
typed = ["sweep", "x*y", "x=0:1:100000", "y=0:1:100000", "--into", f"{folder}/rows.csv"]
sys.exit(main.main(typed))
"""
"""A sweep that is interrupted once its file has content and the processes of its pool are idle."""


def test_ctrl_c_ends_a_sweep_and_its_pool_without_a_traceback(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(tmp_path)],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        start_new_session=True,
        check=False,
    )
    assert ended.stderr == b""
    assert (ended.returncode, [*tmp_path.iterdir()]) == (130, [])


def test_accuracy_explains_the_number_with_the_fewest_bits(capsys: Capture) -> None:
    assert command.main(["accuracy", "tanh(x)", "x=20"]) == 0
    assert "d/dx is off by -1.7e-17:\n" in capsys.readouterr().out  # the slope is 1 - 1 = 0


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        (["exp"], "experiment explain"),
        (["explain", "--par"], "--parameter"),
        (["explain", "a*b", "--view", "f"], "folded"),
        (["descend", "w", "--row", "w=1", "--s"], "--schedule --steps"),
        (["explain", "no"], ""),  # so bash completes the name of a file
    ],
)
def test_bash_completes_commands_flags_and_choices(
    capsys: Capture, words: list[str], completed: str
) -> None:
    assert command.main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    typed = f"COMP_WORDS=(gradient {shlex.join(words)}) COMP_CWORD={len(words)}"
    ask = f'{typed}; $(complete -p gradient | grep -o "_gradient"); echo "${{COMPREPLY[*]}}"'
    ran = subprocess.run(["bash", "-c", script + ask], capture_output=True, check=True, text=True)
    assert (ran.stdout, ran.stderr) == (f"{completed}\n", "")


@pytest.mark.parametrize(
    ("typed", "reported"),
    [
        ("", "the request is missing; write: {prog} request.json --scheduler ADDRESS"),
        ("a.json --file b.json", "there are two requests; write: {prog} request.json --scheduler"),
        ("a.json", "a.json must be an object of expression, values and view"),
        ("--file a.json", "a.json must be an object of expression, values and view"),
        ("-", "stdin must be an object of expression, values and view"),
        ("< a.json", "stdin must be an object of expression, values and view"),
    ],
)
def test_the_request_of_a_cluster_is_an_argument_a_file_or_stdin(
    capsys: Capture, monkeypatch: Patch, tmp_path: Path, typed: str, reported: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.json").write_text("[]")
    with Path(os.devnull if not typed else "a.json").open() as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        given = [*shlex.split(typed.removeprefix("< a.json")), "--into=r", "--scheduler=tcp://a:1"]
        assert command.main(["sweep", *given]) == 2
    prog, _, message = capsys.readouterr().err.partition(": ")
    assert message.startswith(reported.format(prog=prog))


def test_wrong_options_are_not_blamed_on_the_file_of_a_request(
    capsys: Capture, tmp_path: Path
) -> None:
    file = tmp_path / "request.json"
    file.write_text("{}")
    assert command.main(["sweep", str(file), "--scheduler", "tcp://127.0.0.1:1"]) == 2
    assert capsys.readouterr().err.endswith(": a cluster needs --scheduler and --into\n")
