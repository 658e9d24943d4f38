"""The address in the environment -> exit code 0 if the service answers there, for HEALTHCHECK.

The standard library alone, and no import of the service: it runs every few seconds.
"""

import os
import sys
from http.client import HTTPConnection, HTTPException

_SECONDS = 2
_EVERYWHERE = ("", "0.0.0.0", "::")  # noqa: S104 - called, not bound


def main() -> str | None:
    """GET `/healthz`; return what is wrong, which `sys.exit` prints on stderr with exit code 1."""
    host = os.environ.get("GRADIENT_HOST", "127.0.0.1")
    host = "localhost" if host in _EVERYWHERE else host
    port = os.environ.get("PORT") or "8000"
    try:
        connection = HTTPConnection(host, int(port), timeout=_SECONDS)
        connection.request("GET", "/healthz")
        status = connection.getresponse().status
    except (OSError, HTTPException, ValueError) as fault:
        return f"healthcheck: no answer from {host}, port {port}: {fault}"
    if status != 200:  # noqa: PLR2004 - HTTP's own number
        return f"healthcheck: /healthz answers {status}, expected 200"
    return None


if __name__ == "__main__":
    sys.exit(main())
