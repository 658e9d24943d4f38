"""A correct call -> a line of the protocol, which is probably no message of it."""

import json
from random import Random

from parity_tests.fuzz.damage import NONSENSE
from parity_tests.fuzz.members import damage_member
from parity_tests.kit.worker import Call, Json

LINE = "line"
"""The command of a call that is a line as it is written."""

NEAR_BOUNDS = (0, -1, 0.5, 2**53 - 1, 2**53, 1e300)
TYPED = NONSENSE.replace("\n", "") + '"\\{}[]:\r\x01\x1f'


def random_line(random: Random, call: Call) -> Call:
    """Spoil a member of the message, or type something into its text; one in ten is left right."""
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
    """Put a character between two others, or in the place of some, or stop there."""
    place = random.randint(0, len(text))
    if random.random() < 0.1:
        return text[:place]
    return text[:place] + random.choice(TYPED) + text[place + random.choice([0, 0, 1, 2]) :]
