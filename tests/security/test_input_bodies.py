"""Bodies that no client sends: empty, huge, deep, broken, of the wrong type. The answer has the vendor's shape and is
never a failure.
"""

from collections.abc import Iterator

import httpx
import orjson
import pytest

from apps.jira.rest.routes import LINES
from tests.conftest import Server
from tests.security.reach import Employee
from tests.security.rough import META, Rough, refused, tool_refused
from world.core.settings import Settings

DEEP = 10_000
BROKEN = {
    "empty": b"",
    "blank": b" \n",
    "null": b"null",
    "list": b"[]",
    "text": b'"x"',
    "number": b"7",
    "half": b'{"channel":',
    "two": b"{} {}",
    "deep list": b'{"fields":' + b"[" * DEEP + b"]" * DEEP + b"}",
    "deep object": b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    "raw NUL": b'{"channel":"\x00"}',
    "escaped NUL": b'{"channel":"#random","text":"\\u0000","issueIdOrKey":"\\u0000"}',
    "lone surrogate": b'{"channel":"#random","text":"\\ud800","fields":{"summary":"\\ud800"}}',
    "UTF-8": b'{"channel":"\xff\xfe","text":"\xc3"}',
    "UTF-16": '{"channel":"#random"}'.encode("utf-16"),
    "byte order mark": b"\xef\xbb\xbf{}",
    "not a number": b'{"limit":NaN,"maxResults":-Infinity}',
    "exponent": b'{"limit":1e999,"maxResults":1e999}',
    "comment": b"{/**/}",
    "single quotes": b"{'channel':'x'}",
}
MEGABYTE = {
    "one text": b'{"channel":"' + b"x" * 1_000_000 + b'"}',
    "many keys": orjson.dumps({f"k{n}": n for n in range(50_000)}),
    "one list": b'{"channel":[' + b"12345678," * 110_000 + b"1]}",
    "digits": b'{"limit":' + b"9" * 1_000_000 + b"}",
    "blanks": b" " * 1_000_000 + b"{}",
    "brackets": b"[" * 1_000_000,
    "escapes": b'{"channel":"' + b"\\u00e9" * 160_000 + b'"}',
}
KINDS = (
    None,
    "",
    "text/plain",
    "application/xml",
    "application/json; charset=utf-16",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "a/b/c; =;;",
    "application/octet-stream",
)
FORMS = {
    "too many fields": b"a=1&" * 3000,
    "NUL": b"channel=%00&text=x",
    "percent": b"channel=%&text=%zz%f",
    "UTF-8": b"channel=%ff%fe&text=%ed%a0%80",
    "long": b"text=" + b"x" * 1_000_000,
    "deep": b"blocks:json=" + b"[" * DEEP + b"]" * DEEP,
    "names": b".=1&a..b=2&channel.x=1&channel=2&:json=3",
    "dotted deep": b".".join([b"a"] * DEEP) + b"=1",
}
PARTS = {
    "no boundary": b"",
    "cut": b"--x\r\nContent-Disposition: form-data; na",
    "no name": b"--x\r\nContent-Disposition: form-data\r\n\r\nx\r\n--x--\r\n",
    "no head": b"--x\r\n\r\n\r\n--x--\r\n",
    "many": b'--x\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\nx\r\n' * 2100 + b"--x--\r\n",
    "file for text": b'--x\r\nContent-Disposition: form-data; name="channel"; filename="\xff"\r\n\r\n\x00\r\n--x--\r\n',
    "NUL": b'--x\r\nContent-Disposition: form-data; name="channel"\r\n\r\n\x00\r\n--x--\r\n',
}
SLACK = (
    "chat.postMessage",
    "conversations.list",
    "users.info",
    "search.messages",
    "files.upload",
    "reminders.add",
    "no.suchMethod",
)
JIRA = sorted(
    {line.path.replace("{v}", "3").replace("{issueIdOrKey}", "SHOP-1") for line in LINES if line.method == "POST"}
)
MAIL = (
    "messages/send",
    "messages",
    "messages/import",
    "drafts",
    "drafts/send",
    "labels",
    "messages/batchModify",
    "settings/filters",
    "watch",
)
ME = "/gmail/v1/users/me"
TOOLS = (
    ("gmail", "mail_send"),
    ("gmail", "users_messages_send"),
    ("slack", "chat_post_message"),
    ("jira", "create_issue"),
    ("jira", "add_comment"),
    ("slack", "search_messages"),
)


@pytest.fixture(scope="module")
def rough(served: Server) -> Iterator[Rough]:
    served.do(lambda: served.up.host.create("bodies", Settings(limits="off")))
    with Employee(served, "bodies", "p_0002") as employee:
        yield Rough(employee)


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN)
def test_a_broken_json_body_is_refused_in_the_vendors_words(rough: Rough, body: bytes) -> None:
    before = rough.changed()
    for method in SLACK:
        refused("slack", rough.post("slack", f"/api/{method}", body))
    for path in JIRA:
        refused("jira", rough.post("jira", path, body, **{"X-Atlassian-Token": "no-check"}))
    for method in MAIL:
        refused("gmail", rough.post("gmail", f"{ME}/{method}", body))
        refused("gmail", rough.post("gmail", f"/upload{ME}/{method}", body))
    for name in ("mail.send", "mail.saveDraft", "mail.label", "mail.nothing"):
        refused("gmail", rough.post("gmail", f"/sync/{name}", body))
    rough.post("gmail", "/batch/gmail/v1", body)
    refused("world", rough.post("world", "/wait", body))
    assert rough.changed() - before <= 12, "votes, watchers and the like need no body; nothing else may come of these"
    assert refused("slack", rough.post("slack", "/api/chat.postMessage", body))
    assert refused("jira", rough.post("jira", "/rest/api/3/issue", body))
    assert refused("gmail", rough.post("gmail", f"{ME}/messages/send", body))


@pytest.mark.parametrize("body", MEGABYTE.values(), ids=MEGABYTE)
def test_a_megabyte_is_refused_in_the_vendors_words(rough: Rough, body: bytes) -> None:
    for path in ("chat.postMessage", "search.messages"):
        assert refused("slack", rough.post("slack", f"/api/{path}", body))
    for path in ("/rest/api/3/issue", "/rest/api/3/search/jql", "/rest/api/2/issue/SHOP-1/comment"):
        assert refused("jira", rough.post("jira", path, body))
    for path in (f"{ME}/messages/send", f"{ME}/labels", "/sync/mail.send", f"/upload{ME}/messages/send"):
        assert refused("gmail", rough.post("gmail", path, body))
    for app, name in TOOLS[:4]:
        assert tool_refused(rough.tool(app, name, body.decode()))


def test_a_body_of_the_wrong_type_is_refused_in_the_vendors_words(rough: Rough) -> None:
    body = b'{"channel":"#random","text":"x","fields":{"project":{"key":"SHOP"},"issuetype":{"name":"Task"},"summary":"x"}}'
    before = rough.changed()
    for kind in KINDS:
        assert (
            refused("slack", rough.post("slack", "/api/chat.postMessage", body, kind))
            or kind == "application/json; charset=utf-16"
        ), kind
        assert (
            refused("jira", rough.post("jira", "/rest/api/3/issue", body, kind))
            or kind == "application/json; charset=utf-16"
        ), kind
        path = "/rest/api/3/issue/SHOP-1/attachments"
        assert refused("jira", rough.post("jira", path, body, kind, **{"X-Atlassian-Token": "no-check"})), kind
        if kind != "application/json; charset=utf-16":
            refused("gmail", rough.post("gmail", f"{ME}/messages/send", body, kind))
            assert refused("gmail", rough.post("gmail", f"/upload{ME}/messages/send", body, kind)), kind
    assert rough.changed() - before < 20


@pytest.mark.parametrize("body", FORMS.values(), ids=FORMS)
def test_a_broken_form_is_refused_in_the_shape_of_its_door(rough: Rough, body: bytes) -> None:
    assert refused("slack", rough.post("slack", "/api/chat.postMessage", body, "application/x-www-form-urlencoded"))
    assert refused("gmail", rough.post("gmail", f"{ME}/messages/send", body, "application/x-www-form-urlencoded"))
    assert (
        400
        <= rough.http.post(
            "/gmail/token", content=body, headers={"Content-Type": "application/x-www-form-urlencoded"}
        ).status_code
        < 500
    )
    for app, operation in (("slack", "chat.postMessage"), ("jira", "createIssue"), ("gmail", "users.labels.create")):
        is_page(rough.form(app, operation, body))


@pytest.mark.parametrize("body", PARTS.values(), ids=PARTS)
def test_a_broken_multipart_body_is_refused_in_the_shape_of_its_door(rough: Rough, body: bytes) -> None:
    kind = "multipart/form-data; boundary=x" if body else "multipart/form-data"
    assert refused("slack", rough.post("slack", "/api/chat.postMessage", body, kind))
    path = "/rest/api/3/issue/SHOP-1/attachments"
    refused("jira", rough.post("jira", path, body, kind, **{"X-Atlassian-Token": "no-check"}))
    for path in (f"/upload{ME}/messages/send", "/batch/gmail/v1"):
        answer = rough.post("gmail", path, body, kind.replace("form-data", "related" if "upload" in path else "mixed"))
        assert answer.status_code < 500 and (answer.status_code == 200 or refused("gmail", answer)), (
            path,
            answer.text[:300],
        )
    for app, operation in (("slack", "files.upload"), ("jira", "addAttachment"), ("gmail", "users.drafts.send")):
        is_page(rough.form(app, operation, body, kind))


def is_page(answer: httpx.Response) -> None:
    assert 400 <= answer.status_code < 500 and answer.headers["content-type"].startswith("text/html"), (
        answer.status_code,
        answer.text[:200],
    )


@pytest.mark.parametrize("body", [*BROKEN.values(), *MEGABYTE.values()], ids=[*BROKEN, *MEGABYTE])
def test_broken_bodies_at_the_tool_door_are_protocol_errors(rough: Rough, body: bytes) -> None:
    for app, name in TOOLS[:4]:
        assert tool_refused(rough.tool_body(app, body, name))


ARGUMENTS = {
    "deep list": f'{{"channel":{"[" * 200}{"]" * 200},"fields":{"[" * 200}{"]" * 200}}}',
    "list": "[]",
    "text": '"x"',
    "number": "7",
    "surrogate": (
        '{"channel":"\\ud800","text":"\\udfff","fields":{"summary":"\\ud800"},"issueIdOrKey":"\\ud800","body":"x","query":"\\ud800"}'
    ),
    "NUL": (
        '{"channel":"\\u0000","text":"\\u0000","fields":{"summary":"\\u0000"},"issueIdOrKey":"\\u0000","body":"\\u0000","query":"\\u0000"}'
    ),
    "infinite": '{"channel":1e999,"fields":1e999,"issueIdOrKey":1e999,"body":-1e999,"query":1e999}',
    "unknown": '{"\\ud800":1,"__proto__":{}}',
    "very deep": f'{{"channel":{"[" * DEEP}{"]" * DEEP},"fields":{"[" * DEEP}{"]" * DEEP}}}',
}


@pytest.mark.parametrize("arguments", ARGUMENTS.values(), ids=ARGUMENTS)
def test_broken_arguments_of_a_tool_are_refused(rough: Rough, arguments: str) -> None:
    before = rough.changed()
    for app, name in TOOLS:
        assert tool_refused(rough.tool(app, name, arguments)), name
    assert rough.changed() == before


def test_of_a_key_given_twice_the_last_counts_at_every_door(rough: Rough) -> None:
    text = b'{"channel":"#nowhere","channel":"#random","text":"first","text":"second"}'
    said = rough.post("slack", "/api/chat.postMessage", text).json()
    assert said["message"]["text"] == "second"
    meta = orjson.dumps(META).decode()
    params = f'{{"name":"x","name":"chat_post_message","arguments":{text.decode()},"_meta":{meta}}}'
    body = f'{{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/call","params":{params}}}'
    answer = rough.tool_body("slack", body.encode(), "chat_post_message").json()
    assert answer["id"] == 2 and "second" in answer["result"]["content"][0]["text"]
    fields = b'"project":{"key":"SHOP"},"issuetype":{"name":"Task"},"summary":"first","summary":"second"'
    key = rough.post("jira", "/rest/api/3/issue", b'{"fields":{},"fields":{' + fields + b"}}").json()["key"]
    headers = {"Authorization": f"Bearer {rough.employee.bearer['jira']}"}
    assert rough.http.get(f"/jira/rest/api/3/issue/{key}", headers=headers).json()["fields"]["summary"] == "second"


QUERIES = (
    "?limit=%ff",
    "?limit=%00&jql=%00",
    "?cursor=%ed%a0%80",
    "?" + "a=b&" * 2000,
    "?jql=%ff%fe&query=%00",
    "?&&==&",
    "?limit[]=1",
    "?jql=" + "x" * 30_000,
)


@pytest.mark.parametrize("query", QUERIES, ids=[query[:12] for query in QUERIES])
def test_broken_queries_are_answered_in_the_vendors_shape(rough: Rough, query: str) -> None:
    bearer = {app: {"Authorization": f"Bearer {token}"} for app, token in rough.employee.bearer.items()}
    for path in ("conversations.list", "search.messages", "users.list"):
        refused("slack", rough.http.get(f"/slack/api/{path}{query}", headers=bearer["slack"]))
    for path in ("messages", "threads", "drafts", "history", "labels"):
        refused("gmail", rough.http.get(f"/gmail{ME}/{path}{query}", headers=bearer["gmail"]))
    for path in ("search/jql", "project/search", "issue/picker", "user/search"):
        refused("jira", rough.http.get(f"/jira/rest/api/3/{path}{query}", headers=bearer["jira"]))
    for path in (
        "/slack/search",
        "/jira/issues",
        "/slack/jump",
        "/jira/projects",
        "/gmail/mail/search",
        "/gmail/mail/inbox",
        "/gmail/people",
    ):
        assert rough.employee.page(path + query).status_code < 500, path
