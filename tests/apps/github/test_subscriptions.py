"""Watching and stars: what is kept, who is listed, and that nothing is said of repositories somebody cannot see."""

from tests.apps.github.conftest import Say
from tests.conformance.github_client import HubClient


def names(repos: list[dict[str, object]]) -> list[object]:
    return [repo["full_name"] for repo in repos]


def test_a_watched_repository_tells_of_everything_and_an_ignored_one_of_nothing(say: Say, refused: Say) -> None:
    assert refused("activity/get-repo-subscription", "dee") == "not_found"
    say("activity/set-repo-subscription", "dee", subscribed=True)
    assert [one["login"] for one in say("activity/list-watchers-for-repo")] == ["dee"]
    assert names(say("activity/list-repos-watched-by-user", "bo", username="dee")) == ["tiny/app"]
    say("issues/create", title="New")
    assert say("web/unread", "dee") == 1
    say("web/watch", "dee", state="ignoring")
    say("issues/create", title="Newer, @dee")
    assert say("web/unread", "dee") == 1
    assert say("activity/get-repo-subscription", "dee")["ignored"] is True
    assert say("activity/list-watched-repos-for-authenticated-user", "dee") == []
    assert "ignoring this repository" in say("web/subscription", "dee", issue_number=2)["why"]
    say("activity/delete-repo-subscription", "dee")
    assert refused("activity/get-repo-subscription", "dee") == "not_found"


def test_a_star_is_given_once_and_taken_back(say: Say, refused: Say) -> None:
    assert refused("activity/check-repo-is-starred-by-authenticated-user", "dee") == "not_found"
    say("activity/star-repo-for-authenticated-user", "dee")
    say("activity/star-repo-for-authenticated-user", "dee")
    assert say("activity/get-stargazer-count-for-repo") == {"count": 1}
    assert say("activity/check-repo-is-starred-by-authenticated-user", "dee") is None
    say("activity/unstar-repo-for-authenticated-user", "dee")
    assert say("activity/list-stargazers-for-repo") == []


def test_lists_of_somebodys_stars_and_watches_leave_out_what_the_reader_cannot_see(say: Say, refused: Say) -> None:
    for repo in ("app", "site"):
        say("activity/star-repo-for-authenticated-user", "bo", repo=repo)
        say("activity/set-repo-subscription", "bo", repo=repo, subscribed=True)
    assert names(say("activity/list-repos-starred-by-user", "dee", username="bo")) == ["tiny/site", "tiny/app"]
    starred = say("activity/list-repos-starred-by-user", "eve", username="bo")
    assert (names(starred), starred.total) == (["tiny/site"], 1)
    watched = say("activity/list-repos-watched-by-user", "eve", username="bo")
    assert (names(watched), watched.total) == (["tiny/site"], 1)
    assert refused("activity/star-repo-for-authenticated-user", "eve") == "not_found"
    assert refused("web/watch", "eve", state="watching") == "not_found"


def test_watching_and_stars_over_http_are_as_published(client: HubClient) -> None:
    assert client.put("/user/starred/tiny/site", who="bo").status_code == 204
    assert client.get("/user/starred/tiny/site", who="bo").status_code == 204
    assert client.get("/repos/tiny/site/stargazers").json()[0]["login"] == "bo"
    dated = client.get("/repos/tiny/site/stargazers", headers={"Accept": "application/vnd.github.star+json"}).json()
    assert dated[0]["user"]["login"] == "bo" and dated[0]["starred_at"]
    assert client.get("/repos/tiny/site/stargazers/count").json() == {"count": 1}
    assert (
        client.get("/user/starred", who="bo", headers={"Accept": "application/vnd.github.v3.star+json"}).json()[0][
            "repo"
        ]["name"]
        == "site"
    )
    assert client.get("/users/bo/starred").json()[0]["name"] == "site"
    assert client.delete("/user/starred/tiny/site", who="bo").status_code == 204
    assert client.put("/repos/tiny/app/subscription", json={"subscribed": True}).json()["subscribed"]
    assert client.get("/repos/tiny/app/subscription").status_code == 200
    assert [one["login"] for one in client.get("/repos/tiny/app/subscribers").json()] == ["ada"]
    assert client.get("/user/subscriptions").json()[0]["name"] == "app"
    assert client.get("/users/ada/subscriptions").json()[0]["name"] == "app"
    assert client.delete("/repos/tiny/app/subscription").status_code == 204
