"""Reverse-mode automatic differentiation of scalar programs that returns every step.

    from engine_py import introspect

    introspect("(a + b) * c", {"a": 2, "b": -3, "c": 10})["gradients"]
    # {'a': 10.0, 'b': 10.0, 'c': -1.0}

Read the modules in the order of the pipeline: request, language, graph, order, template,
operations, forward, backward, document. `introspect` calls them in order, `numerics` has the
functions, and `canonical` writes a document as the same text in every language. `picture` draws it,
and `outline` is the part of it that needs no values. `sweeps` computes a parsed text at many
points. `accuracy` compares every number of a document with the exact one. `lab` experiments on the
backward pass, splits a gradient into paths, computes second derivatives, and descends along the
gradient.
"""

import signal
import sys

if signal.getsignal(signal.SIGINT) is signal.default_int_handler and (
    sys.argv[0].endswith(("/gradient", "/gradient-engine"))
    or (sys.argv[0] == "-m" and "engine_py" in sys.orig_argv)
):
    # The process is the command: until that runs, Ctrl-C ends it without a traceback of imports.
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from engine_py.accuracy.accuracy import Accuracy, accuracy
from engine_py.canonical import canonical_text, digest
from engine_py.deadline import Deadline, DeadlineExceeded
from engine_py.document import CONTRACT, GradientDocument, Outline
from engine_py.errors import GradientError, Span
from engine_py.introspect import introspect, outline
from engine_py.lab.descent import Descending, Descent, descend
from engine_py.lab.experiment import Experiment, experiment
from engine_py.lab.hessian import Hessian, hessian
from engine_py.lab.paths import Paths, paths
from engine_py.language.rewrite import Rewritten, rewrite
from engine_py.limits import DEFAULT_LIMITS, Limits
from engine_py.operations import OPERATIONS, Operation
from engine_py.picture.display import Shown
from engine_py.picture.draw import draw
from engine_py.picture.layout import Layout, lay_out
from engine_py.show.explanation import draw_dot, show
from engine_py.subject import introspect_value
from engine_py.sweeps.program import Program, Sweep, prepare, sweep
from engine_py.template import Edge, Node
from engine_py.value import Value

__version__ = "1.0.0"
"""The version of the software; `CONTRACT` is that of the rules."""

__all__ = [
    "CONTRACT",
    "DEFAULT_LIMITS",
    "OPERATIONS",
    "Accuracy",
    "Deadline",
    "DeadlineExceeded",
    "Descending",
    "Descent",
    "Edge",
    "Experiment",
    "GradientDocument",
    "GradientError",
    "Hessian",
    "Layout",
    "Limits",
    "Node",
    "Operation",
    "Outline",
    "Paths",
    "Program",
    "Rewritten",
    "Shown",
    "Span",
    "Sweep",
    "Value",
    "accuracy",
    "canonical_text",
    "descend",
    "digest",
    "draw",
    "draw_dot",
    "experiment",
    "hessian",
    "introspect",
    "introspect_value",
    "lay_out",
    "outline",
    "paths",
    "prepare",
    "rewrite",
    "show",
    "sweep",
]
