"""`gradient paths`: program and values -> a node's gradient as a sum over paths."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from engine_py.canonical import canonical_text
from engine_py.command.program import add_program, read_document, read_node
from engine_py.command.terminal import print_result
from engine_py.lab.paths import Path, Paths
from engine_py.lab.paths import paths as paths_of
from engine_py.show.paint import Paint
from engine_py.show.text_table import Column, draw_table
from engine_py.show.tree import name_of

_COLUMNS = (Column("product", style="grad"), Column("from the root to the node", "<"))


def paths(parser: ArgumentParser) -> Callable[[Namespace], int]:
    """list the paths whose products add up to a gradient

    Prints the product of the local gradients along each path; their sum is the gradient.

    Examples:
      {gradient} paths "b = a + 1; c = a * 3; d = b * c" a=2 --node a
      {gradient} paths "(a + a) * (a + a)" a=1 --node 1 --most 2
    """
    add_program(parser, with_values=True)
    parser.add_argument(
        "--node", required=True, metavar="node", help="where the paths lead: an id, or a label"
    )
    parser.add_argument(
        "--most", type=int, default=100, metavar="count", help="paths to list, at most (100)"
    )
    parser.add_argument("--json", action="store_true", help="print it all as JSON")
    return _paths


def _paths(options: Namespace) -> int:
    found = paths_of(read_document(options), read_node(options.node), most=options.most)
    print_result(found, _shown, as_json=options.json)
    return 0


def _shown(found: Paths, paint: Paint) -> list[str]:
    rows = [
        (
            "none" if path["product"] is None else canonical_text(path["product"]),
            _route(found, path),
        )
        for path in found["paths"]
    ]
    table = [*draw_table(_COLUMNS, rows, paint), ""] if rows else []
    node = found["document"]["nodes"][found["node"]]
    name = node["label"] or f"({node['id']} {name_of(node)})"
    gradient = "none" if found["gradient"] is None else canonical_text(found["gradient"])
    return [*table, f"d/d{name} = {paint(gradient, 'grad')}, by {_counted(found)}"]


def _counted(found: Paths) -> str:
    paths = "1 path" if found["count"] == "1" else f"{found['count']} paths"
    listed = len(found["paths"])
    return paths if found["count"] == str(listed) else f"{paths}, of which {listed} are listed"


def _route(found: Paths, path: Path) -> str:
    nodes, edges = found["document"]["nodes"], found["document"]["edges"]
    ids = [found["document"]["root"], *(edges[edge]["from"] for edge in path["edges"])]
    return ", ".join(f"{id_} {name_of(nodes[id_])}" for id_ in ids)
