"""The built page -> its routes: `/`, and under `/sandbox/` files whose names hold their hash."""

from importlib.resources import files
from importlib.resources.abc import Traversable

from flask import Blueprint, Response, render_template, request

from service.errors import NotFound
from service.headers import POLICY
from service.reply.replies import cacheable_reply
from service.request.negotiation import accepts_gzip

_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
}
_YEAR = 31_536_000
_SHOWN_LENGTH = 60

# Any page may show the sandbox in a frame, if it asks for that: here is nobody logged in and
# nothing that a click under a false flag could do. All else may be framed by the service alone.
_EMBEDDED = POLICY.replace("frame-ancestors 'self'", "frame-ancestors *")

BUILT: Traversable = files("service") / "web" / "dist"


def add_sandbox(pages: Blueprint) -> None:
    """Serve what `make sandbox` has built; without a whole build, `/` says how to make one."""
    index, assets = _read(BUILT)

    @pages.get("/")
    def home() -> Response:
        """Show the sandbox."""
        if index is None:
            return Response(render_template("unbuilt.html"), 503, mimetype="text/html")
        # Revalidated at each visit, because it names the files of this build.
        response = cacheable_reply(Response(index, mimetype="text/html"), 0)
        if "embed" in request.args:
            response.headers["Content-Security-Policy"] = _EMBEDDED
        return response

    @pages.get("/sandbox/<name>")
    def sandbox_file(name: str) -> Response:
        """Serve a script or style sheet of the sandbox."""
        if name not in assets:
            raise NotFound(f"there is no {name[:_SHOWN_LENGTH]!a} under /sandbox; / is the page")
        plain, packed, mimetype = assets[name]
        response = Response(plain, mimetype=mimetype)
        if accepts_gzip(request.environ):
            response = Response(packed, mimetype=mimetype)
            response.content_encoding = "gzip"
        response.vary.add("Accept-Encoding")
        response = cacheable_reply(response, _YEAR)
        response.cache_control.immutable = True
        return response


def _read(built: Traversable) -> tuple[bytes | None, dict[str, tuple[bytes, bytes, str]]]:
    """Read all files once, plain and as gzip; a request chooses, so none reaches a folder.

    A build that lacks a file, or has one that cannot be read, counts as none: an older version made
    it, or it was interrupted.
    """
    assets = {}
    try:
        index = (built / "index.html").read_bytes()
        for file in (built / "sandbox").iterdir():
            _, dot, ending = file.name.rpartition(".")
            if dot + ending in _TYPES:
                packed = (built / "sandbox" / f"{file.name}.gz").read_bytes()
                assets[file.name] = file.read_bytes(), packed, _TYPES[dot + ending]
    except OSError:
        return None, {}
    return index, assets
