"""Timelines of what happened and who follows whom: who is told of what, and of nothing they may not see. Every answer
is as published.
"""

from typing import Any

import pytest

from apps.github.operations.organisation.keys import A_KEY
from tests.apps.github.conftest import Say
from tests.conformance.github_client import HubClient
from world.run.host import Host

REPO = "/repos/tiny/app"


def told(client: HubClient, path: str, who: str = "ada") -> list[tuple[str, Any, str]]:
    """What is told at an address: type, action or ref, who did it."""
    answer = client.get(path, who=who)
    assert answer.status_code == 200, answer.text
    return [
        (one["type"], one["payload"].get("action") or one["payload"].get("ref"), one["actor"]["login"])
        for one in answer.json()
    ]


@pytest.fixture
def busy(client: HubClient, say: Say) -> HubClient:
    """A day in tiny/app: everything that is told of, once."""
    say("issues/add-assignees", issue_number=1, assignees=["bo"])
    say("issues/create-comment", "bo", issue_number=1, body="Why?")
    number = client.post(f"{REPO}/pulls", who="bo", json={"title": "Tuples", "head": "feature", "base": "main"}).json()[
        "number"
    ]
    say(
        "pulls/create-review",
        pull_number=number,
        event="COMMENT",
        body="Hm",
        comments=[{"path": "src/count.py", "line": 2, "body": "Why?"}],
    )
    say("pulls/create-review", "cyrus", pull_number=number, body="Kept to himself")
    say("repos/create-commit-comment", commit_sha="main", body="Nice")
    say("git/create-ref", "bo", ref="refs/tags/v0.2", sha=say("repos/get-branch", branch="main")["commit"]["sha"])
    say("repos/create-or-update-file-contents", "bo", path="new.txt", message="New", content="Zm9v")
    say("pulls/merge", pull_number=number)
    say("git/delete-ref", ref="tags/v0.2")
    say("repos/create-release", tag_name="v0.1", name="One")
    say("repos/create-release", tag_name="v0.9", name="Kept back", draft=True)
    say("activity/star-repo-for-authenticated-user", "cyrus")
    say("issues/update", issue_number=1, state="closed")
    return client


def test_a_repository_tells_of_everything_in_it_latest_first(busy: HubClient) -> None:
    found = told(busy, f"{REPO}/events?per_page=100", "dee")
    assert found[:6] == [
        ("IssuesEvent", "closed", "ada"),
        ("WatchEvent", "started", "cyrus"),
        ("ReleaseEvent", "published", "ada"),
        ("DeleteEvent", "v0.2", "ada"),
        ("PullRequestEvent", "merged", "ada"),
        ("PushEvent", "refs/heads/main", "ada"),
    ]
    assert found[6:] == [
        ("PushEvent", "refs/heads/main", "bo"),
        ("CreateEvent", "v0.2", "bo"),
        ("CommitCommentEvent", "created", "ada"),
        ("PullRequestReviewEvent", "created", "ada"),
        ("PullRequestReviewCommentEvent", "created", "ada"),
        ("PullRequestEvent", "opened", "bo"),
        ("IssueCommentEvent", "created", "bo"),
        ("IssuesEvent", "assigned", "ada"),
        ("IssuesEvent", "opened", "cyrus"),
        ("IssuesEvent", "opened", "dee"),
    ]
    shown = busy.get(f"{REPO}/events?per_page=100").json()
    assert (
        len({one["id"] for one in shown}) == len(shown)
        and shown[0]["org"]["login"] == "tiny"
        and shown[0]["public"] is False
    )
    assert shown[13]["payload"]["assignee"]["login"] == "bo" and shown[12]["payload"]["comment"]["body"] == "Why?"
    assert (
        "next" in busy.get(f"{REPO}/events?per_page=5").headers["Link"]
        and told(busy, f"{REPO}/events?per_page=5&page=2") == found[5:10]
    )


def test_what_is_over_thirty_days_old_is_told_no_more(client: HubClient, host: Host) -> None:
    assert len(told(client, f"{REPO}/events")) == 2
    actor = host.actor("w")
    actor.advance(actor.now + 57 * 43_200 * 1_000_000)
    assert told(client, f"{REPO}/events") == [("IssuesEvent", "opened", "cyrus")]


def test_nobody_is_told_of_what_they_may_not_see(busy: HubClient, say: Say) -> None:
    say("activity/star-repo-for-authenticated-user", "bo", repo="site")
    assert busy.get(f"{REPO}/events", who="eve").status_code == 404
    public = [("WatchEvent", "started", "bo")]
    for path in (
        "/events",
        "/orgs/tiny/events",
        "/users/bo/events",
        "/users/bo/events/public",
        "/networks/tiny/site/events",
    ):
        assert told(busy, path, "eve") == public, path
    assert told(busy, "/users/bo/events") == public and len(told(busy, "/users/bo/events", "bo")) == 5
    assert len(told(busy, "/users/ada/events/orgs/tiny?per_page=100")) == 17
    assert busy.get("/users/ada/events/orgs/tiny", who="bo").status_code == 404


def test_who_watches_and_who_follows_is_told_what_others_did(busy: HubClient, say: Say) -> None:
    assert told(busy, "/users/dee/received_events", "dee") == []
    say("activity/set-repo-subscription", "dee", subscribed=True)
    mine = told(busy, "/users/dee/received_events", "dee")
    assert len(mine) == 15 and "dee" not in {who for _, _, who in mine}
    assert told(busy, "/users/dee/received_events") == [] == told(busy, "/users/dee/received_events/public", "dee")
    say("activity/set-repo-subscription", "dee", ignored=True)
    say("users/follow", "dee", username="cyrus")
    assert told(busy, "/users/dee/received_events", "dee") == [
        ("WatchEvent", "started", "cyrus"),
        ("IssuesEvent", "opened", "cyrus"),
    ]


def test_a_fork_is_told_of_to_those_who_see_it(client: HubClient, say: Say) -> None:
    say("repos/create-fork", "bo", repo="site")
    assert told(client, "/repos/tiny/site/events", "eve") == [("ForkEvent", "forked", "bo")]
    say("repos/create-fork", "bo")
    assert ("ForkEvent", "forked", "bo") in told(client, f"{REPO}/events", "bo") and len(
        told(client, f"{REPO}/events", "dee")
    ) == 2


def logins(client: HubClient, path: str, who: str = "ada") -> list[str]:
    return [one["login"] for one in client.get(path, who=who).json()]


def test_people_follow_each_other(client: HubClient) -> None:
    assert client.put("/user/following/bo").status_code == client.put("/user/following/BO").status_code == 204
    assert (
        client.put("/user/following/ada").status_code == 422 and client.put("/user/following/nobody").status_code == 404
    )
    client.put("/user/following/eve")
    client.put("/user/following/ada", who="bo")
    assert logins(client, "/user/following") == ["bo", "eve"] == logins(client, "/users/ada/following", "eve")
    assert logins(client, "/user/followers", "bo") == ["ada"] == logins(client, "/users/bo/followers", "eve")
    shown = client.get("/users/ada", who="eve").json()
    assert (shown["followers"], shown["following"]) == (1, 2)
    assert [client.get(f"/user/following/{who}").status_code for who in ("bo", "cyrus")] == [204, 404]
    assert [
        client.get(f"/users/{one}/following/{two}").status_code for one, two in (("bo", "ada"), ("eve", "ada"))
    ] == [204, 404]
    assert logins(client, "/users/ada/following?per_page=1&page=2") == ["eve"]
    asked = """{ viewer { followers(first: 5) { totalCount nodes { login isFollowingViewer } }
        following(first: 5) { nodes { login viewerIsFollowing } } } }"""
    assert client.query(asked).json()["data"]["viewer"] == {
        "followers": {"totalCount": 1, "nodes": [{"login": "bo", "isFollowingViewer": True}]},
        "following": {
            "nodes": [{"login": "bo", "viewerIsFollowing": True}, {"login": "eve", "viewerIsFollowing": True}]
        },
    }
    assert [one["login"] for one in client.get("/search/users?q=followers:>0+type:user").json()["items"]] == [
        "ada",
        "bo",
        "eve",
    ]
    assert client.delete("/user/following/bo").status_code == client.delete("/user/following/bo").status_code == 204
    assert logins(client, "/user/following") == ["eve"]


def test_figures_over_commits_agree_with_the_commits(client: HubClient, say: Say) -> None:
    say("repos/create-or-update-file-contents", "bo", path="new.txt", message="New", content="YQpiCg==")
    shown = client.get(f"{REPO}/stats/contributors").json()
    assert {one["author"]["login"]: one["total"] for one in shown} == {"ada": 2, "bo": 2}
    assert {
        one["author"]["login"]: tuple(sum(week[name] for week in one["weeks"]) for name in "adc") for one in shown
    } == {
        "ada": (13, 0, 2),
        "bo": (3, 1, 2),
    }
    frequency = client.get(f"{REPO}/stats/code_frequency").json()
    assert (sum(one[1] for one in frequency), sum(one[2] for one in frequency)) == (16, -1)
    assert all((week // 86_400 + 4) % 7 == 0 for week, _, _ in frequency)
    activity, all_weeks = (
        client.get(f"{REPO}/stats/commit_activity").json(),
        client.get(f"{REPO}/stats/participation").json(),
    )
    assert [one["total"] for one in activity] == all_weeks["all"] and sum(all_weeks["all"]) == 4 and len(activity) == 52
    card = client.get(f"{REPO}/stats/punch_card").json()
    assert (
        len(card) == 168 and sum(count for _, _, count in card) == 4 and sum(sum(one["days"]) for one in activity) == 4
    )
    assert client.get("/repos/tiny/secret/stats/contributors").status_code == 204
    assert client.get("/repos/tiny/secret/stats/participation").json()["all"] == [0] * 52


def test_a_gist_is_talked_about(client: HubClient) -> None:
    gist = f"/gists/{client.post('/gists', json={'files': {'a.md': {'content': 'x'}}}).json()['id']}"
    made = client.post(f"{gist}/comments", who="eve", json={"body": "Nice"}).json()
    assert (made["body"], made["author_association"]) == ("Nice", "NONE") and client.get(gist).json()["comments"] == 1
    assert client.query("query($id: ID!) { node(id: $id) { id } }", id=made["node_id"]).json()["data"]["node"] is None
    here = f"{gist}/comments/{made['id']}"
    assert client.patch(here, json={"body": "x"}).status_code == client.delete(here, who="bo").status_code == 404
    assert (
        client.patch(here, who="eve", json={"body": "Nicer"}).json()["body"]
        == client.get(here).json()["body"]
        == "Nicer"
    )
    assert client.post(f"{gist}/comments", json={"body": "Thanks"}).json()["author_association"] == "OWNER"
    assert [one["body"] for one in client.get(f"{gist}/comments?per_page=1&page=2", who="bo").json()] == ["Thanks"]
    other = f"/gists/{client.post('/gists', json={'files': {'b.md': {'content': 'x'}}}).json()['id']}"
    assert client.get(f"{other}/comments/{made['id']}").status_code == 404
    assert client.delete(here).status_code == 204 and len(client.get(f"{gist}/comments").json()) == 1
    assert client.delete(gist).status_code == 204 and client.get(f"{gist}/comments").status_code == 404


@pytest.mark.parametrize(("own", "theirs"), [("/user/keys", "keys"), ("/user/ssh_signing_keys", "ssh_signing_keys")])
def test_public_keys_are_kept_once_and_are_ones_own(client: HubClient, own: str, theirs: str) -> None:
    made = client.post(own, json={"title": "Laptop", "key": f"{A_KEY} ada@laptop"}).json()
    assert (made["title"], made["key"]) == ("Laptop", A_KEY) and client.get(f"{own}/{made['id']}").json() == made
    assert client.post(own, who="bo", json={"key": A_KEY}).json()["errors"][0]["message"] == "key is already in use"
    for wrong in ("", "hello", "ssh-rsa AAAA", A_KEY.replace("ssh-ed25519 ", "ssh-rsa "), "ssh-ed25519 ****"):
        assert client.post(own, json={"key": wrong}).status_code == 422, wrong
    assert (
        [one["key"] for one in client.get(own).json()]
        == [one["key"] for one in client.get(f"/users/ada/{theirs}", who="eve").json()]
        == [A_KEY]
    )
    assert client.get(own, who="bo").json() == [] and client.get(f"{own}/{made['id']}", who="bo").status_code == 404
    assert [client.delete(f"{own}/{made['id']}", who=who).status_code for who in ("bo", "ada", "ada")] == [
        404,
        204,
        404,
    ]
