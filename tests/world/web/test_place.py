"""Addresses: by path, by host, behind a prefix; what is ours and what is not."""

import pytest
from starlette.requests import Request

from world.web.mount import MountPoint, local_path, place_of, query_text


def request(path: str, host: str = "testserver", root: str = "", scheme: str = "http") -> Request:
    """A request as the server hands it over."""
    scope = {
        "type": "http",
        "method": "GET",
        "path": root + path,
        "root_path": root,
        "query_string": b"",
        "scheme": scheme,
        "headers": [(b"host", host.encode())],
        "server": ("testserver", 80),
    }
    return Request(scope)


def test_by_path() -> None:
    place = place_of(request("/client/C1", root="/slack"), "slack")
    assert (place.mount, place.site, place.base_url, place.by_host) == ("/slack", "", "http://testserver/slack", False)
    assert place.url("/x", {"a": 1, "b": None, "c": "", "d": [1, 2]}) == "/slack/x?a=1&d=1&d=2"
    assert place.site_url("/login") == "/login" and place.app_url("jira", "/browse/X-1") == "/jira/browse/X-1"


def test_by_host() -> None:
    place = place_of(request("/client/C1", host="slack.localhost:8000"), "slack")
    assert (place.mount, place.site, place.by_host) == ("", "", True)
    assert place.app_url("jira") == "http://jira.localhost:8000/"


def test_behind_a_prefix() -> None:
    place = place_of(request("/client/C1", root="/w/one/slack", scheme="https"), "slack")
    assert (place.site, place.app_url("jira"), place.origin) == ("/w/one", "/w/one/jira/", "https://testserver")


@pytest.mark.parametrize(
    ("address", "inner"),
    [
        ("http://testserver/slack/client/C1?a=1", "/client/C1?a=1"),
        ("/slack/x", "/x"),
        ("http://evil.example/slack/x", None),
        ("http://testserver/jira/x", None),
        ("https://testserver/slack/x", None),
        ("", None),
    ],
)
def test_the_inner_address_is_only_that_of_our_own(address: str, inner: str | None) -> None:
    assert MountPoint("slack", "http", "testserver", "/slack", "").inner(address) == inner


@pytest.mark.parametrize("address", ["//x", "/\\x", "http://x", "x", "", "/a\nb", None])
def test_a_foreign_next_address_is_replaced(address: str | None) -> None:
    assert local_path(address, "/home") == "/home"
    assert local_path("/ok?x=//y", "/home") == "/ok?x=//y"


def test_query_text_quotes() -> None:
    assert query_text({"q": "a b&c", "page": 2, "off": False}) == "?q=a%20b%26c&page=2"
