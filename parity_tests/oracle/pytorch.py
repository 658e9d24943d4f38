"""A graph -> the gradient of each node by PyTorch's autograd, in float64."""

from functools import lru_cache

import torch

from parity_tests.kit.operations import load_operations
from parity_tests.oracle.graph import Graph
from parity_tests.oracle.operations import ROWS


@lru_cache(maxsize=8)
def differentiate(graph: Graph) -> list[float]:
    """Give the gradient of each node by autograd; an exponent is a plain number and has 0."""
    exponents = {node.operands[1] for node in graph if node.operation == "**"}
    tensors: list[torch.Tensor] = []
    names = load_operations()
    for id_, node in enumerate(graph):
        if node.operation is None:
            leaf = torch.tensor(node.data, dtype=torch.float64, requires_grad=id_ not in exponents)
            tensors.append(leaf)
        elif node.operation == "**":
            base, exponent = node.operands
            tensors.append(torch.pow(tensors[base], float(graph[exponent].data or 0.0)))
        else:
            operands = [tensors[id_] for id_ in node.operands]
            if written := ROWS[node.operation].torch:
                tensors.append(written(torch, *operands))
            else:
                tensors.append(getattr(torch, names[node.operation].name)(*operands))
    leaves = [id_ for id_ in range(len(graph)) if id_ not in exponents]
    grads = torch.autograd.grad(tensors[-1], [tensors[id_] for id_ in leaves])
    gradients = dict(zip(leaves, grads, strict=True))
    return [gradients[id_].item() if id_ in gradients else 0.0 for id_ in range(len(graph))]
