"""The page's languages: the same members, numbers and marks in each, and no word of another."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from parity_tests.kit.engines import ROOT

WEB = ROOT / "service" / "web"
LANGUAGES = sorted(file.stem for file in (WEB / "words").glob("??.*"))
OPERATIONS = json.loads((ROOT / "schemas" / "operations.json").read_text())["operations"]
ANOTHER = "another"
"""An operation without a sentence in any language, which is explained by its row of the table."""
ENTRY = """
import * as parts from "./words/en.ts";
import { examples } from "../../schemas/examples.json";
import { pitfalls } from "../../schemas/pitfalls.json";
export { explainContribution, hint } from "./words/sentences.ts";
export { say, spoken } from "./words/spoken.ts";
export { translated } from "./words/translated.ts";
export const english = Object.fromEntries(
  Object.entries(parts).map(([name, part]) => [name.toLowerCase(), part]));
const byName = (rows, members) => Object.fromEntries(
  rows.map((row) => [row.name, members.map((name) => row[name]).join(" | ")]));
Object.assign(english.interaction, english.shown);
delete english.shown;
Object.assign(english.interaction.examples, byName(examples, ["title", "about"]));
Object.assign(english.interaction.broken.known, byName(pitfalls, ["title", "about", "cure"]));
"""
"""In English, examples and pitfalls have the words of their tables."""

# Texts by path, and the sentences that are put together for each operation.
READ = """
const [bundle, operations, translation] = process.argv.slice(1);
const { english, say, spoken, translated, explainContribution, hint } = await import(bundle);
const own = JSON.parse(translation);
const words = own === null ? english : translated(own, say);
const step = { from: "`1`", to: "`2`", incoming: 103, local: 104, contribution: 105, slope: 109 };
const { rules } = spoken(english.interaction, words.interaction);
const said = {};
for (const operation of JSON.parse(operations))
  for (const slot of [0, 1]) {
    said[`hint ${operation} ${slot}`] = hint(rules, operation, slot, 101, 102, 109);
    for (const [arrived, expected] of [[1, 1], [1, 2], [2, 2]])
      for (const isDead of [true, false])
        said[`sent ${operation} ${slot} ${arrived} ${expected} ${isDead}`] = explainContribution(
          rules, { ...step, operation, slot, other: 106, arrived, expected, sum: 107, isDead });
  }
const read = (path, value) => {
  if (typeof value === "string") said[path.join(".")] = value;
  else for (const name of Object.keys(value ?? {})) read([...path, name], value[name]);
};
read([], own ?? english);
console.log(JSON.stringify(said));
"""

RULE = re.compile(r"interaction\.rules\.(?:rules|hints)\.")
"""Texts by operation; a language has only some of them: `READ` writes them for every operation."""

MARK = re.compile(r"`[^`]*`|\[[dg]:[^\]]*\]|\{\w+\}")
FORMS = re.compile(r"\{(\w+)\|[^}]*\}")
"""A number with the forms of its noun: `{count|node|nodes}`."""
NUMBER = re.compile(r"\d+(?:\.\d+)?")
WORD = re.compile(r"[^\W\d_]{3,}")
PARTS = ("first", "interaction", "exporting", "curve", "accuracy", "code", "training", "lesson")
RECORDS = {
    *("first.onward", "first.verbs", "accuracy.reasons", "training.names"),
    *("interaction.address", "interaction.broken.chips", "interaction.broken.known"),
    *("interaction.examples", "interaction.fault.sentences", "interaction.keyNames"),
    "interaction.parity",
}
"""Records of texts that the page looks up by a key: an operation, an example, a state."""
# Names and terms that are the same in any language.
LATIN = {
    *("data", "grad", "out", "double", "softmax", "Softmax", "backward", "micrograd", "Karpathy"),
    *("Python", "HTML", "SVG", "PNG", "XOR", "sum", "neg", "zero"),
    *(word for row in OPERATIONS for word in WORD.findall(row["operation"])),
    ANOTHER,
    *("Home", "End", "Tab", "Enter", "Shift", "Ctrl"),
}


SPELLED: dict[str, tuple[str, str]] = {
    "en": ("a-z", ""),
    "es": (
        "a-záéíóúüñ",
        (
            "base bit bits central const divide divisor error factor has local momentum variable "
            "variables zoom"
        ),
    ),
    "et": ("a-zäõöüšž", "all gradient link momentum neuron operand param read see too"),
    "ru": ("а-яё", ""),
}
"""By language: its letters, and its words that are spelled as an English word is."""


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """By language, the text of each member."""
    bundle = tmp_path_factory.mktemp("words") / "words.mjs"
    esbuild = WEB / "node_modules" / "esbuild" / "bin" / "esbuild"
    options = ["--bundle", "--format=esm", "--loader=ts", f"--outfile={bundle}"]
    subprocess.run([esbuild, *options], input=ENTRY, text=True, cwd=WEB, check=True)
    return {language: sentences(bundle, language) for language in LANGUAGES}


def sentences(bundle: Path, language: str) -> dict[str, str]:
    file = WEB / "words" / f"{language}.json"
    own = json.loads(file.read_text()) if language != "en" else None
    if own:
        own.pop("unsure", None)  # remarks on translations
    operations = json.dumps([*(row["operation"] for row in OPERATIONS), ANOTHER])
    found = run_node(READ, bundle.as_uri(), operations, json.dumps(own))
    said: dict[str, str] = json.loads(found)
    return {path: text for path, text in said.items() if not RULE.match(path)}


def run_node(program: str, *arguments: str) -> str:
    node = Path(sys.executable).parent / "node"
    argv: list[str | Path] = [node, "--input-type=module", "--eval", program, *arguments]
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout


def shape(text: str) -> tuple[set[str], set[str]]:
    """Return what a translation keeps: code, names, numbers with their colours, and others."""
    plain = FORMS.sub(r"{\1}", text)
    return set(MARK.findall(plain)), set(NUMBER.findall(plain))


def kept(said: dict[str, dict[str, str]]) -> dict[str, str]:
    """Return the texts to compare with: English, and Russian where English has no sentence."""
    return said["ru"] | said["en"]


def test_each_language_has_the_same_members(said: dict[str, dict[str, str]]) -> None:
    assert len(said["en"]) > 300
    for language in LANGUAGES:
        held = said["en"] if language == "en" else kept(said)
        differing = said[language].keys() ^ held.keys()
        assert [path for path in differing if not path.startswith("first.onward")] == []
        assert [path for path, text in said[language].items() if "undefined" in text] == []


def test_each_member_is_shown_somewhere(said: dict[str, dict[str, str]]) -> None:
    """The page's code has its name, or that of its record, whose members are looked up by a key."""
    code = "".join(
        file.read_text()
        for file in WEB.rglob("*.ts*")
        if file.relative_to(WEB).parts[0] not in ("node_modules", "dist", "tests")
        and file.stem != "en"
    )
    named = set(re.findall(r"(?:\.|[{,]\s*)(\w+)", code))
    paths = [path for path in said["ru"] if path.startswith(tuple(PARTS))]
    assert len(paths) > 400
    unnamed = [path for path in paths if path.split(".")[-1] not in named]
    assert [path for path in unnamed if path.rpartition(".")[0] not in RECORDS] == []
    assert [path for path in RECORDS if path.split(".")[-1] not in named] == []


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
            assert not path.startswith("sent ") or text.count(". ") >= 1, (path, text)
            assert not path.startswith("hint ") or text != "", path
        reported = [text for path, text in said[language].items() if ANOTHER in text]
        assert (
            sum("`109`" in text for text in reported) == 6
        )  # as the last operand's slope, and hints


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
    """Return the words of three letters or more, except for names."""
    found = WORD.findall(MARK.sub("", FORMS.sub(lambda forms: forms[0].partition("|")[2], text)))
    return {word.lower() for word in found if word not in LATIN}


def test_russian_counts_as_russian_does() -> None:
    program = (
        "const [{ say, spoken }, { translated }] = await Promise.all("
        '["spoken", "translated"].map((name) => import(`${process.argv[1]}/${name}.ts`)));'
        'const first = { language: "ru", it: "{count|узел|узла|узлов}" };'
        'const own = translated({ first, interaction: { "fault.empty": "" } }, say);'
        'const { it } = spoken({ it: "{count} nodes" }, own.first);'
        "console.log([0, 1, 2, 4, 5, 11, 12, 21, 22, 25, 101, 111].map(it).join());"
    )
    assert run_node(program, (WEB / "words").as_uri()).strip() == (
        "0 узлов,1 узел,2 узла,4 узла,5 узлов,11 узлов,12 узлов,21 узел,22 узла,25 узлов,"
        "101 узел,111 узлов"
    )
