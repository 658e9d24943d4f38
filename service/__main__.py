"""`python -m service` -> a running server."""

from service.server.run import main

if __name__ == "__main__":
    main()
