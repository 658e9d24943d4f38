import re
from typing import Any

import pytest

from service.config import VARIABLES, Config, ConfigError, default_of
from service.tests.processes import ROOT


def test_the_service_listens_on_localhost_by_default() -> None:
    config = Config.from_environ({})
    assert config == Config()
    assert (config.host, config.port) == ("127.0.0.1", 8000)
    assert (config.cors_origins, config.log_values) == ((), False)


FIELDS = {
    "GRADIENT_HOST": ("0.0.0.0", "host", "0.0.0.0"),
    "PORT": ("65535", "port", 65_535),
    "GRADIENT_MAX_BODY_BYTES": ("1", "body_bytes", 1),
    "GRADIENT_MAX_CHARACTERS": ("2", "characters", 2),
    "GRADIENT_MAX_VARIABLES": ("3", "variables", 3),
    "GRADIENT_MAX_NODES": ("0004", "nodes", 4),
    "GRADIENT_MAX_BATCH_REQUESTS": ("5", "batch_requests", 5),
    "GRADIENT_MAX_BATCH_NODES": ("50", "batch_nodes", 50),
    "GRADIENT_MAX_DESCENT_NODES": ("90", "descent_nodes", 90),
    "GRADIENT_MAX_PICTURE_NODES": ("7", "picture_nodes", 7),
    "GRADIENT_MAX_SWEEP_NODES": ("70", "sweep_nodes", 70),
    "GRADIENT_MAX_WAITING": ("8", "waiting", 8),
    "GRADIENT_WAIT_SECONDS": ("9", "wait_seconds", 9),
    "GRADIENT_COMPUTE_SECONDS": ("10", "compute_seconds", 10),
    "GRADIENT_MAX_MEMORY_BYTES": ("200000000", "max_memory_bytes", 200_000_000),
    "GRADIENT_STOP_SECONDS": ("12", "stop_seconds", 12),
    "GRADIENT_PROBES_PORT": ("8001", "probes_port", 8001),
    "GRADIENT_PROXIES": ("1", "proxies", 1),
    "GRADIENT_CORS_ORIGINS": (
        "http://a.b http://c:5173",
        "cors_origins",
        ("http://a.b", "http://c:5173"),
    ),
    "GRADIENT_LOG": ("json", "log", "json"),
    "GRADIENT_LOG_REQUESTS": ("0", "log_requests", False),
    "GRADIENT_LOG_VALUES": ("1", "log_values", True),
}
"""For each variable: a text, the field that it sets, and the field's value."""


def fields_of(config: Config) -> dict[str, Any]:
    return {**config._asdict(), **config.limits._asdict(), "limits": None}


def test_every_variable_sets_a_field() -> None:
    environ = {name: text for name, (text, _, _) in FIELDS.items()}
    changed = {field: value for _, field, value in FIELDS.values()}
    config = Config.from_environ({**environ, "HOST": "x86_64-conda-linux-gnu"})
    assert FIELDS.keys() == VARIABLES.keys()
    assert fields_of(config) == {**fields_of(Config()), **changed}


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
