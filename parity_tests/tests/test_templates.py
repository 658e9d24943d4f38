"""The worker templates answer every line, compute a sum, and write the results of functions.

A template is skipped if its toolchain is missing.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from engine_py.limits import Limits
from parity_tests.kit.cases import load_cases, load_hard_cases, load_lines
from parity_tests.kit.contract import CORE
from parity_tests.kit.engines import ROOT, Engine, find_program, load_engines
from parity_tests.kit.runner import run_cases
from parity_tests.kit.worker import Budget, Worker

TEMPLATES = ROOT / "parity_tests" / "templates"
SUMS = [case for case in load_hard_cases() if case.request["operation"] == "+"]
OF_ANOTHER_COMMAND = [
    case for case in load_cases() if case.name == "the-limit-of-another-command-has-no-effect"
]
"""Refused by a worker that does not know each limit; otherwise skipped until it is filled in."""
OF_OTHERS = ("a-missing-operand", "a-surplus-operand", "without-operands-in-a-row")
"""Lines that engines with this operation refuse; others skip them."""
LINES = [
    case
    for case in load_lines()
    if case.profiles == {CORE}
    and case.expect["response"]["kind"] in ("refused", "skipped", "started")
    and not case.name.endswith(OF_OTHERS)
]


def argv(language: str, folder: Path, templates: Path = TEMPLATES) -> tuple[str, ...]:
    """Return the command that starts a template, which may have to be compiled into a folder."""
    if language == "JavaScript":
        return find_program("node"), str(templates / "worker.mjs")
    compiler, *options = COMPILERS[language]
    if shutil.which(compiler) is None:
        pytest.skip(f"found no {compiler}, so its template was not tried; .ci/thorough installs it")
    binary = str(folder / "worker")
    command = [compiler, *options, "-o", binary, str(templates / FILLED[language][0])]
    subprocess.run(command, check=True, env={"GOCACHE": str(folder / "cache"), **os.environ})
    return (binary,)


COMPILERS = {
    "Go": ("go", "build"),
    "Rust": ("rustc", "--edition", "2021", "--deny", "warnings"),
}


FILLED = {
    "JavaScript": (
        "worker.mjs",
        'throw new Fault("skipped", `does not have ${command}`);',
        """
        if (!request.values) throw error('invalid_request', null, { pointer: '/values' });
        return { limits, values: request.values, text: canonical(request.values) };
        """,
    ),
    "Go": (
        "worker.go",
        'panic(fault(object("kind", "skipped", "reason", "does not have "+command)))',
        """
        values, is := request[text("values")].(Members)
        if !is {
            panic(contractError("invalid_request", nil, "pointer", "/values"))
        }
        all := object()
        for name, limit := range limits {
            all[text(name)] = limit
        }
        return object("limits", all, "values", values, "text", canonical(values))
        """,
    ),
    "Rust": (
        "worker.rs",
        """(command: &str, _request: &Members, _limits: &Limits) -> Result<Json, Fault> {
    Err(("skipped", format!("does not have {command}").into()))""",
        """(_command: &str, request: &Members, limits: &Limits) -> Result<Json, Fault> {
    let values = get(request, "values");
    let values = values.ok_or(error("invalid_request", None, [("pointer", "/values".into())]))?;
    let limits = object(limits.iter().map(|(name, limit)| (*name, (*limit).into())));
    let text = values.to_string();
    Ok(object([("limits", limits), ("values", values.clone()), ("text", text.into())]))
    """,
    ),
}
"""The template, the placeholder of a command, and a function to replace it."""

VALUES = (
    r'{"\ud83d\ude00":[1.50,333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001,-0,-1e-7,'
    "1e21,123456789012345680000,1125899906842624.2,1125899906842624.3,5e-324,5.684341886080802e-14,"
    r'9007199254740993,9.5367431640625e-7],"\ud800":true,"\uff5e":"\u20ac$\u000f\nA\"\\\/\u007f",'
    r'"\\":0,"\u0062":[null,false,{}]}'
)
CANONICAL = (
    '{"\\\\":0,"b":[null,false,{}],"\\ud800":true,"😀":[1.5,333333333.3333333,1e+30,4.5,0.002,1e-27,0,-1e-7,'
    "1e+21,123456789012345680000,1125899906842624.2,1125899906842624.2,5e-324,5.684341886080802e-14,"
    '9007199254740992,9.5367431640625e-7],"\uff5e":"€$\\u000f\\nA\\"\\\\/\x7f"}'
)
"""The numbers and texts of RFC 8785, ties, a power of two, and half a surrogate pair."""


@pytest.mark.parametrize("language", FILLED)
def test_a_template_answers_every_line_and_adds(language: str, tmp_path: Path) -> None:
    engine = Engine(language, argv(language, tmp_path), TEMPLATES, root=TEMPLATES)
    [model, *_] = load_engines().values()
    results = list(
        run_cases([engine], [*SUMS, *LINES, *OF_ANOTHER_COMMAND], model, budget=Budget(300.0))
    )
    others = [(each.case.id, each.explanation) for each in results if each.status != "passed"]
    assert others == [(case.id, "does not have introspect") for case in OF_ANOTHER_COMMAND]
    assert len(results) == len(SUMS) + len(LINES) + 1 >= 131


@pytest.mark.parametrize("language", FILLED)
def test_a_template_reads_and_writes_json_for_the_functions_that_fill_it(
    language: str, tmp_path: Path
) -> None:
    name, gap, function = FILLED[language]
    text = (TEMPLATES / name).read_text(encoding="utf-8")
    assert text.count(gap) == 1
    (tmp_path / name).write_text(text.replace(gap, function), encoding="utf-8")
    engine = Engine(language, argv(language, tmp_path, tmp_path), tmp_path, root=tmp_path)
    head = '{"kind":"run","sequence":7,"command":"introspect","limits":{"nodes":3},"request":'
    with Worker(engine, budget=Budget(300.0)) as worker:
        worker.send(b'{"a":0,"\\\\":0}')  # V8 would take the next name with an escape for this one
        result = worker.send(f'{head}{{"values":{VALUES}}}}}'.encode())["result"]
        error = worker.send(f"{head}{{}}}}".encode())
    assert result["text"] == CANONICAL
    assert result["values"] == json.loads(CANONICAL)
    assert result["limits"] == {**Limits()._asdict(), "nodes": 3}
    assert error["error"].pop("message")
    expected = {"code": "invalid_request", "span": None, "pointer": "/values"}
    assert error == {"kind": "error", "sequence": 7, "error": expected}
