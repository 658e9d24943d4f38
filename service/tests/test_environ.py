"""The referee is wsgiref's own check of an environment (PEP 3333)."""

from io import BytesIO
from typing import Any
from wsgiref.validate import check_environ  # type: ignore[attr-defined]

import pytest

from service.server.environ import make_environ
from service.tests.client import scope


def of_headers(*headers: tuple[bytes, bytes]) -> dict[str, Any]:
    return make_environ(scope(list(headers)))


def test_the_environment_is_what_pep_3333_asks_for() -> None:
    environ = make_environ(
        scope(
            [
                (b"host", b"example.org:8000"),
                (b"content-type", b"text/plain"),
                (b"content-length", b"3"),
            ],
            method="POST",
            raw_path=b"/v1/gradient",
            query_string=b"a=%20&b",
            scheme="https",
            http_version="1.0",
        )
    )
    check_environ({**environ, "wsgi.input": BytesIO(b"abc")})  # it asserts
    expected = {
        "REQUEST_METHOD": "POST",
        "SCRIPT_NAME": "",
        "PATH_INFO": "/v1/gradient",
        "QUERY_STRING": "a=%20&b",
        "CONTENT_TYPE": "text/plain",
        "CONTENT_LENGTH": "3",
        "HTTP_HOST": "example.org:8000",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.0",
        "wsgi.url_scheme": "https",
        "wsgi.version": (1, 0),
        "wsgi.multithread": True,
        "wsgi.run_once": False,
    }
    assert expected.items() <= environ.items()
    assert "HTTP_CONTENT_TYPE" not in environ
    assert "HTTP_CONTENT_LENGTH" not in environ


def test_what_is_not_announced_is_not_there() -> None:
    environ = make_environ(scope())
    assert not {"CONTENT_TYPE", "CONTENT_LENGTH"} & set(environ)
    assert [name for name in environ if name.startswith("HTTP_")] == ["HTTP_HOST"]


def test_requests_do_not_share_their_environments() -> None:
    make_environ(scope([(b"accept", b"x")]))["mine"] = True
    assert not {"mine", "HTTP_ACCEPT"} & set(make_environ(scope()))


@pytest.mark.parametrize(
    ("path", "info"),
    [
        (b"/", "/"),
        (b"/a%20b", "/a b"),
        (b"/a+b", "/a+b"),  # a plus is a blank in queries only
        (b"/%C3%A9", "/\u00c3\u00a9"),  # the bytes of é, one in a character
        (b"/\xc3\xa9", "/\u00c3\u00a9"),
        (b"/%ff", "/\u00ff"),
        (b"/%2e%2E/%2F", "/..//"),
        (b"/%", "/%"),
        (b"/%zz", "/%zz"),
        (b"/%2541", "/%41"),  # once only
        (b"//v1", "//v1"),
        (b"*", "*"),
    ],
)
def test_a_path_is_unquoted_once_into_bytes(path: bytes, info: str) -> None:
    assert make_environ(scope(raw_path=path))["PATH_INFO"] == info


def test_a_query_is_left_as_it_came() -> None:
    environ = make_environ(scope(query_string=b"a=%C3%A9&b=\xff+%2B&"))
    assert environ["QUERY_STRING"] == "a=%C3%A9&b=\u00ff+%2B&"


def test_the_name_of_a_header_becomes_a_key() -> None:
    environ = of_headers((b"x-request-id", b"1"), (b"if-none-match", b'"x"'))
    assert (environ["HTTP_X_REQUEST_ID"], environ["HTTP_IF_NONE_MATCH"]) == ("1", '"x"')


def test_a_header_holds_bytes_one_in_a_character() -> None:
    value = of_headers((b"x", bytes(range(0x80, 0x100))))["HTTP_X"]
    assert value.encode("latin-1") == bytes(range(0x80, 0x100))


def test_a_header_that_is_given_twice_is_one_list_in_order() -> None:
    # RFC 9110, section 5.3: appended in order, separated by commas.
    environ = of_headers((b"accept", b"a;q=0.1"), (b"x", b"1"), (b"accept", b"b"), (b"accept", b""))
    assert environ["HTTP_ACCEPT"].replace(", ", ",") == "a;q=0.1,b,"
    assert environ["HTTP_X"] == "1"


def test_two_lengths_are_no_length() -> None:
    # RFC 9110, section 8.6: such a message is to be rejected, or never read as either.
    environ = of_headers((b"content-length", b"1"), (b"content-length", b"2"))
    assert not environ["CONTENT_LENGTH"].isdecimal()


def test_a_header_cannot_take_the_place_of_something_else() -> None:
    names = (b"request-method", b"path-info", b"wsgi.input", b"wsgi.errors", b"remote-user", b"")
    before = make_environ(scope())
    environ = of_headers(*((name, b"evil") for name in names))
    assert before.items() <= environ.items()
    assert all(name.startswith("HTTP_") for name in environ.keys() - before.keys())


def test_without_an_address_there_is_a_name_all_the_same() -> None:
    environ = make_environ(scope(server=None))
    check_environ({**environ, "wsgi.input": BytesIO()})
    assert environ["SERVER_NAME"]


def test_no_more_of_a_header_counts_than_clients_send() -> None:
    environ = of_headers((b"accept", b"a" * 600), (b"accept", b"b" * 600), (b"x-short", b"c"))
    assert environ["HTTP_ACCEPT"] == "a" * 600 + "," + "b" * 399
    assert environ["HTTP_X_SHORT"] == "c"
