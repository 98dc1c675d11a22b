"""Every field of every served type that the small company has something of, asked for at once; answers are held against
the published schema.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from graphql import (
    GraphQLInterfaceType,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLUnionType,
    get_named_type,
    is_leaf_type,
    is_required_argument,
)

from apps.github.graphql import mutation  # noqa: F401  declares who answers
from apps.github.graphql.document import schema
from apps.github.graphql.registry import RESOLVERS, empty
from tests.apps.github.conftest import Say
from tests.conformance.github_client import HubClient

GIVEN = {  # required arguments by name
    "number": "1",
    "name": '"bug"',
    "qualifiedName": '"refs/heads/main"',
    "refPrefix": '"refs/"',
    "tagName": '"v0.1"',
    "login": '"tiny"',
    "slug": '"core"',
    "path": '"README.md"',
    "headRef": '"feature"',
    "context": '"ci"',
    "orderBy": "{field: NAME, direction: ASC}",
    "accountLogin": '"ada"',
    "organizationLogin": '"tiny"',
}
TYPED = {
    ("Repository", "pullRequest"): "number: 3",
    ("Organization", "repository"): 'name: "app"',
    ("User", "repository"): 'name: "app"',
}
OTHERWISE = {"expression": '"HEAD:README.md"'}  # arguments that are given although they need not be


def whole(kind: Any, depth: int = 1) -> str:
    """A selection of everything an object says of itself, and of what things next to it say of themselves."""
    if isinstance(kind, GraphQLUnionType):
        return "{ __typename }"
    return (
        "{ __typename "
        + " ".join(filter(None, (selected(kind, name, field, depth) for name, field in kind.fields.items())))
        + " }"
    )


def selected(kind: Any, name: str, field: Any, depth: int) -> str:
    named: Any = get_named_type(field.type)
    wanted = arguments(kind.name, name, field)
    if is_leaf_type(named):
        return name + wanted
    if depth == 0:
        return ""
    if isinstance(named, GraphQLInterfaceType | GraphQLUnionType):
        return f"{kind.name[0].lower()}_{name}: {name}{wanted} {{ __typename }}"
    return f"{kind.name[0].lower()}_{name}: {name}{wanted} {whole(named, depth if listed(named) else depth - 1)}"


def listed(named: Any) -> bool:
    return isinstance(named, GraphQLObjectType) and named.name.endswith(("Connection", "Edge"))


def arguments(kind: str, name: str, field: Any) -> str:
    parts = [TYPED[kind, name]] if (kind, name) in TYPED else []
    parts += [f"{key}: {GIVEN[key]}" for key, one in field.args.items() if is_required_argument(one) and not parts]
    parts += [f"{key}: {value}" for key, value in OTHERWISE.items() if key in field.args]
    parts += ["first: 3"] if "first" in field.args and "last" in field.args else []
    return f"({', '.join(parts)})" if parts else ""


@pytest.fixture
def full(say: Say, client: HubClient) -> HubClient:
    """The small company after a day's work: a pull request with reviews and checks, issues with all that may happen to
    them.
    """
    say(
        "issues/create",
        "bo",
        title="Wrong total",
        body="Like #1, @ada.",
        labels=["bug"],
        assignees=["bo", "ada"],
        milestone=1,
    )
    asked = {
        "title": "Count in tuples",
        "head": "feature",
        "base": "main",
        "body": "Closes #1.\n\nSee #3.",
        "draft": True,
    }
    pull = client.post("/repos/tiny/app/pulls", who="bo", json=asked).json()
    say("web/pulls/mark-ready", "bo", pull_number=4)
    say("pulls/request-reviewers", "bo", pull_number=4, reviewers=["ada", "cyrus"], team_reviewers=["support"])
    line = {"path": "src/count.py", "line": 2, "body": "Why?"}
    say("pulls/create-review", "ada", pull_number=4, event="REQUEST_CHANGES", body="A question.", comments=[line])
    say("pulls/create-review", "cyrus", pull_number=4, event="APPROVE")
    say("pulls/create-review", "ada", pull_number=4, body="Not yet", comments=[line])
    sha = pull["head"]["sha"]
    say(
        "repos/create-commit-status",
        "bo",
        sha=sha,
        state="failure",
        context="ci",
        description="No",
        target_url="https://ci.example/1",
    )
    say(
        "checks/create",
        "bo",
        name="lint",
        head_sha=sha,
        status="completed",
        conclusion="success",
        output={
            "title": "Fine",
            "summary": "All fine",
            "annotations": [
                {
                    "path": "src/count.py",
                    "start_line": 1,
                    "end_line": 1,
                    "annotation_level": "notice",
                    "message": "Short",
                }
            ],
        },
    )
    say("repos/create-commit-comment", "dee", commit_sha=sha, body="Nice")
    say("repos/create-release", tag_name="v0.1", name="First", body="**New**")
    say("repos/create-deployment", "bo", ref="main", required_contexts=[])
    say("repos/replace-all-topics", names=["counting"])
    for content in ("+1", "heart"):
        say("reactions/create-for-issue", "dee", issue_number=1, content=content)
    comment = say("issues/create-comment", "dee", issue_number=1, body="It is *slow*: #2.")
    say("reactions/create-for-issue-comment", "bo", comment_id=comment["id"], content="rocket")
    say("issues/add-sub-issue", issue_number=1, sub_issue_id=2)
    say(
        "issues/update",
        issue_number=1,
        title="Counting is very slow",
        labels=["bug"],
        assignees=["dee"],
        milestone=1,
        state="closed",
    )
    say("issues/update", issue_number=1, state="open", labels=[], assignees=[], milestone=None)
    say("issues/lock", issue_number=1, lock_reason="too heated")
    say("activity/star-repo-for-authenticated-user", "bo")
    say("activity/set-repo-subscription", "bo", subscribed=True)
    say(
        "repos/update-branch-protection",
        branch="main",
        required_status_checks={"strict": True, "contexts": ["ci"]},
        enforce_admins=None,
        required_pull_request_reviews={"required_approving_review_count": 1},
        restrictions=None,
    )
    say("gists/create", files={"a.py": {"content": "x = 1\n"}}, description="A", public=True)
    return client


def ids(client: HubClient) -> Iterator[tuple[str, str]]:
    """The ids of things of as many types as there are."""
    text = """{ viewer { id gists(first: 1) { nodes { id } } organizations(first: 1) { nodes { id teams(first: 2) { nodes { id } } } } }
      repository(owner: "tiny", name: "app") { id
        issues(first: 5) { nodes { id comments(first: 5) { nodes { id } } reactions(first: 5) { nodes { id } }
          timelineItems(first: 50) { nodes { __typename ... on Node { id } } } labels(first: 5) { nodes { id } } milestone { id } } }
        pullRequests(first: 5) { nodes { id timelineItems(first: 50) { nodes { __typename ... on Node { id } } }
          reviews(first: 5) { nodes { id comments(first: 5) { nodes { id } } } } reviewThreads(first: 5) { nodes { id } }
          commits(last: 1) { nodes { commit { id comments(first: 1) { nodes { id } } checkSuites(first: 2) { nodes { id
            checkRuns(first: 2) { nodes { id } } } }
            status { contexts { id } } } } } } }
        releases(first: 2) { nodes { id } } deployments(first: 2) { nodes { id } }
        defaultBranchRef { id target { ... on Commit { tree { id entries { object { id __typename } } } } } }
        tag: ref(qualifiedName: "refs/tags/v0.1") { id } } }"""
    yield from named(client.query(text).json()["data"])


def named(value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        if "id" in value:
            yield value.get("__typename", ""), value["id"]
        value = list(value.values())
    for one in value if isinstance(value, list) else []:
        yield from named(one)


UNNAMED = {"PullRequestCommit", "Gist"}  # ids that name nothing by themselves


@pytest.mark.full
def test_every_field_of_everything_is_answered_as_published(full: HubClient) -> None:
    seen: set[str] = set()
    for told, id in ids(full):
        kind = full.query("query($id: ID!) { node(id: $id) { __typename } }", id=id).json()
        if kind["data"]["node"] is None:
            assert told in UNNAMED or id.startswith(("G_", "PURC")), (told, id)
            continue
        name = kind["data"]["node"]["__typename"]
        if name in seen:
            continue
        seen.add(name)
        for who, depth in (("ada", 1), ("dee", 0)):
            asked = whole(schema().type_map[name], depth)
            answer = full.query(
                f"query($id: ID!) {{ node(id: $id) {{ ... on {name} {asked} }} }}", id=id, who=who
            ).json()
            wrong = [one for one in answer.get("errors", []) if one.get("type") != "NOT_FOUND"]
            assert wrong == [], name
    assert {
        "Issue",
        "PullRequest",
        "Repository",
        "User",
        "Organization",
        "Team",
        "Commit",
        "Tree",
        "Blob",
        "Ref",
        "Label",
        "Milestone",
        "Release",
        "IssueComment",
        "PullRequestReview",
        "PullRequestReviewThread",
        "PullRequestReviewComment",
        "CheckRun",
        "CheckSuite",
        "StatusContext",
        "Reaction",
        "CommitComment",
        "Deployment",
        "LabeledEvent",
        "ClosedEvent",
        "CrossReferencedEvent",
    } - seen == set()


def test_what_a_type_cannot_be_without_has_an_answer() -> None:
    """A field that must not be null has a resolver, or is one of the facts an object is made of."""
    made_of_facts = {
        "Comparison",
        "PullRequestCommit",
        "ReactionGroup",
        "Status",
        "StatusCheckRollup",
        "Topic",
        "TreeEntry",
    }
    lacking = []
    for name in {name for name, _ in RESOLVERS} - made_of_facts:
        fields = getattr(schema().type_map[name], "fields", {})
        lacking += [
            f"{name}.{key}"
            for key, one in fields.items()
            if isinstance(one.type, GraphQLNonNull) and (name, key) not in RESOLVERS and empty(one.type) is None
        ]
    assert sorted(lacking) == []
