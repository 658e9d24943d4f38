"""The page's languages: the same members, numbers and marks in each, and no word of another."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from parity_tests.kit.engines import ROOT

WEB = ROOT / "service" / "web"
LANGUAGES = ("en", "ru")
OPERATIONS = json.loads((ROOT / "schemas" / "operations.json").read_text())["operations"]
ANOTHER = "another"
"""An operation for which no language has a sentence: it is told by what its table says."""
ENTRY = """
export {{ FIRST as first }} from "./words/{0}/first.ts";
export {{ LATER as later }} from "./words/{0}/later.ts";
export {{ ACCURACY as accuracy }} from "./words/{0}/accuracy.ts";
export {{ CODE as code }} from "./words/{0}/code.ts";
export {{ TRAINING as training }} from "./words/{0}/training.ts";
export {{ LESSON as lesson }} from "./words/{0}/lesson.ts";
"""

# Words -> what they say by path. A sentence that is put together is asked with numbers of its own.
READ = """
const [file, operations] = [process.argv[1], JSON.parse(process.argv[2])];
const step = { from: "`1`", to: "`2`", incoming: 103, local: 104, contribution: 105, slope: 109 };
const sent = operations.flatMap((operation) => [0, 1].flatMap((slot) =>
  [[1, 1], [1, 2], [2, 2]].flatMap(([arrived, expected]) => [true, false].map((isDead) =>
    [{ ...step, operation, slot, other: 106, arrived, expected, sum: 107, isDead }]))));
const cases = {
  "later.sent": sent,
  "later.hint": operations.flatMap((each) => [0, 1].map((slot) => [each, slot, 101, 102, 109])),
  "later.ending.nudge": [107, 108].map((came) =>
    [{ name: 101, gradient: 102, by: 103, before: 104, after: 105, foretold: 107, came }]),
  "later.ending.zero": [[101, null], [101, 102]],
  "later.computed": [[101, 101, 102], [101, 102, 103]],
  "later.derivative": [[101, 102, null, 103, ""], [101, 102, 104, 103, " 105"]],
  "later.curve.nudged": [true, false].map((same) => [101, 102, 103, 104, same]),
  "later.broken.sent": [[[[101, 102], [103, 104]]]],
  "accuracy.right": [[101, 102, 103], [101, 102, 53]],
  "accuracy.culprit": [[101, 102, 103, 104, 105], [101, 102, 103, 104, 104]],
  "later.broken.losses": [[[[101, 102], [103, 104]]]],
  "first.makes": ["+", "-", "*", "/", "**"].flatMap((each) =>
    ["", "`101` "].map((left) => [each, left, 102, 103])),
  ...Object.fromEntries(["Replaced", "Late", "Lost", "Sum"].map((name) =>
    [`later.broken.tell${name}`, [[step, 108]]])),
};
const said = {};
function read(path, value) {
  if (typeof value === "string") said[path] = value;
  else if (typeof value === "function") {
    const numbers = Array.from({ length: value.length }, (_, at) => String(101 + at));
    const asked = cases[path] ?? [numbers];
    asked.forEach((given, at) => (said[`${path}(${at})`] = value(...given)));
  } else for (const name of Object.keys(value)) read(`${path}.${name}`, value[name]);
}
const { first, later, accuracy, code, training, lesson } = await import(file);
delete later.fault.told; // by the engine's message, or by its code: the browser tests it
read("first", first);
read("later", later);
read("accuracy", accuracy);
read("code", code);
read("training", training);
read("lesson", lesson);
console.log(JSON.stringify(said));
"""

MARK = re.compile(r"`[^`]*`|\[[dg]:[^\]]*\]")
NUMBER = re.compile(r"\d+(?:\.\d+)?")
# Names and terms that are written in Latin letters in any language.
LATIN = {
    *("data", "grad", "out", "softmax", "Softmax", "backward", "micrograd"),
    *("curl", "Python", "TypeScript", "SVG", "PNG", "DOT", "Mermaid", "XOR", "sum", "neg"),
    *(row["operation"] for row in OPERATIONS),
    ANOTHER,
    *("Home", "End", "Tab", "Enter", "Shift", "Ctrl"),
}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """By language, what each member says."""
    folder = tmp_path_factory.mktemp("words")
    return {language: sentences(folder, language) for language in LANGUAGES}


def sentences(folder: Path, language: str) -> dict[str, str]:
    node = Path(sys.executable).parent / "node"
    words = folder / f"{language}.mjs"
    esbuild = WEB / "node_modules" / "esbuild" / "bin" / "esbuild"
    options = ["--bundle", "--format=esm", "--loader=ts", f"--outfile={words}"]
    entry = ENTRY.format(language)
    subprocess.run([esbuild, *options], input=entry, text=True, cwd=WEB, check=True)
    asked = json.dumps([*(row["operation"] for row in OPERATIONS), ANOTHER])
    argv: list[str | Path] = [node, "--input-type=module", "--eval", READ, words.as_uri(), asked]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    found: dict[str, str] = json.loads(done.stdout)
    return found


def shape(text: str) -> tuple[set[str], set[str]]:
    """What a translation keeps: code and numbers with their colours, and all other numbers."""
    return set(MARK.findall(text)), set(NUMBER.findall(text))


def test_each_language_has_the_same_members(said: dict[str, dict[str, str]]) -> None:
    assert len(said["en"]) > 300
    for language in LANGUAGES:
        assert list(said[language].keys() ^ said["en"].keys()) == []
        assert [path for path, text in said[language].items() if "undefined" in text] == []


def test_each_sentence_has_the_same_code_and_numbers(said: dict[str, dict[str, str]]) -> None:
    for language in LANGUAGES:
        wrong = {
            path: (text, said[language][path])
            for path, text in said["en"].items()
            if shape(text) != shape(said[language][path])
        }
        assert wrong == {}, language


def test_each_operation_has_its_rule_and_its_hint(said: dict[str, dict[str, str]]) -> None:
    for language in LANGUAGES:
        for path, text in said[language].items():
            assert not path.startswith("later.sent") or text.count(". ") >= 1, (path, text)
            assert not path.startswith("later.hint(") or text != "", path
        told = [text for path, text in said[language].items() if ANOTHER in text]
        assert sum("`109`" in text for text in told) == 6  # as the last operand's slope, and hints


def test_russian_is_russian_throughout(said: dict[str, dict[str, str]]) -> None:
    for path, text in said["ru"].items():
        words = set(re.findall(r"[A-Za-z]{3,}", MARK.sub("", text)))
        assert words <= LATIN or path == "first.language", (path, text)
    for path, text in said["en"].items():
        assert not re.search(r"[\u0400-\u04ff]", text), (path, text)


def test_russian_counts_as_russian_does() -> None:
    plural = "service/web/words/ru/counted.ts"
    program = (
        f"const {{ counted }} = await import({json.dumps((ROOT / plural).as_uri())});"
        "console.log([0, 1, 2, 4, 5, 11, 12, 21, 22, 25, 101, 111].map((count) =>"
        ' counted(count, "узел", "узла", "узлов")).join());'
    )
    node = Path(sys.executable).parent / "node"
    argv: list[str | Path] = [node, "--input-type=module", "--eval", program]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == (
        "0 узлов,1 узел,2 узла,4 узла,5 узлов,11 узлов,12 узлов,21 узел,22 узла,25 узлов,"
        "101 узел,111 узлов"
    )
