"""Problems: their members, their explanations, and how a page shows one."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine_py import GradientError, errors, rewrite
from service import errors as http_errors
from service import pages
from service.app import create_app
from service.config import Config
from service.pages.explanations import Explanation, explanations
from service.reply import KINDS, MEMBERS
from service.tests.processes import ROOT
from service.tests.validated import EXAMPLE, OF_VALUES, PROBLEM, Post, schema_of


def codes_of(module: Any) -> set[str]:
    classes = (found for found in vars(module).values() if isinstance(found, type))
    return {
        found.code
        for found in classes
        if issubclass(found, GradientError) and found is not GradientError
    }


def test_every_code_has_a_status_and_a_title_and_is_in_the_schema() -> None:
    schema = schema_of("problem")
    assert codes_of(errors).isdisjoint(codes_of(http_errors))
    assert set(KINDS) == (codes_of(errors) - OF_VALUES) | codes_of(http_errors)
    assert set(KINDS) == set(schema["properties"]["code"]["enum"])
    assert len({kind.title for kind in KINDS.values()}) == len(KINDS)


def test_all_errors_of_a_body_are_listed_and_the_first_is_the_problem(post: Post) -> None:
    problem = post({"expression": "a", "values": {"a": "2"}, "vew": 1}).content
    first, second = problem["errors"]
    assert first == {
        "code": "invalid_value",
        "message": problem["detail"],
        "span": None,
        "name": "a",
        "pointer": "/values/a",
    }
    assert (problem["code"], problem["pointer"]) == ("invalid_value", "/values/a")
    assert (second["code"], second["pointer"]) == ("invalid_request", "/vew")
    assert "expression, values, parameters, view" in second["message"]


NASTY = "\x00 \x1b[31m <b>\u202e \U0010ffff 'a' \"b\" {0} %s \\ \n"


@pytest.mark.parametrize(
    "body",
    [
        {NASTY: 1},
        {"expression": NASTY, "values": {}},
        {"expression": "a", "values": {NASTY: 1}},
        {"expression": "a", "values": {"a": NASTY}},
        {"expression": "a", "values": {}, "parameters": [NASTY]},
        {"expression": "a", "values": {}, "view": NASTY},
        NASTY,
    ],
)
def test_a_problem_can_quote_any_text(post: Post, body: Any) -> None:
    assert post(body).status == 422


def test_a_long_text_is_truncated_in_a_problem(post: Post) -> None:
    reply = post({"x" * 200_000: 1, "expression": "2", "values": {}})
    assert len(reply.body) < 500_000
    assert len(reply.content["detail"]) < 200


# The explanations.


REPRODUCIBLE = [
    one
    for one in explanations().values()
    if one.about.get("reproducible", True) and "limits" not in one.about
]


@pytest.mark.parametrize("example", REPRODUCIBLE, ids=lambda one: one.code)
def test_the_example_of_a_problem_is_what_the_service_replies(example: Explanation) -> None:
    method, path, headers, body = example.request
    content = body.encode().ljust(int(headers.get("Content-Length", 0)))
    client = create_app(Config()).test_client()
    response = client.open(path, method=method, headers=headers, data=content)
    assert (response.status_code, response.get_json()) == (
        KINDS[example.code].status,
        example.problem,
    )


@pytest.mark.parametrize("example", explanations().values(), ids=lambda one: one.code)
def test_the_problem_of_an_example_has_the_members_explained(
    example: Explanation,
) -> None:
    PROBLEM.validate(example.problem)
    common = {"type", "title", "status", "detail", "code", "span", "errors", "rewrite"}
    assert set(example.problem) - common == set(example.data)
    assert (example.problem["code"], example.problem["title"]) == (
        example.code,
        KINDS[example.code].title,
    )
    assert example.problem["type"] == f"/problems/{example.code}"


def test_every_member_explained_is_in_the_schema_and_used() -> None:
    properties = schema_of("problem")["properties"]
    assert set(MEMBERS) <= set(properties)
    assert set(MEMBERS) == {name for one in explanations().values() for name in one.data}


# problem.js, run in Node with the parts of a browser that it uses.


NODE = ROOT / ".venv" / "bin" / "node"
SCRIPT = (Path(pages.__file__).parent / "assets" / "problem.js").as_uri()

BROWSER = """
class Node {
  constructor(tag) { this.tag = tag; this.children = []; }
  append(...children) { this.children.push(...children); }
}
globalThis.document = { createElement: (tag) => new Node(tag) };
globalThis.fetch = async (address) => {
  const cure = { "/problems/unexpected_token": "Write `2*x`." }[address];
  if (cure === undefined) throw new TypeError("no network");
  return { ok: true, json: async () => ({ cure }) };
};
"""

SHOW = """
const shown = (node) => typeof node === "string" ? node
  : `<${[node.className || node.tag, node.href].filter(Boolean).join(" ")}>`
    + node.children.map(shown).join("") + "</>";
const content = JSON.parse(process.argv[1]);
for (const each of await explainedAll(content)) console.log(shown(each));
"""


def shown_by_script(content: Any) -> str:
    program = f"{BROWSER}\nconst {{ explainedAll }} = await import('{SCRIPT}');\n{SHOW}"
    argv = [str(NODE), "--input-type=module", "-e", program]
    done = subprocess.run([*argv, json.dumps(content)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_page_shows_a_problem_as_sentence_place_and_cure(client: FlaskClient) -> None:
    body = {"expression": "2x", "values": {"x": 1}}
    text = shown_by_script(client.post("/v1/gradient", json=body).get_json())
    assert text.startswith("<problem><sentence><code>x</> at offset 1 ")
    assert "<place>    2x\n     ^</>" in text
    assert "<cure>Write <code>2*x</>. " in text
    assert text.endswith("<a /problems/unexpected_token><code>unexpected_token</></></></>\n")


def test_a_page_numbers_the_problems_of_a_batch_and_lists_all_errors(
    client: FlaskClient,
) -> None:
    wrong = {"expression": 5, "values": {"a": "2"}, "vew": 1}
    batch = client.post("/v1/gradients", json={"requests": [EXAMPLE, wrong]}).get_json()
    text = shown_by_script(batch)
    assert text.startswith("<problem><sentence><strong>Request 2: </>")
    assert "<place>" not in text
    assert text.count("<sentence>") == 1
    assert "<p><code>/values/a</> " in text
    assert "<p><code>/vew</> " in text


def test_a_page_shows_a_problem_without_its_cure_and_nothing_for_a_document() -> None:
    content = {"code": "lost", "type": "/problems/lost", "detail": "Gone.", "status": 500}
    assert shown_by_script(content) == (
        "<problem><sentence>Gone.</><cure>More: <a /problems/lost><code>lost</></></></>\n"
    )
    assert shown_by_script({"contract": "2.1.0", "nodes": []}) == ""


# A text as people write formulas is answered with the program that it means.


def test_a_text_is_rewritten(client: FlaskClient) -> None:
    body = {"expression": "mx + b", "names": ["m", "x", "b"]}
    reply = client.post("/v1/rewrite?fields=expression", json=body)
    assert (reply.status_code, reply.get_json()) == (200, {"expression": "m*x + b"})
    assert client.post("/v1/rewrite", json=body).get_json() == rewrite("mx + b", body["names"])


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/expression"),
        ({"expression": "2x", "names": {"x": 1}}, "/names"),
        ({"expression": "2x", "values": {"x": 1}}, "/values"),
    ],
)
def test_an_invalid_member_is_reported(client: FlaskClient, body: Any, pointer: str) -> None:
    problem = client.post("/v1/rewrite", json=body).get_json()
    assert (problem["status"], problem["pointer"]) == (422, pointer)


@pytest.mark.parametrize(
    ("text", "code", "found"),
    [
        ("2x^2", "unexpected_character", ["2*x**2"]),
        ("1/2x", "unexpected_token", ["1/2*x", "1/(2*x)"]),
        ("tan(x)", "unknown_function", ["sin(x) / cos(x)"]),
        ("2*pi*x", "missing_value", ["2*3.141592653589793*x"]),
        ("acos(x)", "unknown_function", [None]),
        ("foo(x)", "unknown_function", None),
        ("log(x - 9)", "domain_error", None),
    ],
)
def test_a_problem_suggests_the_program_meant(
    client: FlaskClient, text: str, code: str, found: list[str | None] | None
) -> None:
    problem = client.post("/v1/gradient", json={"expression": text, "values": {"x": 2}}).get_json()
    PROBLEM.validate(problem)
    read = problem.get("rewrite")
    assert (problem["status"], problem["code"]) == (422, code)
    assert found == (read and (read["readings"] or [read["expression"]]))


def test_a_problem_says_why_a_text_has_no_program(client: FlaskClient) -> None:
    body = {"expression": "0x10 * x", "values": {"x": 2}}
    problem = client.post("/v1/gradient", json=body).get_json()
    PROBLEM.validate(problem)
    assert problem["rewrite"]["refused"]["program"] == "16 * x"
    assert problem["detail"].endswith(
        "\n\nThis is not a decimal number. Write it with decimal digits and at most one point."
    )
