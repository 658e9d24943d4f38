"""What stands, in the child process, for a module that is not installed: it takes anything.

A class is graded without the plots and references of its file. Within `try`, where a file has
another way if a module is missing, nothing stands in.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import ModuleSpec
from types import FrameType, ModuleType
from typing import Any


class StandIn:
    """Takes any call, index, attribute and operator, and gives itself."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Return what is decorated as it is, and itself for any other call."""
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
    """A module that takes what its members would."""


class StandIns:
    """Asked last for a module, so only for those that nothing else finds.

    A finder and a loader without their base classes, whose import would double a child's start.
    """

    def __init__(self, is_tried: Callable[[str, int], bool]) -> None:
        self._is_tried = is_tried
        self.names: list[str] = []

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module that no other finder has, unless the file is ready for that."""
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
        """Make one that has whatever is asked of it."""
        return StandInModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: all is there."""
