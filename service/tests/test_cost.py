"""Which requests the event loop answers by itself."""

import pytest

from service.server.cost import is_costly

SHORT = b'{"expression":"a*b","values":{"a":2,"b":3}}'
LONG = b'{"expression":"' + b"+".join([b"a"] * 40) + b'","values":{"a":2}}'


def costly(path: str, body: bytes = b"", query: str = "", accept: str = "*/*") -> bool:
    environ = {"PATH_INFO": path, "QUERY_STRING": query, "HTTP_ACCEPT": accept}
    return is_costly(environ, body)


@pytest.mark.parametrize(
    ("path", "body", "large"),
    [
        ("/v1/gradient", SHORT, False),
        ("/v1/gradient", LONG, False),  # 45 signs
        ("/v1/gradient", b"-" * 50 + b" " * 100, False),
        ("/v1/gradient", b"-" * 51 + b" " * 100, True),
        ("/v1/gradient", b" " * 4096, False),
        ("/v1/gradient", b" " * 4097, True),
        ("/v1/gradients", b'{"requests":[' + b"{}," * 200 + b"]}", True),
        ("/v1/experiment", SHORT, True),  # up to ten passes
        ("/v1/paths", SHORT, True),
        ("/v1/accuracy", SHORT, True),  # up to 4,352 bits
        ("/v1/sweep", SHORT, True),  # a grid of a million points is as short
        ("/v1/descend", SHORT, True),  # up to ten thousand steps
        ("/v1/hessian", SHORT, True),
    ],
)
def test_work_is_estimated_by_path_and_signs(path: str, body: bytes, *, large: bool) -> None:
    assert costly(path, body) is large


def test_a_query_is_estimated_as_a_body_is() -> None:
    assert costly("/v1/gradient", query="expression=" + "1" * 5_000)
    assert costly("/v1/gradient", query="expression=" + "a%2B" * 60 + "a")
    assert not costly("/v1/gradient", query="expression=" + "a%2B" * 40 + "a")


def test_a_picture_is_large_however_it_is_wanted() -> None:
    assert costly("/v1/gradient", SHORT, query="format=svg")
    assert costly("/v1/gradient", SHORT, accept="image/svg+xml")
    assert not costly("/v1/gradient", SHORT, query="format=dot")
