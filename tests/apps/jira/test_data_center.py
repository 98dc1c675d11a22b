"""The dialect of Jira Server and Data Center: names and keys for people, no version 3, the world of the other doors.

Expectations: developer.atlassian.com/server/jira/platform/rest (resources serverInfo, user, myself, issue, search).
"""

import base64
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from apps.jira import rest
from tests.apps.jira.tracker import Tracker
from tests.company import as_person

AT = "http://tracker.test/jira/server"


@pytest.fixture
def client(tracker: Tracker) -> Iterator[TestClient]:
    """An HTTP client with a personal access token of bo's, below the folder of the dialect."""
    served = Starlette(routes=[Mount("/jira", app=Starlette(routes=rest.routes(tracker.host)))])
    with TestClient(served, base_url=AT) as made:
        made.headers.update({"Authorization": f"Bearer {token_of(tracker, 'bo')}"})
        yield made


def token_of(tracker: Tracker, who: str) -> str:
    return tracker.host.tokens.issue(as_person(tracker.host, who, app="jira"), "{}")


def accounts(value: Any) -> list[str]:
    """The names of fields that only the cloud has, wherever they stand."""
    if isinstance(value, dict):
        own = [name for name in value if name in ("accountId", "accountType")]
        return own + [one for item in value.values() for one in accounts(item)]
    return [one for item in value for one in accounts(item)] if isinstance(value, list) else []


def new(**more: Any) -> dict[str, Any]:
    """The body of a create."""
    return {"fields": {"project": {"key": "SHOP"}, "issuetype": {"name": "Task"}, "summary": "From a server", **more}}


def test_the_server_says_what_it_is_where_it_was_asked(client: TestClient):
    told = client.get("/rest/api/2/serverInfo").json()
    assert (told["deploymentType"], told["baseUrl"]) == ("Server", AT)
    assert told["versionNumbers"] == [9, 12, 2] and told["version"] == "9.12.2"
    newest = client.get("/rest/api/latest/serverInfo").json()
    assert newest == told | {"serverTime": newest["serverTime"]}


def test_there_is_no_version_three(client: TestClient):
    assert client.get("/rest/api/3/myself").status_code == 404
    assert client.get("http://tracker.test/jira/rest/api/3/myself").status_code == 200


def test_people_have_names_and_keys_and_no_account_ids(client: TestClient):
    me = client.get("/rest/api/2/myself").json()
    assert (me["name"], me["key"], me["emailAddress"]) == ("bo", "bo", "bo@tiny.example")
    assert me["self"] == f"{AT}/rest/api/2/user?username=bo" and accounts(me) == []
    assert client.get("/rest/api/2/user", params={"username": "ada"}).json()["name"] == "ada"
    assert client.get("/rest/api/2/user", params={"key": "ada"}).json()["name"] == "ada"
    gone = client.get("/rest/api/2/user", params={"username": "nobody"})
    assert gone.status_code == 404
    assert gone.json() == {"errorMessages": ["The user named 'nobody' does not exist"], "errors": {}}


def test_users_are_searched_by_name(client: TestClient):
    every = client.get("/rest/api/2/user/search", params={"username": "."}).json()
    assert {"ada", "bo"} <= {one["name"] for one in every} and accounts(every) == []
    found = client.get("/rest/api/2/user/search", params={"username": "ada"}).json()
    assert [one["name"] for one in found] == ["ada"]
    able = client.get("/rest/api/2/user/assignable/search", params={"project": "SHOP", "username": "bo"}).json()
    assert [one["name"] for one in able] == ["bo"]


def test_an_issue_is_made_assigned_and_read_with_names_and_wiki_markup(client: TestClient):
    body = new(description="h2. Why\n[~ada] asked *twice*", assignee={"name": "bo"})
    key = client.post("/rest/api/2/issue", json=body).json()["key"]
    fields = client.get(f"/rest/api/2/issue/{key}").json()["fields"]
    assert (fields["assignee"]["name"], fields["reporter"]["name"]) == ("bo", "bo")
    assert "[~ada]" in fields["description"] and fields["description"].startswith("h2. Why")
    assert accounts(fields) == []
    assert client.put(f"/rest/api/2/issue/{key}/assignee", json={"name": None}).status_code == 204
    assert client.get(f"/rest/api/2/issue/{key}").json()["fields"]["assignee"] is None
    assert client.put(f"/rest/api/2/issue/{key}/assignee", json={"name": "bo"}).status_code == 204
    assert client.post(f"/rest/api/2/issue/{key}/watchers", json="bo").status_code == 204
    seen = client.get(f"/rest/api/2/issue/{key}/watchers").json()
    assert [one["name"] for one in seen["watchers"]] == ["bo"]
    assert client.delete(f"/rest/api/2/issue/{key}/watchers", params={"username": "bo"}).status_code == 204
    history = client.get(f"/rest/api/2/issue/{key}", params={"expand": "changelog"}).json()["changelog"]
    moves = [item for one in history["histories"] for item in one["items"] if item["field"] == "assignee"]
    assert {("bo", None), (None, "bo")} == {(one["from"], one["to"]) for one in moves}


def test_a_comment_is_wiki_markup_by_a_named_author(client: TestClient):
    made = client.post("/rest/api/2/issue/SHOP-1/comment", json={"body": "Ask [~ada], it is *bad*"}).json()
    assert (made["author"]["name"], made["body"]) == ("bo", "Ask [~ada], it is *bad*")


def test_the_same_comment_mentions_the_account_at_the_clouds_door(client: TestClient):
    client.post("/rest/api/2/issue/SHOP-1/comment", json={"body": "Ask [~ada]"})
    cloud = client.get("http://tracker.test/jira/rest/api/2/issue/SHOP-1/comment").json()["comments"][-1]
    assert cloud["author"]["accountId"] and "[~accountid:" in cloud["body"] and "[~ada]" not in cloud["body"]


def test_a_search_pages_by_start_and_total(client: TestClient):
    found = client.get("/rest/api/2/search", params={"jql": "project = SHOP ORDER BY key", "maxResults": 1}).json()
    assert (found["startAt"], found["maxResults"], len(found["issues"])) == (0, 1, 1)
    rest_of_it = client.post(
        "/rest/api/2/search", json={"jql": "project = SHOP ORDER BY key", "startAt": 1, "maxResults": 50}
    ).json()
    assert rest_of_it["total"] == found["total"] == len(rest_of_it["issues"]) + 1
    mine = client.get("/rest/api/2/search", params={"jql": "assignee = bo"})
    assert mine.status_code == 200 and accounts(mine.json()) == []


def test_boards_speak_the_same_dialect(client: TestClient):
    boards = client.get("/rest/agile/1.0/board").json()["values"]
    assert boards and boards[0]["self"].startswith(f"{AT}/rest/agile/1.0/board/")
    issues = client.get(f"/rest/agile/1.0/board/{boards[0]['id']}/issue").json()
    assert issues["issues"] and accounts(issues) == []


def test_basic_authentication_takes_the_name_and_not_the_address(client: TestClient, tracker: Tracker):
    def ask(word: str) -> int:
        coded = base64.b64encode(f"{word}:{token_of(tracker, 'bo')}".encode()).decode()
        return client.get("/rest/api/2/myself", headers={"Authorization": f"Basic {coded}"}).status_code

    assert (ask("bo"), ask("bo@tiny.example"), ask("ada")) == (200, 401, 401)


def test_the_host_of_a_server_speaks_the_dialect_too(client: TestClient):
    host = {"Host": "jira.firm.test"}
    told = client.get("http://tracker.test/jira/rest/api/2/serverInfo", headers=host).json()
    assert told["deploymentType"] == "Server"
    assert client.get("http://tracker.test/jira/rest/api/2/serverInfo").json()["deploymentType"] == "Cloud"


def test_a_file_of_an_issue_lies_outside_the_api_where_a_server_keeps_it(client: TestClient):
    (made,) = client.post(
        "/rest/api/2/issue/SHOP-1/attachments",
        files={"file": ("flow 1.png", b"bytes", "image/png")},
        headers={"X-Atlassian-Token": "nocheck"},
    ).json()
    assert made["content"] == f"{AT}/secure/attachment/{made['id']}/flow%201.png"
    assert client.get(made["content"]).content == client.get(made["thumbnail"]).content == b"bytes"


def test_mails_about_an_issue_name_users_as_a_server_does(client: TestClient):
    told = {"textBody": "Look.", "to": {"users": [{"name": "eve"}]}}
    assert client.post("/rest/api/2/issue/SHOP-1/notify", json=told).status_code == 204
