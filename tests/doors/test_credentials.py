"""Credentials reach as far as their vendor lets them: over all its apps, as far as the scopes go, and no further."""

from collections.abc import Iterator

import jwt
import pytest
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

from apps.google.oauth import ASSERTION
from apps.google.scopes import FULL, PREFIX
from world.core import discovery
from world.core.json_types import JsonObject
from world.core.settings import Settings
from world.run.host import Host
from world.server.agent_plane import agent_plane
from world.server.control_state import Grant, Plane
from world.server.serve import surfaces_module
from world.store.queries import value

ASKED = {
    "gmail": ("gmail.googleapis.com", "/gmail/v1/users/me/profile"),
    "drive": ("www.googleapis.com", "/drive/v3/about?fields=user"),
    "sheets": ("sheets.googleapis.com", "/v4/spreadsheets/none?fields=spreadsheetId"),
    "slack": ("slack.com", "/api/auth.test"),
    "jira": ("quayline.atlassian.net", "/rest/api/3/myself"),
    "github": ("api.github.com", "/user"),
}
OAUTH = {"Host": "oauth2.googleapis.com"}


@pytest.fixture
def plane(firm: Host) -> Plane:
    """The state behind the control plane, with one world."""
    firm.create("w", Settings(limits="off"))
    return Plane(firm, "secret")


@pytest.fixture
def web(firm: Host, plane: Plane) -> Iterator[TestClient]:
    """The agents' plane over it."""
    with TestClient(agent_plane(firm, discovery.app_packages(), surfaces=surfaces_module)) as client:
        yield client


def _opens(web: TestClient, token: str) -> set[str]:
    """The apps whose doors take a token; one that is known but reaches too little counts as none."""
    found: set[str] = set()
    for app, (host, path) in ASKED.items():
        answer = web.get(path, headers={"Host": host, "Authorization": f"Bearer {token}"})
        if answer.status_code in (200, 404) and answer.json().get("ok", True):
            found.add(app)
    return found


def _refresh(web: TestClient, file: JsonObject) -> str:
    names = ("client_id", "client_secret", "refresh_token")
    form = {name: str(file[name]) for name in names} | {"grant_type": "refresh_token"}
    return web.post("/token", headers=OAUTH, data=form).json()["access_token"]


@pytest.mark.parametrize("app", ["google", ""])
@pytest.mark.parametrize(
    ("scopes", "opens"),
    [
        ([], {"gmail", "drive", "sheets"}),
        ([FULL, f"{PREFIX}drive"], {"gmail", "drive", "sheets"}),
        ([f"{PREFIX}gmail.readonly", f"{PREFIX}spreadsheets"], {"gmail", "sheets"}),
    ],
)
def test_one_refresh_token_serves_every_app_of_its_vendor_that_its_scopes_name(
    web: TestClient, plane: Plane, app: str, scopes: list[str], opens: set[str]
) -> None:
    given = plane.grant("w", Grant(person="p_0004", app=app, credential="refresh_token", scopes=scopes))
    assert _opens(web, _refresh(web, given["credentials"])) == opens
    assert web.post(given["credentials"]["token_uri"].removeprefix(plane.host.public_url), data={}).status_code == 400


def test_one_service_account_serves_every_app_for_the_people_it_speaks_for(web: TestClient, plane: Plane) -> None:
    wanted = Grant(person="p_0004", app="google", credential="service_account", subjects=["p_0005"])
    file = plane.grant("w", wanted)["credentials"]
    other = value(plane.host.actor("w").bound, "SELECT email FROM person WHERE id = 'p_0005'")
    claims = {"iss": file["client_email"], "sub": other, "scope": f"{FULL} {PREFIX}drive"}
    form = {"grant_type": ASSERTION, "assertion": jwt.encode(claims, file["private_key"], "RS256")}
    token = web.post("/token", headers=OAUTH, data=form).json()["access_token"]
    assert _opens(web, token) == {"gmail", "drive", "sheets"}
    host, path = ASKED["gmail"]
    mine = web.get(path, headers={"Host": host, "Authorization": f"Bearer {token}"}).json()
    assert mine["emailAddress"] == other


def test_a_token_of_one_app_opens_that_app_and_a_vendors_token_has_the_tools_of_all_its_apps(
    web: TestClient, plane: Plane
) -> None:
    one = {app: plane.grant("w", Grant(person="p_0004", app=app))["token"] for app in ASKED}
    suites = {"drive": {"drive", "sheets"}, "sheets": {"drive", "sheets"}}
    assert {app: _opens(web, token) for app, token in one.items()} == {app: suites.get(app, {app}) for app in ASKED}
    token = plane.grant("w", Grant(person="p_0004", app="google"))["token"]
    assert _opens(web, token) == {"gmail", "drive", "sheets"} and token.startswith("ya29.")
    listed = web.get("/tools", headers={"Authorization": f"Bearer {token}"}).json()
    assert {tool["name"].partition("_")[0] for tool in listed} == {"drive", "gmail", "sheets", "world"}
    ended = web.post("/world/finish", headers={"Authorization": f"Bearer {token}"}, json={})
    assert ended.status_code == 403


def test_a_bots_token_is_a_bots_and_nobody_elses(web: TestClient, plane: Plane) -> None:
    with pytest.raises(HTTPException) as refused:
        plane.grant("w", Grant(person="p_0004", app="slack", kind="bot"))
    assert refused.value.status_code == 422
    bot = value(plane.host.actor("w").bound, "SELECT handle FROM person WHERE kind = 'bot'")
    given = plane.grant("w", Grant(person=bot, app="slack"))
    slack = {"Host": "slack.com", "Authorization": f"Bearer {given['token']}"}
    assert given["token"].startswith("xoxb-") and given["login"] == ""
    assert web.post("/api/auth.test", headers=slack).json()["bot_id"].startswith("B")
    found = web.post("/api/search.messages", headers=slack, data={"query": "deploy"}).json()
    assert found == {"ok": False, "error": "not_allowed_token_type"}


def test_a_credential_that_nobody_hands_out_is_refused_with_those_there_are(plane: Plane) -> None:
    for app, said in (("jira", "it has none"), ("google", "refresh_token, service_account")):
        with pytest.raises(HTTPException, match=said):
            plane.grant("w", Grant(person="p_0004", app=app, credential="bogus"))
