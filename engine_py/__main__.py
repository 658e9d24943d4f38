"""`python -m engine_py` is the command `gradient`."""

import sys

from engine_py.command.main import main

if __name__ == "__main__":
    sys.exit(main())
