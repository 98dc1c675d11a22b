"""Repositories: who sees which, settings, forks, access, releases. Every answer is as published."""

from base64 import b64encode
from typing import Any

import pytest

from tests.conformance.github_client import HubClient

REPO = "/repos/tiny/app"


def told(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["message"]


def wrong(answer: Any) -> tuple[str, str]:
    (error,) = answer.json()["errors"]
    assert answer.status_code == 422
    return error["field"], error["code"]


def names(client: HubClient, path: str, who: str = "ada") -> list[str]:
    return [one["full_name"] for one in client.get(path, who=who).json()]


def test_a_repository_tells_each_caller_what_they_may_do(client: HubClient) -> None:
    rights = {who: client.get(REPO, who=who).json()["permissions"] for who in ("ada", "bo", "cyrus", "dee")}
    assert [sum(one.values()) for one in rights.values()] == [5, 3, 2, 1]
    assert (
        "allow_squash_merge" in client.get(REPO, who="bo").json()
        and "allow_squash_merge" not in client.get(REPO, who="dee").json()
    )
    assert told(client.get(REPO, who="eve")) == (404, "Not Found")
    assert client.get("/repos/TINY/App").json()["full_name"] == "tiny/app"


def test_lists_hold_what_the_caller_may_see(client: HubClient) -> None:
    assert names(client, "/orgs/tiny/repos?sort=full_name") == ["tiny/app", "tiny/secret", "tiny/site"]
    assert names(client, "/orgs/tiny/repos?sort=full_name", "eve") == ["tiny/secret", "tiny/site"]
    assert (
        names(client, "/user/repos", "eve") == ["tiny/secret"]
        and names(client, "/user/repos?affiliation=owner", "bo") == []
    )
    assert (
        names(client, "/user/repos?visibility=public", "bo") == ["tiny/site"] == names(client, "/repositories", "eve")
    )
    assert client.get("/user/repos?type=all&visibility=public").status_code == 422
    answer = client.get("/orgs/tiny/repos?per_page=2")
    assert len(answer.json()) == 2 and 'page=2>; rel="next"' in answer.headers["Link"]


def test_settings_are_the_administrators(client: HubClient) -> None:
    shown = client.patch(
        REPO, json={"description": "Counts", "allow_rebase_merge": False, "squash_merge_commit_title": "PR_TITLE"}
    ).json()
    assert (shown["description"], shown["allow_rebase_merge"], shown["use_squash_pr_title_as_default"]) == (
        "Counts",
        False,
        True,
    )
    assert told(client.patch(REPO, who="bo", json={"description": "x"})) == (
        403,
        "Must have admin rights to Repository.",
    )
    assert wrong(client.patch(REPO, json={"default_branch": "nope"})) == ("default_branch", "invalid")
    assert wrong(client.patch(REPO, json={"allow_merge_commit": False, "allow_squash_merge": False}))[1] == "custom"
    assert client.get(REPO).json()["allow_squash_merge"]


def test_a_repository_is_renamed_but_not_to_a_name_that_is_taken(client: HubClient) -> None:
    assert wrong(client.patch(REPO, json={"name": "SITE"})) == ("name", "custom")
    assert client.patch(REPO, json={"name": "The app"}).json()["full_name"] == "tiny/The-app"
    assert client.get("/repos/tiny/the-app/branches").status_code == 200


def test_an_archived_repository_takes_no_changes_until_it_is_opened_again(client: HubClient) -> None:
    assert client.patch(REPO, json={"archived": True}).json()["archived"]
    assert told(client.put(f"{REPO}/contents/x", json={"message": "x", "content": ""})) == (
        403,
        "Repository was archived so is read-only.",
    )
    assert client.patch(REPO, json={"description": "x"}).status_code == 403
    assert client.patch(REPO, json={"archived": False}).status_code == 200


def test_a_new_repository_begins_with_a_readme_if_asked(client: HubClient) -> None:
    made = client.post(
        "/user/repos", json={"name": "notes", "private": True, "auto_init": True, "description": "Mine"}
    ).json()
    assert (made["full_name"], made["private"]) == ("ada/notes", True)
    assert (
        client.get("/repos/ada/notes/contents/README.md", headers={"Accept": "application/vnd.github.raw"}).text
        == "# notes\nMine\n"
    )
    assert client.get("/repos/ada/notes", who="bo").status_code == 404
    assert wrong(client.post("/user/repos", json={"name": "Notes"})) == ("name", "custom")
    assert client.get("/repos/ada/notes/commits").json()[0]["author"]["login"] == "ada"


def test_members_make_repositories_of_an_organisation_and_outsiders_do_not(client: HubClient) -> None:
    made = client.post("/orgs/tiny/repos", who="dee", json={"name": "new", "private": True, "team_id": 1}).json()
    assert made["permissions"]["admin"] and made["organization"]["login"] == "tiny"
    assert client.get("/repos/tiny/new", who="bo").json()["permissions"]["push"]
    assert client.post("/orgs/tiny/repos", who="eve", json={"name": "other"}).status_code == 403


def test_a_deleted_repository_leaves_nothing_behind(client: HubClient) -> None:
    assert client.delete(REPO, who="bo").status_code == 403
    assert client.delete(REPO).status_code == 204 and client.get(REPO).status_code == 404
    with client.host.actors["w"].events.step("look") as call:
        left = [
            call.scalar(f"SELECT count(*) FROM {table} WHERE repo_id = 501")
            for table in ("github_issue", "github_ref", "github_object")
        ]
        assert left == [0, 0, 0] and call.scalar("SELECT count(*) FROM github_ref WHERE repo_id = 502") == 3


def test_topics_languages_contributors_teams_and_community_files_are_told(client: HubClient) -> None:
    client.put(f"{REPO}/topics", json={"names": ["Counting", "b-1"]})
    assert client.get(f"{REPO}/topics").json() == {"names": ["counting", "b-1"]}
    assert client.put(f"{REPO}/topics", json={"names": ["a b"]}).status_code == 422
    assert client.get(f"{REPO}/languages").json() == {"Python": 115}
    assert [(one["login"], one["contributions"]) for one in client.get(f"{REPO}/contributors").json()] == [
        ("ada", 2),
        ("bo", 1),
    ]
    assert client.get("/repos/tiny/secret/contributors").status_code == 204
    assert [(one["slug"], one["permission"]) for one in client.get(f"{REPO}/teams").json()] == [
        ("core", "push"),
        ("support", "triage"),
    ]
    assert (
        client.get(f"{REPO}/community/profile").json()["files"]["readme"]["html_url"].endswith("/blob/main/README.md")
    )


# -- forks


def test_a_fork_has_the_history_and_goes_its_own_way(client: HubClient) -> None:
    made = client.post(f"{REPO}/forks", who="dee")
    assert made.status_code == 202 and (made.json()["fork"], made.json()["parent"]["full_name"]) == (True, "tiny/app")
    assert client.post(f"{REPO}/forks", who="dee").json()["id"] == made.json()["id"]
    client.put("/repos/dee/app/contents/mine.txt", who="dee", json={"message": "Mine", "content": "eA=="})
    shown = client.get(f"{REPO}/compare/main...dee:main", who="dee").json()
    assert (shown["ahead_by"], [one["filename"] for one in shown["files"]]) == (1, ["mine.txt"])
    assert client.get(f"{REPO}/commits").json()[0]["commit"]["message"] == "Write a guide"
    assert client.get(f"{REPO}/compare/main...dee:main", who="bo").status_code == 404


def test_a_fork_is_brought_up_to_date(client: HubClient) -> None:
    client.post(f"{REPO}/forks", who="dee")

    def sync() -> str:
        return client.post("/repos/dee/app/merge-upstream", who="dee", json={"branch": "main"}).json()["merge_type"]

    assert sync() == "none"
    client.put(f"{REPO}/contents/a.txt", json={"message": "A", "content": "eA=="})
    assert sync() == "fast-forward"
    client.put("/repos/dee/app/contents/b.txt", who="dee", json={"message": "B", "content": "eA=="})
    client.put(f"{REPO}/contents/c.txt", json={"message": "C", "content": "eA=="})
    assert sync() == "merge"
    assert {one["name"] for one in client.get("/repos/dee/app/contents", who="dee").json()} >= {
        "a.txt",
        "b.txt",
        "c.txt",
    }
    assert client.post(f"{REPO}/merge-upstream", json={"branch": "main"}).status_code == 422


def test_a_fork_outlives_what_it_came_from(client: HubClient) -> None:
    client.post("/repos/tiny/site/forks", who="eve")
    assert client.delete("/repos/tiny/site").status_code == 204
    assert not client.get("/repos/eve/site", who="eve").json()["fork"]
    assert len(client.get("/repos/eve/site/commits", who="eve").json()) == 3


# -- access


def test_members_are_let_in_at_once_and_others_are_invited(client: HubClient) -> None:
    assert client.put(f"{REPO}/collaborators/dee", json={"permission": "push"}).status_code == 204
    assert client.get(f"{REPO}/collaborators/dee/permission").json()["permission"] == "write"
    asked = client.put(f"{REPO}/collaborators/eve", json={"permission": "triage"})
    assert (asked.status_code, asked.json()["permissions"]) == (201, "triage") and client.get(
        REPO, who="eve"
    ).status_code == 404
    client.patch(f"{REPO}/invitations/{asked.json()['id']}", json={"permissions": "read"})
    (mine,) = client.get("/user/repository_invitations", who="eve").json()
    assert client.patch(f"/user/repository_invitations/{mine['id']}", who="dee").status_code == 404
    assert client.patch(f"/user/repository_invitations/{mine['id']}", who="eve").status_code == 204
    assert client.get(REPO, who="eve").json()["permissions"] == {
        "admin": False,
        "maintain": False,
        "push": False,
        "triage": False,
        "pull": True,
    }
    assert (
        client.delete(f"{REPO}/collaborators/eve", who="eve").status_code == 204
        and client.get(REPO, who="eve").status_code == 404
    )


def test_collaborators_are_listed_for_writers(client: HubClient) -> None:
    found = {one["login"]: one["role_name"] for one in client.get(f"{REPO}/collaborators", who="bo").json()}
    assert found == {"ada": "admin", "bo": "write", "cyrus": "triage", "dee": "read"}
    assert [one["login"] for one in client.get("/repos/tiny/secret/collaborators?affiliation=outside").json()] == [
        "eve"
    ]
    assert client.get(f"{REPO}/collaborators", who="dee").status_code == 403
    assert [client.get(f"{REPO}/collaborators/{who}").status_code for who in ("bo", "eve", "nobody")] == [204, 404, 404]
    assert client.put(f"{REPO}/collaborators/eve", who="bo").status_code == 403
    assert wrong(client.put(f"{REPO}/collaborators/dee", json={"permission": "king"})) == ("permission", "invalid")


# -- releases


def released(client: HubClient, tag: str = "v1.0", **more: Any) -> dict[str, Any]:
    return client.post(f"{REPO}/releases", json={"tag_name": tag, **more}).json()


def test_a_release_makes_its_tag_and_the_latest_is_neither_draft_nor_prerelease(client: HubClient) -> None:
    made = released(client, body="**Bold**", target_commitish="feature")
    assert (
        client.get(f"{REPO}/git/ref/tags/v1.0").json()["object"]["sha"]
        == client.get(f"{REPO}/branches/feature").json()["commit"]["sha"]
    )
    released(client, "v2.0", prerelease=True)
    released(client, "v3.0", draft=True)
    assert client.get(f"{REPO}/releases/latest").json()["id"] == made["id"]
    assert (
        len(client.get(f"{REPO}/releases").json()) == 3 and len(client.get(f"{REPO}/releases", who="dee").json()) == 2
    )
    assert (
        "<strong>Bold"
        in client.get(f"{REPO}/releases/tags/v1.0", headers={"Accept": "application/vnd.github.html+json"}).json()[
            "body_html"
        ]
    )
    assert wrong(client.post(f"{REPO}/releases", json={"tag_name": "v1.0"})) == ("tag_name", "already_exists")
    assert wrong(client.post(f"{REPO}/releases", json={"tag_name": "v4", "target_commitish": "nope"})) == (
        "target_commitish",
        "invalid",
    )
    assert client.get(f"{REPO}/git/ref/tags/v3.0").status_code == 404


def test_a_draft_is_published_later(client: HubClient) -> None:
    draft = released(client, draft=True)
    assert draft["published_at"] is None
    shown = client.patch(f"{REPO}/releases/{draft['id']}", json={"draft": False, "name": "One"}).json()
    assert (
        shown["published_at"] and shown["name"] == "One" and client.get(f"{REPO}/git/ref/tags/v1.0").status_code == 200
    )
    assert client.delete(f"{REPO}/releases/{draft['id']}", who="dee").status_code == 404
    assert client.delete(f"{REPO}/releases/{draft['id']}").status_code == 204
    assert (
        client.get(f"{REPO}/releases/latest").status_code == 404
        and client.get(f"{REPO}/git/ref/tags/v1.0").status_code == 200
    )


def test_a_file_of_a_release_is_uploaded_fetched_and_renamed(client: HubClient) -> None:
    address = released(client)["upload_url"].partition("{")[0]
    made = client.post(
        f"{address}?name=my notes.txt&label=Notes", content=b"\x00a", headers={"Content-Type": "text/plain"}
    ).json()
    assert (made["name"], made["label"], made["size"], made["content_type"]) == (
        "my.notes.txt",
        "Notes",
        2,
        "text/plain",
    )
    assert wrong(client.post(f"{address}?name=my notes.txt", content=b"x")) == ("name", "already_exists")
    assert client.post(f"{address}?name=empty", content=b"").status_code == 422
    asset = f"{REPO}/releases/assets/{made['id']}"
    assert (
        client.get(asset, headers={"Accept": "application/octet-stream"}).content
        == b"\x00a"
        == client.get(made["browser_download_url"]).content
    )
    assert client.get(made["browser_download_url"], who="eve").status_code == 404
    assert client.patch(asset, json={"name": "b.txt"}).json()["browser_download_url"].endswith("/download/v1.0/b.txt")
    assert client.delete(asset).status_code == 204 and client.get(asset).status_code == 404


def test_the_uploads_host_takes_files_too(client: HubClient) -> None:
    made = client.post("http://api.github.com/repos/tiny/app/releases", json={"tag_name": "v1"}).json()
    assert made["upload_url"].startswith("http://uploads.github.com/repos/tiny/app/releases/")
    assert (
        client.post(made["upload_url"].partition("{")[0] + "?name=a", content=b"a")
        .json()["url"]
        .startswith("http://api.github.com/repos/")
    )


@pytest.mark.parametrize(
    "path", ["", "/branches", "/commits/main", "/git/trees/main", "/contents/README.md", "/releases", "/collaborators"]
)
def test_who_cannot_see_a_repository_finds_nothing_of_it(client: HubClient, path: str) -> None:
    assert told(client.get(REPO + path, who="eve")) == (404, "Not Found")


def test_owners_of_code_that_cannot_be_are_listed(client: HubClient) -> None:
    assert client.get(f"{REPO}/codeowners/errors").status_code == 404
    text = b"* @bo @tiny/core\n\n# note\nsrc/ @nobody bo@tiny.example\n[ab] @bo\ndocs @dee plain # why\n"
    client.put(f"{REPO}/contents/CODEOWNERS", json={"message": "Own", "content": b64encode(text).decode()})
    found = client.get(f"{REPO}/codeowners/errors").json()["errors"]
    assert [(one["line"], one["column"], one["kind"]) for one in found] == [
        (4, 6, "Unknown owner"),
        (5, 1, "Invalid pattern"),
        (6, 6, "Unknown owner"),
        (6, 11, "Invalid owner"),
    ]
