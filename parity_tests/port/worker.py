"""A complete engine of the contract, written otherwise than the two of this repository: by recursion
on a large stack, with decimals, with other messages, numbers written out and members last to first.

It stands for a port from elsewhere; README.md says where to begin. The cases must pass it as it is,
and must find every mistake of mutation/porters.toml that is put into a copy of it.
"""

import sys
import threading

import descent
import experiment
import hessian
import lines
import paths
import report
import sweep
from faults import Fault, Refusal, Skip
from writing import message_text

COMMANDS = {
    "introspect": report.introspect,
    "parse": report.outline,
    "canonicalize": report.canonicalize,
    "sweep": sweep.sweep,
    "experiment": experiment.experiment,
    "paths": paths.paths,
    "descend": descent.descend,
    "hessian": hessian.hessian,
}
PROFILES = ["core", "functions", "outline", "sweep", "experiment", "paths", "descent", "hessian"]


def answer(line):
    message = None
    try:
        message = lines.parsed(line)
        lines.check(message)
        return respond(message)
    except Refusal as reason:
        sequence = lines.whole(message.get("sequence")) if type(message) is dict else None
        return {"reason": str(reason), "sequence": sequence, "kind": "refused"}


def respond(message):
    if message["kind"] == "start":
        return started()
    if message["kind"] == "stop":
        return {"kind": "stopped"}
    reply = {"sequence": int(message["sequence"])}
    try:
        return {"result": result(message), **reply, "kind": "result"}
    except Fault as fault:
        return {"error": fault.shown(), **reply, "kind": "error"}
    except Skip as what:
        return {"reason": f"no {what} here", **reply, "kind": "skipped"}


def result(message):
    command = message["command"]
    if command == "evaluate":
        return lines.evaluate(message["request"])
    if command not in COMMANDS:
        raise Skip(ascii(command[:40]))
    return COMMANDS[command](message["request"], lines.limits_of(message))


def started():
    runtime = ".".join(map(str, sys.version_info[:3]))
    return {
        "implementation": {"runtime": runtime, "version": "1", "language": "Python", "name": "port"},
        "profiles": PROFILES,
        "contract": report.CONTRACT,
        "protocol": "1",
        "kind": "started",
    }


def main():
    for line in sys.stdin.buffer:
        response = answer(line)
        sys.stdout.write(message_text(response) + "\n")
        sys.stdout.flush()
        if response["kind"] == "stopped":
            break


if __name__ == "__main__":
    sys.setrecursionlimit(10**6)
    threading.stack_size(512 * 2**20)
    thread = threading.Thread(target=main)
    thread.start()
    thread.join()
