"""Searches over HTTP: what is refused in the vendor's words, how results are ordered and paged, and that nothing unseen
shows.
"""

import random
from typing import Any

import pytest

from apps.github.query.grammar import parse
from apps.github.query.issues import Issues
from apps.github.query.request import list_matches
from tests.apps.github.conftest import Say
from tests.conformance.github_client import HubClient
from world.core.errors import OperationError

NO_PLACE = (
    "The listed users and repositories cannot be searched either because the resources do not exist or you do not have"
    " permission to view them."
)
NO_PERSON = (
    "The listed users cannot be searched either because the users do not exist or you do not have permission to view"
    " the users."
)
LETTERS = (
    "retry",
    "is:open",
    '"',
    "(",
    ")",
    "-",
    "OR",
    "AND",
    "NOT",
    "label:",
    'label:"a',
    "in:title",
    " ",
    ":",
    ",",
    "é",
    "repo:tiny/app",
    "created:>=2026-01-01",
)


def numbers(say: Say, q: str, who: str = "ada", **more: Any) -> list[int]:
    return [item["number"] for item in say("search/issues-and-pull-requests", who, q=q, **more)["items"]]


def why(client: HubClient, kind: str, q: str, who: str = "ada") -> str:
    """The reason a search is refused with."""
    answer = client.get(f"/search/{kind}", params={"q": q}, who=who)
    assert answer.status_code == 422 and answer.json()["message"] == "Validation Failed"
    (error,) = answer.json()["errors"]
    assert (error["resource"], error["field"]) == ("Search", "q")
    return error.get("message", error["code"])


def test_searches_that_cannot_be_done_are_refused_in_the_vendors_words(client: HubClient) -> None:
    assert why(client, "issues", "") == "missing"
    assert (
        why(client, "issues", "AND OR")
        == "The search contains only logical operators (AND / OR / NOT) without any search terms."
    )
    assert why(client, "issues", "x" * 257) == "The search is longer than 256 characters."
    assert (
        why(client, "issues", "a OR b OR c OR d OR e OR f OR g") == "More than five AND / OR / NOT operators were used."
    )
    assert why(client, "issues", "author:nobody") == NO_PERSON
    assert why(client, "issues", "created:soon").startswith('"soon" is not a recognized date/time format.')
    assert why(client, "issues", "((((((a))))))") == "Parentheses are nested more than five levels deep."
    long = " ".join(f"label:label-number-{n}" for n in range(20))
    assert client.get("/search/issues", params={"q": f"{long} a"}).status_code == 200


def test_a_repository_that_is_not_seen_is_refused_like_one_that_is_not_there(client: HubClient) -> None:
    for kind in ("issues", "code", "commits", "repositories"):
        assert (
            why(client, kind, "x repo:tiny/app", "eve") == why(client, kind, "x repo:tiny/nothing", "eve") == NO_PLACE
        )
        assert why(client, kind, "x user:nobody", "eve") == NO_PLACE
    seen = client.get("/search/issues", params={"q": "repo:tiny/app repo:tiny/site"}, who="eve").json()
    assert seen["total_count"] == 0
    excluded = {
        name: client.get("/search/repositories", params={"q": f"tiny -repo:tiny/{name}"}, who="eve").json()
        for name in ("app", "nothing")
    }
    assert excluded["app"] == excluded["nothing"]


def test_nothing_of_unseen_repositories_is_found_counted_or_sorted_by(client: HubClient, say: Say) -> None:
    say("issues/create", title="Zebra", labels=["zebra"])
    say("repos/replace-all-topics", names=["zebra"])
    for kind, q in (
        ("issues", "zebra"),
        ("issues", "label:zebra"),
        ("issues", "mentions:bo"),
        ("code", "count repo:tiny/site NOT count"),
        ("topics", "zebra"),
        ("repositories", "topic:zebra"),
        ("repositories", "app in:name"),
        ("issues", "org:tiny"),
        ("issues", "language:python"),
    ):
        assert client.get(f"/search/{kind}", params={"q": q}, who="eve").json()["total_count"] == 0, (kind, q)
    assert client.get("/search/topics", params={"q": "zebra"}).json()["total_count"] == 1
    assert client.get("/search/users", params={"q": "tiny repos:2"}, who="eve").json()["total_count"] == 1
    assert client.get("/search/users", params={"q": "tiny repos:3"}, who="ada").json()["total_count"] == 1
    owned = {
        item["repository"]["full_name"]
        for item in client.get("/search/code", params={"q": "count"}, who="eve").json()["items"]
    }
    assert owned == {"tiny/site"}
    made = {
        item["repository"]["full_name"]
        for item in client.get("/search/commits", params={"q": "guide"}, who="eve").json()["items"]
    }
    assert made == {"tiny/site"}
    assert client.get("/search/labels", params={"q": "bug", "repository_id": 501}, who="eve").status_code == 404


def opened(client: HubClient, **more: str) -> int:
    """A pull request by Bo."""
    return client.post(
        "/repos/tiny/app/pulls", who="bo", json={"title": "Tuples", "head": "feature", "base": "main", **more}
    ).json()["number"]


def test_a_pending_review_is_found_by_nobody(say: Say, client: HubClient) -> None:
    pull = opened(client)
    say("pulls/create-review", "ada", pull_number=pull, body="zebra")
    assert numbers(say, "zebra") == numbers(say, "reviewed-by:ada") == numbers(say, "commenter:ada") == []
    say(
        "pulls/create-review-comment",
        "dee",
        pull_number=pull,
        body="giraffe",
        commit_id=_head(say, pull),
        path="src/count.py",
        line=2,
    )
    assert numbers(say, "giraffe in:comments") == numbers(say, "reviewed-by:dee is:pr") == [pull]


def _head(say: Say, pull: int) -> str:
    return say("pulls/get", pull_number=pull)["head"]["sha"]


def test_pull_requests_are_found_by_review_status_branch_commit_and_what_they_close(
    say: Say, client: HubClient
) -> None:
    pull = opened(client, body="Fixes #1")
    say("pulls/request-reviewers", pull_number=pull, reviewers=["ada"], team_reviewers=["support"])
    assert numbers(say, "review-requested:@me") == numbers(say, "review-requested:cyrus") == [pull]
    assert numbers(say, "user-review-requested:cyrus") == []
    assert numbers(say, "linked:issue") == [pull] and numbers(say, "linked:pr") == [1]
    assert numbers(say, _head(say, pull)[:10]) == numbers(say, "head:feat base:main") == [pull]
    assert numbers(say, "review:approved") == [] and numbers(say, "review:none") == [pull]
    say("pulls/create-review", pull_number=pull, event="APPROVE")
    assert numbers(say, "review:approved is:unmerged") == numbers(say, "reviewed-by:ada") == [pull]
    say("repos/create-commit-status", "bo", sha=_head(say, pull), state="failure")
    assert numbers(say, "status:failure") == [pull] and numbers(say, "status:success") == []


def test_results_are_sorted_as_asked_by_argument_or_in_the_search_and_paged(client: HubClient, say: Say) -> None:
    say("issues/create", title="Third")
    say("issues/create-comment", issue_number=2, body="x")
    say("reactions/create-for-issue", issue_number=1, content="+1")
    assert numbers(say, "repo:tiny/app") == [3, 1, 2]
    assert (
        numbers(say, "repo:tiny/app sort:created-asc")
        == numbers(say, "repo:tiny/app", sort="created", order="asc")
        == [2, 1, 3]
    )
    assert numbers(say, "repo:tiny/app sort:comments-desc")[0] == 2
    assert numbers(say, "repo:tiny/app", sort="reactions-+1")[0] == 1
    assert numbers(say, "repo:tiny/app sort:updated-asc", sort="created", order="desc") == [3, 1, 2]
    page = client.get("/search/issues", params={"q": "repo:tiny/app", "per_page": 1, "page": 2})
    assert [item["number"] for item in page.json()["items"]] == [1] and page.json()["total_count"] == 3
    assert 'rel="next"' in page.headers["link"] and page.json()["incomplete_results"] is False
    beyond = client.get("/search/issues", params={"q": "repo:tiny/app", "per_page": 100, "page": 11})
    assert (beyond.status_code, beyond.json()["message"]) == (422, "Only the first 1000 search results are available")


def names(client: HubClient, kind: str, q: str, who: str = "ada") -> list[str]:
    """What a search finds, in a word each."""
    found = client.get(f"/search/{kind}", params={"q": q}, who=who).json()["items"]
    short = {
        "code": lambda item: item["path"],
        "commits": lambda item: item["commit"]["message"].split("\n")[0],
        "repositories": lambda item: item["name"],
        "users": lambda item: item["login"],
    }
    return [short[kind](item) for item in found]


@pytest.mark.parametrize(
    ("q", "paths"),
    [
        ("count in:path", ["src/count.py", "tests/test_count.py"]),
        ("return language:python", ["src/count.py"]),
        ('"[*RANGE(n)]"', ["src/count.py"]),
        ("filename:readme", ["README.md"]),
        ("extension:md count", ["README.md", "docs/guide.md"]),
        ("path:/ it", ["README.md"]),
        ("path:docs", ["docs/guide.md"]),
        ("count NOT def extension:py", []),
        ("tuple", []),
        ("size:0 extension:py", ["src/__init__.py"]),
    ],
)
def test_code_is_found_in_files_of_the_default_branch(client: HubClient, q: str, paths: list[str]) -> None:
    assert names(client, "code", f"{q} repo:tiny/app") == paths


@pytest.mark.parametrize(
    ("q", "messages"),
    [
        ("guide", ["Write a guide"]),
        ("author:bo", ["Unpack instead of list"]),
        ("author-email:ada@tiny.example sort:author-date-asc", ["Count things", "Write a guide"]),
        ("author-name:lindqvist", ["Unpack instead of list"]),
        ("tuples", []),
        ("merge:true", []),
        ("committer-date:<2020-01-01", []),
        ('"instead of"', ["Unpack instead of list"]),
        ("committer:bo merge:false", ["Unpack instead of list"]),
    ],
)
def test_commits_are_found_on_default_branches(client: HubClient, q: str, messages: list[str]) -> None:
    assert names(client, "commits", f"{q} repo:tiny/app") == messages


def test_commits_are_found_by_the_beginning_of_their_sha_their_parent_and_their_tree(
    client: HubClient, say: Say
) -> None:
    two, one = (item["sha"] for item in say("repos/list-commits")[1:])
    tree = say("repos/get-commit", ref=one)["commit"]["tree"]["sha"]
    assert (
        names(client, "commits", f"repo:tiny/app hash:{one[:8]}")
        == names(client, "commits", f"repo:tiny/app {one}")
        == ["Count things"]
    )
    assert names(client, "commits", f"repo:tiny/app parent:{two}") == ["Write a guide"]
    assert names(client, "commits", f"repo:tiny/app tree:{tree}") == ["Count things"]


def test_repositories_and_people_are_found_by_words_and_qualifiers(client: HubClient, say: Say) -> None:
    say("activity/star-repo-for-authenticated-user", repo="site")
    assert names(client, "repositories", "tiny sort:stars-desc")[0] == "site"
    assert names(client, "repositories", "stars:>0 is:public") == ["site"]
    assert names(client, "repositories", "counts in:readme sort:forks") == ["app", "site"]
    assert names(client, "repositories", "org:tiny sec") == ["secret"]
    assert names(client, "repositories", "language:python is:private") == ["app"]
    assert names(client, "users", "lindq") == ["bo"]
    assert names(client, "users", "type:org") == ["tiny"]
    assert names(client, "users", "dee in:name") == ["dee"] and names(client, "users", "tiny in:email type:org") == [
        "tiny"
    ]
    assert [
        item["name"]
        for item in client.get("/search/labels", params={"q": "working", "repository_id": 501}).json()["items"]
    ] == ["bug"]


@pytest.mark.parametrize(
    ("kind", "q", "name", "fragment"),
    [
        ("code", "range repo:tiny/app", "content", "range"),
        ("issues", "slow", "title", "slow"),
        ("commits", "guide repo:tiny/app", "message", "guide"),
        ("repositories", "app", "name", "app"),
        ("users", "bo", "login", "bo"),
    ],
)
def test_places_of_words_are_shown_on_request(client: HubClient, kind: str, q: str, name: str, fragment: str) -> None:
    answer = client.get(
        f"/search/{kind}", params={"q": q}, headers={"Accept": "application/vnd.github.text-match+json"}
    ).json()
    found = answer["items"][0]["text_matches"][0]
    start, end = found["matches"][0]["indices"]
    assert (found["property"], found["fragment"][start:end]) == (name, fragment)
    assert "text_matches" not in client.get(f"/search/{kind}", params={"q": q}).json()["items"][0]


def test_excerpts_begin_and_end_with_whole_lines_else_with_whole_words() -> None:
    code = "import os\n" * 20 + "def counted(values):\n    return needle(values)\n" + "print(1)\n" * 20
    [found] = list_matches("u", "FileContent", {"content": code}, ["needle"])
    assert set(found["fragment"].splitlines()) == {
        "import os",
        "def counted(values):",
        "    return needle(values)",
        "print(1)",
    }
    prose = " ".join(f"word{number}" for number in range(100, 140)).replace("word120", "needle")
    [found] = list_matches("u", "Issue", {"body": prose}, ["needle"])
    assert set(found["fragment"].split()) <= set(prose.split()) and len(found["fragment"].split()) > 10
    assert (
        list_matches("u", "FileContent", {"content": "x" * 500 + "needle" + "x" * 500}, ["needle"])[0]["fragment"]
        == "x" * 60 + "needle" + "x" * 54
    )


def test_whatever_is_typed_is_read_or_refused(say: Say) -> None:
    rng = random.Random(5)
    for _ in range(2000):
        text = "".join(rng.choice(LETTERS) + rng.choice(("", " ")) for _ in range(rng.randrange(1, 12)))
        try:
            parse(text, Issues.list_qualifiers())
        except OperationError as refused:
            assert refused.code == "validation_failed"
    for text in (
        '-"!!" slow',
        "NOT () slow",
        "slow)",
        "(slow",
        '"counting is slow',
        "-foo:bar slow",
        "slow OR",
        "AND slow",
        "SLOW -label:none",
    ):
        assert numbers(say, text) == [1], text
