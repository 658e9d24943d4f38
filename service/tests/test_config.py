import re
from typing import Any

import pytest

from service.config import VARIABLES, Config, ConfigError, default_of
from service.tests.processes import ROOT

TEXTS = {
    "GRADIENT_HOST": ("0.0.0.0", "0.0.0.0"),
    "GRADIENT_MAX_MEMORY_BYTES": ("200000000", 200_000_000),
    "GRADIENT_CORS_ORIGINS": ("http://a.b http://c:5173", ("http://a.b", "http://c:5173")),
    "GRADIENT_LOG": ("json", "json"),
    "GRADIENT_LOG_REQUESTS": ("0", False),
    "GRADIENT_LOG_VALUES": ("1", True),
}
"""A text for a variable, and the value that it means; all other variables are numbers."""


def fields_of(config: Config) -> dict[str, Any]:
    return {**config._asdict(), **config.limits._asdict(), "limits": None}


@pytest.mark.parametrize("name", VARIABLES)
def test_a_variable_sets_the_field_of_its_name_and_no_other(name: str) -> None:
    text, value = TEXTS.get(name, ("0009", 9))
    found = fields_of(Config.from_environ({name: text, "HOST": "x86_64-conda-linux-gnu"}))
    [(field, changed)] = found.items() - fields_of(Config()).items()
    named = name.removeprefix("GRADIENT_").removeprefix("MAX_").lower()
    assert (named, changed) == (field.removeprefix("max_"), value)


@pytest.mark.parametrize(
    "text",
    [
        "example.org",
        "https://example.org/",
        "https://*.org",
        "null",
        "a,b",
        # A browser would write each of these differently (https://url.spec.whatwg.org).
        "https://EXAMPLE.org",
        "https://example.org:443",
        "http://localhost:80",
        "https://example.org:0",
        "https://example.org:08443",
        "https://example.org:",
        "https://a@example.org",
        "https://bücher.example",
        "https://[::1",
        "file://",
    ],
)
def test_an_invalid_origin_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"^GRADIENT_CORS_ORIGINS must be \* or") as refused:
        Config.from_environ({"GRADIENT_CORS_ORIGINS": f"https://example.org {text}"})
    assert str(refused.value).endswith(f"; not {text!a}")


@pytest.mark.parametrize(
    "origin",
    [
        "*",
        "http://localhost",
        "http://localhost:5173",
        "https://xn--bcher-kva.example:8443",
        "https://example.org.",
        "https://my_host-1.example.org",
        "http://127.0.0.1:65535",
        "http://1.a",
        "https://[::1]:3000",
        "https://[2001:db8::ff00:42:8329]",
    ],
)
def test_an_origin_that_a_browser_sends_is_accepted(origin: str) -> None:
    assert Config.from_environ({"GRADIENT_CORS_ORIGINS": origin}).cors_origins == (origin,)


def test_the_readme_lists_every_variable_with_its_default_and_description() -> None:
    readme = (ROOT / "service/README.md").read_text()
    expected = [
        f"| `{name}` | {default_of(name)} | {variable.sets} |"
        for name, variable in VARIABLES.items()
    ]
    assert re.findall(r"^\| `(?:GRADIENT_|PORT).*$", readme, re.MULTILINE) == expected


def test_an_empty_variable_counts_as_unset() -> None:
    assert Config.from_environ({"PORT": "", "GRADIENT_HOST": ""}) == Config()


NUMBERS = ["x", "0", "-1", "+1", "1.5", "1e3", " 1", "1\n", "1_000", "٣", "99999999999", "9" * 5000]


@pytest.mark.parametrize(
    ("name", "must", "texts"),
    [
        ("GRADIENT_LOG", "be auto or json", ["text", "JSON", "1"]),
        ("GRADIENT_LOG_VALUES", "be 0 or 1", ["yes", "true", "2", " 1"]),
        ("GRADIENT_MAX_BODY_BYTES", r"be a whole number from 1 to \d+", NUMBERS),
        ("GRADIENT_MAX_NODES", r"be a whole number from 1 to \d+", NUMBERS),
        ("PORT", "be a whole number from 0 to 65535", ["65536"]),
        (
            "GRADIENT_HOST",
            "be an address or a host name",
            ["http://localhost", "a b", "host/path", "höst", "\n", "u@h"],
        ),
    ],
)
def test_an_invalid_value_is_refused_with_the_name_and_the_values_accepted(
    name: str, must: str, texts: list[str]
) -> None:
    for text in texts:
        with pytest.raises(ConfigError, match=rf"{name} must {must}.*, not '"):
            Config.from_environ({name: text})


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("0.0.0.0", "http://localhost:8000"),
        ("::", "http://localhost:8000"),
        ("::1", "http://[::1]:8000"),
    ],
)
def test_the_url_works_for_a_client_on_the_same_machine(host: str, url: str) -> None:
    assert Config(host=host).url == url
