"""What queries answer: pages whose cursors hold, filters, ids of the REST API, files, searches, and the queries of tool
servers.
"""

from typing import Any

import pytest
from sqlalchemy import event

from tests.apps.github.conftest import Say
from tests.conformance.github_client import HubClient
from world.run.host import Host

REPO = 'repository(owner: "tiny", name: "app")'


def ask(client: HubClient, query: str, *, who: str = "ada", **variables: Any) -> Any:
    """The data of an answer without errors."""
    answer = client.query(query, who=who, **variables).json()
    assert "errors" not in answer, answer["errors"]
    return answer["data"]


def of_repo(client: HubClient, shown: str, **more: Any) -> Any:
    return ask(client, f"{{ {REPO} {{ {shown} }} }}", **more)["repository"]


@pytest.fixture
def many(say: Say) -> None:
    """Seven issues."""
    for number in range(3, 8):
        say("issues/create", title=f"Issue {number}")


PAGE = """query($after: String, $before: String, $first: Int, $last: Int) { repository(owner: "tiny", name: "app") {
    issues(first: $first, last: $last, after: $after, before: $before, orderBy: {field: CREATED_AT, direction: DESC}) {
      totalCount nodes { number } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }"""


def test_pages_hold_their_place_when_rows_come(client: HubClient, say: Say, many: None) -> None:
    first = ask(client, PAGE, first=3)["repository"]["issues"]
    assert ([one["number"] for one in first["nodes"]], first["totalCount"]) == ([7, 6, 5], 7)
    assert first["pageInfo"]["hasNextPage"] and not first["pageInfo"]["hasPreviousPage"]
    assert first["pageInfo"]["endCursor"] == first["edges"][-1]["cursor"]
    say("issues/create", title="Later")
    second = ask(client, PAGE, first=3, after=first["pageInfo"]["endCursor"])["repository"]["issues"]
    assert [one["number"] for one in second["nodes"]] == [4, 3, 1]
    third = ask(client, PAGE, first=3, after=second["pageInfo"]["endCursor"])["repository"]["issues"]
    assert [one["number"] for one in third["nodes"]] == [2] and not third["pageInfo"]["hasNextPage"]
    back = ask(client, PAGE, last=2, before=second["pageInfo"]["startCursor"])["repository"]["issues"]
    assert [one["number"] for one in back["nodes"]] == [6, 5] and back["pageInfo"]["hasPreviousPage"]
    assert [one["number"] for one in ask(client, PAGE, last=2)["repository"]["issues"]["nodes"]] == [1, 2]
    assert ask(client, PAGE, first=0)["repository"]["issues"]["nodes"] == []


@pytest.mark.parametrize(
    ("shown", "order"),
    [
        ("labels", "orderBy: {field: NAME, direction: DESC}"),
        ("labels", ""),
        ("assignableUsers", ""),
        ("milestones", ""),
        ("refs", 'refPrefix: "refs/"'),
        ("issues", "orderBy: {field: COMMENTS, direction: DESC}"),
        ("milestones", "orderBy: {field: DUE_DATE, direction: ASC}"),
    ],
)
def test_every_list_is_paged_without_a_gap(client: HubClient, many: None, shown: str, order: str) -> None:
    whole = [
        one["id"] for one in of_repo(client, f"it: {shown}(first: 50 {order}) {{ nodes {{ id }} }}")["it"]["nodes"]
    ]
    found, after = [], ""
    while True:
        it = of_repo(
            client, f"it: {shown}(first: 1 {order} {after}) {{ nodes {{ id }} pageInfo {{ hasNextPage endCursor }} }}"
        )["it"]
        found += [one["id"] for one in it["nodes"]]
        if not it["pageInfo"]["hasNextPage"]:
            break
        after = f'after: "{it["pageInfo"]["endCursor"]}"'
    assert found == whole != []
    reverse, before = [], ""
    while True:
        it = of_repo(
            client,
            f"it: {shown}(last: 1 {order} {before}) {{ nodes {{ id }} pageInfo {{ hasPreviousPage startCursor }} }}",
        )["it"]
        reverse = [one["id"] for one in it["nodes"]] + reverse
        if not it["pageInfo"]["hasPreviousPage"]:
            break
        before = f'before: "{it["pageInfo"]["startCursor"]}"'
    assert reverse == whole


@pytest.mark.parametrize(
    ("given", "numbers"),
    [
        ("states: CLOSED", [2]),
        ('labels: ["bug"]', [3]),
        ('filterBy: {assignee: "bo"}', [3]),
        ("filterBy: {assignee: null}", [2, 1]),
        ('filterBy: {createdBy: "cyrus"}', [1]),
        ('filterBy: {mentioned: "bo"}', [1]),
        ('filterBy: {milestone: "v1"}', [3]),
        ('filterBy: {milestoneNumber: "1", states: OPEN}', [3]),
        ('filterBy: {createdBy: "nobody"}', []),
        ('filterBy: {since: "2030-01-01T00:00:00Z"}', []),
    ],
)
def test_filters_of_issues(client: HubClient, say: Say, given: str, numbers: list[int]) -> None:
    say("issues/create", title="Third", labels=["bug"], assignees=["bo"], milestone=1)
    latest = "orderBy: {field: CREATED_AT, direction: DESC}"
    shown = of_repo(client, f"issues(first: 9, {latest}, {given}) {{ totalCount nodes {{ number }} }}")["issues"]
    assert ([one["number"] for one in shown["nodes"]], shown["totalCount"]) == (
        sorted(numbers, key=[3, 1, 2].index),
        len(numbers),
    )


def test_ids_are_those_of_the_rest_api(client: HubClient) -> None:
    for path, shown in (
        ("", ""),
        ("/issues/1", "issue(number: 1)"),
        ("/labels/bug", 'label(name: "bug")'),
        ("/milestones/1", "milestone(number: 1)"),
        ("/git/ref/heads/main", 'ref(qualifiedName: "main")'),
    ):
        told = client.get(f"/repos/tiny/app{path}").json()
        found = of_repo(client, "id" if not shown else f"it: {shown} {{ id }}")
        assert told["node_id"] == (found["id"] if not shown else found["it"]["id"]), path
        node = ask(client, "query($id: ID!) { node(id: $id) { id } }", id=told["node_id"])
        assert node == {"node": {"id": told["node_id"]}}


def test_files_and_history(client: HubClient) -> None:
    shown = of_repo(
        client,
        """readme: object(expression: "HEAD:README.md") { ... on Blob { text byteSize isBinary } }
        src: object(expression: "main:src") { ... on Tree { entries { name path type mode size object { ... on Blob { text } } } } }
        gone: object(expression: "HEAD:nothing") { id } tag: ref(qualifiedName: "refs/tags/v0.1") { name target { ... on Commit { message } } }
        ref(qualifiedName: "refs/heads/feature") { compare(headRef: "main") { status aheadBy behindBy }
          target { ... on Commit { history(first: 2, path: "src/count.py") { totalCount nodes { messageHeadline } }
            file(path: "docs/guide.md") { size } } } }""",
    )
    assert shown["readme"] == {"text": "# app\n\nIt counts.\n", "byteSize": 18, "isBinary": False}
    assert [one["path"] for one in shown["src"]["entries"]] == ["src/__init__.py", "src/count.py"] and shown[
        "gone"
    ] is None
    assert shown["tag"]["target"] == {"message": "Count things"}
    assert shown["ref"]["compare"] == {"status": "BEHIND", "aheadBy": 0, "behindBy": 1}
    history = shown["ref"]["target"]["history"]
    assert (history["totalCount"], [one["messageHeadline"] for one in history["nodes"]]) == (
        3,
        ["Count in tuples", "Unpack instead of list"],
    )


def test_searches(client: HubClient, many: None) -> None:
    query = """query($q: String!, $type: SearchType!, $after: String) { search(query: $q, type: $type, first: 2, after: $after) {
        issueCount repositoryCount userCount pageInfo { hasNextPage endCursor }
        nodes { __typename ... on Issue { number } ... on Repository { name } ... on User { login } } } }"""
    first = ask(client, query, q="repo:tiny/app is:issue is:open", type="ISSUE")["search"]
    assert (first["issueCount"], [one["number"] for one in first["nodes"]]) == (6, [7, 6])
    second = ask(client, query, q="repo:tiny/app is:issue is:open", type="ISSUE", after=first["pageInfo"]["endCursor"])[
        "search"
    ]
    assert [one["number"] for one in second["nodes"]] == [5, 4]
    assert ask(client, query, q="site", type="REPOSITORY")["search"]["nodes"] == [
        {"__typename": "Repository", "name": "site"}
    ]
    assert ask(client, query, q="cyrus", type="USER")["search"]["nodes"] == [{"__typename": "User", "login": "cyrus"}]
    assert (
        ask(client, query, q="", type="ISSUE")["search"]["nodes"]
        == []
        == ask(client, query, q="x", type="DISCUSSION")["search"]["nodes"]
    )


def test_selections_are_put_together_and_left_out_as_told(client: HubClient) -> None:
    query = """query($no: Boolean = false, $yes: Boolean!) { a: viewer { ...Who } a: viewer { id @include(if: $no) login @skip(if: $no) }
        b: repositoryOwner(login: "tiny") { __typename ... on Organization @include(if: $yes) { name } ... on User { bio } } relay { __typename } }
        fragment Who on Actor { login ... on User { name } }"""
    assert ask(client, query, yes=True) == {
        "a": {"login": "ada", "name": "Ada Novak"},
        "b": {"__typename": "Organization", "name": "Tiny"},
        "relay": {"__typename": "Query"},
    }


def test_the_quota_is_told(client: HubClient, host: Host) -> None:
    told = ask(
        client,
        "{ rateLimit { limit cost remaining used nodeCount resetAt } viewer { repositories(first: 7) { totalCount"
        " } } }",
    )["rateLimit"]
    assert (told["limit"], told["cost"], told["nodeCount"], told["remaining"] + told["used"]) == (5000, 1, 7, 5000)


def test_what_tool_servers_ask_for(client: HubClient, say: Say) -> None:
    client.post("/repos/tiny/app/pulls", who="bo", json={"title": "Tuples", "head": "feature", "base": "main"})
    say(
        "pulls/create-review",
        pull_number=3,
        event="COMMENT",
        body="x",
        comments=[{"path": "src/count.py", "line": 2, "body": "Why?"}],
    )
    threads = ask(
        client,
        """query($owner: String!, $repo: String!, $pr: Int!) { repository(owner: $owner, name: $repo) { pullRequest(number: $pr) {
        reviewThreads(first: 50) { nodes { id isResolved isOutdated isCollapsed comments(first: 10) { totalCount nodes { id body path line
          author { login } createdAt updatedAt url } } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount }
        reviews(first: 1, author: "ada", states: COMMENTED) { nodes { id state url } } } } }""",
        owner="tiny",
        repo="app",
        pr=3,
    )
    [thread] = threads["repository"]["pullRequest"]["reviewThreads"]["nodes"]
    assert (thread["isResolved"], thread["comments"]["nodes"][0]["line"]) == (False, 2)
    empty = of_repo(
        client,
        """discussions(first: 30) { totalCount nodes { number title } } discussionCategories(first: 25) { nodes { id name } }
        discussion(number: 1) { id } pullRequest(number: 3) { projectItems(first: 3) { totalCount } } projectsV2(first: 3) { totalCount }
        labels(first: 100) { totalCount nodes { id name color description } }""",
    )
    assert (empty["discussions"]["totalCount"], empty["discussionCategories"]["nodes"], empty["discussion"]) == (
        0,
        [],
        None,
    )
    assert empty["labels"]["totalCount"] == 2


def test_a_query_reads_no_more_for_many_than_for_few(client: HubClient, host: Host, say: Say, many: None) -> None:
    shown = """number author { login } assignees(first: 3) { nodes { login } } labels(first: 3) { nodes { name } } milestone { title }
        comments { totalCount }
        comments2: comments(first: 5) { nodes { body author { login } reactionGroups { content users { totalCount } } } } reactions { totalCount }
        subIssues(first: 3) { totalCount } parent { number } participants(first: 5) { nodes { login } }"""
    for number in range(3, 8):
        say("issues/create-comment", "bo", issue_number=number, body="Hm")
        say("issues/update", issue_number=number, labels=["bug"], assignees=["bo"], milestone=1)

    def statements(first: int) -> int:
        seen: list[str] = []
        bound = host.actors["w"].bound
        bound.raw.exec_trace = lambda cursor, sql, bindings: seen.append(sql) or True
        event.listen(bound.sql, "before_cursor_execute", heard := lambda *given: seen.append(given[2]))
        of_repo(
            client, f"issues(first: {first}, orderBy: {{field: CREATED_AT, direction: DESC}}) {{ nodes {{ {shown} }} }}"
        )
        bound.raw.exec_trace = None
        event.remove(bound.sql, "before_cursor_execute", heard)
        return len(seen)

    statements(1)
    assert statements(5) == statements(1)
