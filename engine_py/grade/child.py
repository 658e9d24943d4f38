"""The process that runs a learner's file: a request on stdin -> its numbers, a line of JSON each.

It is started as a script, and imports only modules of this package that import nothing else of it.
The file's output is dropped.
"""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).parent
for name, folder in (("engine_py", HERE.parent), ("engine_py.grade", HERE)):
    sys.modules[name] = ModuleType(name)  # so that their `__init__.py` is not run
    sys.modules[name].__path__ = [str(folder)]

from engine_py.grade.isolation import isolate, watch  # noqa: E402
from engine_py.grade.load import Loaded, described, load  # noqa: E402
from engine_py.grade.programs import OPERATIONS, PROGRAMS  # noqa: E402
from engine_py.grade.read import NotRead, read  # noqa: E402
from engine_py.grade.trial import Trial  # noqa: E402

Json = dict[str, Any]
_ALL = frozenset(OPERATIONS)
DONE: Json = {"done": True}
"""The last line; without it, a file that exits with code 0 would look complete."""


def main() -> None:
    """Answer a request, and exit without waiting for threads that the file has started."""
    sys.dont_write_bytecode = True  # of the file's modules; ours are compiled once
    request = json.load(sys.stdin)
    for name in [each for each in sys.modules if each.partition(".")[0] == "engine_py"]:
        del sys.modules[name]  # the file may import it
    watch()
    process = os.getpid()
    with os.fdopen(os.dup(1), "w", encoding="ascii") as output:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):
            os.dup2(nowhere, descriptor)
        request["open"] = isolate(Path(request["writable"]))
        _limit(request["memory"], request["seconds"])
        for reply in chain(replies(request), [DONE]):
            if os.getpid() != process:
                os._exit(0)  # the file has forked
            # The file may have written an unfinished line.
            output.write(f"\n{request['token']}{json.dumps(reply)}\n")
            output.flush()
    os._exit(0)


def _limit(memory: int, seconds: int) -> None:
    with suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 - not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def replies(request: Json) -> Iterator[Json]:
    """Yield a description of the file and its class, then the numbers of each program."""
    file, still_open = request["file"], {"open": request["open"]}
    try:
        loaded = load(Path(file), Path(request["base"]), request["above"])
    except BaseException as fault:  # noqa: BLE001 - not a notebook, or not text
        yield still_open | {"raised": described(fault, file)}
        return
    head = still_open | {"stopped": loaded.stopped, "stand_ins": loaded.stand_ins}
    head |= {"hidden": loaded.hidden}
    try:
        trial = Trial(read(loaded, request), loaded, file)
        head |= trial.described()
    except NotRead as found:
        yield head | _not_read(found, loaded, file)
        return
    except BaseException as fault:  # noqa: BLE001 - the class may raise anything
        yield head | {"raised": described(fault, file)}
        return
    yield head
    for program in PROGRAMS:
        missing = (program.operations & _ALL) - trial.reading.operations.keys()
        yield {"missing": sorted(missing)} if missing else trial.run(program)
    yield from trial.others()


def _not_read(found: NotRead, loaded: Loaded, file: str) -> Json:
    """Return the exception of the likeliest class, or else of the file."""
    if found.kind is not None and found.fault is not None:
        return {"class": found.kind.__name__, "raised": described(found.fault, file)}
    if found.kind is not None:
        return {"class": found.kind.__name__, "lacks": "backward"}
    return {"raised": loaded.stopped[0] if loaded.stopped else None}


if __name__ == "__main__":
    main()
