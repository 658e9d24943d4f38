"""The npm package in front ends: served by Vite and other tools, and seen in a browser."""

import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from parity_tests.kit.engines import ROOT
from parity_tests.packaging.release import FOLDER
from parity_tests.packaging.tests.conftest import ESBUILD, NODE, NPM, run
from service.tests.processes import started
from service.web.tests.conftest import Browsers, served, watch

pytestmark = pytest.mark.packages

EXAMPLE = ROOT / "engine_ts" / "examples" / "slider"
VITE = "node_modules/vite/bin/vite.js"
README = (ROOT / "engine_ts" / "README.md").read_text(encoding="utf-8")

MATRIX = tomllib.loads((Path(__file__).parents[1] / "matrix.toml").read_text("utf-8"))

ELEMENT = """<!doctype html><title>A lesson</title><link rel="icon" href="data:,">
<script type="module" src="{}"></script>
<gradient-sandbox expression="a * b" values="a:2,b:3"></gradient-sandbox>
"""
MOVE = """() => Promise.all(["#plain", "#react"].map(async (id) => {
  const place = document.querySelector(id);
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
  const [slider, output] = ["input", "output"].map((name) => place.querySelector(name));
  const wrong = [];
  for (let frame = 1; frame <= 120; frame++) {
    const a = frame < 60 ? 2 - frame / 30 : (frame - 60) / 60;
    set.call(slider, a);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise(requestAnimationFrame);
    const [shown, moved] = [output.value, slider.valueAsNumber];
    const slope = Number(/slope is ([-.\\d]+)/.exec(shown)?.[1]);
    const right = moved > 0 ? Math.abs(slope - Math.log(moved) - 1) < 1e-9 : /log/.test(shown);
    if (!right) wrong.push([moved, shown]);
  }
  return wrong;
}))"""
"""Moves both in each frame, through 0 to 1: (a log a)' is log a + 1, and 0 has no logarithm."""

CLICK = """() => {
  const buttons = [...document.querySelectorAll("button")];
  const button = buttons.find(({ textContent }) => textContent.startsWith("the slope is"));
  if (button?.textContent === "the slope is 6") button.click();
  return button?.textContent === "the slope is 8";
}"""
"""Clicks in each frame until it works: a rendered page has its button before its script."""


@pytest.fixture
def page(browsers: Browsers) -> Iterator[Any]:
    """An empty page, whose console must show no error."""
    context = browsers.context()
    wrong: list[str] = []
    page = context.new_page()
    watch(page, wrong)
    yield page
    context.close()
    assert wrong == []


@pytest.fixture(scope="module")
def starter(released: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, with the package installed as from its registry."""
    folder = tmp_path_factory.mktemp("starter") / "slider"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("node_modules"))
    [package] = [FOLDER / name for name in released if name.endswith(".tgz")]
    manifest = folder / "package.json"
    manifest.write_text(manifest.read_text().replace("file:../..", f"file:{package}"))
    run(NODE, NPM, "install", "--no-audit", "--no-fund", "--prefer-offline", cwd=folder)
    return folder


@contextmanager
def server(folder: Path, *command: str | Path, **variables: str) -> Iterator[str]:
    """Run a command in a folder until the block ends; yield the address that it prints."""
    env = {**os.environ, **variables, "NO_COLOR": "1"}
    pipe, also = subprocess.PIPE, subprocess.STDOUT
    with subprocess.Popen(
        command, cwd=folder, env=env, stdout=pipe, stderr=also, text=True
    ) as process:
        try:
            assert process.stdout
            found = (re.search(r"http://localhost:\d+/", line) for line in process.stdout)
            yield next(filter(None, found)).group()
        finally:
            process.terminate()


def vite(folder: Path, port: int) -> AbstractContextManager[str]:
    return server(folder, NODE, VITE, SERVICE=f"http://127.0.0.1:{port}")


def test_the_readme_shows_the_example() -> None:
    shown = re.findall(r"```jsx\n(.*?)```", README, re.DOTALL)
    assert (EXAMPLE / "react.jsx").read_text() in shown


def test_sliders_that_move_in_each_frame_end_in_agreement(starter: Path, page: Any) -> None:
    asked: list[Any] = []
    page.on("request", lambda sent: asked.append(sent) if "/v1/" in sent.url else None)
    with started() as service, vite(starter, service.port) as address:
        page.goto(address)
        page.locator("#react output").wait_for()
        assert page.evaluate(MOVE) == [[], []]
        for place in ("#plain", "#react"):
            page.locator(f"{place} output", has_text="is 1, as the service says").wait_for()
    assert [sent.post_data_json["values"] for sent in asked[-2:]] == [{"a": 1}, {"a": 1}]


def test_a_loss_has_its_surface_sliders_and_ledger(starter: Path, page: Any) -> None:
    """(w * 1.5 + b - 2)**2 at w = 1 and b = 0.5 is 0; at w = 2 the inner sum is 1.5."""
    with started() as service, vite(starter, service.port) as address:
        page.goto(f"{address}landscape.html")
        page.locator("[name=w]").fill("2")
        page.locator("label", has_text="w 2, gradient 4.5").wait_for()  # 2 * 1.5 * 1.5
        page.locator("label", has_text="b 0.5, gradient 3").wait_for()  # 2 * 1.5
        page.locator("svg[role] text", has_text="3 × 1.5 = 4.5").wait_for()
        page.locator("output", has_text="service").wait_for()
        surface = page.locator("section > svg path")
        assert surface.count() == 31 * 31
        # The smallest sum, -3 * 1.5 - 3 - 2, has the largest square.
        assert surface.first.get_attribute("opacity") == "1"
        page.get_by_label("program", exact=True).fill("2x^2")
        page.get_by_role("alert").wait_for()
        page.get_by_role("button").click()
        page.locator("label", has_text="x 1, gradient 4").wait_for()
        page.close()  # before the service, which it is about to ask


def test_the_element_has_its_page_with_each_bundler_and_with_none(starter: Path, page: Any) -> None:
    folder = starter / "element"
    (folder / "bundled").mkdir(parents=True)
    (folder / "main.js").write_text('import "@gradient-service/engine/sandbox";')
    for made in (folder, folder / "bundled"):
        (made / "index.html").write_text(ELEMENT.format("./main.js"))
    module = "node_modules/@gradient-service/engine/dist/element/sandbox.js"
    (starter / "plain.html").write_text(ELEMENT.format(module))
    bundle = ("--bundle", "--format=esm", "--outfile=element/bundled/main.js")
    run(ESBUILD, "element/main.js", *bundle, cwd=starter)
    run(NODE, VITE, "build", "element", cwd=starter)
    with server(starter, NODE, VITE, "element") as developed, served(starter) as site:
        pages = ("plain.html", "element/bundled/")
        for address in (developed, *(f"{site}/{name}" for name in pages)):
            shows_the_sandbox(page, address)
    with served(folder / "dist") as built:
        shows_the_sandbox(page, built)


def test_one_file_from_a_cdn_has_the_hash_that_the_packages_readme_prints(
    project: Path, page: Any
) -> None:
    package = project / "node_modules" / "@gradient-service" / "engine"
    shown = (package / "README.md").read_text("utf-8")
    [example] = re.findall(r'```html\n(<script type="importmap">.*?)```', shown, re.DOTALL)
    use = """<script type="module">
      import { createProgram } from "gradient";
      document.title = createProgram("a * a", { a: 3 }).get().document.gradients.a;
    </script>
    <gradient-sandbox expression="a * b" values="a:2,b:3"></gradient-sandbox>"""
    with served(project) as site:
        local = re.sub(r"https://[^/]+/npm/(.*)@[\d.]+/", rf"{site}/node_modules/\1/", example)
        icon = '<!doctype html><link rel="icon" href="data:,">'
        (project / "cdn.html").write_text(f"{icon}{local}{use}")
        asked: list[str] = []
        page.on("request", lambda sent: asked.append(sent.url))
        shows_the_sandbox(page, f"{site}/cdn.html")
        page.wait_for_function("document.title === '6'")
    assert len([each for each in asked if each.startswith(site)]) == 3


def shows_the_sandbox(page: Any, address: str) -> None:
    page.goto(address)
    frame = page.frame_locator("iframe")
    frame.locator(".card").first.wait_for()
    assert frame.get_by_label("Expression").input_value() == "a * b"
    assert len(page.frames) == 2


@pytest.mark.parametrize("name", MATRIX)
def test_the_package_works_with_other_tools(
    name: str, released: dict[str, bytes], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    row = MATRIX[name]
    (tmp_path / "package.json").write_text('{"private": true, "type": "module"}')
    for file, text in row["files"].items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    [package] = [FOLDER / file for file in released if file.endswith(".tgz")]
    quiet = ("--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error")
    run(NODE, NPM, "install", *quiet, package, *row["packages"], cwd=tmp_path)
    run("bash", "-c", row["command"], cwd=tmp_path)
    if "rendered" in row:
        assert "the slope is 6" in (tmp_path / row["rendered"]).read_text("utf-8")
    if "site" in row:
        page = request.getfixturevalue("page")
        with served(tmp_path / row["site"]) as site:
            page.goto(site)
            page.wait_for_function(CLICK)
    if "sandbox" in row:
        folder, _, address = row["sandbox"].partition("/")
        with served(tmp_path / folder) as site:
            shows_the_sandbox(request.getfixturevalue("page"), f"{site}/{address}")
    if "notebook" in row:
        page = request.getfixturevalue("page")
        with server(tmp_path, "bash", "-c", row["server"]) as address:
            page.goto(address + row["notebook"])
            page.get_by_text("| Idle").wait_for()  # the kernel runs no cell earlier
            page.locator(".jp-CodeCell .cm-content").click()
            page.keyboard.press("Shift+Enter")
            page.wait_for_function(CLICK)
            page.close()  # it would look for the server
