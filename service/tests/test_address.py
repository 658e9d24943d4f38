"""Whose share a request takes from."""

import pytest

from service import Config
from service.server.address import find_address
from service.tests.client import Client, got, scope, serve, without_waiting

NEAREST = "127.0.0.1"


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, [], NEAREST),
        (0, ["192.0.2.1"], NEAREST),  # anybody can write this
        (1, [], NEAREST),
        (1, [""], NEAREST),
        (1, ["192.0.2.1"], "192.0.2.1"),
        (1, ["203.0.113.9, 192.0.2.1"], "192.0.2.1"),
        (1, ["203.0.113.9", "192.0.2.1"], "192.0.2.1"),
        (2, ["203.0.113.9,192.0.2.1 , 198.51.100.7"], "192.0.2.1"),
        (2, ["198.51.100.7"], NEAREST),
        (1, ["2001:db8::1"], "2001:db8::1"),
        (1, ["192.0.2.1:4711"], "192.0.2.1"),
        (1, ["[2001:db8::1]:4711"], "2001:db8::1"),
        (1, ["[2001:db8::1]"], "2001:db8::1"),
        (1, ["x" * 1_000], "x" * 45),
    ],
)
def test_the_address_is_what_the_outermost_proxy_saw(
    proxies: int, forwarded: list[str], address: str
) -> None:
    headers = [(b"x-forwarded-for", text.encode()) for text in forwarded]
    assert find_address(scope(headers), proxies) == address


def test_one_that_no_socket_tells_of_has_the_share_of_all_such() -> None:
    assert find_address(scope(client=None), 0) == "unknown"


@pytest.mark.parametrize(("proxies", "status"), [(0, 503), (1, 200)])
def test_clients_behind_a_proxy_have_a_share_each(proxies: int, status: int) -> None:
    entry = serve(Config(max_concurrency=4, proxies=proxies))
    greedy = "192.0.2.1" if proxies else NEAREST
    assert all(entry.sending.take(greedy) for _ in range(3))

    async def run() -> None:
        client = Client(entry).send(got("/v1/limits", "X-Forwarded-For: 192.0.2.2"))
        assert (await client.rest()).statuses == [status]

    without_waiting(run())
