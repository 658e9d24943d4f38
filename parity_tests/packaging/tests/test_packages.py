"""The published packages, built once, and installed into empty folders as users would do it."""

import gzip
import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
from hashlib import sha256
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET
from zipfile import ZipFile

import pytest
import yaml

from engine_py import CONTRACT, __version__
from parity_tests.kit.contract import load_profiles
from parity_tests.kit.engines import ROOT
from parity_tests.packaging.release import FOLDER, SUMS, build_packages
from parity_tests.packaging.tests.conftest import ESBUILD, NODE, NPM, run
from service.web.tests.conftest import Browsers, watch

pytestmark = pytest.mark.packages

README = (ROOT / "README.md").read_text(encoding="utf-8")
ACTION = ROOT / "parity_tests" / "action.yml"

NAME = "@gradient-service/engine"
MODULE = f"""
import {{ introspect }} from "{NAME}";
import {{ connect }} from "{NAME}/client";
const {{ result, gradients }} = introspect("(a + b) * c", {{ a: 2, b: -3, c: 10 }});
console.log(JSON.stringify([result, gradients, typeof connect]));
"""
RIGHT = '[-10,{"a":10,"b":10,"c":-1},"function"]\n'
"""The gradients are c, c and a + b."""

USE = """
from html import unescape
from engine_py import Value
from engine_py.notebook import sandbox
a, b, c = Value(2.0, label="a"), Value(-3.0, label="b"), Value(10.0, label="c")
root = (a + b) * c
root.backward()
print(root.data, a.grad, b.grad, c.grad)
print(unescape(sandbox(root)._repr_html_()).count("Gradient sandbox</title>"))
"""

ENGINE = """[mine]
folder = "."
argv = ["{python}", "{worker}"]
twin = true
"""
WORKER = """
from engine_py.command.main import main
main(["worker"])
"""
"""An engine of another repository, which here is the reference itself."""
OFF_BY_ONE = """
import json, sys
from math import nextafter
from subprocess import PIPE, Popen
right = Popen([sys.executable, "-m", "engine_py", "worker"], stdin=PIPE, stdout=PIPE)
for line in sys.stdin.buffer:  # bytes, since a request may not be UTF-8
    right.stdin.write(line)
    right.stdin.flush()
    reply = json.loads(right.stdout.readline())
    document = reply.get("result")
    if isinstance(document, dict) and isinstance(document.get("result"), (int, float)):
        document["result"] = nextafter(document["result"], 0)  # the largest number stays finite
    print(json.dumps(reply), flush=True)
    if reply["kind"] == "stopped":
        break
"""
"""An engine whose results are one ulp too close to 0."""


@pytest.fixture(scope="module")
def programs(released: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that holds the two wheels and nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    wheels = [FOLDER / name for name in released if name.endswith(".whl")]
    pip = (sys.executable, "-m", "pip", "--python", folder / "bin" / "python")
    offline = ("--no-index", "--no-deps", "--disable-pip-version-check", "--quiet")
    run(*pip, "install", *offline, *wheels)
    return folder / "bin"


@pytest.fixture
def mine(programs: Path, tmp_path: Path) -> Path:
    """A user's folder with an engine, and modules with the names of ours."""
    for name in ("parity_tests", "schemas"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise AssertionError('not what was meant')")
    (tmp_path / "worker.py").write_text(WORKER)
    (tmp_path / "mine.toml").write_text(
        ENGINE.format(python=programs / "python", worker="worker.py")
    )
    return tmp_path


def test_a_release_has_one_version_and_right_checksums(released: dict[str, bytes]) -> None:
    assert released.keys() - {"images"} == {
        SUMS,
        f"gradient_engine-{__version__}-py3-none-any.whl",
        f"gradient_engine-{__version__}.tar.gz",
        f"gradient_parity-{__version__}-py3-none-any.whl",
        f"gradient-service-engine-{__version__}.tgz",
        f"gradient-docs-{__version__}.zip",
        f"gradient-sandbox-{__version__}.html",
        SCHEMAS,
        *(f"gradient-cases-{profile}-{__version__}.json" for profile in load_profiles()),
        f"gradient-service-engine-{__version__}.cdx.json",
        f"gradient-service-{__version__}.cdx.json",
    }
    files = sorted(released.keys() - {SUMS})
    summed = [f"{sha256(released[name]).hexdigest()}  {name}" for name in files]
    assert released[SUMS].decode().splitlines() == summed


SCHEMAS = f"gradient-{__version__}.schema.json"
READ = """import { readFileSync, writeFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { compile } from "json-schema-to-typescript";
const all = JSON.parse(readFileSync("all.json", "utf8"));
const ajv = formats.default(new Ajv2020({ strict: true })).addSchema(all);
const isRequest = ajv.compile({ $ref: `${all.$id}#/$defs/GradientRequest` });
for (const name of Object.keys(all.$defs)) ajv.compile({ $ref: `${all.$id}#/$defs/${name}` });
console.log(isRequest({ expression: "a", values: { a: 1 } }), isRequest({ expression: "a" }));
const types = await compile(all, "All", { unreachableDefinitions: true });
writeFileSync("all.ts", `${types}
export const view: GradientRequest["view"] = "primitive";
// @ts-expect-error
export const requests: Batch["requests"] = [5];`);
"""


def test_other_tools_read_the_schemas_as_one_file(
    released: dict[str, bytes], tmp_path: Path
) -> None:
    (tmp_path / "all.json").write_bytes(released[SCHEMAS])
    (tmp_path / "read.mjs").write_text(READ)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    quiet = ("--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error")
    run(
        NODE,
        NPM,
        "install",
        *quiet,
        "ajv@8",
        "ajv-formats@3",
        "json-schema-to-typescript@16",
        cwd=tmp_path,
    )
    assert run(NODE, "read.mjs", cwd=tmp_path) == "true false\n"
    run(
        NODE,
        ROOT / "engine_ts/node_modules/typescript/bin/tsc",
        "--strict",
        "--noEmit",
        "all.ts",
        cwd=tmp_path,
    )
    run(sys.executable, "-m", "venv", "own", cwd=tmp_path)
    run("own/bin/pip", "install", "-q", "datamodel-code-generator", "pydantic", cwd=tmp_path)
    made = ("--output", "made.py", "--output-model-type", "pydantic_v2.BaseModel")
    run("own/bin/datamodel-codegen", "--input", "all.json", *made, cwd=tmp_path)
    read = "from made import GradientRequest as R; print(R(expression='a', values={'b': 2}))"
    assert "'b'" in run("own/bin/python", "-c", read, cwd=tmp_path)


def test_a_second_build_gives_the_same_packages(released: dict[str, bytes]) -> None:
    build_packages()
    packages = [name for name in released if name.endswith((".whl", ".gz", ".tgz"))]
    assert [name for name in packages if (FOLDER / name).read_bytes() != released[name]] == []


def test_a_release_holds_the_page_and_the_documentation(
    released: dict[str, bytes], tmp_path: Path
) -> None:
    assert b"Gradient sandbox</title>" in released[f"gradient-sandbox-{__version__}.html"]
    with ZipFile(FOLDER / f"gradient-docs-{__version__}.zip") as archive:
        archive.extractall(tmp_path)
    [site] = tmp_path.iterdir()
    assert "<h1>Gradient service" in (site / "index.html").read_text()
    for page in ("http", "parity_tests/TUTORIAL", "schemas/CONTRACT", "sandbox/index"):
        assert (site / f"{page}.html").is_file(), page


def test_the_bill_of_materials_names_every_package_of_the_image(
    released: dict[str, bytes],
) -> None:
    bill = json.loads(released[f"gradient-service-{__version__}.cdx.json"])
    lock = (ROOT / "service" / "requirements.lock").read_text()
    pinned = re.findall(r"^([\w-]+)==(\S+)", lock, re.MULTILINE)
    held = {
        (each["name"].lower().replace("_", "-"), each["version"]) for each in bill["components"]
    }
    assert len(pinned) >= 8
    assert held == set(pinned)


def test_the_engine_and_its_page_work_in_an_empty_folder(programs: Path, tmp_path: Path) -> None:
    (tmp_path / "use.py").write_text(USE)
    assert run(programs / "python", "use.py", cwd=tmp_path) == "-10.0 10.0 10.0 -1.0\n1\n"
    values = ("a=2", "b=-3", "c=10")
    printed = run(
        programs / "gradient", "explain", "(a + b) * c", *values, cwd=tmp_path, NO_COLOR="1"
    )
    tree = (ROOT / "engine_py" / "README.md").read_text(encoding="utf-8").split("```\n")
    assert printed.partition("\n\n")[0] + "\n" in tree


def test_the_page_is_served_from_the_wheel_and_shows_the_program(
    programs: Path, tmp_path: Path, browsers: Browsers
) -> None:
    context, wrong = browsers.context(), list[str]()
    page = context.new_page()
    watch(page, wrong)
    assert "pip install gradient-engine && gradient serve\n" in README
    argv = (programs / "gradient", "serve", "a * b", "a=2", "b=3", "--port", "0")
    with subprocess.Popen(argv, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            page.goto(process.stdout.readline().split()[-1])
            page.locator(".card").first.wait_for()
            assert page.get_by_label("Expression").input_value() == "a * b"
            page.get_by_text("Computed in the browser, without the service").wait_for()
            process.send_signal(signal.SIGINT)
            assert process.wait() == 0
        finally:
            process.kill()
    context.close()
    assert wrong == []


def test_the_source_archive_passes_tests_of_its_own(
    released: dict[str, bytes], tmp_path: Path
) -> None:
    [archive] = [FOLDER / name for name in released if name.endswith(".tar.gz")]
    with tarfile.open(archive) as content:
        content.extractall(tmp_path, filter="data")
    [folder] = tmp_path.iterdir()
    tests = [f"engine_py/tests/test_{name}.py" for name in ("lessons", "value", "numerics")]
    tested = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *tests)
    assert " passed" in run(*tested, "-o", "addopts=", cwd=folder)


def test_the_kit_judges_an_engine_of_another_folder(programs: Path, mine: Path) -> None:
    reports = ("markdown=parity.md", "junit=parity.xml", "badge=new/badge.json")
    options = [word for report in reports for word in ("--report", report)]
    kit = (programs / "gradient-parity", "--engines", "mine.toml")
    everything = ("--lines", "--fuzz", "100")
    assert run(*kit, *everything, *options, cwd=mine).endswith("green: no engine differs\n")
    assert "## Parity: green" in (mine / "parity.md").read_text()
    [suite] = ET.parse(mine / "parity.xml").getroot()
    assert suite.get("failures") == "0"
    assert json.loads((mine / "new" / "badge.json").read_text()) == {
        "schemaVersion": 1,
        "label": "gradient contract",
        "message": f"conforms to all profiles of {CONTRACT.rpartition('.')[0]}",
        "color": "brightgreen",
    }
    (mine / "worker.py").write_text(OFF_BY_ONE)
    command = [*map(str, kit), "--filter", "sharing"]
    for _ in range(2):  # the second time with the command that the first shows
        shown = run(*command, cwd=mine, code=1)
        assert "FAILED mine: sharing/" in shown
        [again, *_] = re.findall(r"^  reproduce: (.*)$", shown, re.MULTILINE)
        command = shlex.split(again)


def test_the_fuzzer_of_the_kit_finds_a_difference(programs: Path, mine: Path) -> None:
    fuzz = (
        programs / "gradient-parity-fuzz",
        "--engines",
        "mine.toml",
        "--seed",
        "1",
        "--count",
        "60",
    )
    assert ", 0 differences" in run(*fuzz, cwd=mine)
    (mine / "worker.py").write_text(OFF_BY_ONE)
    [again] = re.findall(r"^reproduce: (.*)$", run(*fuzz, cwd=mine, code=1), re.MULTILINE)
    assert "differ at" in run(*shlex.split(again), cwd=mine, code=1)


def test_without_jsonschema_the_kit_says_how_to_validate(programs: Path, mine: Path) -> None:
    command = (programs / "gradient-parity", "--engines", "mine.toml", "--validate")
    done = subprocess.run(command, cwd=mine, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--validate needs jsonschema_rs; install gradient-parity[validate]" in done.stderr


def test_the_action_judges_an_engine(mine: Path) -> None:
    """The steps run in a user's folder, and packages come from their registry."""
    steps = yaml.safe_load(ACTION.read_text())["runs"]["steps"]
    _, install, judge = [step["run"] for step in steps if "run" in step]
    for name in ("parity_tests", "schemas"):
        shutil.rmtree(mine / name)
    settings: dict[str, Any] = {
        "PYTHON": sys.executable,
        "RUNNER_TEMP": str(mine),
        "GITHUB_ACTION_PATH": str(ACTION.parent),
        "GITHUB_STEP_SUMMARY": str(mine / "summary.md"),
        "GITHUB_OUTPUT": str(mine / "outputs"),
        "GITHUB_ACTIONS": "true",
        "ENGINES": "mine.toml",
        "FUZZ": "200",
        "ARGUMENTS": "--filter sharing",
        "BADGE": "badge.json",
        "REPORTS": str(mine / "reports"),
    }
    script = ("bash", "-eo", "pipefail", "-c")
    run(*script, install, cwd=mine, **settings)
    run(*script, judge, cwd=mine, **settings)
    summary = (mine / "summary.md").read_text()
    assert "Parity: green" in summary
    assert ", 0 differences" in summary
    assert (mine / "outputs").read_text().splitlines() == [
        f"report={mine}/reports/parity.json",
        "green=true",
    ]
    (mine / "worker.py").write_text(OFF_BY_ONE)
    assert "::error file=mine.toml,line=1," in run(*script, judge, cwd=mine, code=1, **settings)
    assert '"red"' in (mine / "badge.json").read_text()
    assert "reproduce: gradient-parity --engines mine.toml" in (mine / "summary.md").read_text()
    (mine / "mine.toml").unlink()
    reported = run(*script, judge, cwd=mine, code=2, **settings)
    assert "::error title=gradient-parity could not run::" in reported
    assert "Parity: could not run" in (mine / "summary.md").read_text()


@pytest.mark.parametrize("kind", ["mjs", "cjs"])
def test_node_imports_and_requires_the_npm_package(kind: str, project: Path) -> None:
    required = re.sub(r"import (\{.*?\}) from (\S+);", r"const \1 = require(\2);", MODULE)
    (project / f"use.{kind}").write_text(MODULE if kind == "mjs" else required)
    assert run(NODE, f"use.{kind}", cwd=project) == RIGHT


def test_a_bundler_bundles_the_npm_package_and_its_element(project: Path) -> None:
    (project / "main.ts").write_text(f'{MODULE}\nimport "{NAME}/sandbox";')
    bundle = ("--bundle", "--format=esm", "--log-level=warning", "--outfile=bundle.mjs")
    run(ESBUILD, "main.ts", *bundle, cwd=project)
    assert run(NODE, "bundle.mjs", cwd=project) == RIGHT
    (project / "alone.ts").write_text(f'export {{ introspect }} from "{NAME}";')
    run(ESBUILD, "alone.ts", *bundle, "--minify", cwd=project)
    assert len(gzip.compress((project / "bundle.mjs").read_bytes())) < 13_500
    page = (project / "node_modules" / NAME / "dist" / "element" / "page.js").read_text()
    text = page.removeprefix("export default ").removesuffix(";\n")
    assert json.loads(text) == (ROOT / "build" / "sandbox.html").read_text()


def test_the_readmes_lines_install_the_packages(tmp_path: Path) -> None:
    """Run each line as written, next to a copy of the files that git would keep."""
    copy = tmp_path / "gradient-service"
    names = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    shutil.copytree(ROOT / "engine_ts" / "dist", copy / "engine_ts" / "dist")  # by `make setup`
    project = tmp_path / "project"
    run(sys.executable, "-m", "venv", project / ".venv")

    def typed(command: str) -> str:
        return run("bash", "-c", f". .venv/bin/activate && {command}", cwd=project)

    [engine] = re.findall(r"`(pip install [^`]+)`", README)
    [explained] = re.findall(r"^python3 -m engine_py (explain .+)$", README, re.MULTILINE)
    typed(engine)
    assert "result = -10\nd/da = 10\nd/db = 10\nd/dc = -1\n" in typed(f"gradient {explained}")
    guide = (ROOT / "parity_tests" / "IMPLEMENTING.md").read_text(encoding="utf-8")
    [kit] = re.findall(r"^(pip install ../gradient-service .+)$", guide, re.MULTILINE)
    typed(kit)
    (project / "worker.py").write_text(WORKER)
    (project / "mine.toml").write_text(ENGINE.format(python="python", worker="worker.py"))
    assert typed("gradient-parity --engines mine.toml --filter lessons").endswith(
        "green: no engine differs\n"
    )
    [npm] = re.findall(r"`(npm install [^`]+)`", README)
    (project / "package.json").write_text('{"type": "module", "private": true}')
    (project / "use.js").write_text(MODULE)
    typed(npm)
    assert run(NODE, "use.js", cwd=project) == RIGHT
    # A bundler looks for React from the target of a link.
    assert not (project / "node_modules" / NAME).is_symlink()
