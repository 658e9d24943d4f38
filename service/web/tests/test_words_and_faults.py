"""The expression: faults at their column with a cure, nothing lost; values, curves, predictions."""

import itertools
import re
from typing import Any

import pytest

from service.web.tests.reading import cards, drawn, enter, sentence, step, write


def test_a_fault_is_underlined_at_its_column_with_a_cure(open_page: Any) -> None:
    page = open_page()
    write(page, "2x + 1")
    assert page.locator(".entry mark").text_content() == "x"
    assert page.locator(".entry pre").text_content() == "2x + 1"
    told = page.get_by_role("alert").text_content()
    assert told.startswith("Column 2: x is unexpected. An operator is missing between 2 and x.")
    assert page.get_by_label("Expression").get_attribute("aria-invalid") == "true"
    assert page.get_by_label("Expression").input_value() == "2x + 1"
    assert "(a + b) * c" in page.locator(".stale-label").text_content()
    assert page.get_by_role("button", name="Play backward").is_disabled()
    page.get_by_role("button", name="Use this").click()
    assert page.get_by_label("Expression").input_value() == "2*x + 1"
    assert page.get_by_role("alert").count() == 0
    assert "* 2*x" in cards(page)


def test_the_last_good_graph_stays_and_can_be_taken_back(open_page: Any) -> None:
    page = open_page()
    step(page, 4)
    write(page, "(a + b) * ")
    assert cards(page)["a"] == ("2", "10")
    page.get_by_role("button", name="Back to (a + b) * c").click()
    assert page.get_by_label("Expression").input_value() == "(a + b) * c"


@pytest.mark.parametrize(
    ("lang", "written", "opening"),
    [
        ("en", "min(a,b)", "min(a,b) is 2. Who"),
        ("en", "abs(a - a)", "a - a is 0; abs(a - a) is 0. Who"),
        ("en", "-a", "-a is −2. Who"),
        ("ru", "min(a,b)", "Min(a,b) = 2. Какой"),
    ],
)
def test_the_opening_names_what_is_computed(
    open_page: Any, lang: str, written: str, opening: str
) -> None:
    page = open_page(f"#e={written}&v=a:2,b:3&lang={lang}")
    page.get_by_text(opening[4:]).first.wait_for()
    assert sentence(page).lower().startswith(opening.lower())


@pytest.mark.parametrize("written", ["sigmoid(a)", "softplus(-a)"])
def test_a_result_that_only_the_parts_have_not_is_given_back(open_page: Any, written: str) -> None:
    page = open_page(f"#e={written}&v=a:-800")
    before = cards(page)
    page.get_by_label("Local derivatives").check()
    assert "one part overflows" in page.get_by_role("alert").text_content()
    page.get_by_role("button", name="Hide local derivatives").click()
    assert page.get_by_role("alert").count() == 0
    assert cards(page) == before


FAULTS = [
    ("𝑎 + 1", "Column 1: ", None),
    ("tahn(a)", "Column 1: tahn is not a function. Did you mean tanh?", None),
    ("exp(a", "Column 6: ", "exp(a)"),
    ("a ** b", "Column 6: ", None),
    ("log(a - a)", "Column 1: ", None),
    ("a * (b; c", "Column 7: ; is unexpected. Close the parenthesis that begins in column 5", None),
    ("(a * 1000) ** 900", "Column 1: The result of ** is too large", None),
    ("", "Write an expression, or take an example.", None),
]


def test_a_fault_is_told_in_columns_and_names_with_its_cure(open_page: Any) -> None:
    """The page has no offsets, and its nodes have no numbers. What is wrong moves nothing."""
    page = open_page()
    before = page.locator(".workbench").bounding_box()
    for written, told, cured in FAULTS:
        write(page, written)
        drawn(page)
        alert = page.get_by_role("alert")
        text = re.sub(r"\s+", " ", alert.text_content())
        assert text.startswith(told), text
        assert not re.search(r"offset|node \d", text), text
        cures = alert.get_by_role("button", name="Write").all_text_contents()
        assert cures == ([] if cured is None else [f"Write {cured}"])
        assert page.locator(".workbench").bounding_box() == before, written


PASTED = {
    "2a^2": ["2*a**2"],
    "y = 3·sin(2a) − b": ["y = 3*sin(2*a) - b"],
    "a² + b²": ["a**2 + b**2"],
    "e^(-a)": ["exp(-a)"],
    "|a - b|": ["abs(a - b)"],
    "np.exp(-a**2)": ["exp(-a**2)"],
    "tan(a)": ["sin(a) / cos(a)"],
    "\\frac{1}{1+e^{-a}}": ["1 / (1+exp(-a))"],
    "1/2a": ["1/2*a", "1/(2*a)"],
    "acos(a)": [],
}


def test_a_pasted_formula_is_shown_as_the_program_that_it_means(open_page: Any) -> None:
    page = open_page()
    for text, programs in PASTED.items():
        write(page, text)
        drawn(page)
        alert = page.get_by_role("alert")
        alert.get_by_role("button", name="Back to").wait_for()
        if programs:
            alert.locator(".suggestion").first.wait_for()
        assert alert.locator(".suggestion code").all_text_contents() == programs
        assert (alert.locator("mark").count() > 0) == (len(programs) == 1)
        if programs:
            alert.get_by_role("button", name="Use this").last.click()
            assert page.get_by_label("Expression").input_value() == programs[-1]
            assert page.get_by_role("alert").count() == 0


def test_values_without_a_result_are_kept_and_can_be_changed(open_page: Any) -> None:
    page = open_page("#e=log(a)*b&v=a:2,b:3")
    field = page.get_by_label("Value of a", exact=True)
    enter(field, "-2")
    assert "numbers above 0" in page.get_by_role("alert").text_content()
    assert field.input_value() == "\u22122"
    assert page.get_by_role("slider", name="a", exact=True).input_value() == "-2"
    open_curve(page, "a")
    assert page.locator(".plot").count() == 1, "what the others give can be seen"
    assert page.locator(".curve .here").count() == 0
    page.wait_for_function("() => location.hash.startsWith('#e=log(a)*b&v=a:-2,b:3')")
    page.get_by_role("button", name="Back to the last values").click()
    assert field.input_value() == "2"
    assert page.get_by_role("alert").count() == 0


def test_an_address_whose_values_have_no_result_has_its_own_sliders(open_page: Any) -> None:
    page = open_page("#e=log(x)&v=x:-2")
    assert page.get_by_role("alert").count() == 1
    assert page.locator(".parity").get_attribute("data-state") in ("asking", "agree")
    page.locator(".parity[data-state=agree]").wait_for()
    slider = page.get_by_role("slider", name="x", exact=True)
    assert slider.input_value() == "-2"
    open_curve(page, "x")
    assert "as x goes from" in page.locator(".legend").text_content()
    slider.fill("1")
    assert page.get_by_role("alert").count() == 0
    assert cards(page)["log"] == ("0", "--")


def test_lines_of_an_address_are_seen_as_they_are_read(open_page: Any) -> None:
    """A newline ends a statement outside of parentheses, which a field of one line cannot show."""
    page = open_page("#e=c=(a%0A%2Bb)%0A%0Ad=c*c%0A&v=a:2,b:3")
    assert page.get_by_label("Expression").input_value() == "c=(a +b);\u0020d=c*c;"
    assert page.get_by_role("alert").count() == 0
    assert page.locator(".card[aria-label^='d = c*c: data 25;']").count() == 1
    page.get_by_label("Expression").press("End")
    page.keyboard.type("e=d+1")
    assert page.locator(".card[aria-label^='e = d+1: data 26;']").count() == 1


def test_a_number_that_is_none_is_marked_and_kept(open_page: Any) -> None:
    page = open_page()
    field = page.get_by_label("Value of a", exact=True)
    enter(field, "two")
    assert field.get_attribute("aria-invalid") == "true"
    assert field.input_value() == "two"
    assert cards(page)["a"][0] == "2"
    page.get_by_role("slider", name="b", exact=True).fill("4")
    assert field.input_value() == "two", "what else happens takes no text away"
    field.fill("1.5")
    field.blur()
    assert field.get_attribute("aria-invalid") == "false"
    assert cards(page)["a"][0] == "1.5"


def test_an_end_of_a_slider_that_is_none_is_marked_and_kept(open_page: Any) -> None:
    page = open_page()
    least = page.get_by_label("Minimum of a")
    for wrong in ("low", "99"):
        enter(least, wrong)
        assert least.get_attribute("aria-invalid") == "true"
        assert least.input_value() == wrong
    enter(least, "-2")
    assert least.get_attribute("aria-invalid") == "false"
    assert page.get_by_role("slider", name="a", exact=True).get_attribute("min") == "-2"


def open_curve(page: Any, name: str) -> None:
    page.get_by_label(f"Slope of the result over {name}").click()
    page.locator(".curve.large").wait_for()


def test_a_number_is_typed_in_peace_while_the_wave_goes_on(open_page: Any) -> None:
    page = open_page()
    page.get_by_role("button", name="Play backward").click()
    field = page.get_by_label("Value of a", exact=True)
    field.select_text()
    page.keyboard.type("12")
    page.locator(".count", has_text="4 of 4").wait_for()
    page.get_by_text("not reached yet").first.wait_for(state="detached")
    assert field.input_value() == "12"


def test_an_open_curve_tells_its_slope_and_marks_parameters(open_page: Any) -> None:
    """L: the loss (w*x + b - y) ** 2 at w = 2 has the gradient 12."""
    page = open_page()
    page.get_by_role("button", name="A loss to learn from").click()
    step(page, 7)
    open_curve(page, "w")
    assert "tangent, slope 12" in page.locator(".legend").text_content()
    page.get_by_role("button", name="Parameter").click()
    assert page.get_by_role("button", name="Parameter").get_attribute("aria-pressed") == "false"


@pytest.mark.parametrize(
    ("written", "pieces"),
    [
        ("1 / a", 2),
        ("1 / (a - 0.3)", 2),
        ("1 / (a - 0.3) ** 2", 1),
        ("1 / (a - 9.9)", 2),
        ("a / (a ** 2 - 5)", 3),
        ("1 / ((a - 0.3) * (a - 0.5))", 3),
        ("a + tanh(1 / (a - 0.3))", 2),
        ("(a - 0.17) / ((a - 0.17) ** 2) ** 0.5", 2),
        ("tanh(1000000 * (a - 0.3))", 1),
        ("1 / ((a - 0.3) ** 2 + 0.00000001)", 1),
        ("relu(a - 0.3)", 1),
        ("a ** 3 - 5 * a", 1),
        ("sin(a) ** 2 + cos(a) ** 2", 1),
    ],
)
def test_a_curve_breaks_at_poles_and_jumps_and_nowhere_else(
    open_page: Any, written: str, pieces: int
) -> None:
    """None of the samples need fall on the pole; what is steep and continuous stays whole, as does
    what comes back where it has left the picture."""
    page = open_page()
    write(page, written)
    open_curve(page, "a")
    plots = page.locator(".plot")
    assert plots.count() == pieces
    ends = [
        [float(pair.split()[0]) for pair in path.get_attribute("d")[1:].split("L")]
        for path in plots.all()
    ]
    assert all(xs == sorted(xs) for xs in ends)
    for left, right in itertools.pairwise(ends):
        assert right[0] - left[-1] <= 0.7, "each branch goes up to the break"


@pytest.mark.parametrize(
    "written",
    ["a + 10000000000000000 - 10000000000000000", "sin(100000000000000000 * a)", "1 / sin(90 * a)"],
)
def test_a_curve_that_jumps_everywhere_keeps_nobody_waiting(open_page: Any, written: str) -> None:
    """Each last bit is a jump, if one looks near enough."""
    page = open_page()
    write(page, written)
    page.get_by_role("slider", name="a", exact=True).fill("4")
    assert cards(page)["a"][0] == "4"


def test_a_curve_goes_on_to_the_edge_of_what_has_a_value(open_page: Any) -> None:
    page = open_page()
    write(page, "log(a)")
    open_curve(page, "a")
    start = page.locator(".plot").get_attribute("d")[1:].split("L")[0].split()
    assert start[0] == "175", "0 is in the middle of 350"
    assert float(start[1]) > 160, "the logarithm leaves the picture at the bottom"


@pytest.mark.parametrize(
    ("written", "low", "high"),
    [
        ("tanh(a + 18)", "0.9999", "1"),
        ("a - a + 7", "6", "8"),
        ("1e-9 * a + 2", "1.99999999", "2.00000001"),
        ("1e300 + 0 * a", "9.99999", "1.000000"),
    ],
)
def test_an_open_curve_has_numbers_on_its_axes(
    open_page: Any, written: str, low: str, high: str
) -> None:
    """By hand, over -10 to 10; of the tanh, 1 - 2 exp(-16) is the least."""
    page = open_page(f"#e={written}&v=a:1")
    open_curve(page, "a")
    axis = page.locator(".axis text").all_text_contents()
    assert axis[2:] == ["\u221210", "10"]
    assert (axis[1].startswith(low), axis[0].startswith(high)) == (True, True), axis


def test_no_gradient_is_told_before_it_has_arrived(open_page: Any) -> None:
    page = open_page()
    assert page.get_by_text("not reached yet").count() == 3
    open_curve(page, "c")
    assert page.locator(".tangent").count() == 0
    step(page, 2)
    assert page.locator(".tangent").count() == 1


def test_predictions_are_checked_and_hints_name_the_rule(open_page: Any) -> None:
    """Q: what is df/da with a=2, b=-3, c=10? And the sibling?"""
    page = open_page()
    page.get_by_role("button", name="Predict the gradients").click()
    for name in "abc":
        page.get_by_label(f"grad of {name}").fill("10")
    page.get_by_role("button", name="Check my answers").click()
    assert [each.strip() for each in page.locator(".guesses .good").all_text_contents()] == [
        "✓ right",
        "✓ right",
    ]
    assert page.locator(".guesses .bad").text_content() == "✕ not 10"
    hint = page.locator(".hint").text_content()
    assert "The other factor is a + b" in hint
    assert "−1" not in hint
    assert cards(page)["a"][1] == "10 ✓"
    assert cards(page)["c"][1] == "?"
    page.get_by_label("grad of c").fill("-1")
    page.get_by_role("button", name="Check my answers").click()
    assert "All correct" in page.locator(".outcome").text_content()


def test_one_answer_can_be_given_away(open_page: Any) -> None:
    page = open_page()
    page.get_by_role("tab", name="Predict").click()
    page.get_by_role("button", name="Show me a").click()
    assert page.get_by_label("grad of a").input_value() == "10"
    assert page.get_by_role("button", name="Show me b").count() == 1


def test_names_that_javascript_knows_are_names_like_others(open_page: Any) -> None:
    page = open_page()
    write(page, "constructor * toString + __proto__")
    page.get_by_role("slider", name="constructor", exact=True).fill("3")
    page.get_by_role("slider", name="__proto__", exact=True).fill("2")
    page.get_by_label("Final gradients").check()
    for said in (
        "constructor: data 3; grad 1;",
        "toString: data 1; grad 3;",
        "__proto__: data 2; grad 1;",
    ):
        assert page.locator(f".card[aria-label^='{said}']").count() == 1
    page.locator(".parity[data-state=agree]").wait_for()
    page.get_by_role("tab", name="Predict").click()
    assert page.get_by_label("grad of constructor").input_value() == ""
    again = open_page("#e=constructor*__proto__&v=__proto__:4,constructor:5")
    assert again.locator(".card[aria-label^='__proto__: data 4;']").count() == 1


def test_a_name_that_a_program_gives_a_number_is_said_to_be_no_variable(open_page: Any) -> None:
    page = open_page("#e=x=3;x**2")
    page.locator(".body", has_text="x is a number here, not a variable").wait_for()
