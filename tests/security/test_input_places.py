"""Credentials, cursors and times that were never given out: refused in the vendor's words at every door."""

import base64
import json
from collections.abc import Iterator

import httpx
import pytest

from tests.conftest import Server
from tests.security.reach import Employee
from tests.security.rough import Rough, refused, tool_refused
from world.core.settings import Settings


@pytest.fixture(scope="module")
def rough(served: Server) -> Iterator[Rough]:
    served.do(lambda: served.up.host.create("places", Settings(limits="off")))
    with Employee(served, "places", "p_0002") as employee:
        yield Rough(employee)


def bad_tokens(rough: Rough) -> dict[str, str]:
    good = rough.employee.bearer
    basic = base64.b64encode(f"nobody@x.test:{good['jira']}".encode()).decode()
    return {
        "none": "",
        "unknown": "Bearer xoxp-unknown",
        "empty": "Bearer",
        "another scheme": f"Digest {good['slack']}",
        "cut": f"Bearer {good['slack'][:-1]}",
        "longer": f"Bearer {good['jira']}x",
        "two": f"Bearer {good['slack']} {good['jira']}",
        "another's mail": f"Basic {basic}",
        "no base64": "Basic %%%",
        "no colon": "Basic YWJj",
        "no UTF-8": "Basic //79/A==",
        "huge": "Bearer " + "x" * 30_000,
        "control secret": "Bearer control secret",
        "a wildcard": "Bearer %",
        "quotes": "Bearer ' OR 1=1 --",
        "latin": "Bearer \xe9\xff",
    }


def test_no_credential_but_the_right_one_opens_a_door(rough: Rough) -> None:
    before = rough.changed()
    for what, value in bad_tokens(rough).items():
        headers = {"Authorization": value.encode("latin-1")} if value else {}
        slack = rough.http.post(
            "/slack/api/chat.postMessage", json={"channel": "#random", "text": "x"}, headers=headers
        )
        assert slack.json() in ({"ok": False, "error": "invalid_auth"}, {"ok": False, "error": "not_authed"}), (
            what,
            slack.text,
        )
        jira = rough.http.get("/jira/rest/api/3/myself", headers=headers)
        assert jira.status_code == 401 and set(jira.json()) == {"errorMessages", "errors"}, (what, jira.text)
        for path in ("messages", "profile", "settings/vacation"):
            mail = rough.http.get(f"/gmail/gmail/v1/users/me/{path}", headers=headers)
            assert mail.status_code == 401 and refused("gmail", mail), (what, mail.text)
        for path in ("/mcp", "/mcp/slack", "/mcp/jira/operations", "/mcp/gmail/operations"):
            assert rough.http.post(path, json={}, headers=headers).status_code == 401, (what, path)
        assert rough.http.get("/world/now", headers=headers).status_code == 401, what
        key = value.partition(" ")[2] or "x"
        if key in rough.employee.bearer.values():
            continue
        cookie = {"Cookie": b"firm_session=" + key.encode("latin-1")}
        for page in ("/slack/", "/jira/issues", "/gmail/mail/inbox"):
            answer = rough.http.get(page, headers=cookie)
            assert answer.status_code in (303, 401) or "password" in answer.text, (what, page, answer.status_code)
    assert rough.changed() == before


def test_a_token_of_one_app_is_none_of_another(rough: Rough) -> None:
    token = {app: {"Authorization": f"Bearer {value}"} for app, value in rough.employee.bearer.items()}
    assert rough.http.get("/jira/rest/api/3/myself", headers=token["slack"]).status_code == 401
    assert rough.http.post("/slack/api/auth.test", headers=token["jira"]).json() == {
        "ok": False,
        "error": "invalid_auth",
    }
    assert rough.http.post("/mcp/jira", json={}, headers=token["slack"]).status_code == 401
    for other in ("slack", "jira", "world"):
        assert (
            rough.http.get("/gmail/gmail/v1/users/me/profile", headers=token[other]).status_code == 401
            or other == "world"
        )
    assert rough.http.post("/mcp/gmail/operations", json={}, headers=token["slack"]).status_code == 401
    assert rough.http.get("/jira/rest/api/3/myself", headers=token["gmail"]).status_code == 401
    assert rough.http.post("/slack/api/auth.test", headers=token["gmail"]).json() == {
        "ok": False,
        "error": "invalid_auth",
    }


PAGED = {
    "conversations.list": {"limit": 1},
    "users.list": {"limit": 1},
    "conversations.history": {"channel": "C", "limit": 1},
    "conversations.members": {"channel": "C", "limit": 1},
    "users.conversations": {"limit": 1},
}


@pytest.mark.parametrize("method", PAGED)
def test_a_cursor_that_was_not_given_for_this_listing_is_refused(rough: Rough, method: str) -> None:
    def ask(operation: str, **more: object) -> dict:
        answer = rough.post("slack", f"/api/{operation}", json.dumps({**PAGED[operation], **more}).encode())
        refused("slack", answer)
        return answer.json()

    channel = ask("conversations.list", limit=2)["channels"][0]["id"]
    for arguments in PAGED.values():
        if "channel" in arguments:
            arguments["channel"] = channel
    cursor = ask(method)["response_metadata"]["next_cursor"]
    assert cursor and ask(method, cursor=cursor)["ok"]
    plain = base64.b64decode(cursor).decode()
    forged = [
        base64.b64encode(text.encode()).decode()
        for text in (plain[:-1] + "!", "x" + plain, plain.replace(":", "::", 1), "user:U1", ":::", "")
    ]
    others = [
        ask(other)["response_metadata"]["next_cursor"] for other in PAGED if "users" in other and "users" not in method
    ]
    for bad in (
        *forged[:-1],
        *others,
        "x",
        "=",
        "🎉",
        "%00",
        cursor[:-4],
        cursor + "A",
        "'; DROP TABLE slack_message; --",
        "9" * 300,
    ):
        assert ask(method, cursor=bad) == {"ok": False, "error": "invalid_cursor"} or bad in others, bad
        name = rough.server.up.host.operations[method].snake
        assert tool_refused(rough.tool("slack", name, json.dumps({**PAGED[method], "cursor": bad}))) or bad in others, (
            bad
        )


def test_a_page_token_that_was_not_given_for_this_query_is_refused(rough: Rough) -> None:
    def ask(**arguments: object) -> object:
        answer = rough.post("jira", "/rest/api/3/search/jql", json.dumps({"maxResults": 2, **arguments}).encode())
        return answer.json() if not refused("jira", answer) else answer.status_code

    first = ask(jql="project = SHOP")
    assert isinstance(first, dict) and isinstance(ask(jql="project = SHOP", nextPageToken=first["nextPageToken"]), dict)
    token = first["nextPageToken"]
    for bad in (
        "x",
        "=",
        token[:-3],
        "A" + token,
        token[::-1],
        "%00",
        "🎉",
        "e30",
        "A" * 3000,
        base64.urlsafe_b64encode(b"x" * 8 + b"[]").decode(),
    ):
        assert ask(jql="project = SHOP", nextPageToken=bad) == 400, bad
        given = json.dumps({"jql": "project = SHOP", "nextPageToken": bad})
        assert tool_refused(rough.tool("jira", "search_and_reconsile_issues_using_jql", given)), bad
    assert ask(jql="project = SHOP ORDER BY key", nextPageToken=token) == 400


@pytest.mark.parametrize("path", ["messages", "threads", "drafts", "history"])
def test_a_page_token_of_mail_counts_for_its_own_listing_and_owner(rough: Rough, path: str) -> None:
    def ask(of: Employee, listing: str, **more: object) -> httpx.Response:
        headers = {"Authorization": f"Bearer {of.bearer['gmail']}"}
        return of.http.get(f"/gmail/gmail/v1/users/me/{listing}", params={"maxResults": 1, **more}, headers=headers)

    me = rough.employee
    more = (
        {"startHistoryId": me.rest(rough.server.up.host.operations["users.getProfile"], {}).json()["historyId"]}
        if path == "history"
        else {}
    )
    for _ in range(3):
        rough.post("gmail", "/gmail/v1/users/me/drafts", b'{"message":{"raw":"VG86IGFAYi5jDQoNCng="}}')
    first = ask(me, path, **more).json()
    token = first["nextPageToken"]
    assert ask(me, path, pageToken=token, **more).status_code == 200
    raw = base64.urlsafe_b64decode(token + "==")
    forged = [
        base64.urlsafe_b64encode(raw[:8] + text).decode().rstrip("=")
        for text in (b"0:0:", b"0:9999999999999999:z", b"", b"x", raw[9:] + b"1")
    ]
    for bad in (*forged, token[:-2], "A" + token, token[::-1], "x", "=", "%00", "🎉", "A" * 399, "A" * 3000, "'; --"):
        answer = ask(me, path, pageToken=bad, **more)
        assert answer.status_code == 400 and refused("gmail", answer), (bad, answer.text)
        name = rough.server.up.host.operations[f"users.{path}.list"].snake
        assert tool_refused(rough.tool("gmail", name, json.dumps({"maxResults": 1, "pageToken": bad, **more}))), bad
    others = [other for other in ("messages", "threads", "drafts", "history") if other != path]
    for other in others:
        assert ask(me, other, pageToken=token).status_code in (400, 404 if other == "history" else 400), other
    with Employee(rough.server, me.world, "p_0003") as colleague:
        assert ask(colleague, path, pageToken=token, **more).status_code in (
            (400, 404) if path == "history" else (400,)
        )


TIMES = (
    "x",
    "-1",
    "1e9",
    "9" * 20,
    "1.2.3",
    "NaN",
    "1772438400.0000001",
    "٣٣٣",
    "0x1",
    "1772438400.",
    "2026-03-02",
    "\u0000",
)


@pytest.mark.parametrize(
    ("method", "name"),
    [
        ("conversations.history", "oldest"),
        ("conversations.history", "latest"),
        ("conversations.replies", "ts"),
        ("conversations.mark", "ts"),
        ("chat.update", "ts"),
        ("chat.delete", "ts"),
        ("chat.getPermalink", "message_ts"),
        ("reactions.add", "timestamp"),
        ("pins.add", "timestamp"),
        ("chat.postMessage", "thread_ts"),
        ("chat.scheduleMessage", "post_at"),
    ],
)
def test_a_time_that_is_none_is_refused_by_name(rough: Rough, method: str, name: str) -> None:
    before = rough.changed()
    for bad in TIMES:
        given = {"channel": "#random", "text": "x", "name": "eyes", name: bad}
        answer = rough.post("slack", f"/api/{method}", json.dumps(given).encode())
        assert refused("slack", answer), (method, bad, answer.text[:200])
    assert rough.changed() == before


DATES = (
    "x",
    "2026-02-30",
    "2026-13-01",
    "99999-01-01",
    "2026-03-02T25:61:61.000+0000",
    "2026-03-02T10:00:00.000+9999",
    "\u0000",
)


@pytest.mark.parametrize("bad", DATES)
def test_a_date_that_is_none_is_refused_in_the_tracker(rough: Rough, bad: str) -> None:
    before = rough.changed()
    fields = {"project": {"key": "SHOP"}, "issuetype": {"name": "Task"}, "summary": "x", "duedate": bad}
    assert refused("jira", rough.post("jira", "/rest/api/3/issue", json.dumps({"fields": fields}).encode()))
    work = json.dumps({"timeSpent": "1h", "started": bad}).encode()
    assert refused("jira", rough.post("jira", "/rest/api/3/issue/SHOP-1/worklog", work))
    version = json.dumps({"name": "9.9", "project": "SHOP", "releaseDate": bad}).encode()
    assert refused("jira", rough.post("jira", "/rest/api/3/version", version))
    assert refused(
        "jira", rough.post("jira", "/rest/api/3/search/jql", json.dumps({"jql": f'created > "{bad}"'}).encode())
    )
    assert rough.changed() == before
