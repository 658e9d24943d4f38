"""The page's languages: the same members, numbers and marks in each, and no word of another."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from parity_tests.kit.engines import ROOT

WEB = ROOT / "service" / "web"
LANGUAGES = sorted(file.stem for file in (WEB / "words").glob("??.ts"))
OPERATIONS = json.loads((ROOT / "schemas" / "operations.json").read_text())["operations"]
ANOTHER = "another"
"""An operation without a sentence in any language, which is explained by its row of the table."""
SENTENCES = """
export { explainContribution, hint } from "./words/sentences.ts";
"""
ENGLISH = """
import { INTERACTION } from "./words/en.ts";
import { examples } from "../../schemas/examples.json";
import { pitfalls } from "../../schemas/pitfalls.json";
export { ACCURACY as accuracy, CODE as code, FIRST as first } from "./words/en.ts";
export { LESSON as lesson, TRAINING as training } from "./words/en.ts";
const byName = (rows, members) => Object.fromEntries(
  rows.map((row) => [row.name, Object.fromEntries(members.map((name) => [name, row[name]]))]));
export const interaction = {
  ...INTERACTION,
  examples: byName(examples, ["title", "about"]),
  broken: { ...INTERACTION.broken, known: byName(pitfalls, ["title", "about", "cure"]) },
};
"""
"""In English, examples and pitfalls have the words of their tables."""
TRANSLATION = """
export * from "./words/{0}.ts";
export {{ FAULTS as faults }} from "./words/{0}.ts";
"""
"""A translation has sentences of faults; in English the engine's messages say what is wrong."""

# Words -> what they say by path. A sentence that is put together is asked with numbers of its own.
READ = """
const [file, operations] = [process.argv[1], JSON.parse(process.argv[2])];
const step = { from: "`1`", to: "`2`", incoming: 103, local: 104, contribution: 105, slope: 109 };
const sent = operations.flatMap((operation) => [0, 1].flatMap((slot) =>
  [[1, 1], [1, 2], [2, 2]].flatMap(([arrived, expected]) => [true, false].map((isDead) =>
    [{ ...step, operation, slot, other: 106, arrived, expected, sum: 107, isDead }]))));
const cases = {
  "rules.sent": sent,
  "interaction.rules.sends": [[step]],
  "rules.hint": operations.flatMap((each) => [0, 1].map((slot) => [each, slot, 101, 102, 109])),
  "interaction.ending.nudge": [107, 108].flatMap((actual) => ["", "`109`"].map((tied) => [
    { name: 101, tied, gradient: 102, by: 103, before: 104, after: 105, predicted: 107, actual },
  ])),
  "interaction.ending.zero": [[101, null], [101, 102]],
  "interaction.rules.computed": [[101, 101, 102], [101, 102, 103]],
  "interaction.curve.nudged": [true, false].map((same) => [101, 102, 103, 104, same]),
  "accuracy.right": [[101, 102, 103], [101, 102, 53]],
  "accuracy.culprit": [[101, 102, 103, 104, 105], [101, 102, 103, 104, 104]],
  "first.makes": ["+", "-", "*", "/", "**"].flatMap((each) =>
    ["", "`101` "].map((left) => [each, left, 102, 103])),
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
const words = await import(file);
const { interaction, hint, explainContribution } = words;
delete interaction.fault.told; // by the engine's message, or by its code: the browser tests it
const { rules } = interaction;
interaction.rules = { ...rules, rules: {}, hints: {} }; // which the sentences are put together from
read("rules", {
  sent: (step) => explainContribution(rules, step),
  hint: (...asked) => hint(rules, ...asked),
});
const files = ["first", "interaction", "accuracy", "code", "training", "lesson", "faults"];
for (const name of files) read(name, words[name] ?? {});
console.log(JSON.stringify(said));
"""

MARK = re.compile(r"`[^`]*`|\[[dg]:[^\]]*\]|\{\w+\}")
NUMBER = re.compile(r"\d+(?:\.\d+)?")
WORD = re.compile(r"[^\W\d_]{3,}")
# Names and terms that are written so in any language.
LATIN = {
    *("data", "grad", "out", "double", "softmax", "Softmax", "backward", "micrograd", "Karpathy"),
    *("Python", "SVG", "PNG", "XOR", "sum", "neg", "zero"),
    *(word for row in OPERATIONS for word in WORD.findall(row["operation"])),
    ANOTHER,
    *("Home", "End", "Tab", "Enter", "Shift", "Ctrl"),
}


SPELLED: dict[str, tuple[str, str]] = {
    "en": ("a-z", ""),
    "es": (
        "a-záéíóúüñ",
        "base bit bits central const divide divisor error factor has local variable variables zoom",
    ),
    "et": ("a-zäõöüšž", "all gradient link neuron operand param read see too"),
    "ru": ("а-яё", ""),
}
"""By language: its letters, and its words that are written as some English word is."""


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
    entry = SENTENCES + (ENGLISH if language == "en" else TRANSLATION.format(language))
    subprocess.run([esbuild, *options], input=entry, text=True, cwd=WEB, check=True)
    asked = json.dumps([*(row["operation"] for row in OPERATIONS), ANOTHER])
    argv: list[str | Path] = [node, "--input-type=module", "--eval", READ, words.as_uri(), asked]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    found: dict[str, str] = json.loads(done.stdout)
    return found


def shape(text: str) -> tuple[set[str], set[str]]:
    """What a translation keeps: code and numbers with their colours, and all other numbers."""
    return set(MARK.findall(text)), set(NUMBER.findall(text))


def kept(said: dict[str, dict[str, str]]) -> dict[str, str]:
    """What a translation is held to: English, and Russian where English has no sentence."""
    return said["ru"] | said["en"]


def test_each_language_has_the_same_members(said: dict[str, dict[str, str]]) -> None:
    assert len(said["en"]) > 300
    for language in LANGUAGES:
        held = said["en"] if language == "en" else kept(said)
        assert list(said[language].keys() ^ held.keys()) == []
        assert [path for path, text in said[language].items() if "undefined" in text] == []


def test_each_sentence_has_the_same_code_and_numbers(said: dict[str, dict[str, str]]) -> None:
    for language in LANGUAGES:
        wrong = {
            path: (text, kept(said)[path])
            for path, text in said[language].items()
            if shape(text) != shape(kept(said)[path])
        }
        assert wrong == {}, language


def test_each_operation_has_its_rule_and_its_hint(said: dict[str, dict[str, str]]) -> None:
    for language in LANGUAGES:
        for path, text in said[language].items():
            assert not path.startswith("rules.sent") or text.count(". ") >= 1, (path, text)
            assert not path.startswith("rules.hint") or text != "", path
        told = [text for path, text in said[language].items() if ANOTHER in text]
        assert sum("`109`" in text for text in told) == 6  # as the last operand's slope, and hints


def test_no_word_is_of_another_language(said: dict[str, dict[str, str]]) -> None:
    english = {word for text in said["en"].values() for word in words_of(text)}
    for language in LANGUAGES:
        letters, shared = SPELLED[language]
        own = re.compile(f"[{letters}]+")
        foreign = {
            (path, word)
            for path, text in said[language].items()
            for word in words_of(text)
            if not own.fullmatch(word)
            or (language != "en" and word in english - set(shared.split()))
        }
        assert foreign == set(), language


def words_of(text: str) -> set[str]:
    """Its words of three letters and more, but for names."""
    return {word.lower() for word in WORD.findall(MARK.sub("", text)) if word not in LATIN}


def test_russian_counts_as_russian_does() -> None:
    plural = "service/web/words/translated.ts"
    program = (
        f"const {{ counted }} = await import({json.dumps((ROOT / plural).as_uri())});"
        "console.log([0, 1, 2, 4, 5, 11, 12, 21, 22, 25, 101, 111].map((count) =>"
        ' counted("ru", count, "узел", "узла", "узлов")).join());'
    )
    node = Path(sys.executable).parent / "node"
    argv: list[str | Path] = [node, "--input-type=module", "--eval", program]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == (
        "0 узлов,1 узел,2 узла,4 узла,5 узлов,11 узлов,12 узлов,21 узел,22 узла,25 узлов,"
        "101 узел,111 узлов"
    )
