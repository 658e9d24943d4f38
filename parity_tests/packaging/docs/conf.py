"""Sphinx's settings of the site, which `make docs` builds."""

from engine_py import __version__

project = "Gradient service"
author = "the gradient-service contributors"
release = version = __version__
root_doc = "index"
extensions = ["myst_parser"]
myst_heading_anchors = 6  # as GitHub's
myst_enable_extensions = ["attrs_block", "attrs_inline"]
suppress_warnings = ["misc.highlighting_failure"]  # JSON with a place left open
html_theme = "furo"
html_title = f"{project} {release}"
html_static_path: list[str] = []
html_copy_source = False
