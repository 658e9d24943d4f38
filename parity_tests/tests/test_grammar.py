"""The grammar in the contract accepts the texts that both engines accept, and no others."""

import re
from collections.abc import Callable, Iterator
from random import Random

from engine_py.language.tokens import tokenize
from parity_tests.kit.cases import load_cases
from parity_tests.kit.contract import CONTRACT
from parity_tests.kit.worker import Call, Worker

REFUSED = {"unexpected_token", "unexpected_end", "exponent_not_literal"}
ELSEWHERE = {
    "unexpected_character",
    "unknown_function",
    "wrong_arity",
    "duplicate_name",
    "non_finite",
}
"""Codes of texts whose error is in a token or a name; the grammar may accept these texts or not."""

Matcher = Callable[[list[str], int], set[int]]
"""(tokens, place) -> the places where a match that begins there can end."""


def grammar() -> Matcher:
    """Read the EBNF of the contract: rules, choices, sequences and their parts."""
    text = CONTRACT.read_text(encoding="utf-8").partition("```ebnf\n")[2].partition("```")[0]
    rules: dict[str, Matcher] = {}
    words = iter(re.findall(r'"[^"]+"|\w+|[^\s]', text))
    for name in words:
        assert next(words) == "="
        rules[name] = choice(words, ";", rules)
    return rules["program"]


# Each function reads a part of the EBNF and returns its matcher.


def choice(words: Iterator[str], end: str, rules: dict[str, Matcher]) -> Matcher:
    sequences: list[list[Matcher]] = [[]]
    for word in iter(words.__next__, end):
        if word == "|":
            sequences.append([])
        elif word != ",":
            sequences[-1].append(part(word, words, rules))
    return lambda tokens, place: set().union(
        *(in_turn(sequence, tokens, place) for sequence in sequences)
    )


def in_turn(sequence: list[Matcher], tokens: list[str], place: int) -> set[int]:
    places = {place}
    for match in sequence:
        places = {end for each in places for end in match(tokens, each)}
    return places


def part(word: str, words: Iterator[str], rules: dict[str, Matcher]) -> Matcher:
    if word == "(":
        return choice(words, ")", rules)
    if word == "[":
        inner = choice(words, "]", rules)
        return lambda tokens, place: {place, *inner(tokens, place)}
    if word == "{":
        return repeated(choice(words, "}", rules))
    if word in ("number", "name") or word.startswith('"'):
        kind = word.strip('"')
        return lambda tokens, place: {place + 1} if tokens[place] == kind else set()
    return lambda tokens, place: rules[word](tokens, place)  # noqa: PLW0108 - it comes later


def repeated(inner: Matcher) -> Matcher:
    def match(tokens: list[str], place: int) -> set[int]:
        found, new = {place}, {place}
        while new := {end for each in new for end in inner(tokens, each)} - found:
            found |= new
        return found

    return match


def texts() -> list[str]:
    """Return the fixtures' short expressions, the same with one token changed, and random ones."""
    random = Random(1)
    pieces = [*("a", "b", "2", "exp(", "max(", "(", ")", ","), *"+-*/=;\n", "**"]
    expressions = [case.request.get("expression") for case in load_cases()]
    written = {each for each in expressions if isinstance(each, str) and len(each) < 60}
    damaged = []
    for text in sorted(written):
        words = re.findall(r"\w+\(?|\*\*|\s|.", text)
        place = random.randrange(len(words) + 1)
        damaged.append("".join([*words[:place], *words[place + 1 :]]))
        damaged.append("".join([*words[:place], random.choice(pieces), *words[place:]]))
    drawn = [" ".join(random.choices(pieces, k=random.randint(1, 9))) for _ in range(1000)]
    return [*sorted(written), *damaged, *drawn]


def test_the_grammar_of_the_contract_is_that_of_the_engines(workers: dict[str, Worker]) -> None:
    program, verdicts = grammar(), {True: 0, False: 0}
    expressions = texts()
    calls: list[Call] = [("parse", {"expression": text}, None) for text in expressions]
    responses = [worker.run_many(calls) for worker in workers.values()]
    for text, *answers in zip(expressions, *responses, strict=True):
        codes = {answer.get("error", {}).get("code") for answer in answers}
        if codes & ELSEWHERE:
            continue
        kinds = tokenize(text).kinds
        accepted = len(kinds) - 1 in program(kinds, 0)
        assert {code not in REFUSED for code in codes} == {accepted}, (text, codes)
        verdicts[accepted] += 1
    assert min(verdicts.values()) > 300
