"""The sandbox in a notebook: a Value, a text at values or a document on the page, without a server.

    from engine_py.notebook import sandbox

    sandbox("(a + b) * c", {"a": 2, "b": -3, "c": 10})

A cell shows a frame that holds the page as text, so it works wherever HTML is shown, also offline
and in exported notebooks. Such a frame has no address: its name carries the program.
"""

from pathlib import Path
from urllib.parse import quote

from engine_py.request import GradientRequest
from engine_py.show.program import request_of
from engine_py.subject import Subject, Values, document_of

PAGES = (
    Path(__file__).with_name("sandbox.html"),  # as the wheel has it
    Path(__file__).parents[1] / "build" / "sandbox.html",  # as `make page` writes it
)
MAX_CHARACTERS = 4_000
MAX_NODES = 2_000
MAX_VALUES = 200
"""The page's own limits (service/web/state)."""

_PLAIN = "()*/+-=;.,"
"""Characters that the page does not escape in an address."""
_WRITTEN = str.maketrans({each: f"&#{ord(each)};" for each in '&<>"\t\n'})
"""Escapes of a text in an attribute, on one line: Markdown would change its tabs and lines."""
_UNTRUSTED = "The sandbox is shown when this notebook is trusted."
"""Shown instead of the frame if the notebook may not run scripts."""
_MAY = 'sandbox="allow-scripts allow-downloads" allow="clipboard-write *; fullscreen *"'


class Sandbox:
    """Shows the page for a program if it is the last expression of a cell."""

    def __init__(self, request: GradientRequest, page: str, show: str, height: int) -> None:
        self.request = request
        self._page, self._show, self._height = page, show, height

    def __repr__(self) -> str:
        """Return one line for a plain terminal."""
        at = ", ".join(f"{name} = {value!r}" for name, value in self.request.values.items())
        return f"<sandbox of {self.request.expression!r}{at and f' at {at}'}, for a notebook>"

    @property
    def address(self) -> str:
        """The page's address, from its `?` on."""
        return f"?embed&show={quote(self._show, safe=',')}#{scene_of(self.request)}"

    def _repr_html_(self) -> str:
        """Write the frame, which may run scripts but cannot reach the notebook."""
        size = f'style="width:100%;height:{self._height}px;border:0"'
        name, page = (text.translate(_WRITTEN) for text in (self.address, self._page))
        frame = f'<iframe title="Gradient sandbox" name="{name}" {_MAY} {size} srcdoc="{page}">'
        return f"{frame}{_UNTRUSTED}</iframe>"


def sandbox(
    subject: Subject,
    values: Values | None = None,
    *,
    show: str = "expression,panel",
    height: int = 640,
) -> Sandbox:
    """Show the page for a document, a text at values or a graph of Values.

    Args:
        subject: the program; Values with a label get a slider.
        values: those of the text, by name.
        show: the parts besides the graph, of title, expression, panel and more.
        height: of the frame, in pixels.

    Raises:
        GradientError: the program has no document.
        ValueError: it has a custom operation, or exceeds a limit of the page.
        FileNotFoundError: in a checkout, the page is not built.
    """
    document = document_of(subject, values)
    refuse_large(len(document["nodes"]))
    request = request_of(document)
    scene_of(request)
    return Sandbox(request, read_page(), show, height)


def refuse_large(nodes: int) -> None:
    """Raise ValueError for a graph with more nodes than the page draws."""
    _refuse(nodes, MAX_NODES, "nodes")


def scene_of(request: GradientRequest) -> str:
    """Write a program in the form that the page's address has after `#`.

    Raises:
        ValueError: it exceeds a limit of the page.
    """
    text, values, parameters, view = request
    _refuse(len(text), MAX_CHARACTERS, "characters")
    _refuse(len(values), MAX_VALUES, "values")
    parts = [f"e={quote(text, safe=_PLAIN)}"]
    if values:
        numbers = (f"{name}:{value!r}".removesuffix(".0") for name, value in values.items())
        parts.append(f"v={','.join(numbers)}")
    if parameters:
        parts.append(f"p={','.join(parameters)}")
    if view == "primitive":
        parts.append("d=1")
    scene = "&".join(parts)
    _refuse(len(scene), 3 * MAX_CHARACTERS, "characters of an address")
    return scene


def _refuse(actual: int, most: int, unit: str) -> None:
    if actual > most:
        raise ValueError(f"the page shows at most {most:,} {unit}, and this has {actual:,}")


def read_page() -> str:
    """Return the page as HTML.

    Raises:
        FileNotFoundError: in a checkout, the page is not built.
    """
    for file in PAGES:
        if file.exists():
            return file.read_text("utf-8")
    cure = "run `make page` in the checkout, and if it is installed, install it again"
    raise FileNotFoundError(f"the page is not built: {cure}")
