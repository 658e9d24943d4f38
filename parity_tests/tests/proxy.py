"""A proxy: engine_py with a change to what it says, as an engine of another repository."""

from pathlib import Path

from parity_tests.kit.engines import ROOT

WORKER = """
import json, sys
sys.path.insert(0, %r)
from engine_py.protocol.worker import answer

def changed(message, response):
%s
    return response

for line in sys.stdin.buffer:
    response = changed(json.loads(line), answer(line))
    print(json.dumps(response), flush=True)
    if response["kind"] == "stopped":
        break
"""


def write_proxy(folder: Path, change: str) -> str:
    """Write a worker and its entry, `mine`; give the entry's file.

    The change is a body of a function of a message and its response, which gives the other
    response, or changes this one.
    """
    body = "\n".join(f"    {line}" for line in change.strip().splitlines())
    (folder / "worker.py").write_text(WORKER % (str(ROOT), body))
    (folder / "mine.toml").write_text('[mine]\nfolder = "."\nargv = ["python", "worker.py"]\n')
    return str(folder / "mine.toml")
