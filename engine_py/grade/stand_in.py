"""Stand-ins for modules that are not installed, in the child process.

A class is graded without the plots and references of its file. An import within `try` gets no
stand-in: the file may have another way if the module is missing.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import ModuleSpec
from types import FrameType, ModuleType
from typing import Any


class StandIn:
    """Accepts any call, index, attribute and operator, and returns itself."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Return a decorated function or class unchanged, and itself for any other call."""
        [given] = arguments if len(arguments) == 1 and not named else [None]
        return given if isinstance(given, type) or hasattr(given, "__code__") else self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def _itself(self, *_arguments: Any) -> Any:
        return self

    def __mro_entries__(self, _bases: object) -> tuple[type, ...]:
        return ()

    def __instancecheck__(self, _instance: object) -> bool:
        return False

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __exit__(self, *_raised: object) -> None: ...

    def __setitem__(self, _key: object, _value: object) -> None: ...


for _name in (
    *("getitem", "enter", "neg", "pos", "abs", "invert", "lt", "le", "gt", "ge"),
    *(f"{side}{name}" for name in ("add", "sub", "mul", "truediv", "pow", "matmul", "or", "and")
      for side in ("", "r")),
):  # fmt: skip
    setattr(StandIn, f"__{_name}__", StandIn._itself)  # noqa: SLF001 - its own


class StandInModule(StandIn, ModuleType):
    """A module with any attribute."""


class StandIns:
    """The last finder, so only for modules that no other finder has; also their loader.

    It lacks the base classes of both, whose import would double the start time of a child.
    """

    def __init__(self, is_tried: Callable[[str, int], bool]) -> None:
        self._is_tried = is_tried
        self.names: list[str] = []

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a stand-in for a module, unless it is imported within `try`."""
        top, dot, _ = fullname.partition(".")
        if not dot:
            frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the importer
            while frame and "importlib" in frame.f_code.co_filename:
                frame = frame.f_back
            if frame and self._is_tried(frame.f_code.co_filename, frame.f_lineno):
                return None
            self.names.append(fullname)
        if top not in self.names:
            return None
        return ModuleSpec(fullname, self, is_package=True)  # type: ignore[arg-type]  # see above

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Make a module with any attribute."""
        return StandInModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing, because the module needs no code."""
