"""Pictures: the expected texts are derived by hand from the README's document."""

import time
from collections.abc import Callable

import pytest

from engine_py import Document, Value, introspect, introspect_value
from engine_py.show.diagrams import to_dot, to_mermaid

README = introspect("(a + b) * c", {"a": 2, "b": -3, "c": 10})
SQUARE = introspect("a * a", {"a": 3})
CUBE = introspect("a ** 3", {"a": 2})
NASTY = 'q"\\n{x|y} <b>&lt; #35; `*c*` _u_\n\x00\ud800'
SHOWN = r'q"\n{x|y} <b>&lt; #35; `*c*` _u_\n\x00\ud800'
"""What a person is to read: a line break and what has no picture are spelled out."""


def test_the_readmes_document_in_graphvizs_language() -> None:
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


def test_the_readmes_document_in_mermaids_language() -> None:
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


def test_two_edges_between_the_same_two_are_both_drawn() -> None:
    assert to_dot(SQUARE).count('  n0 -> n1_op [label=" 1 × 3 = 3 "]\n') == 2
    assert to_mermaid(SQUARE).count('  n0 -->|"1 × 3 = 3"| n1_op\n') == 2


def test_an_exponent_is_a_dashed_edge_without_a_gradient() -> None:
    # 2 ** 3 has the slope 3 * 2 ** 2 = 12, and the exponent none
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


def test_parameters_constants_and_the_root_are_told_apart_by_words_and_outlines() -> None:
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


def test_numbers_are_whole_doubles_in_their_shortest_text() -> None:
    document = introspect("a * b * c", {"a": 0.1, "b": 3, "c": 1e300})
    # 0.1 * 3 is 0.30000000000000004 in doubles, and 3 * 1e300 is 3e+300
    for text in (to_dot(document), to_mermaid(document)):
        assert "data 0.30000000000000004" in text
        assert "data 1e+300" in text
        assert "data 3\n" in text.replace("|", "\n").replace("<br>", "\n")


def test_a_long_label_of_an_edge_has_two_lines() -> None:
    document = introspect("a * b", {"a": 0.3333333333333333, "b": 0.6666666666666666})
    assert r'[label=" 1 × 0.6666666666666666 \n = 0.6666666666666666 "]' in to_dot(document)


def test_what_means_something_to_graphviz_is_escaped() -> None:
    escaped = r"q\"\\n\{x\|y\} \<b\>&amp;lt; #35; `*c*` _u_\\n\\x00\\ud800"
    assert f'label="{escaped}|data 3|grad 2"' in to_dot(labelled(NASTY))


def test_what_means_something_to_mermaid_is_escaped() -> None:
    line = to_mermaid(labelled(NASTY)).splitlines()[1]
    text = line.removeprefix('  n0["').removesuffix('<br>data 3<br>grad 2"]:::input')
    assert set(text) <= set("#;0123456789 abcdeltnquxyN\N{WORD JOINER}")
    for character in '"\\{|}<>&`*_':
        assert f"#{ord(character)};" in text
    # an escaped backslash and an n would end the line
    assert "#92;n" not in text
    assert "#35;35#59;" in text


def test_blanks_of_a_label_are_kept() -> None:
    for text in (to_dot(labelled(" a  b c ")), to_mermaid(labelled(" a  b c "))):
        assert "\N{NO-BREAK SPACE}a\N{NO-BREAK SPACE} b c\N{NO-BREAK SPACE}" in text


def test_a_label_longer_than_graphviz_reads_is_cut() -> None:
    for text in (to_dot(labelled("é" * 60_000)), to_mermaid(labelled("é" * 60_000))):
        assert f"{'é' * 100}…" in text
        assert len(text) < 3000


@pytest.mark.parametrize("draw", [to_dot, to_mermaid])
def test_ten_thousand_nodes_are_written_in_linear_time(
    draw: Callable[[Document], str],
) -> None:
    document = introspect("+".join("1" * 5000), {})
    assert len(document["nodes"]) == 9999
    started = time.perf_counter()
    assert draw(document).count(" × 1 = 1") == 9998
    assert time.perf_counter() - started < 2


def labelled(label: str) -> Document:
    """`x * 2` at x = 3, where x has another name."""
    return introspect_value(Value(3.0, label=label) * Value(2.0))
