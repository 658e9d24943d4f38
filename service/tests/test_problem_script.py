"""problem.js, in Node, with as much of a browser as it uses: a problem as text for people."""

import json
import subprocess
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from service import pages
from service.tests.processes import ROOT

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


def explained(content: Any) -> str:
    program = f"{BROWSER}\nconst {{ explainedAll }} = await import('{SCRIPT}');\n{SHOW}"
    argv = [str(NODE), "--input-type=module", "-e", program]
    done = subprocess.run([*argv, json.dumps(content)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def problem(client: FlaskClient, body: Any) -> Any:
    return client.post("/v1/gradient", json=body).get_json()


def test_a_problem_is_a_sentence_a_place_and_a_cure(client: FlaskClient) -> None:
    text = explained(problem(client, {"expression": "2x", "values": {"x": 1}}))
    assert text.startswith("<problem><sentence><code>x</> at offset 1 ")
    assert "<place>    2x\n     ^</>" in text
    assert "<cure>Write <code>2*x</>. " in text
    assert text.endswith("<a /problems/unexpected_token><code>unexpected_token</></></></>\n")


def test_a_problem_lists_all_members_that_are_wrong(client: FlaskClient) -> None:
    text = explained(problem(client, {"expression": 5, "values": {"a": "2"}, "vew": 1}))
    assert "<place>" not in text
    assert text.count("<sentence>") == 1
    assert "<p><code>/values/a</> " in text
    assert "<p><code>/vew</> " in text


def test_without_a_cure_the_rest_is_shown() -> None:
    content = {"code": "lost", "type": "/problems/lost", "detail": "Gone.", "status": 500}
    assert explained(content) == (
        "<problem><sentence>Gone.</><cure>More: <a /problems/lost><code>lost</></></></>\n"
    )


def test_the_problems_of_a_batch_have_the_numbers_of_their_requests(client: FlaskClient) -> None:
    requests = [{"expression": "1", "values": {}}, {"expression": "2x", "values": {"x": 1}}]
    batch = client.post("/v1/gradients", json={"requests": requests}).get_json()
    [line, *_] = explained(batch).splitlines()
    assert line.startswith("<problem><sentence><strong>Request 2: </><code>x</> at offset 1 ")


def test_what_is_no_problem_is_not_explained() -> None:
    assert explained({"contract": "2.0.0", "nodes": []}) == ""
