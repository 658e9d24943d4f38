"""`python -m service.bench.serve PORT` -> a server of the service and of bare routes."""

import sys

from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

from service import Config
from service.bench.workloads import make_application
from service.server.asgi import AsgiAdapter


def main() -> None:
    """Serve until SIGTERM."""
    interface, level = Interfaces.ASGINL, LogLevels.error
    server = Granian("bench", port=int(sys.argv[1]), interface=interface, log_level=level)
    server.serve(target_loader=load, wrap_loader=False)


def load() -> AsgiAdapter:
    """Make the application, in the worker."""
    config = Config()
    return AsgiAdapter(make_application(config), config)


if __name__ == "__main__":
    main()
