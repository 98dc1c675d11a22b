"""The Web API on the wire: docs.slack.dev/apis/web-api and what clients send (official SDKs, requests measured)."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

import apps.slack
from apps.slack import rest
from tests.apps.slack.rows import CORE, IM, SECRET, ts
from tests.apps.slack.web_api import bearer, client_of
from tests.company import as_person
from world.agents.examples import Examples
from world.core.access import Tokens
from world.core.errors import Outage
from world.core.portraits import draw_portrait, portrait_mark
from world.core.settings import Settings
from world.run.host import Host
from world.script.faults import AFTER, PRECEDENCE, SILENT, Fault
from world.store import Base, Store

Api = Callable[..., dict[str, Any]]


@pytest.fixture
def client(host: Host) -> TestClient:
    return client_of(host)


@pytest.fixture
def token(host: Host) -> str:
    return host.tokens.issue(as_person(host), "xoxp-{}")


@pytest.fixture
def api(client: TestClient, token: str) -> Api:
    """`api("chat.postMessage", channel=...)` as a JSON POST with Ada's token."""

    def call(method: str, **arguments: Any) -> dict[str, Any]:
        answer = client.post(f"/slack/api/{method}", json=arguments, headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 200
        return answer.json()

    return call


def test_a_persons_picture_is_their_portrait_and_a_bots_a_plain_one(client: TestClient, api: Api) -> None:
    ada = api("users.info", user="U0ADA")["user"]["profile"]
    picture = client.get(ada["image_48"])
    assert picture.text == draw_portrait(ada["avatar_hash"]) and ada["avatar_hash"] == portrait_mark(
        "tiny.example", "p_ada", "Ada"
    )
    plain = api("users.info", user="USLACKBOT")["user"]["profile"]
    assert plain["avatar_hash"].startswith("g") and "<circle" in client.get(plain["image_48"]).text


def test_arguments_come_by_query_form_json_and_multipart_alike(client: TestClient, token: str) -> None:
    arguments = {"channel": CORE, "limit": "1", "inclusive": "true", "latest": ts(11)}
    answers = [
        client.get("/slack/api/conversations.history", params=arguments, headers=bearer(token)),
        client.post("/slack/api/conversations.history", data=arguments, headers=bearer(token)),
        client.post(
            "/slack/api/conversations.history", json={**arguments, "limit": 1, "inclusive": True}, headers=bearer(token)
        ),
        client.post(
            "/slack/api/conversations.history",
            files={k: (None, v) for k, v in arguments.items()},
            headers=bearer(token),
        ),
        client.post(f"/slack/api/conversations.history?{urlencode(arguments)}", headers=bearer(token)),
    ]
    bodies = [answer.json() for answer in answers]
    assert [m["ts"] for m in bodies[0]["messages"]] == [ts(11)]
    assert all(body == bodies[0] for body in bodies)


def test_the_token_may_be_an_argument(client: TestClient, token: str) -> None:
    assert client.get("/slack/api/auth.test", params={"token": token}).json()["user"] == "ada"
    assert client.post("/slack/api/auth.test", data={"token": token}).json()["user"] == "ada"
    assert client.post("/slack/api/auth.test", json={"token": token}).json()["user"] == "ada"


def test_an_empty_json_body_is_no_arguments(client: TestClient, token: str) -> None:
    answer = client.post("/slack/api/auth.test", headers={**bearer(token), "Content-Type": "application/json"})
    assert answer.json()["url"] == "https://tiny.slack.com/"


@pytest.mark.parametrize(
    ("headers", "error"),
    [
        ({}, "not_authed"),
        ({"Authorization": "Bearer xoxp-nobody"}, "invalid_auth"),
        ({"Authorization": "Basic x"}, "not_authed"),
    ],
)
def test_callers_without_a_good_token_are_told_so(client: TestClient, headers: Mapping[str, str], error: str) -> None:
    answer = client.post("/slack/api/auth.test", headers=headers)
    assert (answer.status_code, answer.json()) == (200, {"ok": False, "error": error})


def test_tokens_of_leavers_other_apps_and_older_worlds_do_not_work(host: Host, client: TestClient) -> None:
    def error(token: str) -> str:
        return client.post("/slack/api/auth.test", headers=bearer(token)).json()["error"]

    assert error(host.tokens.issue(as_person(host, "gus"), "xoxp-{}")) == "account_inactive"
    assert error(host.tokens.issue(as_person(host, app="jira"), "x-{}")) == "invalid_auth"
    revoked = host.tokens.issue(as_person(host, "bo"), "xoxp-{}")
    host.tokens.revoke(revoked)
    assert error(revoked) == "invalid_auth"
    gone = host.tokens.issue(as_person(host, "dee"), "xoxp-{}")
    host.actor("w").generation += 1
    assert error(gone) == "token_revoked"


def test_an_unknown_method_is_named(api: Api) -> None:
    assert api("chat.shout") == {"ok": False, "error": "unknown_method", "req_method": "chat.shout"}


def test_a_token_of_few_scopes_is_told_what_it_lacks(host: Host, client: TestClient) -> None:
    token = host.tokens.issue(
        as_person(host, "pager", kind="bot", scopes=("chat:write", "channels:history")), "xoxb-{}"
    )

    def call(method: str, **arguments: Any) -> dict[str, Any]:
        return client.post(f"/slack/api/{method}", json=arguments, headers=bearer(token)).json()

    assert call("users.list") == {
        "ok": False,
        "error": "missing_scope",
        "needed": "users:read",
        "provided": "channels:history,chat:write",
    }
    assert call("conversations.list", types="private_channel")["needed"] == "groups:read"
    assert call("conversations.history", channel=CORE)["ok"] is True
    assert call("search.messages", query="x")["error"] == "missing_scope"


def test_an_app_cannot_search(host: Host, client: TestClient) -> None:
    token = host.tokens.issue(as_person(host, "pager", kind="bot"), "xoxb-{}")
    answer = client.post("/slack/api/search.messages", data={"query": "deploy"}, headers=bearer(token))
    assert answer.json() == {"ok": False, "error": "not_allowed_token_type"}


def test_headers_carry_request_id_and_scopes(client: TestClient, token: str) -> None:
    first, second = (client.get("/slack/api/users.list", headers=bearer(token)).headers for _ in range(2))
    assert len(first["x-slack-req-id"]) == 32 and first["x-slack-req-id"] != second["x-slack-req-id"]
    assert "chat:write" in first["x-oauth-scopes"].split(",") and first["x-accepted-oauth-scopes"] == "users:read"
    assert first["content-type"] == "application/json; charset=utf-8"


def test_blocks_may_be_a_json_string_in_a_form(client: TestClient, token: str) -> None:
    form = {"channel": CORE, "text": "x", "blocks": '[{"type":"divider"}]'}
    sent = client.post("/slack/api/chat.postMessage", data=form, headers=bearer(token)).json()
    assert [block["type"] for block in sent["message"]["blocks"]] == ["divider"]
    broken = client.post("/slack/api/chat.postMessage", data={**form, "blocks": "[{"}, headers=bearer(token)).json()
    assert broken["error"] == "invalid_blocks_format"


@pytest.mark.parametrize(
    ("body", "error"),
    [(b"{", "invalid_json"), (b"[1]", "json_not_object"), (b'{"channel": null}', "invalid_arguments")],
)
def test_bodies_that_cannot_be_read(client: TestClient, token: str, body: bytes, error: str) -> None:
    answer = client.post(
        "/slack/api/conversations.info", content=body, headers={**bearer(token), "Content-Type": "application/json"}
    )
    assert answer.json()["error"] == error


def test_a_missing_argument_is_named(api: Api) -> None:
    assert api("conversations.info") == {
        "ok": False,
        "error": "invalid_arguments",
        "response_metadata": {"messages": ["[ERROR] missing required field: channel"]},
    }


@pytest.mark.parametrize(
    ("method", "arguments", "error"),
    [
        ("conversations.create", {}, "invalid_name_required"),
        ("reactions.add", {"channel": CORE, "name": "x"}, "bad_timestamp"),
        ("conversations.history", {"channel": CORE, "oldest": "yesterday"}, "invalid_ts_oldest"),
        ("chat.update", {"channel": CORE, "ts": "now", "text": "x"}, "message_not_found"),
        ("users.setPresence", {"presence": "gone"}, "invalid_presence"),
        ("conversations.history", {"channel": CORE, "limit": "many"}, "invalid_limit"),
        ("users.info", {}, "user_not_found"),
        ("search.messages", {}, "no_query"),
        ("chat.postMessage", {"channel": CORE}, "no_text"),
    ],
)
def test_malformed_arguments_have_the_codes_of_their_method(
    api: Api, method: str, arguments: dict[str, Any], error: str
) -> None:
    assert api(method, **arguments)["error"] == error


def test_unknown_arguments_are_ignored(api: Api) -> None:
    assert api("conversations.info", channel=CORE, pretty=1, _x_reason="boot")["ok"] is True


def test_several_failed_invitations_are_listed(api: Api) -> None:
    answer = api("conversations.invite", channel=CORE, users="U0ADA,U0NOBODY")
    assert answer["errors"] == [
        {"user": "U0ADA", "ok": False, "error": "cant_invite_self"},
        {"user": "U0NOBODY", "ok": False, "error": "user_not_found"},
    ]


def test_api_test_echoes_with_and_without_token(client: TestClient, api: Api) -> None:
    assert client.get("/slack/api/api.test", params={"foo": "bar"}).json() == {"ok": True, "args": {"foo": "bar"}}
    assert api("api.test", foo="bar") == {"ok": True, "args": {"foo": "bar"}}
    assert api("api.test", error="my_error") == {"ok": False, "error": "my_error", "args": {"error": "my_error"}}


@pytest.mark.parametrize("way", ["raw", "form type", "multipart"])
def test_an_upload_address_takes_the_bytes_without_a_token(client: TestClient, api: Api, way: str) -> None:
    asked = api("files.getUploadURLExternal", filename="x.csv", length=4)
    sent: dict[str, Any] = {
        "raw": {"content": b"a,b\n"},
        "form type": {"content": b"a,b\n", "headers": {"Content-Type": "application/x-www-form-urlencoded"}},
        "multipart": {"files": {"body": ("x.csv", b"a,b\n", "text/csv")}},
    }[way]
    answer = client.post(asked["upload_url"], **sent)
    assert (answer.status_code, answer.text) == (200, "OK - 4")
    assert api("files.completeUploadExternal", files=f'[{{"id": "{asked["file_id"]}"}}]', channel_id=CORE)["ok"] is True
    file = api("files.info", file=asked["file_id"])["file"]
    assert file["url_private"].startswith("http://testserver/slack/files-pri/")


def test_an_upload_address_cannot_be_guessed_or_used_for_anything_else(client: TestClient, api: Api) -> None:
    asked = api("files.getUploadURLExternal", filename="x.csv", length=4)["upload_url"]
    head, secret = asked.rsplit("/", 1)
    assert client.post(f"{head}/{secret[:-1]}x", content=b"x").status_code == 404
    assert client.post(f"/slack/upload/v1/{secret}", content=b"x").status_code == 404
    inner = head.rsplit("/", 1)[1]
    assert client.post("/slack/api/auth.test", headers=bearer(inner)).json()["error"] == "invalid_auth"


def test_a_file_is_downloaded_by_those_who_may_see_it(host: Host, client: TestClient, api: Api) -> None:
    url = api("files.info", file="F0REPORT01")["file"]["url_private_download"]
    bo, gone = (host.tokens.issue(as_person(host, who), "xoxp-{}") for who in ("bo", "eve"))
    answer = client.get(url, headers=bearer(bo))
    assert (answer.content, answer.headers["content-type"]) == (b"data", "text/csv")
    assert answer.headers["content-disposition"].startswith("attachment")
    api("files.upload", channels=SECRET, content="x", filename="reorg.txt")
    private = api("files.list", channel=SECRET)["files"][0]["url_private"]
    assert client.get(private, headers=bearer(gone)).status_code == 404
    assert client.get(private, follow_redirects=False).status_code == 302


def test_every_operation_is_reached_by_its_wire_form(sealed: Path, tmp_path: Path) -> None:
    host = Host(Store(tmp_path / "many", Base(sealed)), [apps.slack.app], Tokens("test secret"))
    client = client_of(host)
    for number, operation in enumerate(apps.slack.app.operations.values()):
        if operation.id == "apps.connections.open":
            continue  # for app-level tokens: test_socket_mode.py
        world = f"w{number}"
        host.create(world, Settings(limits="off"))
        me = as_person(host, world=world)
        token = host.tokens.issue(me, "xoxp-{}")
        example = Examples(host.operations, partial(host.call, me, "rest")).of(operation.id)[0]
        wire = rest.wire(operation.id, example)
        answer = client.request(wire.method, f"/slack{wire.path}", json=wire.json, headers=bearer(token)).json()
        assert answer["ok"] is True, (operation.id, answer)


LOUD = [kind for kind in PRECEDENCE if kind not in SILENT]


@pytest.mark.parametrize("kind", LOUD)
def test_every_kind_of_failure_has_a_shape_of_the_vendor(kind: str) -> None:
    answer = rest.fault_response(Outage(kind, apps.slack.app.fault_codes[kind], app="slack", retry_after_s=30))
    if kind == "ratelimit":
        assert (answer.status_code, answer.headers["retry-after"], answer.body) == (
            429,
            "30",
            b'{"ok":false,"error":"ratelimited"}',
        )
    elif kind == "corrupt_payload":
        assert answer.body.startswith(b'{"ok":true') and not answer.body.endswith(b"}")
    elif kind != "transport":
        assert answer.status_code == 200 and answer.body.startswith(b'{"ok":false,"error":"')
    assert kind in AFTER or kind in PRECEDENCE


def test_the_limiter_answers_429_and_says_when(sealed: Path, tmp_path: Path) -> None:
    host = Host(Store(tmp_path / "limited", Base(sealed)), [apps.slack.app], Tokens("test secret"))
    host.create("w", Settings(read_s=0))
    client, token = client_of(host), host.tokens.issue(as_person(host), "xoxp-{}")
    answers = [client.get("/slack/api/conversations.list", headers=bearer(token)) for _ in range(21)]
    assert [answer.status_code for answer in answers] == [200] * 20 + [429]
    assert answers[-1].json() == {"ok": False, "error": "ratelimited"} and answers[-1].headers["retry-after"] == "60"
    assert client.get("/slack/api/users.info", params={"user": "U0BO"}, headers=bearer(token)).status_code == 200


def test_faults_name_no_kind_of_ours() -> None:
    assert Fault(id="f", service="slack", kind="error").code is None
    assert set(apps.slack.app.fault_codes.values()) <= {
        "internal_error",
        "fatal_error",
        "request_timeout",
        "ratelimited",
        "service_unavailable",
        "token_revoked",
    }


def test_a_direct_message_stays_between_its_people_on_the_wire(host: Host, client: TestClient) -> None:
    eve = host.tokens.issue(as_person(host, "eve"), "xoxp-{}")
    for method, arguments in (
        ("conversations.history", {"channel": IM}),
        ("conversations.info", {"channel": IM}),
        ("chat.getPermalink", {"channel": IM, "message_ts": ts(40)}),
        ("reactions.add", {"channel": IM, "timestamp": ts(40), "name": "eyes"}),
        ("conversations.replies", {"channel": IM, "ts": ts(40)}),
        ("conversations.members", {"channel": IM}),
        ("chat.postMessage", {"channel": IM, "text": "x"}),
    ):
        assert (
            client.post(f"/slack/api/{method}", json=arguments, headers=bearer(eve)).json()["error"]
            == "channel_not_found"
        )
