"""Configuration -> the pages: sandbox, reference, problems explained, OpenAPI document.

They do not change while the service runs, so each is rendered once, and the large ones early.
"""

import json
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from flask import Blueprint, Response, render_template, request

from engine_py import CONTRACT
from engine_py.errors import InvalidRequest
from service.config import Config
from service.errors import NotFound
from service.openapi import build_openapi
from service.openapi.plain import with_plain_references
from service.pages.explanations import explanations
from service.pages.reference import reference
from service.pages.sandbox import add_sandbox
from service.pages.text import FILTERS
from service.reply.replies import cacheable_reply
from service.request.negotiation import best_type

_ASSETS = {
    "style.css": "text/css",
    "docs.js": "text/javascript",
    "problem.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
_REFERENCES = ("local", "names")
_MAX_AGE = 3_600
_SHOWN_LENGTH = 60


def make_pages(config: Config) -> Blueprint:
    """Make the routes of the pages and of the OpenAPI document."""
    pages = Blueprint("pages", __name__, template_folder="templates")
    for name, text_filter in FILTERS.items():
        pages.add_app_template_filter(text_filter, name)
    add_sandbox(pages)
    _add_documents(pages)
    _add_problems(pages)

    @pages.get("/docs")
    def docs() -> Response:
        """Show the reference."""
        return _cacheable(_docs_text(config), "text/html")

    return pages


def render_early(config: Config) -> None:
    """Render what takes tens of milliseconds, in an application's context."""
    _docs_text(config)
    for references in _REFERENCES:
        _openapi_text(references)


@cache
def _docs_text(config: Config) -> str:
    return render_template("docs.html", **reference(config), explanations=explanations().values())


@cache
def _openapi_text(references: str) -> str:
    document = build_openapi()
    if references == "local":
        document = with_plain_references(document)
    return json.dumps(document, ensure_ascii=False, indent=1)


def _add_documents(pages: Blueprint) -> None:
    @pages.get("/docs/<asset>")
    def asset(asset: str) -> Response:
        """Serve a style sheet, script or icon of the pages."""
        if asset not in _ASSETS:
            raise NotFound(f"there is no {asset[:_SHOWN_LENGTH]!a} under /docs; read /docs itself")
        text = (files(__name__) / "assets" / asset).read_text("utf-8")
        return _cacheable(text, _ASSETS[asset])

    @pages.get("/openapi.json")
    def openapi() -> Response:
        """Serve the OpenAPI document."""
        references = request.args.get("references", "local")
        if references not in _REFERENCES:
            message = f"references must be local or names, not {references[:_SHOWN_LENGTH]!a}"
            raise InvalidRequest(message, pointer="/references")
        return _cacheable(_openapi_text(references), "application/json")


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
            message = f"there is no problem {code[:_SHOWN_LENGTH]!a}; /problems lists them all"
            raise NotFound(message)
        content = explanations()[code].as_dict()
        return _page_or_json(lambda: page("problem.html", code), content)


def _page_or_json(page: Callable[[], str], content: object) -> Response:
    """Answer with a page unless `Accept` prefers JSON: browsers and curl get the page."""
    if best_type(request, ["text/html", "application/json"]) == "application/json":
        text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
        response = _cacheable(text, "application/json")
    else:
        response = _cacheable(page(), "text/html")
    response.vary.add("Accept")
    return response


def _cacheable(text: str, mimetype: str) -> Response:
    """Let clients cache a page for a while, and revalidate it by its ETag."""
    return cacheable_reply(Response(text, mimetype=mimetype), _MAX_AGE)
