"""Changes by mutations: they do what the REST API does, answer with what there is then, and leave nothing when they are
refused.
"""

import base64
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.apps.github.conftest import Say
from tests.conformance.github_client import HubClient
from world.core.clock import SECOND
from world.run.host import Host
from world.store.queries import rows

REPO = 'repository(owner: "tiny", name: "app")'
Change = Any


@pytest.fixture
def change(client: HubClient) -> Change:
    """`change("closeIssue", "issue { state }", issueId=...)`: one mutation; its payload, or the error."""

    def run(name: str, shown: str, /, *, who: str = "ada", **given: Any) -> Any:
        kind = f"{name[0].upper()}{name[1:]}Input!"
        answer = client.query(
            f"mutation($input: {kind}) {{ it: {name}(input: $input) {{ clientMutationId {shown} }} }}",
            who=who,
            input=given,
        ).json()
        return answer["errors"][0] if "errors" in answer else answer["data"]["it"]

    return run


def id_of(client: HubClient, path: str, who: str = "ada") -> str:
    """The id of something in the repository: `issue(number: 1)`."""
    found = client.query(f"{{ {REPO} {{ it: {path} {{ id }} }} }}", who=who).json()["data"]["repository"]["it"]
    return found["id"]


def user(client: HubClient, login: str) -> str:
    return client.query("query($l: String!) { user(login: $l) { id } }", l=login).json()["data"]["user"]["id"]


@pytest.fixture
def repo(client: HubClient) -> str:
    return client.query(f"{{ {REPO} {{ id }} }}").json()["data"]["repository"]["id"]


@pytest.fixture
def pull(client: HubClient) -> str:
    """A pull request of Bo's."""
    client.post(
        "/repos/tiny/app/pulls", who="bo", json={"title": "Tuples", "head": "feature", "base": "main", "draft": True}
    )
    return id_of(client, "pullRequest(number: 3)")


def test_an_issue_from_opening_to_its_end(client: HubClient, change: Change, repo: str) -> None:
    bug, bo, v1 = id_of(client, 'label(name: "bug")'), user(client, "bo"), id_of(client, "milestone(number: 1)")
    lists = "labels(first: 5) { nodes { name } } assignees(first: 5) { nodes { login } }"
    shown = f"issue {{ id number title state stateReason {lists} milestone {{ title }} }}"
    made = change(
        "createIssue",
        shown,
        repositoryId=repo,
        title="New",
        labelIds=[bug],
        assigneeIds=[bo],
        milestoneId=v1,
        clientMutationId="x",
    )
    issue = made["issue"]["id"]
    assert (made["clientMutationId"], made["issue"]["number"], made["issue"]["milestone"]) == ("x", 3, {"title": "v1"})
    assert made["issue"]["labels"]["nodes"] == [{"name": "bug"}] and made["issue"]["assignees"]["nodes"] == [
        {"login": "bo"}
    ]
    made = change(
        "updateIssue",
        f"actor {{ login }} {shown}",
        id=issue,
        title="Newer",
        labelIds=[],
        milestoneId=None,
        assigneeIds=[],
    )
    assert (made["issue"]["title"], made["issue"]["labels"]["nodes"], made["issue"]["milestone"]) == ("Newer", [], None)
    assert change(
        "addLabelsToLabelable", "labelable { labels(first: 3) { totalCount } }", labelableId=issue, labelIds=[bug]
    )["labelable"] == {"labels": {"totalCount": 1}}
    assert change(
        "removeLabelsFromLabelable", "labelable { labels(first: 3) { totalCount } }", labelableId=issue, labelIds=[bug]
    )["labelable"] == {"labels": {"totalCount": 0}}
    made = change(
        "addAssigneesToAssignable",
        "assignable { assignees(first: 3) { totalCount } }",
        assignableId=issue,
        assigneeIds=[bo],
    )
    assert made["assignable"] == {"assignees": {"totalCount": 1}}
    change("removeAssigneesFromAssignable", "", assignableId=issue, assigneeIds=[bo])
    closed = change("closeIssue", shown, issueId=issue, stateReason="NOT_PLANNED")["issue"]
    assert (closed["state"], closed["stateReason"], closed["assignees"]["nodes"]) == ("CLOSED", "NOT_PLANNED", [])
    assert change("reopenIssue", shown, issueId=issue)["issue"]["state"] == "OPEN"
    assert change(
        "lockLockable", "lockedRecord { locked activeLockReason }", lockableId=issue, lockReason="TOO_HEATED"
    )["lockedRecord"] == {"locked": True, "activeLockReason": "TOO_HEATED"}
    assert change("unlockLockable", "unlockedRecord { locked }", lockableId=issue)["unlockedRecord"] == {
        "locked": False
    }
    parent = id_of(client, "issue(number: 1)")
    assert change(
        "addSubIssue",
        "issue { subIssuesSummary { total } } subIssue { parent { number } }",
        issueId=parent,
        subIssueId=issue,
    ) == {"clientMutationId": None, "issue": {"subIssuesSummary": {"total": 1}}, "subIssue": {"parent": {"number": 1}}}
    change("removeSubIssue", "issue { id }", issueId=parent, subIssueId=issue)
    assert change("updateSubscription", "subscribable { viewerSubscription }", subscribableId=issue, state="IGNORED")[
        "subscribable"
    ] == {"viewerSubscription": "IGNORED"}
    assert change("deleteIssue", "repository { name }", who="bo", issueId=issue)["type"] == "FORBIDDEN"
    assert change("deleteIssue", "repository { issues { totalCount } }", issueId=issue)["repository"] == {
        "issues": {"totalCount": 2}
    }


# docs.github.com/issues/tracking-your-work-with-issues/administering-issues/pinning-an-issue-to-your-repository
def test_up_to_three_issues_are_pinned_by_who_may_write(client: HubClient, change: Change, repo: str) -> None:
    shown = f"{{ {REPO} {{ pinnedIssues(first: 5) {{ totalCount nodes {{ issue {{ number isPinned }} pinnedBy {{ login }} }} }} }} }}"
    first, *more = [
        id_of(client, "issue(number: 1)"),
        *(change("createIssue", "issue { id }", repositoryId=repo, title=f"More {n}")["issue"]["id"] for n in range(3)),
    ]
    assert change("pinIssue", "issue { isPinned }", issueId=first)["issue"] == {"isPinned": True}
    assert change("pinIssue", "", issueId=first)["message"] == "Issue is already pinned"
    assert change("pinIssue", "", who="cyrus", issueId=first)["type"] == "FORBIDDEN"
    for one in more[:2]:
        change("pinIssue", "", issueId=one)
    assert change("pinIssue", "", issueId=more[2])["message"] == "Maximum 3 pinned issues per repository"
    pinned = client.query(shown).json()["data"]["repository"]["pinnedIssues"]
    assert pinned["totalCount"] == 3
    assert pinned["nodes"][0] == {"issue": {"number": 1, "isPinned": True}, "pinnedBy": {"login": "ada"}}
    assert change("unpinIssue", "id issue { isPinned }", issueId=first)["issue"] == {"isPinned": False}
    assert change("unpinIssue", "", issueId=first)["message"] == "Issue is not pinned"
    told = client.get("/repos/tiny/app/issues/1/events").json()
    assert [one["event"] for one in told][-2:] == ["pinned", "unpinned"]
    change("deleteIssue", "", issueId=more[0])
    assert client.query(shown).json()["data"]["repository"]["pinnedIssues"]["totalCount"] == 1


# docs.github.com/issues/tracking-your-work-with-issues/using-issues/transferring-an-issue-to-another-repository
def test_an_issue_is_transferred_with_what_belongs_to_it(client: HubClient, change: Change, repo: str) -> None:
    client.post("/orgs/tiny/repos", json={"name": "ops", "private": True})
    ids = client.query(
        '{ a: repository(owner: "tiny", name: "ops") { id } b: repository(owner: "tiny", name: "site") { id } }'
    )
    target, public = (ids.json()["data"][name]["id"] for name in "ab")
    bug, rare = (id_of(client, f'label(name: "{name}")') for name in ("bug", "good first issue"))
    client.delete("/repos/tiny/ops/labels/good%20first%20issue")
    made = change("createIssue", "issue { id number }", repositoryId=repo, title="Misplaced", labelIds=[bug, rare])[
        "issue"
    ]
    old = f"/repos/tiny/app/issues/{made['number']}"
    client.post(f"{old}/comments", json={"body": "Not ours"})
    for given, message in (({"repositoryId": repo}, "already in"), ({"repositoryId": public}, "private repository")):
        assert message in change("transferIssue", "", issueId=made["id"], **given)["message"]
    assert change("transferIssue", "", who="cyrus", issueId=made["id"], repositoryId=target)["type"] == "FORBIDDEN"
    shown = "issue { number url labels(first: 5) { nodes { name } } comments { totalCount } }"
    moved = change("transferIssue", shown, issueId=made["id"], repositoryId=target)["issue"]
    assert moved == {
        "number": 1,
        "url": "https://github.com/tiny/ops/issues/1",
        "labels": {"nodes": [{"name": "bug"}]},
        "comments": {"totalCount": 1},
    }
    answer = client.get(old)
    assert answer.status_code == 301 and answer.json()["url"] == answer.headers["location"]
    assert client.patch(old, json={"title": "Found"}).headers["location"] == answer.headers["location"]
    assert client.get(f"{old}/labels").status_code == 301
    assert client.get(answer.json()["url"].partition("/api/v3")[2]).json()["title"] == "Misplaced"
    event = "timelineItems(last: 1) { nodes { ... on TransferredEvent { fromRepository { name } } } }"
    items = f'repository(owner: "tiny", name: "ops") {{ issue(number: 1) {{ {event} }} }}'
    nodes = client.query(f"{{ {items} }}").json()["data"]["repository"]["issue"]["timelineItems"]["nodes"]
    assert nodes == [{"fromRepository": {"name": "app"}}]
    assert client.get("/repos/tiny/ops/issues/1/comments").json()[0]["body"] == "Not ours"


def test_a_transfer_keeps_labels_with_capitals_of_other_alphabets(client: HubClient, change: Change, repo: str) -> None:
    for path, color in (("app", "b60205"), ("secret", "0e8a16")):
        client.post(f"/repos/tiny/{path}/labels", json={"name": "Überfällig", "color": color})
    made = client.post("/repos/tiny/app/issues", json={"title": "Misplaced", "labels": ["Überfällig"]}).json()
    assert made["labels"][0]["color"] == "b60205"
    query = urlencode({"q": "label:Überfällig"})
    for path in ("/repos/tiny/app/issues?labels=Überfällig", "/issues?filter=all&labels=Überfällig"):
        assert [one["title"] for one in client.get(path).json()] == ["Misplaced"], path
    assert client.get(f"/search/issues?{query}").json()["total_count"] == 1
    target = client.query('{ repository(owner: "tiny", name: "secret") { id } }').json()["data"]["repository"]["id"]
    change("transferIssue", "", issueId=made["node_id"], repositoryId=target)
    [label] = client.get("/repos/tiny/secret/issues/1/labels").json()
    assert (label["name"], label["color"]) == ("Überfällig", "0e8a16")


def test_the_notice_of_a_transfer_does_not_name_where_it_comes_from(
    client: HubClient, change: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, told = client.host.apps["github"], list[dict[str, Any]]()
    monkeypatch.setattr(app, "topics", {**app.topics, "person.notified": lambda call, facts: told.append(dict(facts))})
    ids = client.query(
        '{ a: repository(owner: "tiny", name: "app") { id } b: repository(owner: "tiny", name: "secret") { id } }'
    ).json()["data"]
    made = change("createIssue", "issue { id }", repositoryId=ids["b"]["id"], title="Ours", body="See @bo")["issue"]
    told.clear()
    change("transferIssue", "", issueId=made["id"], repositoryId=ids["a"]["id"])
    actor = client.host.actor("w")
    actor.advance(actor.now + SECOND)
    mail = told[-1]
    assert mail["people"] == ["p_bo"] and "transferred this issue here" in mail["text"] and "secret" not in str(mail)


def test_the_old_address_of_a_transferred_issue_tells_strangers_nothing(
    client: HubClient, change: Change, repo: str
) -> None:
    client.post("/repos/tiny/site/issues", json={"title": "Leaks"})
    find = '{ repository(owner: "tiny", name: "site") { issue(number: 1) { id } } }'
    leak = client.query(find).json()["data"]["repository"]["issue"]["id"]
    change("transferIssue", "", issueId=leak, repositoryId=repo)
    seen = {who: client.get("/repos/tiny/site/issues/1", who=who) for who in ("cyrus", "eve")}
    assert {who: answer.status_code for who, answer in seen.items()} == {"cyrus": 301, "eve": 404}
    assert client.get("/repos/tiny/app/issues/3").json()["title"] == "Leaks"


def test_comments_and_reactions(client: HubClient, change: Change) -> None:
    issue = id_of(client, "issue(number: 1)")
    made = change(
        "addComment",
        "commentEdge { cursor node { id body } } subject { __typename }",
        subjectId=issue,
        body="Hm",
        who="dee",
    )
    comment = made["commentEdge"]["node"]["id"]
    assert (
        change("updateIssueComment", "issueComment { body viewerCanUpdate }", id=comment, body="Hmm")["issueComment"][
            "body"
        ]
        == "Hmm"
    )
    assert (
        change("updateIssueComment", "issueComment { body }", id=comment, body="No", who="cyrus")["type"] == "FORBIDDEN"
    )
    for name, count in (("addReaction", 1), ("addReaction", 1), ("removeReaction", 0)):
        shown = (
            "reaction { content user { login } } subject { reactions { totalCount } } reactionGroups { content users {"
            " totalCount } }"
        )
        made = change(name, shown, subjectId=comment, content="THUMBS_UP")
        assert (made["reaction"]["content"], made["subject"]["reactions"]["totalCount"]) == ("THUMBS_UP", count)
    assert change(
        "minimizeComment", "minimizedComment { isMinimized minimizedReason }", subjectId=comment, classifier="OFF_TOPIC"
    )["minimizedComment"] == {"isMinimized": True, "minimizedReason": "off-topic"}
    change("deleteIssueComment", "", id=comment)
    assert (
        change("deleteIssueComment", "", id=comment)["message"]
        == f"Could not resolve to a node with the global id of '{comment}'"
    )


def test_a_pull_request_is_reviewed_and_merged(client: HubClient, change: Change, pull: str) -> None:
    assert change("markPullRequestReadyForReview", "pullRequest { isDraft }", who="bo", pullRequestId=pull)[
        "pullRequest"
    ] == {"isDraft": False}
    ada, cyrus = user(client, "ada"), user(client, "cyrus")
    asked = "pullRequest { reviewRequests(first: 5) { nodes { requestedReviewer { ... on User { login } } } } }"
    change("requestReviews", asked, who="bo", pullRequestId=pull, userIds=[ada])
    made = change("requestReviews", asked, who="bo", pullRequestId=pull, userIds=[cyrus])
    assert made["pullRequest"]["reviewRequests"]["nodes"] == [{"requestedReviewer": {"login": "cyrus"}}]
    review = change("addPullRequestReview", "pullRequestReview { id state }", pullRequestId=pull)["pullRequestReview"]
    assert review["state"] == "PENDING"
    shown = "thread { id line isResolved comments(first: 1) { nodes { state body } } }"
    place = {"path": "src/count.py", "line": 2, "side": "RIGHT"}
    thread = change("addPullRequestReviewThread", shown, pullRequestReviewId=review["id"], **place, body="Why?")[
        "thread"
    ]
    assert (thread["line"], thread["comments"]["nodes"][0]["state"]) == (2, "PENDING")
    assert (
        change("addPullRequestReviewThread", shown, pullRequestId=pull, path="src/count.py", line=900, body="x")["type"]
        == "UNPROCESSABLE"
    )
    hidden = (
        f"{{ {REPO} {{ pullRequest(number: 3) {{ reviewThreads(first: 5) {{ totalCount }} reviews(first: 5) {{"
        " totalCount } } } }"
    )
    seen = client.query(hidden, who="bo").json()["data"]["repository"]["pullRequest"]
    assert seen == {"reviewThreads": {"totalCount": 0}, "reviews": {"totalCount": 0}}
    done = change(
        "submitPullRequestReview",
        "pullRequestReview { state body }",
        pullRequestId=pull,
        event="REQUEST_CHANGES",
        body="See below",
    )
    assert done["pullRequestReview"] == {"state": "CHANGES_REQUESTED", "body": "See below"}
    answered = {"pullRequestReviewThreadId": thread["id"], "body": "So"}
    reply = change("addPullRequestReviewThreadReply", "comment { body replyTo { body } }", who="bo", **answered)
    assert reply["comment"] == {"body": "So", "replyTo": {"body": "Why?"}}
    assert (
        change("resolveReviewThread", "thread { isResolved resolvedBy { login } }", who="cyrus", threadId=thread["id"])[
            "type"
        ]
        == "FORBIDDEN"
    )
    assert change("resolveReviewThread", "thread { isResolved resolvedBy { login } }", who="bo", threadId=thread["id"])[
        "thread"
    ] == {"isResolved": True, "resolvedBy": {"login": "bo"}}
    assert change("unresolveReviewThread", "thread { isResolved }", who="bo", threadId=thread["id"])["thread"] == {
        "isResolved": False
    }
    done = change(
        "dismissPullRequestReview", "pullRequestReview { state }", pullRequestReviewId=review["id"], message="Old"
    )
    assert done["pullRequestReview"] == {"state": "DISMISSED"}
    assert (
        change("addPullRequestReview", "pullRequestReview { id }", who="bo", pullRequestId=pull, event="APPROVE")[
            "message"
        ]
        == "Can not approve your own pull request"
    )
    assert change("convertPullRequestToDraft", "pullRequest { isDraft }", pullRequestId=pull)["pullRequest"] == {
        "isDraft": True
    }
    assert (
        change("mergePullRequest", "pullRequest { id }", pullRequestId=pull)["message"]
        == "Pull Request is still a draft"
    )
    change("markPullRequestReadyForReview", "pullRequest { id }", pullRequestId=pull)
    head = client.query(f"{{ {REPO} {{ pullRequest(number: 3) {{ headRefOid }} }} }}").json()["data"]["repository"][
        "pullRequest"
    ]["headRefOid"]
    assert (
        "Head branch was modified"
        in change("mergePullRequest", "pullRequest { id }", pullRequestId=pull, expectedHeadOid="0" * 40)["message"]
    )
    merged = change(
        "mergePullRequest",
        "actor { login } pullRequest { state merged mergeCommit { messageHeadline } baseRef { target { oid } } }",
        pullRequestId=pull,
        expectedHeadOid=head,
        mergeMethod="SQUASH",
        commitHeadline="At last",
    )
    assert merged["pullRequest"]["state"] == "MERGED" and merged["pullRequest"]["mergeCommit"] == {
        "messageHeadline": "At last"
    }


def test_a_merged_pull_request_is_reverted(client: HubClient, change: Change, pull: str) -> None:
    asked = "pullRequest { number } revertPullRequest { title body isDraft state }"
    change("markPullRequestReadyForReview", "pullRequest { id }", pullRequestId=pull)
    refused = change("revertPullRequest", asked, pullRequestId=pull)
    assert refused["message"] == "Only merged pull requests can be reverted."
    change("mergePullRequest", "pullRequest { id }", pullRequestId=pull)
    made = change("revertPullRequest", asked, pullRequestId=pull, body="It broke the count.", draft=True)
    assert made["pullRequest"] == {"number": 3}
    new = made["revertPullRequest"]
    assert new["title"].startswith('Revert "') and new["body"] == "It broke the count."
    assert (new["isDraft"], new["state"]) == (True, "OPEN")


def test_branches_labels_commits_and_stars(client: HubClient, change: Change, repo: str) -> None:
    head = id_of(client, 'ref(qualifiedName: "main")')
    sha = client.query(f'{{ {REPO} {{ ref(qualifiedName: "main") {{ target {{ oid }} }} }} }}').json()["data"][
        "repository"
    ]["ref"]["target"]["oid"]
    made = change("createRef", "ref { id name prefix }", who="bo", repositoryId=repo, name="refs/heads/new", oid=sha)
    assert made["ref"]["name"] == "new"
    assert change("createRef", "ref { id }", who="cyrus", repositoryId=repo, name="refs/heads/other", oid=sha)[
        "type"
    ] in ("FORBIDDEN", "NOT_FOUND")
    files = {
        "additions": [{"path": "a/b.txt", "contents": base64.b64encode(b"hi\n").decode()}],
        "deletions": [{"path": "README.md"}],
    }
    given = {
        "branch": {"repositoryNameWithOwner": "tiny/app", "branchName": "new"},
        "message": {"headline": "Change", "body": "Two files"},
    }
    commit = "commit { oid message changedFilesIfAvailable author { user { login } } } ref { target { oid } }"
    done = change("createCommitOnBranch", commit, who="bo", expectedHeadOid=sha, fileChanges=files, **given)
    assert (done["commit"]["message"], done["commit"]["changedFilesIfAvailable"]) == ("Change\n\nTwo files", 2)
    assert done["commit"]["author"]["user"] == {"login": "bo"} and done["ref"]["target"]["oid"] == done["commit"]["oid"]
    assert (
        change("createCommitOnBranch", commit, who="bo", expectedHeadOid=sha, fileChanges=files, **given)["type"]
        == "STALE_DATA"
    )
    assert (
        change("updateRef", "ref { target { oid } }", who="bo", refId=made["ref"]["id"], oid=sha)["message"]
        == "Update is not a fast forward"
    )
    assert (
        change("updateRef", "ref { target { oid } }", who="bo", refId=made["ref"]["id"], oid=sha, force=True)["ref"][
            "target"
        ]["oid"]
        == sha
    )
    change("deleteRef", "", who="bo", refId=made["ref"]["id"])
    assert change("deleteRef", "", who="dee", refId=head)["type"] in ("FORBIDDEN", "NOT_FOUND")
    label = change("createLabel", "label { id name color }", repositoryId=repo, name="later", color="00ff00")["label"]
    assert change("updateLabel", "label { name }", id=label["id"], name="sooner")["label"] == {"name": "sooner"}
    change("deleteLabel", "", id=label["id"])
    assert change("addStar", "starrable { stargazerCount viewerHasStarred }", starrableId=repo)["starrable"] == {
        "stargazerCount": 1,
        "viewerHasStarred": True,
    }
    assert change("removeStar", "starrable { stargazerCount }", starrableId=repo)["starrable"] == {"stargazerCount": 0}
    assert change("createRepository", "repository { nameWithOwner isPrivate }", name="mine", visibility="PRIVATE")[
        "repository"
    ] == {"nameWithOwner": "ada/mine", "isPrivate": True}


TWO = """mutation($repo: ID!, $bad: ID!) { one: createIssue(input: {repositoryId: $repo, title: "One"}) { issue { number } }
    two: createIssue(input: {repositoryId: $repo, title: "Two", parentIssueId: $bad}) { issue { number } }
    three: createIssue(input: {repositoryId: $repo, title: "Three"}) { issue { number } } }"""


def test_a_refused_mutation_leaves_nothing_and_those_around_it_stay(host: Host, client: HubClient, repo: str) -> None:
    answer = client.query(TWO, repo=repo, bad="I_x").json()
    assert (
        answer["data"]["two"] is None
        and answer["data"]["one"] == {"issue": {"number": 3}}
        and answer["data"]["three"] == {"issue": {"number": 4}}
    )
    assert [(one["type"], one["path"]) for one in answer["errors"]] == [("NOT_FOUND", ["two"])]
    bound = host.actors["w"].bound
    assert [row[0] for row in rows(bound, "SELECT title FROM github_issue WHERE number > 2 ORDER BY number")] == [
        "One",
        "Three",
    ]
    assert rows(bound, "SELECT status FROM _call ORDER BY seq DESC LIMIT 1") == [("ok",)]


def test_a_request_that_changed_nothing_is_a_refused_call(host: Host, client: HubClient, repo: str, say: Say) -> None:
    bound = host.actors["w"].bound
    before = rows(bound, "SELECT count(*), max(id) FROM github_issue")
    query = 'mutation($repo: ID!) { createIssue(input: {repositoryId: $repo, title: "  "}) { issue { number } } }'
    answer = client.query(query, repo=repo)
    assert (answer.status_code, answer.json()["data"]) == (200, {"createIssue": None})
    assert answer.json()["errors"][0]["message"] == "Title can't be blank"
    assert rows(bound, "SELECT operation, status FROM _call ORDER BY seq DESC LIMIT 1") == [
        ("graphql/mutate", "validation_failed")
    ]
    assert rows(bound, "SELECT count(*), max(id) FROM github_issue") == before
    assert say("issues/create", title="Next")["number"] == 3


def test_a_repository_is_archived_and_opened_again_and_people_are_followed(
    client: HubClient, change: Change, repo: str
) -> None:
    assert change("archiveRepository", "repository { isArchived }", who="bo", repositoryId=repo)["type"] == "FORBIDDEN"
    assert change("archiveRepository", "repository { isArchived }", repositoryId=repo)["repository"] == {
        "isArchived": True
    }
    assert client.post("/repos/tiny/app/issues", json={"title": "New"}).status_code == 403
    assert change("unarchiveRepository", "repository { isArchived }", repositoryId=repo)["repository"] == {
        "isArchived": False
    }
    bo = user(client, "bo")
    assert change("followUser", "user { viewerIsFollowing followers(first: 1) { totalCount } }", userId=bo)["user"] == {
        "viewerIsFollowing": True,
        "followers": {"totalCount": 1},
    }
    assert change("unfollowUser", "user { viewerIsFollowing }", userId=bo)["user"] == {"viewerIsFollowing": False}
