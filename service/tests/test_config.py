import pytest

from engine_py import DEFAULT_LIMITS, Limits
from service import Config, ConfigError


def test_without_variables_the_service_listens_on_this_machine_alone() -> None:
    config = Config.from_environ({})
    assert config == Config("127.0.0.1", 8000, 262_144, DEFAULT_LIMITS)
    assert config.limits == Limits(characters=65_536, variables=1_000, nodes=10_000)


def test_every_bound_is_a_variable() -> None:
    environ = {
        "GRADIENT_HOST": "0.0.0.0",
        "PORT": "65535",
        "GRADIENT_MAX_BODY_BYTES": "1",
        "GRADIENT_MAX_CHARACTERS": "2",
        "GRADIENT_MAX_VARIABLES": "3",
        "GRADIENT_MAX_NODES": "0004",
        "HOST": "x86_64-conda-linux-gnu",
    }
    limits = Limits(characters=2, variables=3, nodes=4)
    assert Config.from_environ(environ) == Config("0.0.0.0", 65_535, 1, limits)


def test_an_empty_variable_is_one_that_is_not_set() -> None:
    assert Config.from_environ({"PORT": "", "GRADIENT_HOST": ""}) == Config()


@pytest.mark.parametrize("name", ["PORT", "GRADIENT_MAX_BODY_BYTES", "GRADIENT_MAX_NODES"])
@pytest.mark.parametrize(
    "text",
    ["x", "0", "-1", "+1", "1.5", "1e3", " 1", "1\n", "1_000", "٣", "99999999999", "9" * 5000],
)
def test_what_is_no_fitting_whole_number_is_refused_with_name_and_range(
    name: str, text: str
) -> None:
    with pytest.raises(ConfigError, match=rf"{name} must be a whole number from 1 to \d+, not '"):
        Config.from_environ({name: text})


def test_a_port_has_its_own_range() -> None:
    with pytest.raises(ConfigError, match="from 1 to 65535, not '65536'"):
        Config.from_environ({"PORT": "65536"})


@pytest.mark.parametrize("host", ["http://localhost", "a b", "host/path", "höst", "\n", "u@h"])
def test_what_is_no_host_is_refused(host: str) -> None:
    with pytest.raises(ConfigError, match="GRADIENT_HOST must be an address or a host name"):
        Config.from_environ({"GRADIENT_HOST": host})


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("localhost", "http://localhost:8000"),
        ("0.0.0.0", "http://localhost:8000"),
        ("::", "http://localhost:8000"),
        ("::1", "http://[::1]:8000"),
    ],
)
def test_the_url_is_one_that_a_client_on_the_same_machine_can_use(host: str, url: str) -> None:
    assert Config(host=host).url == url
