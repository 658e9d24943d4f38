"""The worker: newline-delimited JSON on stdin and stdout (`protocol.schema.json`)."""

import json
import platform
import struct
import sys
import traceback
from typing import Any

from engine_py.canonical import canonical_text, digest
from engine_py.document import CONTRACT
from engine_py.errors import GradientError
from engine_py.introspect import introspect
from engine_py.limits import Limits
from engine_py.operations import OPERATIONS
from engine_py.rows import OutsideDomain

PROTOCOL = "1"
COMMANDS = ("introspect", "canonicalize", "evaluate")

Json = dict[str, Any]


def main() -> None:
    """Answer one line at a time until `stop` or the end of the input."""
    for line in sys.stdin.buffer:  # JSON is UTF-8, whatever the locale says
        reply = answer(line)
        print(json.dumps(reply, allow_nan=False, separators=(",", ":")), flush=True)
        if reply["kind"] == "stopped":
            return


def answer(line: bytes) -> Json:
    """Answer one message; what the engine did not foresee is `crashed`."""
    sequence = None
    try:
        # Integers are read as doubles, too: a program's numbers know nothing else.
        message = json.loads(line, parse_int=float)
        if message["kind"] == "start":
            return _started()
        if message["kind"] == "stop":
            return {"kind": "stopped"}
        sequence = int(message["sequence"])
        if message["command"] not in COMMANDS:
            reason = f"does not have the command {message['command']!a}"
            return {"kind": "skipped", "sequence": sequence, "reason": reason}
        return {"kind": "result", "sequence": sequence, "result": _run(message)}
    except GradientError as error:
        return {"kind": "error", "sequence": sequence, "error": error.as_dict()}
    except Exception as fault:  # noqa: BLE001 - the harness must hear of any fault
        text = f"{type(fault).__name__}: {fault}"
        crashed = {"message": text, "traceback": traceback.format_exc()}
        return {"kind": "crashed", "sequence": sequence, **crashed}


def _started() -> Json:
    implementation = {
        "name": "engine_py",
        "language": "Python",
        "version": CONTRACT,
        "runtime": f"{platform.python_implementation()} {platform.python_version()}",
    }
    return {
        "kind": "started",
        "protocol": PROTOCOL,
        "contract": CONTRACT,
        "implementation": implementation,
    }


def _run(message: Json) -> Any:
    request = message["request"]
    if message["command"] == "evaluate":
        return _evaluate(request["operation"], request["operands"])
    limits = Limits(**{name: int(limit) for name, limit in message.get("limits", {}).items()})
    document = introspect(
        request.get("expression"),
        request.get("values"),
        parameters=request.get("parameters", []),
        view=request.get("view", "folded"),
        limits=limits,
    )
    if message["command"] == "canonicalize":
        return {"text": canonical_text(document), "digest": digest(document)}
    return document


def _evaluate(symbol: str, rows: list[list[str]]) -> list[str | None]:
    """Apply one operation to rows of operands given as bits; null outside its domain."""
    rule = OPERATIONS[symbol].rule
    results: list[str | None] = []
    for row in rows:
        try:
            out, _ = rule(*[struct.unpack(">d", bytes.fromhex(bits))[0] for bits in row])
            results.append(struct.pack(">d", out).hex())
        except OutsideDomain:
            results.append(None)
    return results


if __name__ == "__main__":
    main()
