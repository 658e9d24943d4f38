"""The texts of a document's picture, its styles and its wires. Fixtures show where cards are."""

import re
from xml.etree import ElementTree as ET

import pytest

from engine_py import GradientDocument, Value, draw, introspect, introspect_value, lay_out
from engine_py.picture.captions import checksum, escaped, shortened, visible, width
from engine_py.tests.helpers import Json, units

SVG = "{http://www.w3.org/2000/svg}"


def places(document: GradientDocument) -> list[tuple[int, int]]:
    return [(node["x"], node["y"]) for node in lay_out(document)["nodes"]]


def parsed(document: GradientDocument) -> ET.Element:
    return ET.fromstring(draw(document))  # safe: XML of the engine, of limited size


def with_class(document: GradientDocument, name: str) -> list[ET.Element]:
    return [each for each in parsed(document).iter() if name in each.get("class", "").split()]


def texts(document: GradientDocument, name: str) -> list[str | None]:
    return [each.text for each in with_class(document, name)]


def test_each_edge_has_a_step_and_an_arrow_head() -> None:
    document = introspect("a * a", {"a": 3})
    assert texts(document, "gp-step") == ["1 × 3 = 3", "1 × 3 = 3"]
    heads = [each.get("d") for each in with_class(document, "gp-head")]
    assert heads == ["M244 40l-9 -4v8z", "M244 68l-9 -4v8z"]


def test_a_single_constant_has_a_picture() -> None:
    document = introspect("2", {})
    assert (texts(document, "gp-name"), texts(document, "gp-tag")) == (["2"], ["const"])
    assert parsed(document).findtext(f"{SVG}desc") == "1 nodes, 0 edges. No gradients."


def test_a_wire_is_straight_where_it_passes_layers() -> None:
    document = introspect("exp(exp(exp(a))) + b", {"a": 0, "b": 1})
    b = document["nodes"][4]
    assert b["label"] == "b"
    height = places(document)[4][1]
    [lane] = [
        each.get("d")
        for each in with_class(document, "gp-wire")
        if f" {height}H" in (each.get("d") or "")
    ]
    assert lane is not None
    assert "C" not in lane


def test_cards_show_their_kind_in_words() -> None:
    request = {"a": 7, "b": 2}
    document = introspect("d = a / b; d ** 2", request, parameters=["b"])
    assert texts(document, "gp-name") == ["a", "b", "d = ÷", "2", "**"]
    assert texts(document, "gp-tag") == ["param", "derived", "const"]
    assert texts(document, "gp-value") == [
        "7",
        "3.5",
        "2",
        "−12.25",
        "3.5",
        "7",
        "2",
        "none",
        "12.25",
        "1",
    ]
    assert texts(document, "gp-step") == [
        "7 × 0.5 = 3.5",
        "7 × −1.75 = −12.25",
        "1 × 7 = 7",
        "no gradient",
    ]
    assert len(with_class(document, "gp-flat")) == 1
    steep = introspect("sqrt(0 * 5) * x", {"x": 3})
    assert texts(steep, "gp-step").count("no gradient") == 3
    assert [len(with_class(document, f"gp-{kind}")) for kind in ("input", "parameter", "root")] == [
        1,
        1,
        1,
    ]


def test_title_and_description_are_for_screen_readers() -> None:
    root = parsed(introspect("(a + b) * c", {"a": 2, "b": -3, "c": 10}))
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert desc is not None
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == f"{title.get('id')} {desc.get('id')}"
    assert title.text == "(a + b) * c = −10"
    assert desc.text == "5 nodes, 4 edges. Gradients: a 10, b 10, c −1."


def test_a_label_with_any_characters_gives_well_formed_xml() -> None:
    label = '<b>&"\x00\u202e漢字\ud800\n' + "x" * 40
    document = introspect_value(Value(2, label) * 3)
    [name, *_] = texts(document, "gp-name")
    assert name == '<b>&"\ufffd\ufffd漢字\ufffd xxxxxxx…'
    assert parsed(document).findtext(f"{SVG}title") == "Graph = 6"


def test_the_styles_of_two_pictures_in_one_page_are_separate() -> None:
    one, other = draw(introspect("a * 2", {"a": 1})), draw(introspect("a * 2", {"a": 3}))
    scopes = [re.findall(r'<svg [^>]*class="(gp[0-9a-f]{8})"', each)[0] for each in (one, other)]
    assert scopes[0] != scopes[1]
    for scope, text in zip(scopes, (one, other), strict=True):
        assert set(re.findall(r' id="([^"]+)"', text)) == {f"{scope}-title", f"{scope}-desc"}
        style = re.sub(r"@media\([^)]*\)\{(.*?\})\}", r"\1", text.split("style>")[1])
        selectors = re.findall(r"(?:^|\})([^{}]+)\{", style)
        assert len(selectors) > 50
        assert all(f".{scope}" in each.split() for each in selectors)


def test_the_theme_of_the_page_overrides_that_of_the_system() -> None:
    text = draw(introspect("a", {"a": 1}))
    for theme in ("light", "dark"):
        assert re.search(rf"\[data-theme={theme}\] \.gp\w+ \.gp-paper{{fill:#", text)
    assert text.index("prefers-color-scheme:dark") < text.index("[data-theme=light]")


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    channels = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted([luminance(one), luminance(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_have_the_contrast_that_wcag_requires(theme: str) -> None:
    text = draw(introspect("a", {"a": 1}))
    rule = rf"\[data-theme={theme}\] \.gp\w+ ([^{{]+){{(fill|stroke):(#\w+)}}"
    colours: dict[str, str] = {f"{name} {kind}": hue for name, kind, hue in re.findall(rule, text)}
    for ground in (colours.pop(".gp-paper fill"), colours.pop(".gp-card fill")):
        for name, hue in colours.items():
            if name != ".gp-rim stroke":
                text_like = name.endswith("fill") and name != ".gp-head fill"
                assert contrast(hue, ground) >= (4.5 if text_like else 3), name


def test_a_long_chain_is_laid_out() -> None:
    document = introspect("a" + " + a" * 4000, {"a": 1})
    xs = [x for x, _ in places(document)]
    assert xs == sorted(xs)


@units("picture_text", "numbers")
def test_a_number_is_shortened(case: Json) -> None:
    for value, most, text in case["rows"]:
        assert shortened(value, most) == text


@units("picture_text", "labels")
def test_a_label_is_truncated_to_columns(case: Json) -> None:
    for text, most, shown in case["rows"]:
        assert visible(text, most) == shown
        assert width(shown) <= most


def test_the_special_characters_of_xml_are_escaped() -> None:
    assert escaped("""<a b="c">&'""") == "&lt;a b=&quot;c&quot;&gt;&amp;'"


def test_the_checksum_is_crc_32() -> None:
    # The published values for 32 bytes 0 and 32 bytes 255, which are 16 UTF-16 units.
    assert checksum("\x00" * 16) == "190a55ad"
    assert checksum("\uffff" * 16) == "ff6cab0b"
    assert checksum("") == "00000000"
