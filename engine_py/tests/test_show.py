"""Diagrams, carets, the output of `show`, and programs of Values. Expected texts are by hand."""

from collections.abc import Callable
from random import Random

import pytest

from engine_py import GradientDocument, Span, Value, introspect, introspect_value, show
from engine_py.show.diagrams import to_dot, to_mermaid
from engine_py.show.explanation import draw_carets
from engine_py.show.program import request_of
from engine_py.tests.helpers import to_the_bit

README = introspect("(a + b) * c", {"a": 2, "b": -3, "c": 10})
SQUARE = introspect("a * a", {"a": 3})
CUBE = introspect("a ** 3", {"a": 2})
# Line breaks and invisible characters are shown as escapes.
NASTY = 'q"\\n{x|y} <b>&lt; #35; `*c*` _u_\n\x00\ud800'
LONG = "".join(str(index % 10) for index in range(1_000))


def test_the_readmes_document_in_dot() -> None:
    box, result = 'fillcolor="#dbeafe"', 'fillcolor="#fffbeb" shape=Mrecord'
    circle = 'shape=circle fillcolor="#fde68a" width=0.45 margin=0.03'
    head, body = to_dot(README).split('color="#475569"]\n')
    assert head.startswith("digraph {\n  graph [rankdir=LR ")
    assert (
        body
        == f"""\
  n0 [{box} label="a|data 2|grad 10"]
  n1 [{box} label="b|data -3|grad 10"]
  n2 [{result} label="data -1|grad 10"]
  n2_op [{circle} label="+"]
  n2_op -> n2
  n3 [{box} label="c|data 10|grad -1"]
  n4 [{result} label="data -10|grad 1|root"]
  n4_op [{circle} label="*"]
  n4_op -> n4
  n0 -> n2_op [label=" 10 × 1 = 10 "]
  n1 -> n2_op [label=" 10 × 1 = 10 "]
  n2 -> n4_op [label=" 1 × 10 = 10 "]
  n3 -> n4_op [label=" 1 × -1 = -1 "]
}}
"""
    )


def test_the_readmes_document_in_mermaid() -> None:
    text, kinds = to_mermaid(README).split("  classDef", maxsplit=1)
    assert (
        text
        == """\
flowchart LR
  n0["a<br>data 2<br>grad 10"]:::input
  n1["b<br>data -3<br>grad 10"]:::input
  n2("data -1<br>grad 10"):::operation
  n2_op(("#43;")):::circle
  n2_op --> n2
  n3["c<br>data 10<br>grad -1"]:::input
  n4("data -10<br>grad 1<br>root"):::operation
  n4_op(("#42;")):::circle
  n4_op --> n4
  n0 -->|"10 × 1 = 10"| n2_op
  n1 -->|"10 × 1 = 10"| n2_op
  n2 -->|"1 × 10 = 10"| n4_op
  n3 -->|"1 × -1 = -1"| n4_op
"""
    )
    styled = [line.split()[0] for line in kinds.split("classDef")]
    assert styled == ["input", "parameter", "constant", "operation", "circle"]


def test_both_edges_between_the_same_nodes_are_drawn() -> None:
    assert to_dot(SQUARE).count('  n0 -> n1_op [label=" 1 × 3 = 3 "]\n') == 2
    assert to_mermaid(SQUARE).count('  n0 -->|"1 × 3 = 3"| n1_op\n') == 2


def test_an_exponent_is_a_dashed_edge_without_a_gradient() -> None:
    # 2 ** 3 has the slope 3 * 2 ** 2 = 12; the exponent has no gradient
    assert '  n0 -> n2_op [label=" 1 × 12 = 12 "]\n' in to_dot(CUBE)
    assert '  n1 -> n2_op [label=" no gradient " style=dashed]\n' in to_dot(CUBE)
    assert 'label="constant|data 3|no gradient"' in to_dot(CUBE)
    assert '  n0 -->|"1 × 12 = 12"| n2_op\n' in to_mermaid(CUBE)
    assert '  n1 -.->|"no gradient"| n2_op\n' in to_mermaid(CUBE)
    assert '  n1["constant<br>data 3<br>no gradient"]:::constant\n' in to_mermaid(CUBE)


def test_a_constant_without_a_gradient_has_a_solid_edge_without_one() -> None:
    steep = introspect("sqrt(0 * 5) * x", {"x": 3})
    assert '  n2 -> n3_op [label=" no gradient "]\n' in to_dot(steep)
    assert '  n0 -->|"no gradient"| n2_op\n' in to_mermaid(steep)
    assert "data 0|no gradient" in to_dot(steep)


def test_parameters_constants_and_the_root_differ_in_words_and_outlines() -> None:
    document = introspect("k = 2; k * w", {"w": 5}, parameters=["w"])
    dot = to_dot(document)
    assert 'style="filled,dotted" label="constant k|data 2|grad 5"' in dot
    assert 'penwidth=2.5 label="parameter w|data 5|grad 2"' in dot
    assert 'shape=Mrecord label="data 10|grad 1|root"' in dot
    assert '["parameter w<br>data 5<br>grad 2"]:::parameter' in to_mermaid(document)


def test_a_single_variable_is_the_root() -> None:
    document = introspect("a", {"a": 7})
    assert 'label="a|data 7|grad 1|root"' in to_dot(document)
    assert '  n0["a<br>data 7<br>grad 1<br>root"]:::input\n' in to_mermaid(document)


def test_a_long_label_of_an_edge_has_two_lines() -> None:
    document = introspect("a * b", {"a": 0.3333333333333333, "b": 0.6666666666666666})
    assert r'[label=" 1 × 0.6666666666666666 \n = 0.6666666666666666 "]' in to_dot(document)


def test_the_special_characters_of_dot_are_escaped() -> None:
    escaped = r"q\"\\n\{x\|y\} \<b\>&amp;lt; #35; `*c*` _u_\\n\\x00\\ud800"
    assert f'label="{escaped}|data 3|grad 2"' in to_dot(labelled(NASTY))


def test_the_special_characters_of_mermaid_are_escaped() -> None:
    line = to_mermaid(labelled(NASTY)).splitlines()[1]
    text = line.removeprefix('  n0["').removesuffix('<br>data 3<br>grad 2"]:::input')
    assert set(text) <= set("#;0123456789 abcdeltnquxyN\N{WORD JOINER}")
    for character in '"\\{|}<>&`*_':
        assert f"#{ord(character)};" in text
    # an escaped backslash and an n would end the line
    assert "#92;n" not in text
    assert "#35;35#59;" in text


def test_the_spaces_of_a_label_are_kept() -> None:
    for text in (to_dot(labelled(" a  b c ")), to_mermaid(labelled(" a  b c "))):
        assert "\N{NO-BREAK SPACE}a\N{NO-BREAK SPACE} b c\N{NO-BREAK SPACE}" in text


def test_a_label_too_long_for_graphviz_is_truncated() -> None:
    for text in (to_dot(labelled("é" * 60_000)), to_mermaid(labelled("é" * 60_000))):
        assert f"{'é' * 100}…" in text
        assert len(text) < 3000


@pytest.mark.parametrize("write", [to_dot, to_mermaid])
def test_every_edge_of_ten_thousand_nodes_is_written(
    write: Callable[[GradientDocument], str],
) -> None:
    document = introspect("+".join("1" * 5000), {})
    assert len(document["nodes"]) == 9999
    assert write(document).count(" × 1 = 1") == 9998


def labelled(label: str) -> GradientDocument:
    """Return the document of `x * 2` at 3, with `label` for x."""
    return introspect_value(Value(3.0, label=label) * Value(2.0))


def marked(picture: str) -> str:
    """Return the text above the carets; the lower line must have carets and spaces only."""
    line, carets = picture.split("\n")
    assert set(carets) == {" ", "^"}
    assert " " not in carets.strip()
    return line[carets.index("^") : len(carets)]


@pytest.mark.parametrize(
    ("text", "span", "line", "carets"),
    [
        ("2x + 1", (1, 2), "2x + 1", " ^"),
        ("log(0)", (0, 6), "log(0)", "^^^^^^"),
        ("foo(a)", (0, 3), "foo(a)", "^^^"),
        ("(a", (2, 2), "(a", "  ^"),  # the end of the text
        ("", (0, 0), "", "^"),
        ("a + 1\nb $ 2\nc", (8, 9), "b $ 2", "  ^"),
        ("a + 1\nb $ 2\nc", (12, 13), "c", "^"),
        ("a = 1;\n", (7, 7), "a = 1;", "      ^"),  # the end, without the blanks before it
        ("a (\nb", (2, 3), "a (", "  ^"),
        ("x\ny z", (4, 5), "y z", "  ^"),
        # a span over several lines is marked to the end of the first
        ("1 + (a\n + b) / 0", (4, 16), "1 + (a", "    ^^"),
        ("log(\n0\n)", (0, 8), "log(", "^^^^"),
        ("ab\ncd", (2, 3), "ab", "  ^"),  # a line break is marked at the end of its line
        ("ab", (5, 9), "ab", "  ^"),  # beyond the text
        # columns are code points
        ("λ + λ", (4, 5), "λ + λ", "    ^"),
        ("\U0001f600 + \U0001f600", (4, 5), "\U0001f600 + \U0001f600", "    ^"),
    ],
)
def test_carets_mark_the_span_in_its_line(
    text: str, span: tuple[int, int], line: str, carets: str
) -> None:
    assert draw_carets(text, Span(*span)) == f"    {line}\n    {carets}"


@pytest.mark.parametrize(
    "blank", ["\t", "\r", "\x00", "\x1b", "\x7f", "\u2028", "\u200b", "\ud800"]
)
def test_an_invisible_character_takes_one_column(blank: str) -> None:
    # The width of a tab depends on the terminal, and an escape would be executed.
    assert draw_carets(f"a{blank}b $", Span(4, 5)) == "    a b $\n        ^"


def test_a_long_line_is_truncated_on_both_sides_of_the_span() -> None:
    line, carets = draw_carets(LONG, Span(503, 505)).split("\n")
    assert marked(f"{line}\n{carets}") == "34"
    assert line.startswith("    ...")
    assert line.endswith("...")
    assert line.strip(" .") in LONG
    assert len(line) < 100


@pytest.mark.parametrize(
    ("text", "line", "carets"),
    [
        ("a + _|$| b", "a + ... $ b", "        ^"),
        ("a + _b |$| c_ * d", "a + ... b $ c ... * d", "          ^"),
        ("a_ + |log(b - _b)|", "a ... + log(b - ... b)", "        ^^^^^^^^^^^^^^"),
    ],
)
def test_a_block_of_blanks_in_a_long_line_is_shown_as_dots(
    text: str, line: str, carets: str
) -> None:
    before, marked, after = text.replace("_", " " * 5_000).split("|")
    span = Span(len(before), len(before + marked))
    assert draw_carets(before + marked + after, span) == f"    {line}\n    {carets}"


def test_a_side_that_is_not_truncated_has_no_dots() -> None:
    assert draw_carets(LONG, Span(0, 1)).startswith("    0123456789")
    line, _ = draw_carets(LONG, Span(999, 1_000)).split("\n")
    assert line.endswith("0123456789")
    line, _ = draw_carets(f"{LONG}\nab $\n{LONG}", Span(1_004, 1_005)).split("\n")
    assert line == "    ab $"


@pytest.mark.parametrize("start", [0, 1, 39, 40, 41, 71, 72, 500, 927, 928, 960, 998, 999])
@pytest.mark.parametrize("length", [1, 2, 7])
def test_the_carets_are_under_a_span_anywhere_in_the_line(start: int, length: int) -> None:
    span = Span(start, min(start + length, 1_000))
    assert marked(draw_carets(LONG, span)) == LONG[span.start : span.end]


@pytest.mark.parametrize("size", [71, 72, 73])
def test_a_line_near_the_limit_keeps_its_last_character(size: int) -> None:
    assert marked(draw_carets(LONG[:size], Span(size - 1, size))) == LONG[size - 1]
    assert draw_carets(LONG[:size], Span(size, size)).endswith(" ^")
    is_truncated = draw_carets(LONG[:size], Span(size - 1, size)).startswith("    ...")
    assert is_truncated is (size == 73)


def test_show_prints_the_tree_and_the_ledger(capsys: pytest.CaptureFixture[str]) -> None:
    a, b = Value(2.0, "a"), Value(-3.0, "b")
    show(a * b)
    shown = capsys.readouterr().out
    assert shown.splitlines()[2] == "├─ a   0     2    -3  1 × -3 = -3"
    assert shown.endswith("\n\nresult = -6\nd/da = -3\nd/db = 2\n")
    show("a * b", {"a": 2, "b": -3})
    assert capsys.readouterr().out == shown
    show(introspect_value(a * b))
    assert capsys.readouterr().out == shown


OPERATIONS: list[Callable[[Value, Value], Value]] = [
    lambda x, y: x + y,
    lambda x, y: x - y,
    lambda x, y: x * y,
    lambda x, _: -x,
    lambda x, y: x.tanh() / (y * y + 1),
    lambda x, _: x.sin() ** 3,
    lambda x, y: x.min(y),
]


def written(root: Value) -> str:
    return request_of(introspect_value(root)).expression


def leaves(*names: str) -> list[Value]:
    return [Value(0.5 + place, name) for place, name in enumerate(names)]


def test_a_shared_node_is_a_statement_and_keeps_its_label() -> None:
    [a] = leaves("a")
    b = a + 1
    b.label = "b"
    c = a * 3
    assert written(b * c + c) == "b = a + 1; n4 = a * 3; b * n4 + n4"


def test_a_shared_constant_is_a_statement_but_as_an_exponent_a_number() -> None:
    [a], k = leaves("a"), Value(2.0)
    assert written(Value(0.25, (a, k), "**") * k + k) == "n1 = 2; a ** 2 * n1 + n1"


def test_the_result_keeps_its_label() -> None:
    a, b = leaves("a", "b")
    total = a + b
    total.label = "total"
    assert written(total) == "total = a + b"
    assert written(a) == "a"


def test_invalid_and_duplicate_labels_become_new_names() -> None:
    x, y, taken = Value(1.0, "x 1"), Value(2.0, "θ"), Value(3.0, "x_1")
    product, total = x * y, x + y
    product.label = total.label = "h"
    # x has the id 0, θ 1, their product 2, x_1 3 and the sum 5
    assert written(product * taken + total) == ("h = x_1_0 * n1; h_5 = x_1_0 + n1; h * x_1 + h_5")
    request = request_of(introspect_value(x * taken * y))
    assert request.values == {"x_1_0": 1, "x_1": 3, "n3": 2}


@pytest.mark.parametrize(
    ("write", "text"),
    [
        (lambda a, b, c: a + b + c, "a + b + c"),
        (lambda a, b, c: a + (b + c), "a + (b + c)"),
        (lambda a, b, c: a - (b - c), "a - (b - c)"),
        (lambda a, b, c: (a + b) * c, "(a + b) * c"),
        (lambda a, b, c: a / (b * c), "a / (b * c)"),
        (lambda a, b, c: a * b / c, "a * b / c"),
        (lambda a, b, c: -a * b, "-a * b"),
        (lambda a, b, c: -(a * b), "-(a * b)"),
        (lambda a, b, c: -(b * -a), "-(b * -a)"),
        (lambda a, b, c: -a.__neg__(), "-(-a)"),
        (lambda a, b, c: -(a**2), "-a ** 2"),
        (lambda a, b, c: (-a) ** 2, "(-a) ** 2"),
        (lambda a, b, c: (a**2) ** -0.5, "(a ** 2) ** -0.5"),
        (lambda a, b, c: a * -3 - -b, "a * -3 - -b"),
        (lambda a, b, c: a + -Value(3.0), "a + -(3)"),
        (lambda a, b, c: a + -(Value(3.0) ** 2), "a + -(3 ** 2)"),
        (lambda a, b, c: a + Value(-3.0) ** 2, "a + (-3) ** 2"),
        (lambda a, b, c: (a + b).max(-c).tanh(), "tanh(max(a + b, -c))"),
        (lambda a, b, c: a * 1e-7 + 1e22, "a * 1e-07 + 1e+22"),
    ],
)
def test_parentheses_are_written_where_the_graph_needs_them(
    write: Callable[..., Value], text: str
) -> None:
    root = write(*leaves("a", "b", "c"))
    assert written(root) == text
    same_numbers(root)


def same_numbers(root: Value) -> None:
    """Compare the written program's document with that of the Values and with their backward()."""
    document = introspect_value(root)
    found = introspect(*request_of(document)[:2])
    assert to_the_bit(without_text(found)) == to_the_bit(without_text(document))
    root.backward()
    passed = {value.label: value.grad + 0.0 for value in leaves_of(root)}
    assert to_the_bit(found["gradients"]) == to_the_bit(
        {name: passed[name] for name in found["gradients"]}
    )


def without_text(document: object) -> object:
    """Remove spans and labels, which depend on the text; keep numbers, ids and edges."""
    if isinstance(document, dict):
        text = ("expression", "span", "label")
        return {key: without_text(each) for key, each in document.items() if key not in text}
    return [without_text(each) for each in document] if isinstance(document, list) else document


def leaves_of(root: Value) -> list[Value]:
    found, waiting = {root}, [root]
    while waiting:
        fresh = waiting.pop()._prev - found
        found |= fresh
        waiting += fresh
    return [value for value in found if value.label and not value._prev]


@pytest.mark.parametrize("seed", range(60))
def test_random_graphs_have_the_same_numbers(seed: int) -> None:
    """The graphs share nodes, including constants; an exponent is never shared."""
    draw = Random(seed)
    values = [*leaves("a", "b", "c"), Value(-1.25)]
    for _ in range(12):
        left, right = draw.choice(values), draw.choice(values)
        values.append(draw.choice(OPERATIONS)(left, right))
        if draw.random() < 0.3:
            values[-1].label = draw.choice(["h", "out", "x1 * w1"])
    same_numbers(values[-1])


def test_a_custom_operation_is_rejected_by_its_name() -> None:
    [a] = leaves("a")
    with pytest.raises(ValueError, match="`asinh` at node 1 is an operation of your own"):
        written(Value(0.4812, (a,), (0.8944,), "asinh"))


def test_the_document_of_a_text_gives_the_same_request() -> None:
    document = introspect("w - x", {"w": 1, "x": 2}, parameters=["w"], view="primitive")
    assert request_of(document) == ("w - x", {"w": 1, "x": 2}, ["w"], "primitive")


def test_parameters_are_renamed_as_their_labels_are() -> None:
    document = introspect_value(Value(1.0, "w") * Value(2.0, "x 1"), parameters=["w"])
    assert request_of(document) == ("w * x_1", {"w": 1, "x_1": 2}, ["w"], "folded")
