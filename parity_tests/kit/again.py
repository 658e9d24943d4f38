"""How this program was started -> the words that start it again, where it was started."""

import shlex
import shutil
import sys
from pathlib import Path

SCRIPTS = {
    "parity_tests": "gradient-parity",
    "parity_tests.fuzz": "gradient-parity-fuzz",
}
"""The commands of the wheel, by their modules."""


def again(module: str) -> str:
    """Give the command: that of the wheel, by its path unless PATH has it, or the module's."""
    started = Path(sys.argv[0])
    if started.name not in SCRIPTS.values():
        return f"{shlex.quote(sys.orig_argv[0])} -m {module}"
    script = started.with_name(SCRIPTS[module])
    found = shutil.which(script.name)
    if found is not None and script.exists() and script.samefile(found):
        return script.name
    return shlex.quote(str(script))
