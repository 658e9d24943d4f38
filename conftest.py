"""What all tests share."""

import sys

# jsonschema would build 38 parsers of international addresses, a format that no schema here has,
# which takes two seconds in each process of the tests.
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]
