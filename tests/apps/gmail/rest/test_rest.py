"""The REST door: what a client of the API sees. Every answer is compared with the discovery document
(`tests.conformance`).
"""

from base64 import urlsafe_b64decode
from typing import Any
from urllib.parse import quote

import pytest

from apps.gmail import app, rest
from apps.gmail.operations.messages import ListMessagesParams
from apps.gmail.refusals import refusal
from apps.gmail.rest.api import API
from apps.gmail.rest.table import LINES, REFUSED
from apps.google.arguments import Unreadable
from apps.google.field_mask import parse_mask
from apps.google.request import ApiRequest, find_method
from tests.apps.examples import outcome
from tests.apps.gmail.conftest import eml
from tests.company import as_person
from tests.conformance.mail import MailClient
from world.core.errors import OperationError
from world.run.host import Host

ME = "/gmail/v1/users/me"
NOT_FOUND = {
    "code": 404,
    "message": "Requested entity was not found.",
    "status": "NOT_FOUND",
    "errors": [{"message": "Requested entity was not found.", "domain": "global", "reason": "notFound"}],
}


def send(client: MailClient, to: str = "bo@tiny.example", subject: str = "Hello", **more: Any) -> dict[str, Any]:
    """A mail sent over REST."""
    answer = client.post(f"{ME}/messages/send", json={"raw": eml(to, subject)}, **more)
    assert answer.status_code == 200, answer.text
    return answer.json()


def error(answer: Any, status: int) -> dict[str, Any]:
    """The error of an answer that must be one."""
    assert answer.status_code == status, answer.text
    return answer.json()["error"]


def test_a_mail_sent_over_rest_is_read_over_rest_under_both_prefixes(client: MailClient) -> None:
    sent = send(client)
    assert set(sent) == {"id", "threadId", "labelIds"} and sent["labelIds"] == ["SENT"]
    (listed,) = client.get("/v1/users/me/messages", who="bo").json()["messages"]
    got = client.get(f"{ME}/messages/{listed['id']}", who="bo", params={"alt": "json", "format": "full"})
    assert urlsafe_b64decode(got.json()["payload"]["body"]["data"]) == b"Good morning.\r\n"
    assert client.get(f"/v1/users/bo@tiny.example/messages/{listed['id']}", who="bo").json() == got.json()
    assert client.get(f"/v1/users/bo%40tiny.example/messages/{listed['id']}", who="bo").json() == got.json()


def test_an_empty_list_has_no_messages_key(client: MailClient) -> None:
    assert client.get(f"{ME}/messages").json() == {"resultSizeEstimate": 0}


def status(problem: OperationError) -> int:
    return refusal(problem)[0]


def test_every_example_of_every_operation_comes_to_the_same_over_the_wire(client: MailClient, host: Host) -> None:
    for name in app.operations:

        def direct(example: dict[str, Any], name: str = name) -> Any:
            return host.call(as_person(host, "ada"), "rest", name, example, "http://mail.test/gmail")

        def wired(example: dict[str, Any], name: str = name) -> Any:
            asked = rest.wire(name, example)
            answer = client.request(asked.method, asked.path, params=dict(asked.query), json=asked.json)
            return (
                answer.json()
                if answer.status_code == 200
                else None
                if answer.status_code == 204
                else answer.status_code
            )

        expected = outcome(host, name, direct, status)
        assert outcome(host, name, wired, status) == expected, name


def test_the_wire_puts_arguments_where_the_document_has_them() -> None:
    got = rest.wire("users.messages.get", {"id": "a/b", "metadataHeaders": ["To", "Date"], "format": "metadata"})
    assert (got.method, got.path, got.query, got.json) == (
        "GET",
        "/gmail/v1/users/me/messages/a%2Fb",
        {"metadataHeaders": ["To", "Date"], "format": "metadata"},
        None,
    )
    given = {"userId": "x@y", "raw": "aGk", "deleted": True, "labelIds": ["INBOX"], "threadId": None}
    made = rest.wire("users.messages.insert", given)
    assert (made.query, made.json) == ({"deleted": "true"}, {"raw": "aGk", "labelIds": ["INBOX"]})
    assert made.path == "/gmail/v1/users/x%40y/messages"
    assert rest.wire("mail.send", {"to": ["a"]}).path == "/sync/mail.send"


def test_deletes_and_batch_changes_answer_204_and_nothing(client: MailClient) -> None:
    one, two = send(client)["id"], send(client)["id"]
    for answer in (
        client.post(f"{ME}/messages/batchModify", json={"ids": [one, two], "addLabelIds": ["STARRED"]}),
        client.delete(f"{ME}/messages/{one}"),
        client.post(f"{ME}/messages/batchDelete", json={"ids": [two]}),
        client.post(f"{ME}/stop"),
    ):
        assert (answer.status_code, answer.content) == (204, b""), answer.text
        assert "content-type" not in answer.headers
    assert error(client.get(f"{ME}/messages/{one}"), 404) == NOT_FOUND


def test_headers_are_the_vendors_and_json_is_indented_unless_told_otherwise(client: MailClient) -> None:
    plain = client.get(f"{ME}/messages")
    assert (
        plain.headers["content-type"] == "application/json; charset=UTF-8"
        and plain.headers["vary"] == "Origin, X-Origin, Referer"
    )
    assert plain.headers["x-content-type-options"] == "nosniff" and "etag" not in plain.headers
    assert plain.content == b'{\n  "resultSizeEstimate": 0\n}\n'
    assert client.get(f"{ME}/messages?prettyPrint=false").content == b'{"resultSizeEstimate":0}'


def test_only_a_bearer_token_of_this_service_opens_it(client: MailClient, host: Host) -> None:
    slack = host.tokens.issue(as_person(host, "ada", app="slack"), "xoxp-{}")
    session = host.tokens.issue(as_person(host, "ada", kind="session"))
    refresh = client.token("ada", "oauth2:refresh", "gmail.readonly")
    for headers, reason in (
        ({"Authorization": None}, "required"),
        ({"Authorization": None, "Cookie": f"firm_session={session}"}, "required"),
        ({"Authorization": "Bearer nope"}, "authError"),
        ({"Authorization": f"Bearer {slack}"}, "authError"),
        ({"Authorization": "Basic YTpi"}, "authError"),
        ({"Authorization": "Bearer a.b.c"}, "authError"),
        ({"Authorization": f"Bearer {refresh}"}, "authError"),
    ):
        answer = client.get(f"{ME}/messages", headers=headers)
        shown = error(answer, 401)
        assert shown["status"] == "UNAUTHENTICATED" and shown["errors"][0]["reason"] == reason, headers
        assert shown["errors"][0]["location"] == "Authorization"
        assert answer.headers["www-authenticate"].startswith('Bearer realm="https://accounts.google.com/"')


def test_a_token_reaches_as_far_as_its_scopes(client: MailClient) -> None:
    sent = send(client, scopes=("gmail.send",))["id"]
    answer = client.get(f"{ME}/messages", scopes=("gmail.send",))
    shown = error(answer, 403)
    assert shown["errors"] == [
        {"message": "Insufficient Permission", "domain": "global", "reason": "insufficientPermissions"}
    ]
    assert (
        shown["details"][0]["reason"] == "ACCESS_TOKEN_SCOPE_INSUFFICIENT"
        and 'error="insufficient_scope"' in answer.headers["www-authenticate"]
    )
    for scopes in (("gmail.readonly",), ("gmail.modify",), ("gmail.metadata", "gmail.readonly")):
        assert client.get(f"{ME}/messages/{sent}", scopes=scopes).status_code == 200, scopes
    assert error(client.delete(f"{ME}/messages/{sent}", scopes=("gmail.modify",)), 403)["status"] == "PERMISSION_DENIED"


def test_the_scope_metadata_gives_no_text_and_no_search(client: MailClient) -> None:
    sent, only = send(client)["id"], ("gmail.metadata",)
    assert "payload" in client.get(f"{ME}/messages/{sent}?format=metadata", scopes=only).json()
    assert (
        error(client.get(f"{ME}/messages/{sent}", scopes=only), 403)["message"]
        == "Metadata scope doesn't allow format FULL"
    )
    assert (
        error(client.get(f"{ME}/messages?q=x", scopes=only), 403)["message"]
        == "Metadata scope does not support 'q' parameter"
    )
    assert client.get(f"{ME}/messages?labelIds=SENT", scopes=only).status_code == 200


def test_nobody_opens_anothers_mailbox_or_message(client: MailClient) -> None:
    sent = send(client)["id"]
    denied = error(client.get("/gmail/v1/users/ada@tiny.example/messages", who="bo"), 403)
    assert denied["message"].startswith("Delegation denied for") and denied["status"] == "PERMISSION_DENIED"
    for path in (
        f"messages/{sent}",
        f"threads/{sent}",
        "messages/ffffffffffffffff",
        "labels/Label_9",
        "drafts/r1",
        "messages/%00",
    ):
        assert client.get(f"{ME}/{path}", who="bo").status_code in (400, 404), path
    assert error(client.get(f"{ME}/messages/{sent}", who="bo"), 404) == NOT_FOUND


def test_unknown_names_are_refused_in_the_vendors_words(client: MailClient) -> None:
    shown = error(client.get(f"{ME}/messages?maxresult=3"), 400)
    text = (
        'Invalid JSON payload received. Unknown name "maxresult": Cannot bind query parameter. '
        "Field 'maxresult' could not be found in request message."
    )
    assert shown == {
        "code": 400,
        "message": text,
        "status": "INVALID_ARGUMENT",
        "errors": [{"message": text, "domain": "global", "reason": "invalid"}],
        "details": [{"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [{"description": text}]}],
    }
    body = error(client.post(f"{ME}/drafts", json={"message": {"raw": eml("bo@tiny.example"), "subject": "x"}}), 400)
    assert body["message"] == "Invalid JSON payload received. Unknown name \"subject\" at 'message': Cannot find field."
    assert body["details"][0]["fieldViolations"][0]["field"] == "message"
    assert error(client.get(f"{ME}/messages?callback=x"), 400)["status"] == "INVALID_ARGUMENT"
    assert error(client.get(f"{ME}/messages?alt=proto"), 400)["status"] == "INVALID_ARGUMENT"


def test_known_names_of_every_method_are_taken(client: MailClient) -> None:
    everywhere = "alt=json&prettyPrint=true&key=k&quotaUser=q&%24.xgafv=2&fields=*&access_token=x&oauth_token=y&uploadType=&%24alt=json"
    assert client.get(f"{ME}/messages?{everywhere}").json() == {"resultSizeEstimate": 0}
    sent = send(client)["id"]
    twice = client.get(f"{ME}/messages/{sent}?format=metadata&metadataHeaders=Subject&metadataHeaders=To").json()
    assert [header["name"] for header in twice["payload"]["headers"]] == ["To", "Subject"]
    assert client.get(f"{ME}/messages?include_spam_trash=true&max_results=1").status_code == 200
    whole = client.get(f"{ME}/labels/INBOX").json()
    made = client.post(f"{ME}/labels", json={"name": "Mine"}).json()
    again = client.put(
        f"{ME}/labels/{made['id']}",
        json={**made, "messagesTotal": 7, "color": None, "label_list_visibility": "labelHide"},
    )
    assert again.json()["labelListVisibility"] == "labelHide" and again.json()["id"] == made["id"] and "id" in whole


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("maxResults", "many", "'max_results' (TYPE_UINT32)"),
        ("maxResults", "-1", "'max_results' (TYPE_UINT32)"),
        ("maxResults", "9" * 26, "'max_results' (TYPE_UINT32)"),
        ("includeSpamTrash", "perhaps", "'include_spam_trash' (TYPE_BOOL)"),
    ],
)
def test_values_of_the_wrong_type_are_named(client: MailClient, name: str, value: str, kind: str) -> None:
    assert error(client.get(f"{ME}/messages?{name}={value}"), 400)["message"] == f'Invalid value at {kind}, "{value}"'


def test_a_partial_answer_holds_what_was_asked_for(client: MailClient) -> None:
    sent = send(client)
    assert client.get(f"{ME}/messages?fields=messages(id),nextPageToken").json() == {"messages": [{"id": sent["id"]}]}
    assert client.get(f"{ME}/messages?fields=messages/threadId").json() == {
        "messages": [{"threadId": sent["threadId"]}]
    }
    assert client.get(f"{ME}/messages?fields=nextPageToken").json() == {}
    assert client.get(f"{ME}/messages?fields=messages/*").json()["messages"] == [
        {"id": sent["id"], "threadId": sent["threadId"]}
    ]
    one = client.get(f"{ME}/messages/{sent['id']}?fields=payload(headers/name,body(size))").json()
    assert (
        set(one) == {"payload"}
        and one["payload"]["body"] == {"size": 15}
        and {"name": "Subject"} in one["payload"]["headers"]
    )
    wrong = error(client.get(f"{ME}/messages?fields=messages(id,subject)"), 400)
    assert (
        wrong["message"]
        == "Error expanding 'fields' parameter. Cannot find matching fields for path 'messages/subject'."
    )


@pytest.mark.parametrize(
    "text",
    [
        "messages(",
        "messages)",
        "messages(id",
        ",",
        "a/",
        "()",
        "id",
        "messages(id)x",
        "/",
        "messages(" * 900,
        "nextPageToken/id",
    ],
)
def test_a_mask_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        parse_mask(API, text, "ListMessagesResponse")


def test_a_long_question_may_travel_in_a_body(client: MailClient) -> None:
    sent = send(client)["id"]
    headers = {"X-HTTP-Method-Override": "GET", "Content-Type": "application/x-www-form-urlencoded"}
    got = client.post(f"{ME}/messages", content=b"labelIds=SENT&maxResults=1", headers=headers)
    assert [one["id"] for one in got.json()["messages"]] == [sent]
    assert client.post(f"{ME}/messages/{sent}", headers={"X-HTTP-Method-Override": "DELETE"}).status_code == 204


def test_segments_of_a_path_are_decoded_once(client: MailClient) -> None:
    found = find_method((API,), ApiRequest("GET", "/v1/users/a+b%2Fc%252F/profile", [], {}))
    assert found is not None and found.path == {"userId": "a+b/c%2F"}
    assert error(client.get(f"{ME}/messages/a%2Ftrash"), 404) == NOT_FOUND
    assert (
        client.get(f"{ME}/settings/sendAs/{quote('ada@tiny.example', safe='')}").json()["sendAsEmail"]
        == "ada@tiny.example"
    )
    assert (
        error(client.post(f"{ME}/settings/cse/keypairs/k1%3Adisable", json={}), 404)["message"] == "Method not found."
    )


def test_what_is_not_there_is_noted_without_arguments(client: MailClient, host: Host) -> None:
    before = (host.actors["w"].version, host.actors["w"].now)
    for method, path in (
        ("GET", f"{ME}/settings/cse/identities/secret@x"),
        ("GET", f"{ME}/contacts/Zoe"),
        ("PATCH", f"{ME}/messages/18c"),
        ("GET", "/v1/people"),
        ("POST", "/sync/mail.nothing"),
    ):
        shown = error(client.request(method, path), 404)
        assert (shown["message"], shown["status"]) == ("Method not found.", "NOT_FOUND")
    client.get(f"{ME}/contacts", headers={"Authorization": None})
    assert [one["method"] for one in host.misses("w")] == [
        "GET /gmail/v1/users/{userId}/contacts/{}",
        "GET /{}",
        "PATCH /gmail/v1/users/{userId}/messages/{}",
        "POST /sync/{}",
        "users.settings.cse.identities.get",
    ]
    assert (host.actors["w"].version, host.actors["w"].now) == before


def test_a_refused_request_is_a_call_like_any_other(client: MailClient, host: Host) -> None:
    actor = host.actors["w"]
    before, now = actor.version, actor.now
    client.get(f"{ME}/messages?nonsense=1")
    client.post(f"{ME}/messages/send", content=b"{")
    rows = actor.bound.raw.execute(
        "SELECT operation, door, status FROM _call WHERE seq > ? ORDER BY seq", (before,)
    ).fetchall()
    assert rows == [
        ("users.messages.list", "rest", "invalid_arguments"),
        ("users.messages.send", "rest", "invalid_arguments"),
    ]
    assert actor.now > now


def test_the_browser_clients_own_calls_stand_under_sync(client: MailClient) -> None:
    answer = client.post("/sync/mail.counts", json={})
    assert answer.status_code == 200 and isinstance(answer.json(), dict)
    assert client.get("/sync/mail.counts").status_code == 404
    assert client.post("/sync/mail.counts", json={}, headers={"Authorization": None}).status_code == 401


def test_the_table_has_every_operation_and_only_what_is_no_encryption() -> None:
    own = {name for name in app.operations if name.startswith("mail.")}
    assert {line.operation for line in LINES} == set(app.operations) - own
    assert all("cse" in line.operation or "smimeInfo" in line.operation for line in REFUSED)
    assert all((operation := API.operation(line)) is not None and operation.scope in line.scopes for line in LINES)
    assert (len(LINES), len(REFUSED), len(ListMessagesParams.model_fields)) == (63, 16, 6)
