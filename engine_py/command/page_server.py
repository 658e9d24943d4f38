"""One page on this machine's own address, served by the standard library."""

import os
import webbrowser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer

HOST, _PORT = "127.0.0.1", 8000


def listen(page: str, port: int | None) -> ThreadingHTTPServer:
    """Return a server of the page that accepts connections already.

    `port` None is 8000, or any free one if another program has that.

    Raises:
        OSError: the port cannot be used.
    """

    class Handler(_Handler):
        content = page.encode()

    if port is not None:
        return _Server((HOST, port), Handler)
    try:
        return _Server((HOST, _PORT), Handler)
    except OSError:
        return _Server((HOST, 0), Handler)


def show(address: str) -> bool:
    """Open the address in the user's browser; return whether there is one."""
    return webbrowser.open(address)


class _Server(ThreadingHTTPServer):
    # These would share the port of another program, the first one on Windows.
    allow_reuse_address = os.name == "posix"
    allow_reuse_port = False

    def server_bind(self) -> None:
        """Bind without looking up the machine's name, which can take seconds."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, self.server_address[1]

    def handle_error(self, *_: object) -> None:
        """Ignore a browser that left before its reply."""


class _Handler(BaseHTTPRequestHandler):
    """Answers with the page at `/`; there are no other addresses, and no files behind them."""

    content: bytes
    timeout = 10  # seconds, for a client that sends nothing

    def do_GET(self) -> None:
        """Send the page."""
        if self.path.partition("?")[0] != "/":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(self.content)))
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(self.content)

    def log_message(self, *_: object) -> None:
        """Log nothing."""
