"""People, organisations and teams: who is told what, and who may change it. Every answer is as published."""

from typing import Any

import pytest

from tests.conformance.github_client import HubClient
from world.core.portraits import draw_portrait, portrait_mark

ORG = "/orgs/tiny"


def told(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["message"]


def logins(client: HubClient, path: str, who: str = "ada") -> list[str]:
    return [one["login"] for one in client.get(path, who=who).json()]


def test_the_caller_is_who_the_token_speaks_for(client: HubClient) -> None:
    me = client.get("/user", who="bo").json()
    assert (me["login"], me["name"], me["email"], me["type"]) == ("bo", "Bo Lindqvist", "bo@tiny.example", "User")
    assert client.get(f"/user/{me['id']}").json()["login"] == client.get("/users/BO").json()["login"] == "bo"
    assert told(client.get("/user", who="")) == (401, "Requires authentication")
    assert client.get("/users/nobody").status_code == client.get("/user/999999").status_code == 404
    assert [one["email"] for one in client.get("/user/emails").json()] == [
        "ada@tiny.example",
        "101+ada@users.noreply.github.com",
    ]


def test_a_person_is_shown_by_their_portrait_and_an_organisation_by_a_pattern(client: HubClient) -> None:
    def picture(login: str) -> str:
        return client.get(client.get(f"/users/{login}").json()["avatar_url"], who="").text

    assert picture("bo") == draw_portrait(portrait_mark("tiny.example", "p_bo", "Bo"))
    assert picture("tiny").startswith("<svg") and "hsl(" in picture("tiny")
    address = client.get("/users/tiny").json()["avatar_url"].replace("/u/100", f"/u/{'1' * 5000}")
    assert client.get(address, who="").status_code == 404


def test_a_profile_is_ones_own(client: HubClient) -> None:
    assert client.patch("/user", who="bo", json={"bio": "Counts", "twitter_username": "bo"}).json()["bio"] == "Counts"
    shown = client.get("/users/bo").json()
    assert (shown["bio"], shown["twitter_username"]) == ("Counts", "bo") and client.get("/users/ada").json()[
        "bio"
    ] is None
    assert client.patch("/user", json={"email": "eve@tiny.example"}).status_code == 422


def test_accounts_are_listed_by_number(client: HubClient) -> None:
    assert logins(client, "/users?per_page=2") == ["tiny", "ada"] and logins(client, "/users?since=103") == [
        "dee",
        "eve",
    ]
    assert logins(client, "/organizations") == ["tiny"]


def test_members_see_members_and_others_see_the_public_ones(client: HubClient) -> None:
    assert logins(client, f"{ORG}/members", "dee") == ["ada", "bo", "cyrus", "dee"] and logins(
        client, f"{ORG}/members?role=admin"
    ) == ["ada"]
    assert logins(client, f"{ORG}/members", "eve") == [] == logins(client, "/users/bo/orgs")
    assert client.put(f"{ORG}/public_members/bo", who="bo").status_code == 204
    assert logins(client, f"{ORG}/members", "eve") == ["bo"] == logins(client, f"{ORG}/public_members")
    assert logins(client, "/users/bo/orgs") == ["tiny"]
    assert client.put(f"{ORG}/public_members/bo").status_code == 403
    assert client.delete(f"{ORG}/public_members/bo", who="bo").status_code == 204
    assert client.get(f"{ORG}/public_members/bo").status_code == 404


def test_membership_is_asked_about_by_members(client: HubClient) -> None:
    assert [client.get(f"{ORG}/members/{who}").status_code for who in ("bo", "eve", "nobody")] == [204, 404, 404]
    sent = client.get(f"{ORG}/members/bo", who="eve")
    assert sent.status_code == 302 and sent.headers["Location"].endswith("/orgs/tiny/public_members/bo")
    assert client.get(f"{ORG}/memberships/ada", who="bo").json()["role"] == "admin"
    assert client.get("/user/memberships/orgs/tiny", who="bo").json()["role"] == "member"
    assert (
        client.get("/user/memberships/orgs", who="eve").json() == []
        and client.get("/user/memberships/orgs/tiny", who="eve").status_code == 404
    )
    assert logins(client, "/user/orgs") == ["tiny"] and logins(client, "/user/orgs", "eve") == []


def test_owners_decide_who_belongs_and_one_of_them_stays(client: HubClient) -> None:
    assert client.put(f"{ORG}/memberships/eve", who="bo", json={"role": "member"}).status_code == 403
    assert client.put(f"{ORG}/memberships/eve", json={"role": "member"}).json()["state"] == "active"
    assert client.get("/repos/tiny/app", who="eve").status_code == 200
    assert (
        client.delete(f"{ORG}/members/eve").status_code == 204
        and client.get("/repos/tiny/app", who="eve").status_code == 404
    )
    assert (
        client.delete(f"{ORG}/members/ada").status_code
        == client.put(f"{ORG}/memberships/ada", json={"role": "member"}).status_code
        == 403
    )
    assert client.delete(f"{ORG}/memberships/bo").status_code == 204
    assert logins(client, f"{ORG}/teams/core/members") == ["ada"]


def test_what_members_may_do_everywhere_is_a_setting_of_the_organisation(client: HubClient) -> None:
    assert client.patch(ORG, who="bo", json={"description": "x"}).status_code == 403
    shown = client.patch(ORG, json={"default_repository_permission": "none", "description": "Counts"}).json()
    assert (shown["default_repository_permission"], shown["description"]) == ("none", "Counts")
    assert "default_repository_permission" not in client.get(ORG, who="eve").json()
    assert (
        client.get("/repos/tiny/app", who="dee").status_code == 404
        and client.get("/repos/tiny/app", who="bo").status_code == 200
    )


# -- teams


def test_teams_are_for_members(client: HubClient) -> None:
    assert [one["slug"] for one in client.get(f"{ORG}/teams", who="dee").json()] == ["core", "support"]
    assert (
        client.get(f"{ORG}/teams", who="eve").status_code
        == client.get(f"{ORG}/teams/core", who="eve").status_code
        == 404
    )
    shown = client.get(f"{ORG}/teams/core").json()
    assert (shown["members_count"], shown["repos_count"], shown["organization"]["login"]) == (2, 1, "tiny")
    assert [one["slug"] for one in client.get("/user/teams", who="bo").json()] == ["core"]


def test_who_makes_a_team_runs_it(client: HubClient) -> None:
    made = client.post(f"{ORG}/teams", who="dee", json={"name": "Risk & Co", "description": "Watch"}).json()
    assert (made["slug"], made["members_count"]) == ("risk-co", 1)
    assert (
        client.put(f"{ORG}/teams/risk-co/memberships/cyrus", who="dee", json={"role": "member"}).json()["state"]
        == "active"
    )
    assert client.put(f"{ORG}/teams/risk-co/memberships/bo", who="cyrus").status_code == 403
    assert client.put(f"{ORG}/teams/risk-co/memberships/eve", who="dee").status_code == 422
    assert client.post(f"{ORG}/teams", json={"name": "risk co"}).status_code == 422
    assert client.patch(f"{ORG}/teams/risk-co", who="dee", json={"name": "Risk"}).json()["slug"] == "risk"
    assert (
        client.delete(f"{ORG}/teams/risk", who="cyrus").status_code == 403
        and client.delete(f"{ORG}/teams/risk", who="dee").status_code == 204
    )
    assert client.get(f"{ORG}/teams/risk").status_code == 404


def test_a_secret_team_is_seen_by_those_in_it_and_by_owners(client: HubClient) -> None:
    client.post(f"{ORG}/teams", who="bo", json={"name": "Hush", "privacy": "secret"})
    assert [client.get(f"{ORG}/teams/hush", who=who).status_code for who in ("ada", "bo", "dee")] == [200, 200, 404]
    assert "hush" not in [one["slug"] for one in client.get(f"{ORG}/teams", who="dee").json()]


def test_a_team_below_another_has_its_access_and_counts_among_its_members(client: HubClient) -> None:
    client.post(f"{ORG}/teams", who="dee", json={"name": "Sub", "parent_team_id": 1})
    assert client.get("/repos/tiny/app", who="dee").json()["permissions"]["push"]
    assert "dee" in logins(client, f"{ORG}/teams/core/members") and [
        one["slug"] for one in client.get(f"{ORG}/teams/core/teams").json()
    ] == ["sub"]
    assert (
        client.patch(
            f"{ORG}/teams/core", json={"parent_team_id": client.get(f"{ORG}/teams/sub").json()["id"]}
        ).status_code
        == 422
    )
    assert client.get(f"{ORG}/teams/sub/repos/tiny/app").status_code == 204
    assert client.delete(f"{ORG}/teams/core").status_code == 204 and client.get(f"{ORG}/teams/sub").status_code == 404
    assert not client.get("/repos/tiny/app", who="dee").json()["permissions"]["push"]


def test_a_team_gets_access_from_who_runs_the_repository(client: HubClient) -> None:
    place = f"{ORG}/teams/support/repos/tiny/site"
    assert client.put(place, who="cyrus", json={"permission": "push"}).status_code == 403
    assert client.put(place, json={"permission": "push"}).status_code == 204
    assert client.get("/repos/tiny/site", who="cyrus").json()["permissions"]["push"]
    found = {one["name"]: one["role_name"] for one in client.get(f"{ORG}/teams/support/repos").json()}
    assert found == {"app": "triage", "site": "write"}
    assert client.delete(place).status_code == 204 and client.get(place).status_code == 404


# -- the API itself


def test_the_quota_counts_what_each_caller_asked(client: HubClient) -> None:
    before = client.get("/rate_limit").json()["rate"]
    client.get("/user")
    client.get("/user", who="bo")
    after = client.get("/rate_limit").json()["rate"]
    assert (after["limit"], after["used"] - before["used"], before["remaining"] - after["remaining"]) == (5000, 1, 1)


def test_markdown_is_rendered_without_what_could_run(client: HubClient) -> None:
    text = client.post("/markdown", json={"text": "**b** <script>x</script> [a](javascript:x)"}).text
    assert (
        "<strong>b</strong>" in text
        and "<script" not in text
        and "javascript:" not in text.replace("[a](javascript:x)", "")
    )


@pytest.mark.parametrize("base", ["http://127.0.0.1/github/api/v3", "http://api.github.com"])
def test_the_api_tells_its_addresses_as_it_was_asked(client: HubClient, base: str) -> None:
    shown = client.get(f"{base}/").json()
    assert (
        shown["current_user_url"] == f"{base}/user" and client.get(shown["current_user_url"]).json()["login"] == "ada"
    )


# -- gists


def test_a_gist_is_made_changed_and_deleted_by_its_owner(client: HubClient) -> None:
    made = client.post(
        "/gists", who="bo", json={"description": "d", "files": {"a.md": {"content": "# a"}, "b.txt": {"content": "b"}}}
    ).json()
    address = f"/gists/{made['id']}"
    assert client.get(address).json()["files"]["a.md"]["content"] == "# a" and client.get("/gists/public").json() == []
    changed = {"files": {"a.md": {"filename": "c.md"}, "b.txt": None, "new": {"content": "n"}}}
    assert client.patch(address, json=changed).status_code == 404
    shown = client.patch(address, who="bo", json=changed).json()
    assert {name: file["content"] for name, file in shown["files"].items()} == {"c.md": "# a", "new": "n"} and shown[
        "description"
    ] == "d"
    assert client.patch(address, who="bo", json={"files": {"c.md": None, "new": None}}).status_code == 422
    assert (
        client.post("/gists", json={"files": {}}).status_code
        == client.post("/gists", json={"files": {"a": {}}}).status_code
        == 422
    )
    assert [one["id"] for one in client.get("/gists", who="bo").json()] == [made["id"]] and client.get(
        "/users/bo/gists"
    ).json() == []
    assert client.delete(address, who="bo").status_code == 204 and client.get(address).status_code == 404
