"""Wrong walks; every number is worked out by hand from the push rule, none by an engine."""

from itertools import permutations
from typing import Any

import pytest

from engine_py import Value, introspect, introspect_value
from engine_py.errors import GradientError
from engine_py.lab.experiment import Experiment, experiment
from engine_py.tests.helpers import to_the_bit

DIAMOND = introspect("b = a + 1; c = a * 3; d = b * c", {"a": 2})
"""ids: a 0, b 2, c 4, d 5; edges: a-b 0, a-c 2, b-d 4 (contribution 6), c-d 5 (3)."""
NEURON_INPUT = introspect("d = a * b + c", {"a": 2, "b": 3, "c": 10})


def gradients(result: Experiment) -> list[dict[str, float]]:
    return [walk["gradients"] for walk in result["walks"]]


def refusal(**conditions: Any) -> dict[str, Any]:
    with pytest.raises(GradientError) as caught:
        experiment(DIAMOND, **conditions)
    return caught.value.as_dict()


def test_the_right_order_changes_nothing() -> None:
    result = experiment(DIAMOND)
    [walk] = result["walks"]
    assert result["document"] == DIAMOND
    assert result["order"] == [5, 4, 3, 2, 1, 0]
    assert (result["reverse_topological"], result["broken_edge"], result["unvisited"]) == (
        (True, None, [])
    )
    assert (walk["gradients"], walk["differences"], walk["lost"]) == ({"a": 15}, {"a": 0}, [])
    document_rows = {edge["id"]: edge for edge in DIAMOND["edges"]}
    for step in walk["ledger"]:
        row = document_rows[step["edge"]]
        assert [step[name] for name in ("incoming_grad", "contribution", "running_grad")] == [
            row[name] for name in ("incoming_grad", "contribution", "running_grad")
        ]


@pytest.mark.parametrize("order", list(permutations("abcd")), ids="".join)
def test_all_orders_of_the_diamond(order: tuple[str, ...]) -> None:
    """`b` passes on 6 (times 1) and `c` passes on 3 (times 3), if `d` was visited before them."""
    place = {label: order.index(label) for label in order}
    passed = {"b": place["d"] < place["b"], "c": place["d"] < place["c"]}
    [walk] = experiment(DIAMOND, order=list(order))["walks"]
    assert walk["gradients"] == {"a": 6 * passed["b"] + 9 * passed["c"]}
    assert walk["differences"] == {"a": walk["gradients"]["a"] - 15}
    late = [("b", 4, 6, "`b` was visited before `d` had sent it 6")] if not passed["b"] else []
    late += [("c", 5, 3, "`c` was visited before `d` had sent it 3")] if not passed["c"] else []
    assert [(lost["edge"], lost["contribution"], lost["sentence"]) for lost in walk["lost"]] == [
        row[1:] for row in late
    ]
    assert {lost["reason"] for lost in walk["lost"]} <= {"late"}


@pytest.mark.parametrize("order", list(permutations("abcd")), ids="".join)
def test_the_first_broken_edge_is_named(order: tuple[str, ...]) -> None:
    users = {"a": [("b", 0), ("c", 2)], "b": [("d", 4)], "c": [("d", 5)], "d": []}
    broken = [
        edge
        for place, label in enumerate(order)
        for user, edge in users[label]
        if order.index(user) > place
    ]
    result = experiment(DIAMOND, order=list(order))
    assert result["broken_edge"] == (broken[0] if broken else None)
    assert result["reverse_topological"] is (not broken)


def test_an_operation_that_is_never_visited_passes_nothing_on() -> None:
    result = experiment(DIAMOND, order=["d", 4])
    [walk] = result["walks"]
    assert (result["order"], result["unvisited"], result["broken_edge"]) == ([5, 4], [2], None)
    assert result["reverse_topological"] is False
    assert walk["gradients"] == {"a": 9}
    assert [(lost["reason"], lost["sentence"]) for lost in walk["lost"]] == [
        ("unvisited", "`d` sent 6 to `b`, which was never visited")
    ]


def test_nobody_visited_leaves_zeros() -> None:
    result = experiment(DIAMOND, order=[])
    assert gradients(result) == [{"a": 0}]
    assert (result["walks"][0]["ledger"], result["unvisited"]) == ([], [2, 4, 5])


def test_a_leaf_that_is_left_out_changes_nothing() -> None:
    result = experiment(DIAMOND, order=["d", "b", "c"])
    assert (gradients(result), result["reverse_topological"]) == ([{"a": 15}], True)


def test_replacing_loses_all_but_the_last() -> None:
    """a * a at 3: each slot contributes 3, and `=` keeps one of them, as in the lesson."""
    [walk] = experiment(introspect("a * a", {"a": 3}), accumulate="replace")["walks"]
    assert (walk["gradients"], walk["differences"]) == ({"a": 3}, {"a": -3})
    [lost] = walk["lost"]
    assert (lost["step"], lost["edge"], lost["contribution"], lost["reason"]) == (
        (0, 0, 3, "overwritten")
    )
    assert lost["sentence"] == (
        "the 3 that node 1 (`*`) had sent to `a` was overwritten by 3 from node 1 (`*`)"
    )


def test_what_was_passed_on_before_it_is_overwritten_is_not_lost() -> None:
    """In the order d, b, f, ... `b` passes its first contribution on; the second comes late."""
    document = introspect("b = a + 1; d = b * 3; d * b", {"a": 1})
    # d = 6, root = d * b = 12: the root sends b (2) to d and d (6) to b; d sends 2 * 3 = 6 to b.
    [walk] = experiment(document, order=[5, "b", "d", "a"], accumulate="replace")["walks"]
    assert walk["gradients"] == {"a": 6}
    assert [(lost["reason"], lost["contribution"]) for lost in walk["lost"]] == [("late", 6)]


def test_a_second_pass_takes_stale_gradients_along() -> None:
    """Inner gradients are stale, too: not a doubling, but 9, 6, 2 in place of 3, 2, 1."""
    result = experiment(NEURON_INPUT, passes=2)
    assert gradients(result) == [{"a": 9, "b": 6, "c": 2}]
    assert result["walks"][0]["lost"] == []
    assert [step["pass"] for step in result["walks"][0]["ledger"]] == [1, 1, 1, 1, 2, 2, 2, 2]


def test_a_late_contribution_is_passed_on_by_the_next_pass() -> None:
    """`b` is visited before `d`: pass 1 sends a nothing by b, pass 2 the 6 that waited."""
    [walk] = experiment(DIAMOND, order=["b", "d", "c", "a"], passes=2)["walks"]
    # c: 3 in pass 1, 6 in pass 2; so a: 9, then 6 + 18 more. The second 6 for b is lost.
    assert walk["gradients"] == {"a": 33}
    assert [(lost["step"], lost["contribution"]) for lost in walk["lost"]] == [(8, 6)]


def test_replacing_forgets_the_pass_before_without_loss() -> None:
    [walk] = experiment(NEURON_INPUT, passes=3, accumulate="replace")["walks"]
    assert (walk["gradients"], walk["lost"]) == ({"a": 3, "b": 2, "c": 1}, [])


def test_a_mutated_leaf_is_noticed_by_local_gradients_that_are_read_late() -> None:
    """d = a * b + c: stored, b sends 3 and a 2; with a = 5 then, the closure of b * a reads 5."""
    result = experiment(NEURON_INPUT, mutate={"a": 5})
    assert [walk["local_grads"] for walk in result["walks"]] == ["stored", "reread"]
    assert gradients(result) == [{"a": 3, "b": 2, "c": 1}, {"a": 3, "b": 5, "c": 1}]
    assert result["walks"][1]["differences"] == {"a": 0, "b": 3, "c": 0}


@pytest.mark.parametrize(
    ("expression", "reread"),
    [
        # at a = 2, then 4: the operation's own data is kept, its operands are read
        ("a ** 2", 8),  # 2 * 4
        ("a / 4", 0.25),
        ("8 / a", -1),  # -(out / y) = -(4 / 4)
        ("log(a)", 0.25),
        ("relu(a)", 1),
        ("exp(a - 2)", 1),  # out is kept
        ("tanh(a - 2)", 1),  # 1 - 0 * 0
        ("-a", -1),
        ("a - 1", 1),
    ],
)
def test_every_operation_is_reread_by_its_formula(expression: str, reread: float) -> None:
    document = introspect(expression, {"a": 2})
    assert gradients(experiment(document, mutate={"a": 4}))[1] == {"a": reread}


def test_the_edge_of_a_domain_is_an_error_of_the_walk() -> None:
    document = introspect("8 / a", {"a": 2})
    with pytest.raises(GradientError) as caught:
        experiment(document, mutate={"a": 0})
    error = caught.value.as_dict()
    assert (error["code"], error["node"], error["operation"], error["operands"]) == (
        ("domain_error", 2, "/", [8, 0])
    )
    assert error["span"] == {"start": 0, "end": 5}


def test_numbers_that_are_no_doubles_are_an_error_of_the_walk() -> None:
    """(a + a) * 8e307: a has 1.6e308 after pass 1, and slot 0 adds 1.6e308 in pass 2."""
    with pytest.raises(GradientError) as caught:
        experiment(introspect("(a + a) * 8e307", {"a": 1}), passes=2)
    error = caught.value.as_dict()
    assert (error["code"], error["stage"], error["slot"]) == ("non_finite", "grad", 0)
    assert (error["node"], error["operation"], error["operands"]) == (1, "+", [1, 1])
    assert error["span"] == {"start": 1, "end": 6}


def test_steps_are_bounded() -> None:
    """A sum of 2,001 leaves has 4,000 edges: five passes are the most."""
    document = introspect("+".join(["a"] * 2001), {"a": 1})
    assert len(experiment(document, passes=5)["walks"][0]["ledger"]) == 20_000
    with pytest.raises(GradientError) as caught:
        experiment(document, passes=6)
    assert caught.value.as_dict() == {
        "code": "limit_exceeded",
        "message": "6 passes over this graph take 24000 steps; at most 20000 are made",
        "span": None,
        "name": "steps",
        "limit": 20_000,
        "actual": 24_000,
    }


def test_exponents_have_no_step() -> None:
    [walk] = experiment(introspect("a ** 2", {"a": 3}))["walks"]
    assert [(step["edge"], step["contribution"]) for step in walk["ledger"]] == [(0, 6)]


def test_graphs_of_values_can_be_walked_wrongly() -> None:
    a = Value(3.0, label="a")
    assert gradients(experiment(introspect_value(a * a), accumulate="replace")) == [{"a": 3}]


def test_a_label_of_two_nodes_is_refused() -> None:
    a = Value(3.0, label="a")
    b, c = a * 2, a * 3
    b.label = c.label = "twin"
    with pytest.raises(GradientError) as caught:
        experiment(introspect_value(b * c), order=["twin"])
    assert caught.value.message.startswith("2 nodes have the label")


@pytest.mark.parametrize(
    ("conditions", "code", "pointer", "message"),
    [
        ({"order": None}, "invalid_request", "/order", "order must be an array of ids and labels"),
        ({"order": ["e"]}, "invalid_request", "/order/0", 'no node has the label "e"'),
        ({"order": [0, 6]}, "invalid_request", "/order/1", "order[1] must be a label, or an id"),
        ({"order": [1.5]}, "invalid_request", "/order/0", "from 0 to 5, not 1.5"),
        ({"order": [True]}, "invalid_request", "/order/0", "not true"),
        ({"order": [0, 2, "a"]}, "invalid_request", "/order/2", "order visits `a` twice"),
        ({"order": [1, 1]}, "invalid_request", "/order/1", "order visits node 1 twice"),
        ({"accumulate": "+="}, "invalid_request", "/accumulate", '"add" or "replace"'),
        ({"passes": 0}, "invalid_request", "/passes", "from 1 to 10, not 0"),
        ({"passes": 11}, "invalid_request", "/passes", "not 11"),
        ({"passes": "2"}, "invalid_request", "/passes", 'not the string "2"'),
        ({"mutate": [1]}, "invalid_request", "/mutate", "an object of numbers, not an array"),
        ({"mutate": {"z": 1}}, "invalid_value", "/mutate/z", "no variable of the program"),
        ({"mutate": {"a": "1"}}, "invalid_value", "/mutate/a", "give `a` a finite number"),
        ({"mutate": {"b": 1, "a": "x"}}, "invalid_value", "/mutate/a", "mutate must give `a`"),
        ({"order": 1, "passes": 0}, "invalid_request", "/order", "order must be"),
    ],
)
def test_wrong_members_are_refused(
    conditions: dict[str, Any], code: str, pointer: str, message: str
) -> None:
    error = refusal(**conditions)
    assert (error["code"], error["pointer"]) == (code, pointer)
    assert message in error["message"]


def test_zeros_have_no_sign() -> None:
    result = experiment(introspect("-a * 0", {"a": 1}), order=[])
    assert to_the_bit(result["walks"][0]["gradients"]) == to_the_bit({"a": 0.0})
    [walk] = experiment(introspect("-a * 0", {"a": 1}))["walks"]
    assert "-0.0" not in repr(walk)
