"""Sphinx's settings of the site, which `make docs` builds."""

import re
from typing import Any

from engine_py import __version__
from parity_tests.packaging.owner import PLACEHOLDER

project = "Gradient service"
author = "the gradient-service contributors"
release = version = __version__
root_doc = "index"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
autodoc_preserve_defaults = True
autodoc_typehints = "signature"
add_module_names = False
default_role = "code"  # as in Markdown
_POWER = re.compile(r"(?<!\S)\*\*(?=[\s,.]|$)")
myst_heading_anchors = 6  # as GitHub's
myst_enable_extensions = ["attrs_block", "attrs_inline"]
suppress_warnings = ["misc.highlighting_failure"]  # JSON with a place left open
# `make links` skips links to this repository until an account hosts it.
linkcheck_ignore = [rf"https://(github\.com/{PLACEHOLDER}/|{PLACEHOLDER}\.github\.io/)"]
html_theme = "furo"
html_title = f"{project} {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_favicon = "../../../service/pages/assets/icon.svg"
templates_path = ["sidebar"]
html_sidebars = {
    "**": [
        *("sidebar/brand.html", "sidebar/search.html", "sandbox.html"),
        *("sidebar/scroll-start.html", "sidebar/navigation.html", "sidebar/scroll-end.html"),
    ]
}
html_show_copyright = False
html_copy_source = False


def as_restructured_text(lines: list[str]) -> None:
    """Mark the operator `**` of a docstring as code, and drop lines without information."""
    kept = [line for line in lines if not line.startswith("Alias for field")]
    lines[:] = [_POWER.sub("``**``", line) for line in kept]


def setup(app: Any) -> None:
    """Let `as_restructured_text` process docstrings."""
    app.connect("autodoc-process-docstring", lambda *sent: as_restructured_text(sent[-1]))
