"""Configuration -> the pages: sandbox, reference, explained problems, OpenAPI document.

They are constant while the service runs, so each is rendered once, and the large ones at the start.
`/` is the built page, and `/sandbox/` has its files, whose names contain a hash.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePath

from flask import Blueprint, Response, render_template, request

from engine_py import CONTRACT
from engine_py.notebook import read_page
from service.config import Config
from service.errors import NotFound
from service.observe import POLICY
from service.openapi import build_openapi, with_plain_references
from service.pages.explanations import explanations
from service.pages.reference import FILTERS, reference
from service.reply import best_type, cacheable_reply
from service.request import nearest, shown

_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
_MAX_AGE = 3_600
_YEAR = 31_536_000

# Any site, and slides in a file, may embed the sandbox with `?embed`: it has no login, and no click
# can do harm. All other pages may be framed by the service only.
_ANY_FRAME = "frame-ancestors * file:"
_EMBEDDED = POLICY.replace("frame-ancestors 'self'", _ANY_FRAME)

BUILT: Traversable = files("service") / "web" / "dist"


def make_pages(config: Config) -> Blueprint:
    """Return the routes of the pages and of the OpenAPI document."""
    pages = Blueprint("pages", __name__, template_folder="templates")
    for name, text_filter in FILTERS.items():
        pages.add_app_template_filter(text_filter, name)
    _add_sandbox(pages)
    _add_documents(pages)
    _add_problems(pages)

    @pages.get("/docs")
    def docs() -> Response:
        """Show the reference."""
        return _cacheable(_docs_text(config), "text/html")

    return pages


def render_early(config: Config) -> None:
    """Render the pages that take tens of milliseconds; needs an application context."""
    _docs_text(config)
    _openapi_text()


@cache
def _docs_text(config: Config) -> str:
    return render_template("docs.html", **reference(config), explanations=explanations().values())


@cache
def _openapi_text() -> str:
    document = with_plain_references(build_openapi())
    return json.dumps(document, ensure_ascii=False, indent=1)


def _add_documents(pages: Blueprint) -> None:
    assets = {file.name: file.read_text("utf-8") for file in (files(__name__) / "assets").iterdir()}

    @pages.get("/docs/<asset>")
    def asset(asset: str) -> Response:
        """Serve a style sheet, script or icon of the pages."""
        if asset not in assets:
            raise NotFound(f"there is no {shown(asset)} under /docs; read /docs itself")
        return _cacheable(assets[asset], _TYPES[PurePath(asset).suffix])

    @pages.get("/openapi.json")
    def openapi() -> Response:
        """Serve the OpenAPI document."""
        return _cacheable(_openapi_text(), "application/json")


def _add_problems(pages: Blueprint) -> None:
    @cache
    def page(template: str, code: str = "") -> str:
        all_of_them = explanations()
        return render_template(
            template,
            contract=CONTRACT,
            explanations=all_of_them.values(),
            explanation=all_of_them.get(code),
        )

    @pages.get("/problems")
    def problems() -> Response:
        """List every problem."""
        content = [explanation.as_dict() for explanation in explanations().values()]
        return _page_or_json(
            lambda: page("problems.html"), {"contract": CONTRACT, "problems": content}
        )

    @pages.get("/problems/<code>")
    def problem(code: str) -> Response:
        """Explain a problem."""
        if code not in explanations():
            message = f"there is no problem {shown(code)}; "
            raise NotFound(message + f"{nearest(code, [*explanations()])}/problems lists them all")
        content = explanations()[code].as_dict()
        return _page_or_json(lambda: page("problem.html", code), content)


def _page_or_json(page: Callable[[], str], content: object) -> Response:
    """Answer with JSON if `Accept` prefers it; browsers and curl get the page."""
    if best_type(request, ["text/html", "application/json"]) == "application/json":
        text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
        response = _cacheable(text, "application/json")
    else:
        response = _cacheable(page(), "text/html")
    response.vary.add("Accept")
    return response


def _cacheable(text: str, mimetype: str) -> Response:
    """Let clients cache a page for an hour, and then revalidate it by its ETag."""
    return cacheable_reply(Response(text, mimetype=mimetype), _MAX_AGE)


def _add_sandbox(pages: Blueprint) -> None:
    """Serve the build of `make sandbox`, the page in one file, or instructions to build it."""
    index, assets = _read(BUILT)

    @pages.get("/")
    def home() -> Response:
        """Show the sandbox."""
        if index is None:
            return Response(render_template("unbuilt.html"), 503, mimetype="text/html")
        # Revalidated at each visit, because it refers to the files of this build.
        response = cacheable_reply(Response(index, mimetype="text/html"), 0)
        if "embed" in request.args:
            response.headers["Content-Security-Policy"] = _EMBEDDED
        if not assets:  # the page in one file states the rest
            response.headers["Content-Security-Policy"] = _ANY_FRAME
        return response

    @pages.get("/sandbox/<name>")
    def sandbox_file(name: str) -> Response:
        """Serve a script or style sheet of the sandbox."""
        if name not in assets:
            raise NotFound(f"there is no {shown(name)} under /sandbox; / is the page")
        plain, packed, mimetype = assets[name]
        response = Response(plain, mimetype=mimetype)
        if request.accept_encodings.quality("gzip"):
            response = Response(packed, mimetype=mimetype)
            response.content_encoding = "gzip"
        response.vary.add("Accept-Encoding")
        response = cacheable_reply(response, _YEAR)
        response.cache_control.immutable = True
        return response


def _read(built: Traversable) -> tuple[bytes | None, dict[str, tuple[bytes, bytes, str]]]:
    """Read all files once, plain and gzipped, so that no request reads a file.

    A build with a missing or unreadable file is ignored: it is old, or was interrupted.
    """
    assets = {}
    try:
        index = (built / "index.html").read_bytes()
        for file in (built / "sandbox").iterdir():
            if mimetype := _TYPES.get(PurePath(file.name).suffix):
                packed = (built / "sandbox" / f"{file.name}.gz").read_bytes()
                assets[file.name] = file.read_bytes(), packed, mimetype
    except OSError:
        with suppress(FileNotFoundError):
            return read_page().encode(), {}
        return None, {}
    return index, assets
