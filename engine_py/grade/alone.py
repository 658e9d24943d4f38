"""Each operation alone: its data, its local gradients, and the root's gradient."""

from engine_py.grade.findings import Bench, Finding, Number, Tried
from engine_py.grade.programs import OPERATIONS


def judge_operations(bench: Bench) -> None:
    """Try each operation alone."""
    if bench.head["seed"]:
        bench.faults.append(Finding("seed", place=0))
    alone = list(bench.tried("operation"))
    for tried in alone:
        operation = tried.program.operation
        bench.called[operation] |= set(tried.reply["called"])
        bench.outcomes[tried.place] = "right" if tried.is_right else "wrong"
        if tried.raised:
            bench.find_raised(tried, operation)
            bench.broken.add(operation)
        elif not _judge_operands(bench, tried, operation):
            bench.broken.add(operation)
        else:
            _judge_numbers(bench, tried, operation)
    if bench.has("seed"):
        bench.outcomes[0] = "wrong"
    _judge_silence(bench, [tried for tried in alone if not tried.raised])


def _judge_operands(bench: Bench, tried: Tried, operation: str) -> bool:
    """Tell whether data and gradients are numbers, and no operand's data is changed."""
    reply = tried.reply
    for node, (data, grad) in enumerate(zip(reply["data"], reply["grads"], strict=True)):
        if isinstance(data, str):
            bench.find("not_a_number", tried, (node, "data"), data, operation=operation)
            return False
        if isinstance(grad, str):
            bench.find("not_a_number", tried, (node, "grad"), grad, operation=operation)
            return False
    for edge in tried.right.document["edges"]:
        leaf = edge["from"]
        if not (reply["data"][leaf] == reply["after"][leaf] == tried.right.data[leaf]):
            after = reply["after"][leaf]
            bench.find("changes_data", tried, (leaf, "data"), after, operation=operation)
            return False
    return True


def _judge_numbers(bench: Bench, tried: Tried, operation: str) -> None:
    root, reply = tried.root, tried.reply
    if not tried.is_near((root, "data"), reply["data"][root]):
        bench.find("data", tried, (root, "data"), reply["data"][root], operation=operation)
    seed = reply["grads"][root]
    if seed != 1.0:
        bench.find("seed", tried, (root, "grad"), seed)
    if bench.has("data", operation):  # which the local gradient may be computed from
        return
    for edge in tried.right.document["edges"]:
        number: Number = (edge["from"], "grad")
        local_grad = (reply["grads"][edge["from"]] or 0.0) / (seed or 1.0)
        if edge["differentiable"] and not tried.is_near(number, local_grad):
            bench.find_local_grad(tried, edge, local_grad)


def _judge_silence(bench: Bench, alone: list[Tried]) -> None:
    """Where no operation sends anything, blame the walk and not each of them."""
    if alone and not any(
        tried.reply["grads"][edge["from"]]
        for tried in alone
        for edge in tried.right.document["edges"]
    ):
        bench.faults = [each for each in bench.faults if each.kind != "local_grad"]
        if not bench.has("seed"):
            bench.find_wrong_grad("unvisited", alone[0])
        bench.broken = set(OPERATIONS)
