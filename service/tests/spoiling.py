"""random.Random + call -> the call with something wrong in it."""

import re
from random import Random

from service.tests.call import Call
from service.tests.nasty_bodies import BODIES, JSON_TEXTS
from service.tests.nasty_heads import HEADERS, METHODS, PATHS, QUERIES

_NOT_IN_URLS = re.compile(rb"[\x00-\x20#\x7f]")


def mangled(random: Random, text: bytes) -> bytes:
    """Change bytes: flip one, cut, leave out, double or insert."""
    start = random.randint(0, len(text))
    end = min(len(text), start + random.choice([1, 1, 1, 2, 8, 64]))
    way = random.randrange(6)
    if way == 0 and start < len(text):
        flipped = text[start] ^ 1 << random.randrange(8)
        return text[:start] + bytes([flipped]) + text[start + 1 :]
    if way == 1:
        return text[:start]
    if way == 2:
        return text[:start] + text[end:]
    if way == 3:
        return text[:end] + text[start:]
    if way == 4:
        return text[:start] + text[start:end][::-1] + text[end:]
    return text[:start] + random.choice(JSON_TEXTS) + text[start:]


def _spoil_body(random: Random, call: Call) -> Call:
    return call._replace(body=mangled(random, call.body), pieces=random.choice([1, 1, 2, 7]))


def _replace_in_body(random: Random, call: Call) -> Call:
    """Put something else where a token of JSON is."""
    marks = [place for place, byte in enumerate(call.body) if byte in b':,[]{}"']
    if not marks:
        return call
    start = random.choice(marks)
    end = min((place for place in marks if place > start), default=len(call.body))
    text = call.body[: start + 1] + random.choice(JSON_TEXTS) + call.body[end:]
    return call._replace(body=text)


def _write_otherwise(random: Random, call: Call) -> Call:
    return call._replace(body=random.choice(BODIES)(call.body))


def _set_header(random: Random, call: Call) -> Call:
    name, texts = random.choice(HEADERS)
    text = random.choice(texts)
    if random.random() < 0.2:
        some = [byte for byte in mangled(random, text) if byte == 9 or 32 <= byte != 127]
        text = bytes(some).strip()
    kept = [each for each in call.headers if each[0] != name or random.random() < 0.1]
    return call._replace(headers=(*kept, (name, text)))


def _spoil_query(random: Random, call: Call) -> Call:
    """Add to the query or change it."""
    if random.random() < 0.5:
        return call._replace(query=call.query + b"&" + random.choice(QUERIES))
    return call._replace(query=_NOT_IN_URLS.sub(b"", mangled(random, call.query)))


def _spoil_path(random: Random, call: Call) -> Call:
    if random.random() < 0.5:
        return call._replace(path=random.choice(PATHS))
    text = mangled(random, call.path).lstrip(b"/").replace(b"?", b"")
    return call._replace(path=b"/" + _NOT_IN_URLS.sub(b"", text))


def _set_method(random: Random, call: Call) -> Call:
    return call._replace(method=random.choice(METHODS))


WAYS = (
    *(_spoil_body, _spoil_body, _replace_in_body, _replace_in_body, _write_otherwise),
    *(_set_header, _set_header, _spoil_query, _spoil_path, _set_method),
)
