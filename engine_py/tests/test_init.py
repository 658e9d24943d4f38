import engine_py


def test_the_package_offers_what_it_lists() -> None:
    assert sorted(engine_py.__all__) == [
        "Accuracy",
        "CONTRACT",
        "DEFAULT_LIMITS",
        "Descending",
        "Descent",
        "Document",
        "Edge",
        "Experiment",
        "GradientError",
        "Hessian",
        "Layout",
        "Limits",
        "Node",
        "OPERATIONS",
        "Operation",
        "Outline",
        "Paths",
        "Program",
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
        "show",
        "sweep",
    ]
    assert all(hasattr(engine_py, name) for name in engine_py.__all__)


def test_the_first_example_is_true() -> None:
    document = engine_py.introspect("(a + b) * c", {"a": 2, "b": -3, "c": 10})
    assert document["gradients"] == {"a": 10.0, "b": 10.0, "c": -1.0}
    assert "{'a': 10.0, 'b': 10.0, 'c': -1.0}" in (engine_py.__doc__ or "")
