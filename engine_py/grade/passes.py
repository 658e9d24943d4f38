"""More than one pass, and graphs that are too much for recursion or a walk along every path."""

from collections.abc import Iterator

from engine_py.grade.findings import Bench, Finding, Number, Tried, alike, double
from engine_py.grade.walk import walk


def judge_second_passes(bench: Bench) -> None:
    """Go backward twice without zeroing, after zeroing, and from two roots."""
    for tried in bench.tried("again", "zeroed", "losses"):
        bench.outcomes[tried.place] = "wrong"
        if tried.raised:
            bench.find_raised(tried, "")
            continue
        nodes, grads = tried.right.document["nodes"], tried.reply["grads"]
        leaves = [node["id"] for node in nodes if node["operation"] is None]
        got = [double(grads[leaf]) for leaf in leaves]
        accepted = [[each[leaf] for leaf in leaves] for each in _accepted(bench, tried)]
        if any(alike(each, got) for each in accepted):
            bench.outcomes[tried.place] = "right"
        elif not (bench.walk_is_wrong or any(bench.known) or bench.has("seed")):
            root: Number = (tried.root, "grad")
            if tried.program.family != "losses" and grads[tried.root] != 1.0:
                bench.find("seed", tried, root, grads[tried.root])
            elif not bench.has("second_pass"):
                rows = zip(leaves, accepted[0], got, strict=True)
                leaf, true, has = next(row for row in rows if not alike(row[1:2], row[2:]))
                number: Number = (leaf, "grad")
                found = Finding("second_pass", "", None, tried.place, number, true, has)
                bench.faults.append(found)


def _accepted(bench: Bench, tried: Tried) -> Iterator[list[float]]:
    """Give what the lessons' classes come to, then PyTorch, whose inner nodes begin at 0."""
    document, root = tried.right.document, tried.root
    roots = [(root, 1.0)]
    if tried.program.family == "losses":
        roots = [(edge["from"], 1.0) for edge in document["edges"] if edge["to"] == root]
    elif tried.program.family == "again":
        roots *= 2
    yield walk(document, tried.reply["local_grads"], bench.known, roots)
    if tried.program.family == "again":
        once = walk(document, tried.reply["local_grads"], bench.known, roots[:1])
        yield [2.0 * each for each in once]


def judge_deep(bench: Bench) -> None:
    """Try chains that a recursion does not come through, and doublings."""
    for tried in bench.tried("deep", "deeper"):
        bench.outcomes[tried.place] = "right" if tried.is_right else "wrong"
        if not tried.raised:
            if not (tried.is_right or bench.faults):
                bench.find_wrong_grad("gradient", tried)
        elif tried.program.family == "deep":
            bench.find_raised(tried, "")
        else:
            bench.outcomes[tried.place] = "left_out"
            bench.notes.append(Finding("recursion", place=tried.place))
