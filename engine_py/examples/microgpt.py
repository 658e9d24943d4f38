"""A GPT of 4,064 parameters, trained on names with `Value`: `make microgpt`.

Its twin, engine_ts/examples/microgpt.ts, ends with bit-identical parameters: each operation of
`Value` has one correct result, sums have a fixed order, and the rest is integers and + - * / of
doubles.
"""

import sys
from collections.abc import Iterator
from functools import reduce
from hashlib import sha256
from itertools import accumulate, islice, pairwise
from operator import add
from pathlib import Path
from struct import pack

from engine_py import Value

NAMES = (Path(__file__).parent / "names.txt").read_text().split()
LETTERS = "abcdefghijklmnopqrstuvwxyz"
END = len(LETTERS)  # the token before and after a name
WIDTH, HEAD, HIDDEN, POSITIONS = 16, 4, 64, 8
RATE, DECAY, SQUARE_DECAY, EPSILON = 0.01, 0.9, 0.99, 1e-8
SHAPES = {
    "token_embedding": (END + 1, WIDTH),
    "position_embedding": (POSITIONS, WIDTH),
    **dict.fromkeys(("query", "key", "value", "attention_output"), (WIDTH, WIDTH)),
    "hidden": (HIDDEN, WIDTH),
    "hidden_output": (WIDTH, HIDDEN),
    "logits": (END + 1, WIDTH),
}

Vector = list[Value]
Matrix = list[Vector]
Weights = dict[str, Matrix]


def uniforms() -> Iterator[float]:
    """Yield uniform numbers from 0 to 1 (Lehmer's generator); no product exceeds 2**53."""
    state = 1
    while True:
        state = state * 48271 % (2**31 - 1)
        yield state / (2**31 - 1)


def make_weights(random: Iterator[float], leaf: type[Value] = Value) -> Weights:
    def row(columns: int) -> Vector:  # nearly normal: a sum of twelve has the variance 1
        return [leaf(0.1 * (reduce(add, islice(random, 12)) - 6)) for _ in range(columns)]

    return {name: [row(columns) for _ in range(rows)] for name, (rows, columns) in SHAPES.items()}


def plus(xs: Vector, ys: Vector) -> Vector:
    return [x + y for x, y in zip(xs, ys, strict=True)]


def dot(xs: Vector, ys: Vector) -> Value:
    return reduce(add, [x * y for x, y in zip(xs, ys, strict=True)])


def linear(matrix: Matrix, xs: Vector) -> Vector:
    return [dot(row, xs) for row in matrix]


def softmax(xs: Vector) -> Vector:
    largest = max(x.data for x in xs)
    exps = [(x - largest).exp() for x in xs]
    total = reduce(add, exps)
    return [each / total for each in exps]


def rmsnorm(xs: Vector) -> Vector:
    scale = (dot(xs, xs) / len(xs) + 1e-5) ** -0.5
    return [x * scale for x in xs]


def attention(query: Vector, keys: Matrix, values: Matrix) -> Vector:
    outputs = Vector()
    for start in range(0, WIDTH, HEAD):
        head = slice(start, start + HEAD)
        shares = softmax([dot(query[head], key[head]) * 0.5 for key in keys])  # 1 / sqrt(HEAD)
        outputs += [dot(shares, [value[i] for value in values]) for i in range(WIDTH)[head]]
    return outputs


def probabilities(weights: Weights, token: int, keys: Matrix, values: Matrix) -> Vector:
    """Return the probability of each next token, and append this token's key and value."""
    x = plus(weights["token_embedding"][token], weights["position_embedding"][len(keys)])
    normed = rmsnorm(x)
    keys.append(linear(weights["key"], normed))
    values.append(linear(weights["value"], normed))
    attended = attention(linear(weights["query"], normed), keys, values)
    x = plus(x, linear(weights["attention_output"], attended))
    hidden = [unit.relu() for unit in linear(weights["hidden"], rmsnorm(x))]
    x = plus(x, linear(weights["hidden_output"], hidden))
    return softmax(linear(weights["logits"], rmsnorm(x)))


def loss_of(weights: Weights, name: str) -> Value:
    """Return the mean cross entropy of the name's letters and its end."""
    keys, values, losses = Matrix(), Matrix(), Vector()
    for token, following in pairwise([END, *map(LETTERS.index, name), END]):
        losses.append(-probabilities(weights, token, keys, values)[following].log())
    return reduce(add, losses) / len(losses)


def sample(weights: Weights, random: Iterator[float]) -> str:
    name, token, keys, values = "", END, Matrix(), Matrix()
    while len(keys) < POSITIONS:
        drawn, shares = next(random), probabilities(weights, token, keys, values)
        ends = accumulate(share.data for share in shares)
        token = next((i for i, end in enumerate(ends) if drawn < end), END)
        if token == END:
            break
        name += LETTERS[token]
    return name


def main(steps: int) -> None:
    """Train with Adam, and print the mean loss twenty times."""
    random, losses = uniforms(), list[float]()
    weights = make_weights(random)
    parameters = [parameter for rows in weights.values() for row in rows for parameter in row]
    means, squares = [0.0] * len(parameters), [0.0] * len(parameters)
    rest = square_rest = 1.0  # the weight of the zeros with which both means start
    print(f"{len(parameters)} parameters, {len(NAMES)} names, {steps} steps")
    for step in range(1, steps + 1):
        loss = loss_of(weights, NAMES[int(next(random) * len(NAMES))])
        loss.backward()
        rest, square_rest = rest * DECAY, square_rest * SQUARE_DECAY
        for i, parameter in enumerate(parameters):
            grad, parameter.grad = parameter.grad, 0.0
            means[i] = DECAY * means[i] + (1 - DECAY) * grad
            squares[i] = SQUARE_DECAY * squares[i] + (1 - SQUARE_DECAY) * grad * grad
            root = Value(squares[i] / (1 - square_rest)).sqrt().data
            parameter.data -= RATE * means[i] / (1 - rest) / (root + EPSILON)
        losses.append(loss.data)
        if len(losses) == max(1, steps // 20):
            mean = reduce(add, losses) / len(losses)
            print(f"step {step:4}  loss {mean:.4f}  {'#' * int(16 * mean)}", flush=True)
            losses = []
    print("samples:", *(sample(weights, random) for _ in range(10)))
    doubles = pack(f"<{len(parameters)}d", *(parameter.data for parameter in parameters))
    print(f"SHA-256 of the parameters: {sha256(doubles).hexdigest()}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 100)
