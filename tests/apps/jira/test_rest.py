"""The REST door: versions, authentication, errors, faults, bad input, as a client sees them."""

import base64
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from apps.jira import app, rest
from apps.jira.rest.responses import MAINTENANCE
from apps.jira.rest.routes import LINES
from tests.apps.jira.tracker import DESCRIPTION, Tracker
from tests.company import as_person
from world.agents.examples import Examples
from world.core.errors import Outage
from world.core.portraits import draw_portrait, portrait_mark

ISSUE = "Issue does not exist or you do not have permission to see it."


@pytest.fixture
def client(tracker: Tracker) -> Iterator[TestClient]:
    """An HTTP client that speaks as bo, under /jira as the agent plane mounts it."""
    served = Starlette(routes=[Mount("/jira", app=Starlette(routes=rest.routes(tracker.host)))])
    with TestClient(served, base_url="http://tracker.test/jira") as made:
        made.headers.update(basic(tracker, "bo"))
        yield made


def basic(tracker: Tracker, who: str, mail: str | None = None) -> dict[str, str]:
    """The Authorization header of an employee's API token."""
    token = tracker.host.tokens.issue(as_person(tracker.host, who, app="jira"), "ATATT3x{}")
    word = f"{mail or who + '@tiny.example'}:{token}"
    return {"Authorization": "Basic " + base64.b64encode(word.encode()).decode()}


def new(**more: Any) -> dict[str, Any]:
    """The body of a create."""
    return {"fields": {"project": {"key": "SHOP"}, "issuetype": {"name": "Task"}, "summary": "From REST", **more}}


def test_version_three_speaks_documents_and_version_two_wiki(client: TestClient):
    made = client.post("/rest/api/3/issue", json=new(description=DESCRIPTION))
    assert made.status_code == 201
    assert made.json() == {"id": "10010", "key": "SHOP-5", "self": "http://tracker.test/jira/rest/api/3/issue/10010"}
    three = client.get("/rest/api/3/issue/SHOP-5").json()
    two = client.get("/rest/api/2/issue/SHOP-5").json()
    latest = client.get("/rest/api/latest/issue/SHOP-5").json()
    assert three["fields"]["description"] == DESCRIPTION
    assert two["fields"]["description"] == latest["fields"]["description"] == "Login fails after a retry."
    assert two["self"] == "http://tracker.test/jira/rest/api/2/issue/10010"
    assert two["fields"]["status"]["self"].startswith("http://tracker.test/jira/rest/api/2/status/")
    refused = client.post("/rest/api/3/issue", json=new(description="text"))
    assert refused.status_code == 400
    assert refused.json() == {
        "errorMessages": [],
        "errors": {"description": "Operation value must be an Atlassian Document (see the Atlassian Document Format)"},
    }
    assert client.post("/rest/api/2/issue", json=new(description=DESCRIPTION)).json()["errors"] == {
        "description": "Operation value must be a string"
    }


def test_comments_come_back_with_201_and_the_object(client: TestClient):
    made = client.post("/rest/api/2/issue/SHOP-1/comment", json={"body": "Looks *bad*"})
    assert made.status_code == 201 and made.json()["body"] == "Looks *bad*"
    assert client.get(f"/rest/api/3/issue/SHOP-1/comment/{made.json()['id']}").json()["body"]["type"] == "doc"
    assert client.delete(f"/rest/api/2/issue/SHOP-1/comment/{made.json()['id']}").status_code == 204


def test_writes_answer_204_with_an_empty_body(client: TestClient):
    for response in (
        client.put("/rest/api/2/issue/SHOP-1", json={"fields": {"summary": "Other"}}),
        client.put("/rest/api/2/issue/SHOP-1/assignee", json={"accountId": "5fEVE"}),
        client.post("/rest/api/2/issue/SHOP-1/transitions", json={"transition": {"id": 21}}),
        client.post("/rest/api/2/issue/SHOP-1/watchers", json="5fEVE"),
        client.post("/rest/api/2/issue/SHOP-1/watchers"),
        client.delete("/rest/api/2/issue/SHOP-1/watchers", params={"accountId": "5fEVE"}),
    ):
        assert (response.status_code, response.content) == (204, b""), response.text
    assert (
        client.post(
            "/rest/api/2/issueLink",
            json={"type": {"name": "Blocks"}, "inwardIssue": {"key": "SHOP-1"}, "outwardIssue": {"key": "SHOP-2"}},
        ).status_code
        == 201
    )
    shown = client.put("/rest/api/3/issue/SHOP-1?returnIssue=true", json={"fields": {"summary": "Third"}})
    assert shown.status_code == 200 and shown.json()["fields"]["summary"] == "Third"


def test_search_by_get_and_post_on_both_versions(client: TestClient):
    for version in ("2", "3"):
        got = client.get(
            f"/rest/api/{version}/search/jql",
            params={"jql": "project = SHOP", "fields": "summary,status", "maxResults": 2},
        ).json()
        posted = client.post(
            f"/rest/api/{version}/search/jql",
            json={"jql": "project = SHOP", "fields": ["summary", "status"], "maxResults": 2},
        ).json()
        assert got == posted and "total" not in got and not got["isLast"]
        more = client.get(
            f"/rest/api/{version}/search/jql", params={"jql": "project = SHOP", "nextPageToken": got["nextPageToken"]}
        ).json()
        assert more["isLast"] and len(more["issues"]) == 2
    legacy = client.get("/rest/api/2/search", params={"jql": "project = SHOP", "startAt": 1, "maxResults": 2}).json()
    assert (legacy["startAt"], legacy["maxResults"], legacy["total"], len(legacy["issues"])) == (1, 2, 4, 2)
    assert client.post("/rest/api/3/search/approximate-count", json={"jql": "project = SHOP"}).json() == {"count": 4}
    unbounded = client.get("/rest/api/3/search/jql", params={"jql": "order by created"})
    assert unbounded.status_code == 400
    assert unbounded.json() == {
        "errorMessages": ["Unbounded JQL queries are not allowed here. Please add a search restriction to your query."],
        "errors": {},
    }
    bad = client.get("/rest/api/3/search/jql", params={"jql": "project = SHOP", "nextPageToken": "zzz"})
    assert bad.status_code == 400


def test_every_call_needs_a_token_that_fits_its_mail_address(client: TestClient, tracker: Tracker):
    for headers in (
        {"Authorization": ""},
        {"Authorization": "Basic !!!"},
        {"Authorization": "Bearer nope"},
        {"Authorization": "Basic " + base64.b64encode(b"bo@tiny.example:nope").decode()},
        basic(tracker, "bo", mail="eve@tiny.example"),
        basic(tracker, "gus"),
    ):
        answer = client.get("/rest/api/3/myself", headers=headers)
        assert answer.status_code == 401, headers
        assert answer.json() == {
            "errorMessages": ["Client must be authenticated to access this resource."],
            "errors": {},
        }
    slack = tracker.host.tokens.issue(as_person(tracker.host, "bo", app="slack"), "xoxp-{}")
    assert client.get("/rest/api/3/myself", headers={"Authorization": f"Bearer {slack}"}).status_code == 401
    assert (
        client.get("/rest/api/3/myself", headers=basic(tracker, "bo", mail="B.Lindqvist@tiny.example")).json()[
            "accountId"
        ]
        == "5fBO"
    )
    token = tracker.host.tokens.issue(as_person(tracker.host, "eve", app="jira"), "ATATT3x{}")
    assert client.get("/rest/api/3/myself", headers={"Authorization": f"Bearer {token}"}).json()["accountId"] == "5fEVE"


def test_the_login_cookie_reads_but_does_not_write(client: TestClient, tracker: Tracker):
    key = tracker.host.tokens.issue(as_person(tracker.host, "bo"), "{}")
    cookie = {"Authorization": "", "Cookie": f"firm_session={key}"}
    del client.headers["Authorization"]
    headers = {"Cookie": cookie["Cookie"]}
    assert client.get("/rest/api/3/myself", headers=headers).status_code == 200
    assert client.post("/rest/api/3/issue", json=new(), headers=headers).status_code == 401


def test_what_is_hidden_is_404_and_what_is_forbidden_403(client: TestClient, tracker: Tracker):
    eve = basic(tracker, "eve")
    for path in ("/rest/api/3/issue/OPS-1", "/rest/api/3/issue/NOPE-1", "/rest/api/2/issue/99999999999999999999"):
        answer = client.get(path, headers=eve)
        assert (answer.status_code, answer.json()) == (404, {"errorMessages": [ISSUE], "errors": {}})
    assert client.get("/rest/api/3/project/OPS", headers=eve).json()["errorMessages"] == [
        "No project could be found with key 'OPS'."
    ]
    assert client.put("/rest/api/3/issue/SUP-1", json={"fields": {"summary": "x"}}, headers=eve).status_code == 403
    assert client.delete("/rest/api/3/issue/SHOP-1").status_code == 403


def test_unknown_addresses_and_methods_answer_in_the_vendors_form(client: TestClient):
    missing = client.get("/rest/api/3/nothing/here")
    assert missing.status_code == 404 and missing.json() == {
        "message": "null for uri: http://tracker.test/jira/rest/api/3/nothing/here",
        "status-code": 404,
    }
    assert client.get("/rest/api/9/myself").status_code == 404
    assert client.delete("/rest/api/3/myself").status_code == 405


def test_bodies_that_cannot_be_read_are_refused(client: TestClient):
    def post(content: bytes, kind: str = "application/json") -> tuple[int, list[str]]:
        answer = client.post("/rest/api/3/issue", content=content, headers={"Content-Type": kind})
        return answer.status_code, answer.json()["errorMessages"]

    assert post(b"{", "application/json") == (
        400,
        ["There was an error parsing JSON. Check that your request body is valid."],
    )
    assert post(b"[]")[0] == 400 and post(b'"x"')[0] == 400
    assert post(b"a=1", "application/x-www-form-urlencoded")[0] == 415
    deep: Any = "x"
    for _ in range(80):
        deep = [deep]
    assert post(json.dumps(new(customfield_10050=deep)).encode())[0] == 400
    assert post(json.dumps(new(customfield_10050=deep)).encode().replace(b"[", b"[" * 30))[0] == 400
    assert post(b'{"fields": "text"}')[0] == 400
    assert post(b" " * (6 * 1024 * 1024))[0] == 413
    assert client.post("/rest/api/2/issue", json=new(description="x" * 1_000_000)).status_code == 400
    assert (
        client.get("/rest/api/3/search/jql", params={"jql": "project = SHOP", "maxResults": "many"}).status_code == 400
    )
    assert client.get("/rest/api/3/project/search", params={"startAt": "-1"}).status_code == 400


def test_files_need_the_check_header_and_come_back_as_bytes(client: TestClient):
    files = {"file": ("trace ü.log", b"line\n", "text/plain")}
    assert client.post("/rest/api/3/issue/SHOP-1/attachments", files=files).status_code == 403
    made = client.post("/rest/api/3/issue/SHOP-1/attachments", files=files, headers={"X-Atlassian-Token": "no-check"})
    assert made.status_code == 200
    (row,) = made.json()
    assert row["filename"] == "trace ü.log" and row["size"] == 5
    got = client.get(row["content"])
    assert got.content == b"line\n" and got.headers["content-type"].startswith("text/plain")
    html = client.post(
        "/rest/api/2/issue/SHOP-1/attachments",
        files={"file": ("x.html", b"<script>", "text/html")},
        headers={"X-Atlassian-Token": "nocheck"},
    ).json()
    served = client.get(html[0]["content"])
    assert served.headers["content-type"] == "application/octet-stream" and served.headers[
        "content-disposition"
    ].startswith("attachment")
    assert (
        client.post(
            "/rest/api/3/issue/SHOP-1/attachments", json={}, headers={"X-Atlassian-Token": "no-check"}
        ).status_code
        == 415
    )


def test_a_file_without_a_media_type_has_that_of_its_name(client: TestClient):
    body = b'--cut\r\nContent-Disposition: form-data; name="file"; filename="flow.png"\r\n\r\nbytes\r\n--cut--\r\n'
    headers = {"X-Atlassian-Token": "no-check", "Content-Type": "multipart/form-data; boundary=cut"}
    (row,) = client.post("/rest/api/2/issue/SHOP-1/attachments", content=body, headers=headers).json()
    assert (row["filename"], row["mimeType"]) == ("flow.png", "image/png")
    assert row["content"] == f"http://tracker.test/jira/rest/api/2/attachment/content/{row['id']}"


# developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues, "Send notification for issue"
@pytest.mark.parametrize(
    ("to", "said"),
    [
        ({}, "No recipients were defined for notification."),
        ({"users": [{"accountId": "5fBO"}]}, "No recipients were defined for notification."),  # oneself
        ({"users": [{"accountId": "nobody"}]}, "The user with account ID 'nobody' does not exist."),
        ({"groups": [{"name": "ghosts"}]}, "The group named 'ghosts' does not exist."),
    ],
)
def test_a_mail_without_a_reader_is_refused(client: TestClient, to: dict[str, Any], said: str):
    refused = client.post("/rest/api/3/issue/SHOP-1/notify", json={"textBody": "Look.", "to": to})
    assert refused.status_code == 400 and refused.json() == {"errorMessages": [said], "errors": {}}


def test_a_mail_may_be_restricted_and_answers_204(client: TestClient):
    send = {"subject": "Results", "textBody": "They are in.", "to": {"users": [{"accountId": "5fEVE"}]}}
    assert client.post("/rest/api/2/issue/SHOP-1/notify", json=send).status_code == 204
    may = {"permissions": [{"key": "BROWSE"}]}
    assert client.post("/rest/api/3/issue/SHOP-1/notify", json={**send, "restrict": may}).content == b""
    admins = {"permissions": [{"key": "ADMINISTER_PROJECTS"}]}
    assert client.post("/rest/api/3/issue/SHOP-1/notify", json={**send, "restrict": admins}).status_code == 400
    assert client.post("/rest/api/3/issue/NOPE-1/notify", json=send).status_code == 404


def test_the_picture_of_a_user_is_a_portrait_and_that_of_a_project_initials(client: TestClient):
    address = client.get("/rest/api/3/myself").json()["avatarUrls"]["48x48"]
    mine = client.get(address)
    assert mine.headers["content-type"] == "image/svg+xml"
    assert mine.text == draw_portrait(portrait_mark("tiny.example", "p_bo", "Bo"))
    project = client.get("/rest/api/3/project/SHOP").json()["avatarUrls"]["16x16"]
    assert client.get(project).text.endswith("</text></svg>")
    assert client.get(address.replace("5fBO", "5fNOBODY")).status_code == 404
    assert client.get(address, headers={"Authorization": ""}).status_code == 404


def test_the_picture_of_a_project_is_for_who_may_browse_it(client: TestClient, tracker: Tracker):
    address = "/rest/api/3/universal_avatar/view/type/{}/owner/{}".format
    assert client.get(address("project", 10001)).status_code == 200
    assert client.get(address("project", 10001), headers=basic(tracker, "eve")).status_code == 404
    assert client.get(address("issuetype", 10000)).status_code == 404
    assert client.get(address("project", "9" * 5000)).status_code == 404


def test_headers_are_part_of_the_shape(client: TestClient):
    first, second = client.get("/rest/api/3/myself"), client.get("/rest/api/3/issue/NOPE-1")
    assert first.headers["content-type"] == "application/json;charset=UTF-8"
    assert first.headers["x-seraph-loginreason"] == "OK"
    assert first.headers["x-arequestid"] != second.headers["x-arequestid"]


def test_each_kind_of_outage_has_its_shape():
    def shown(kind: str, **more: Any) -> Any:
        return rest.fault_response(Outage(kind, kind, app="jira", **more))

    limited = shown("ratelimit", retry_after_s=17, reason="jira-quota-tenant-based")
    assert limited.status_code == 429 and limited.headers["retry-after"] == "17"
    assert (
        limited.headers["ratelimit-reason"] == "jira-quota-tenant-based"
        and limited.headers["x-ratelimit-remaining"] == "0"
    )
    assert shown("ratelimit", reason="early_retry").headers["ratelimit-reason"] == "jira-burst-based"
    partial = shown("partial")
    assert partial.status_code == 503 and partial.body.decode() == MAINTENANCE
    assert {
        kind: shown(kind).status_code for kind in ("error", "write_then_error", "readonly", "timeout", "auth_expired")
    } == {
        "error": 500,
        "write_then_error": 500,
        "readonly": 503,
        "timeout": 504,
        "auth_expired": 401,
    }
    with pytest.raises(json.JSONDecodeError):
        json.loads(shown("corrupt_payload").body)


def test_every_operation_has_a_line_and_every_line_an_operation():
    assert {line.operation for line in LINES} == set(app.operations)


def test_the_coverage_file_lists_every_operation():
    listed = tomllib.loads((Path(rest.__file__).parent.parent / "coverage.toml").read_text(encoding="utf-8"))
    assert set(listed["method"]) | set(listed["extra"]) == set(app.operations)
    assert all(row["source"] == app.operations[name].source for name, row in listed["method"].items())
    assert all(row["state"] == "done" or row["missing"] for row in listed["method"].values())


def test_every_example_travels_over_the_wire_and_back(client: TestClient, tracker: Tracker):
    for operation in app.operations.values():
        tracker.host.drop("w")
        tracker.host.create("w")
        examples = Examples(tracker.host.operations, lambda name, given: tracker.call("ada", name, **given))
        for example in examples.of(operation.id):
            asked = rest.wire(operation.id, example)
            answer = client.request(
                asked.method,
                asked.path,
                params=dict(asked.query),
                json=asked.json if asked.json is not None else None,
                headers={**asked.headers, **basic(tracker, "ada")},
                files=dict(asked.files) if asked.files else None,
            )
            assert answer.status_code in (200, 201, 204), (operation.id, answer.status_code, answer.text)


def test_the_wire_carries_markdown_as_a_document(client: TestClient):
    asked = rest.wire("addComment", {"issueIdOrKey": "SHOP-1", "body": "**bold**", "contentFormat": "markdown"})
    assert asked.path == "/rest/api/3/issue/SHOP-1/comment" and asked.json["body"]["type"] == "doc"
    assert (
        rest.wire("addComment", {"issueIdOrKey": "SHOP-1", "body": "text"}).path == "/rest/api/2/issue/SHOP-1/comment"
    )
    assert rest.wire("getIssue", {"issueIdOrKey": "SHOP-1", "fields": ["a", "b"]}).query == {"fields": "a,b"}


def test_agile_speaks_wiki_and_its_own_addresses(client: TestClient):
    board = client.get("/rest/agile/1.0/board").json()["values"][0]
    assert board["self"] == "http://tracker.test/jira/rest/agile/1.0/board/1"
    issues = client.get("/rest/agile/1.0/board/1/issue", params={"fields": "description"}).json()["issues"]
    assert issues[0]["fields"]["description"] == "Login fails after a retry."
    assert client.post("/rest/agile/1.0/sprint", json={"name": "Sprint 3", "originBoardId": 1}).status_code == 201
    assert (
        client.put("/rest/agile/1.0/issue/rank", json={"issues": ["SHOP-2"], "rankBeforeIssue": "SHOP-1"}).status_code
        == 204
    )
