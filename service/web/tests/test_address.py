"""The address, also a hostile one; what is taken along; a service that agrees, or does not."""

import json
import re
from typing import Any

import pytest

from service.web.tests.reading import cards, sentence, step, write

# In the page itself: not every driver tells what a request holds, or lets a reply be changed.
NOTE = """() => {
  const [real, asked] = [fetch, []];
  Object.assign(window, { asked, fetch: (path, options) => {
    asked.push([path, options.body]);
    return real(path, options);
  }});
}"""
SPOIL = """() => {
  const real = fetch;
  window.fetch = async (...asked) => {
    const document = await (await real(...asked)).json();
    document.edges[2].contribution = 10.000000000000002;
    return Response.json(document);
  };
}"""
AGREED = "✓ Browser and service agree to the bit"


def parity(page: Any, state: str) -> str:
    page.locator(f".parity[data-state={state}]").wait_for()
    text: str = page.locator(".parity").text_content()
    return text


def test_what_is_shown_comes_back_from_its_address(open_page: Any) -> None:
    page = open_page()
    write(page, "u = a ** 2 + b; exp(u / 3) - 1.5e-3")
    page.get_by_role("slider", name="a", exact=True).fill("1.5")
    page.wait_for_function("() => location.hash.includes('a:1.5')")
    hash_ = page.evaluate("location.hash")
    assert re.fullmatch(r"#e=[\w%()*/+\-=;.,]+&v=a:1.5,b:-3", hash_)
    again = open_page(hash_)
    assert again.get_by_label("Expression").input_value() == "u = a ** 2 + b; exp(u / 3) - 1.5e-3"
    assert cards(again) == cards(page)


@pytest.mark.parametrize(
    "hostile",
    [
        "#e=<script>window.hit=1</script>&v=a:1",
        "#e=<img src=x onerror=window.hit=1>",
        "#e=javascript:window.hit=1",
        "#e=a&v=a:NaN",
        "#e=a&v=a:Infinity",
        "#e=a&v=a:1e999",
        "#e=a&v=a:",
        "#e=a&v=__proto__:1,constructor:2",
        "#e=a&v=<b>:1",
        "#e=a&v=a:1:2",
        "#e=%E0%A4%A",
        "#v=a:1",
        "#e=" + "(" * 100_000,
        "#e=" + "a+" * 1_900 + "a",
        "#e=a&p=<script>",
        "#e=a&t=__proto__",
        "#=&=&&&==",
    ],
    ids=lambda text: text[:28],
)
def test_a_hostile_address_is_harmless(open_page: Any, hostile: str) -> None:
    page = open_page(hostile)
    assert page.evaluate("window.hit") is None
    assert page.evaluate("({}).polluted") is None
    assert page.locator("script").count() == 1
    assert page.locator("img").count() == 0
    write(page, "(a + b) * c")
    assert page.locator(".card").count() == 5


def test_an_address_that_cannot_be_read_is_said(open_page: Any) -> None:
    page = open_page("#e=a&v=a:NaN")
    assert sentence(page).startswith(
        "The address could not be read: the value of a is not a number."
    )
    assert cards(page)["c"][0] == "10"


def test_a_refused_expression_keeps_its_values_in_the_address(open_page: Any) -> None:
    page = open_page("#e=a**b&v=a:2,b:3&p=b")
    page.get_by_role("alert").wait_for()
    assert page.evaluate("location.hash") == "#e=a**b&v=a:2,b:3&p=b"
    write(page, "a*b")
    assert cards(page)["b"][0] == "3"
    page.wait_for_function("() => location.hash === '#e=a*b&v=a:2,b:3&p=b'")


@pytest.mark.parametrize("by_hand", [False, True])
def test_another_program_written_over_a_whole_one_has_its_own_values(
    open_page: Any,
    by_hand: bool,  # noqa: FBT001
) -> None:
    """The neuron's b is 6.88 and marked; the b of `a * b` is another, that of an edit is not."""
    neuron = "#e=n=x1*w1+b;tanh(n)&v=x1:2,w1:-3,b:6.5&p=w1,b"
    page = open_page(neuron)
    if by_hand:
        page.get_by_label("Expression").select_text()
        page.keyboard.type("a * b")
    else:
        write(page, "a * b")
    page.wait_for_function("() => location.hash === '#e=a%20*%20b&v=a:1,b:1'")
    page = open_page(neuron)
    page.get_by_label("Expression").press("End")
    page.keyboard.type("*w2")
    page.wait_for_function("() => location.hash.endsWith('&v=x1:2,w1:-3,b:6.5,w2:1&p=w1,b')")


def test_the_program_is_taken_along(open_page: Any, address: str) -> None:
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    page.get_by_text("Take it with you").click()
    page.locator("#export").get_by_role("button", name="More").click()
    taken = {}
    for form in ("curl", "Python", "TypeScript", "command"):
        page.get_by_role("button", name=f"Copy as {form}").click()
        assert "Copy" not in sentence(page)
        page.wait_for_function(
            f"() => document.querySelector('.sentence').textContent.includes('{form}')"
        )
        taken[form] = page.evaluate("navigator.clipboard.readText()")
    body = '{"expression":"(a + b) * c","values":{"a":2,"b":-3,"c":10}}'
    assert taken["curl"] == (
        f"curl -s {address}v1/gradient -H 'content-type: application/json' -d '{body}'"
    )
    said: dict[str, Any] = {}
    exec(taken["Python"].replace("print(", "said = ("), said)
    assert said["said"] == (-10.0, {"a": 10.0, "b": 10.0, "c": -1.0})
    assert 'introspect("(a + b) * c", {"a":2,"b":-3,"c":10})' in taken["TypeScript"]
    assert taken["command"] == "gradient explain '(a + b) * c' a=2 b=-3 c=10"


def test_the_service_confirms_each_result(open_page: Any) -> None:
    page = open_page()
    assert parity(page, "agree") == AGREED
    page.evaluate(NOTE)
    page.get_by_role("slider", name="a", exact=True).fill("0.1")
    page.wait_for_function("() => asked.length > 0")
    assert parity(page, "agree") == AGREED
    [[path, body]] = page.evaluate("asked")
    assert path == "v1/gradient"
    assert json.loads(body)["values"] == {"a": 0.1, "b": -3, "c": 10}


def test_a_difference_in_the_last_bit_is_shown(open_page: Any) -> None:
    page = open_page()
    page.evaluate(SPOIL)
    page.get_by_role("slider", name="a", exact=True).fill("2.5")
    page.locator(".parity.bad").wait_for()
    told = page.locator(".parity").text_content()
    assert told == (
        "✕ The engines differ first at edges.2.contribution: 10 here, 10.000000000000002 there"
    )


def test_without_the_service_the_page_goes_on(open_page: Any) -> None:
    page = open_page()
    parity(page, "agree")
    page.context.set_offline(True)
    page.get_by_role("slider", name="a", exact=True).fill("5")
    assert parity(page, "away") == "○ Service unreachable: computed in the browser only"
    step(page, 4)
    assert cards(page)["c"] == ("10", "2")
    page.get_by_role("tab", name="Predict").click()
    page.get_by_label("grad of a").wait_for()
    page.context.set_offline(False)
    assert parity(page, "agree") == AGREED
    open_page.wrong[:] = [said for said in open_page.wrong if "ERR_INTERNET" not in said]


def test_a_service_that_fails_is_out_of_reach(open_page: Any) -> None:
    page = open_page()
    page.route("**/v1/gradient", lambda route: route.fulfill(status=503, body="busy"))
    page.get_by_role("slider", name="a", exact=True).fill("5")
    assert "Service unreachable" in parity(page, "away")
    assert cards(page)["a"][0] == "5"
    open_page.wrong[:] = [said for said in open_page.wrong if "503" not in said]
