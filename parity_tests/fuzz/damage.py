"""A correct call -> one that is probably an error, as people and programs make them."""

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from parity_tests.kit.worker import Call, Json

PIECES = re.compile(r"[0-9.]+|[A-Za-z_][A-Za-z0-9_]*|\*\*|\s+|.", re.DOTALL)

INSERTIONS = (
    *("+", "-", "*", "/", "**", "(", ")", "=", ",", ";", "\n", "2", "a", "b", "1e400", ".", " "),
    *(" 2", " a", "(c)", "a = 1; "),
    *("foo(", "relu(a,b)", "tanh()", "a**b", "**a", "n0 = 1;", "=", "1.5.2", "2e", "0x1"),
    *("^", "é", "θ", "😀", "\x00", "\ufeff", "\u2028", "\u00a0", "\x0c", "١", "１", "\ud800", "'"),
)
SIGNS = "+-*/(),=;\n"
NONSENSE = "ab1.e+-*/()=,; \n\t^$#é😀\x00\x7f\ud83d\ude00\u2028_"
BAD_VALUES: tuple[Any, ...] = ("2", True, None, [1], {}, 10**400, -(10**400), "")
BAD_NAMES = ("1a", "", "a b", "é", "a\n", "a/b~", "😀", "\uffee", "\ud800", "10", "2")
BAD_MEMBERS: tuple[tuple[str, Any], ...] = (
    *(("expression", 2), ("expression", None), ("expression", ["a"]), ("expression", True)),
    *(("values", None), ("values", []), ("values", "a"), ("values", 1)),
    *(("parameters", "a"), ("parameters", None), ("parameters", {}), ("parameters", [1])),
    *(("parameters", ["a", "a"]), ("parameters", ["1a"]), ("parameters", ["missing"])),
    *(("view", "Folded"), ("view", None), ("view", 1), ("view", []), ("view", "")),
)


def damage(random: Random, call: Call) -> Call:
    """Plant one to three errors in a request."""
    command, request, limits = call
    broken = {**request, "values": dict(request["values"])}
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        random.choice(WAYS)(random, broken)
    return command, broken, near_limits(random, broken) if random.random() > 0.75 else limits


def near_limits(random: Random, request: Json) -> dict[str, int]:
    """Draw a limit close to the request's size."""
    entries = random.choice([request["values"], request.get("parameters")])
    sizes = {
        "characters": len(str(request["expression"])),
        "variables": len(entries) if isinstance(entries, dict | list) else 1,
        "nodes": about_nodes(request["expression"]),
    }
    name, size = random.choice([*sizes.items()])
    return {name: max(0, size - random.choice([-1, 0, 0, 1, 1, 2, random.randint(0, size)]))}


def about_nodes(expression: object) -> int:
    """Estimate the number of nodes: names count once, numbers and operators each time."""
    pieces = PIECES.findall(str(expression))
    names = {piece for piece in pieces if piece[0].isalpha()}
    return len(names) + sum(piece[0] in "0123456789.+-*/" for piece in pieces)


def _change_text(random: Random, request: Json) -> None:
    if isinstance(request["expression"], str):
        request["expression"] = damage_text(random, request["expression"])


def damage_text(random: Random, text: str) -> str:
    """Delete, repeat, insert or swap pieces of a program, or cut it off."""
    pieces = PIECES.findall(text)
    place = random.randint(0, max(0, len(pieces) - 1))
    way = random.choice(["delete", "insert", "double", "exchange", "cut"])
    if way == "delete":
        del pieces[place : place + 1]
    elif way == "insert":
        pieces.insert(place, random.choice([random.choice(INSERTIONS), random.choice(SIGNS)]))
    elif way == "double":
        pieces[place:place] = pieces[place : place + random.randint(1, 3)]
    elif way == "exchange":
        pieces[place : place + 2] = reversed(pieces[place : place + 2])
    else:
        del pieces[place:]
    return "".join(pieces)


def _mistype(random: Random, request: Json) -> None:
    """Insert a character, or replace up to two others by it."""
    text = request["expression"]
    if isinstance(text, str):
        typed = random.choice([chr(random.randrange(128)), random.choice(NONSENSE)])
        place = random.randint(0, len(text))
        request["expression"] = text[:place] + typed + text[place + random.randint(0, 2) :]


def _raise_to_a_name(random: Random, request: Json) -> None:
    """Add a power whose exponent is a name, which is an error even if it is bound to a number."""
    if isinstance(request["expression"], str):
        names = re.findall(r"[a-z]\w*", request["expression"])
        request["expression"] += f" ** {random.choice(names or ['a'])}"


def _break_a_line(random: Random, request: Json) -> None:
    if isinstance(request["expression"], str):
        pieces = PIECES.findall(request["expression"])
        pieces.insert(random.randint(0, len(pieces)), "\n")
        request["expression"] = "".join(pieces)


def _add_an_argument(random: Random, request: Json) -> None:
    """Put a comma and an argument before a closing parenthesis, or add such a call."""
    text = request["expression"]
    if isinstance(text, str):
        ends = [match.start() for match in re.finditer(r"\)", text)]
        place = random.choice([*ends, 0])
        addition = ", 1" if place else random.choice(["tanh(1, a) * ", "exp() + "])
        request["expression"] = f"{text[:place]}{addition}{text[place:]}"


def _bind_again(random: Random, request: Json) -> None:
    if isinstance(request["expression"], str):
        name = random.choice(["n0", "a", "root"])
        line = random.choice([f"{name} = {name} * 2", f"{name} = 2"])
        request["expression"] = f"{line}; {request['expression']}"


def _write_nonsense(random: Random, request: Json) -> None:
    request["expression"] = "".join(random.choices(NONSENSE, k=random.randint(0, 12)))


def _lose_a_value(random: Random, request: Json) -> None:
    if isinstance(request["values"], dict) and request["values"]:
        del request["values"][random.choice(sorted(request["values"]))]


def _name_parameters(random: Random, request: Json) -> None:
    """List some values as parameters, perhaps twice."""
    if isinstance(request["values"], dict) and (names := sorted(request["values"])):
        request["parameters"] = random.choices(names, k=len(names) + random.randint(-1, 4))


def _spoil_a_value(random: Random, request: Json) -> None:
    if isinstance(request["values"], dict):
        name = random.choice([*request["values"], "a"])
        request["values"][name] = random.choice(BAD_VALUES)


def _add_a_bad_name(random: Random, request: Json) -> None:
    if isinstance(request["values"], dict):
        for name in random.sample(BAD_NAMES, random.randint(1, 2)):
            request["values"][name] = random.choice([1, "x"])


def _spoil_a_member(random: Random, request: Json) -> None:
    member, wrong = random.choice(BAD_MEMBERS)
    request[member] = wrong


WAYS: tuple[Callable[[Random, Json], None], ...] = (
    *(_change_text,) * 6,
    *(_mistype, _break_a_line) * 2,
    _raise_to_a_name,
    _add_an_argument,
    _bind_again,
    _write_nonsense,
    _lose_a_value,
    _name_parameters,
    _spoil_a_value,
    _add_a_bad_name,
    _spoil_a_member,
)


# Members of any request, and lines of the protocol

SPOILED = (
    *(*BAD_VALUES, 0, -0.0, 1, 1.5, -1, 3, 99, 1e16, 1e300, "a", "0", "exp", "custom"),
    *([], [0], [0, 1], ["a", "a"], {}, {"a": 1}),
)


def damage_member(random: Random, inside: Any, place: Any, near_bounds: Sequence[float]) -> None:
    """Delete the member at `place`, replace it by nonsense, or add nonsense under another name."""
    way = random.random()
    if way < 0.2:
        del inside[place]
    elif way < 0.4 and isinstance(inside, dict):
        inside[random.choice(["a", "step", "q", "1", "é"])] = random.choice(SPOILED)
    else:
        ways = (None,), near_bounds or (0,), near_bounds or SPOILED, SPOILED
        inside[place] = random.choice(random.choice(ways))


LINE = "line"
"""The command of a call that is one raw line."""

NEAR_BOUNDS = (0, -1, 0.5, 2**53 - 1, 2**53, 1e300)
TYPED = NONSENSE.replace("\n", "") + '"\\{}[]:\r\x01\x1f'


def random_line(random: Random, call: Call) -> Call:
    """Damage a member of the message, or mistype its text; one in ten stays valid."""
    command, request, limits = call
    message: Json = {"kind": "run", "sequence": 7, "command": command, "request": request}
    if limits is not None or random.random() < 0.5:
        message["limits"] = {"nodes": 100, **(limits or {})}
    way = random.random()
    if way < 0.5:
        inside = random.choice([message, message.get("limits", message)])
        damage_member(random, inside, random.choice([*inside]), NEAR_BOUNDS)
    text = json.dumps(message, ensure_ascii=random.random() < 0.5)
    return LINE, {LINE: _typed(random, text) if 0.5 <= way < 0.9 else text}, None


def _typed(random: Random, text: str) -> str:
    """Insert a character, replace up to two by it, or cut the text off."""
    place = random.randint(0, len(text))
    if random.random() < 0.1:
        return text[:place]
    return text[:place] + random.choice(TYPED) + text[place + random.choice([0, 0, 1, 2]) :]
