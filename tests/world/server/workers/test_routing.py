"""Whose request it is, told by its first bytes."""

import base64
import socket

import orjson
import pytest

from world.core.access import Signer, Tokens
from world.core.principal import Principal
from world.server.workers.channel import MOST_INLINE, Packet, open_pair, receive, send
from world.server.workers.routing import (
    RoutingTable,
    find_controlled_world,
    find_new_name,
    find_session_owner,
    is_complete,
)

SECRET = "s" * 32


@pytest.fixture
def table() -> RoutingTable:
    """Two workers with a world each."""
    made = RoutingTable(Tokens(SECRET))
    made.learn(0, [{"do": "made", "world": "left"}])
    made.learn(1, [{"do": "made", "world": "right"}])
    return made


def tell(table: RoutingTable, worker: int, world: str, form: str = "firm-{}", *, grant: bool = False) -> str:
    """Issue a token in a worker and let the table know, as the worker does."""
    tokens = Tokens(SECRET)
    tokens.keep = lambda record: table.learn(worker, [record])
    return tokens.issue(Principal(world, "p_0001"), form, grant=grant)


def request(line: str, *headers: str, body: str = "") -> bytes:
    """An HTTP request."""
    length = [f"Content-Length: {len(body)}"] if body else []
    return "\r\n".join([f"{line} HTTP/1.1", "Host: x", *headers, *length, "", body]).encode()


@pytest.mark.parametrize(
    "build",
    [
        lambda t: request("GET /slack/api/auth.test", f"Authorization: Bearer {t}"),
        lambda t: request("GET /slack/", f"cookie: theme=dark; firm_session={t}; x=1"),
        lambda t: request(
            "GET /acme/app.git/info/refs", f"AUTHORIZATION: Basic {base64.b64encode(f'x:{t}'.encode()).decode()}"
        ),
        lambda t: request("POST /slack/api/auth.test", body=f"token={t}&pretty=1"),
        lambda t: request("POST /slack/api/auth.test", body=orjson.dumps({"token": t}).decode()),
        lambda t: request(f"GET /login/{t}?next=/slack/"),
        lambda t: request(f"GET /drive/v3/about?fields=*&access_token={t}"),
    ],
)
def test_a_credential_is_found_wherever_a_vendor_has_it_sent(table: RoutingTable, build) -> None:
    left, right = tell(table, 0, "left", "xoxp-{}"), tell(table, 1, "right", "ghp_{}")
    assert table.find_owner(build(left)) == 0
    assert table.find_owner(build(right)) == 1
    assert table.find_owner(build("xoxp-" + "A" * 32)) is None


def test_grants_and_signed_assertions_are_found_in_a_form(table: RoutingTable) -> None:
    grant = tell(table, 1, "right", "1//{}", grant=True)
    quoted = grant.replace("/", "%2F")
    assert table.find_owner(request("POST /token", body=f"grant_type=refresh_token&refresh_token={quoted}")) == 1
    table.tokens.trust("bot@robots.example", Signer(Principal("right", "p_0001"), b"key"))
    claims = base64.urlsafe_b64encode(orjson.dumps({"iss": "bot@robots.example"})).decode().rstrip("=")
    assert table.find_owner(request("POST /token", body=f"assertion=eyJhbGciOiJSUzI1NiJ9.{claims}.c2lnbmVk")) == 1


def test_the_credential_in_the_headers_goes_before_one_in_the_body(table: RoutingTable) -> None:
    left, right = tell(table, 0, "left"), tell(table, 1, "right")
    asked = request("POST /chat", f"Authorization: Bearer {left}", body=f"text=their+token+is+{right}")
    assert table.find_owner(asked) == 0


def test_a_world_in_the_path_tells_where_no_credential_does(table: RoutingTable) -> None:
    assert table.find_owner(request("GET /w/right/status/")) == 1
    assert table.find_owner(request("GET /w/nowhere/status/")) is None
    assert table.find_owner(request("GET /")) is None
    assert table.find_owner(b"\x00\xff not http") is None


def test_what_is_revoked_or_gone_leads_nowhere(table: RoutingTable) -> None:
    token = tell(table, 1, "right")
    asked = request("GET /", f"Authorization: Bearer {token}")
    table.learn(1, [{"do": "revoke", "token": token}])
    assert table.find_owner(asked) is None
    token = tell(table, 1, "right")
    assert table.find_owner(asked) == 1
    table.learn(1, [{"do": "started"}])
    assert table.find_owner(asked) is None and table.worlds == {"left": 0}
    table.learn(1, [{"do": "made", "world": "right"}])
    assert table.find_owner(asked) == 1


def test_a_request_is_complete_with_its_head_and_a_small_body() -> None:
    whole = request("POST /worlds", body='{"name": "x"}')
    assert [is_complete(whole[:length]) for length in (0, 10, len(whole) - 1)] == [False] * 3
    assert is_complete(whole) and is_complete(request("GET /"))
    assert is_complete(b"a" * 70_000)
    large = request("POST /upload").replace(b"Host", b"Content-Length: 9000000\r\nHost")
    assert not is_complete(large) and is_complete(large + b"x" * 70_000)


def test_the_control_plane_is_told_by_path_and_name() -> None:
    assert find_controlled_world(request("POST /worlds/w1-2/fork", body='{"name": "copy"}')) == "w1-2"
    assert find_new_name(request("POST /worlds/w1-2/fork", body='{"name": "copy"}')) == "copy"
    assert find_controlled_world(request("GET /worlds")) is None
    assert [find_new_name(request("POST /worlds", body=body)) for body in ("", "[]", "{", '{"name": 3}')] == [None] * 4


@pytest.mark.parametrize("size", [0, 10, MOST_INLINE + 1, 3_000_000])
def test_a_connection_changes_hands_with_what_was_read_from_it(size: int) -> None:
    here, there = open_pair()
    client, accepted = socket.socketpair()
    with here, there, client:
        send(here, Packet("agent", b"x" * size, accepted), wait=True)
        got = receive(there)
        assert got is not None and got.connection is not None and accepted.fileno() == -1
        assert (got.kind, got.body) == ("agent", b"x" * size)
        with got.connection as connection:
            connection.sendall(b"answer")
            assert client.recv(10) == b"answer"
        with pytest.raises(BlockingIOError):
            receive(there)
        here.close()
        assert receive(there) is None


def test_a_received_connection_is_not_inherited() -> None:
    here, there = open_pair()
    mine, theirs = socket.socketpair()
    send(here, Packet("control", b"x", theirs), wait=True)
    packet = receive(there)
    assert packet is not None and packet.connection is not None
    assert not packet.connection.get_inheritable()
    for end in (here, there, mine, packet.connection):
        end.close()


@pytest.mark.parametrize(
    ("line", "body", "owner"),
    [
        ("POST /openenv/mcp", '{"method": "tools/list", "params": {"session_id": "s3-1"}}', 1),
        ("POST /openenv/mcp", '{"params":{"session_id":"s3"}}', 0),
        ("GET /openenv/ws?session_id=s12-1", "", 1),
        ("POST /openenv/step", '{"episode_id": "right", "action": {}}', 1),
        ("GET /openenv/state?episode_id=left", "", 0),
        ("POST /openenv/mcp", '{"method": "openenv/session/create"}', None),
        ("POST /worlds", '{"settings": {"session_id": "s3-1"}}', None),
    ],
)
def test_a_session_is_found_by_its_name(table: RoutingTable, line: str, body: str, owner: int | None) -> None:
    assert find_session_owner(request(line, body=body), table.worlds) == owner
