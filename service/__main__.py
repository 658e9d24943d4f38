"""`python -m service` -> a running server."""

from service.server import main

if __name__ == "__main__":
    main()
