"""Settings that all tests share."""

import gc
import sys

# jsonschema would build 38 parsers of international addresses, a format that no schema here has,
# which takes two seconds in each process of the tests.
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]

# Collected tests stay in memory until the end, and most objects of a test live until it ends, so
# frequent garbage collection frees little memory.
gc.set_threshold(100_000, 20, 20)
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()
