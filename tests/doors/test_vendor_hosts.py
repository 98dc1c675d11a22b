"""Everything under a vendor's host answers a program as the vendor does: JSON, never a page, a log-in or plain text."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from world.core import discovery
from world.core.settings import Settings
from world.run.host import Host
from world.server.agent_plane import agent_plane, vendor_hosts
from world.server.control_state import token_form

PATHS = (
    "/nonsense/x",
    "/api/nope",
    "/api/a%0Ab",
    "/rest/api/3/nope",
    "/rest/nope",
    "/wiki/rest/api/space",
    "/v4/nope",
    "/v1/people/me",
    "/gmail/v1/nope",
    "/drive/v3/nope",
    "/discovery/v1/apis",
    "/robots.txt",
    "/",
)
RAW = ("raw.githubusercontent.com", "codeload.github.com")  # the vendor has plain text there
PLACED = {
    "*.slack.com": "quayline.slack.com",
    "*.atlassian.net": "quayline.atlassian.net",
    "*.googleapis.com": "translate.googleapis.com",
}


@pytest.fixture
def plane(firm: Host) -> Iterator[TestClient]:
    """The agents' plane over the seeded company."""
    firm.create("w", Settings(limits="off"))
    with TestClient(agent_plane(firm, discovery.app_packages()), follow_redirects=False) as client:
        yield client


def _bearer(host: Host, app: str) -> dict[str, str]:
    me = host.principal("w", "p_0004", app=app)
    return {"Authorization": f"Bearer {host.tokens.issue(me, token_form(host, app, 'user'))}"}


def _app_of(host: Host, name: str) -> str:
    return next(app.name for app in host.apps.values() if any(one.partition("/")[0] == name for one in app.hosts))


@pytest.mark.full
def test_no_path_of_a_vendors_host_answers_a_program_with_a_page_or_plain_text(plane: TestClient, firm: Host) -> None:
    wrong: list[tuple[object, ...]] = []
    for listed in vendor_hosts(firm):
        name = PLACED.get(listed, listed)
        for path in PATHS:
            for verb in ("GET", "POST", "PUT", "OPTIONS"):
                for headers in ({}, _bearer(firm, _app_of(firm, listed))):
                    answer = plane.request(verb, path, headers={"Host": name, "Accept": "*/*", **headers})
                    kind = answer.headers.get("content-type", "")
                    fine = kind.startswith("application/json") or (name in RAW and answer.status_code == 404)
                    if answer.is_redirect or not fine:
                        wrong.append((name, verb, path, answer.status_code, kind))
    assert not wrong, wrong[:12]


def test_a_person_still_finds_pages_on_the_vendors_sites_and_none_on_hosts_of_apis(plane: TestClient) -> None:
    for host, status in (("quayline.slack.com", 303), ("mail.google.com", 303), ("sheets.googleapis.com", 404)):
        assert plane.get("/", headers={"Host": host, "Accept": "text/html"}).status_code == status, host


@pytest.mark.parametrize(
    ("host", "path", "status", "said"),
    [
        ("people.googleapis.com", "/v1/people/me", 403, "SERVICE_DISABLED"),
        ("calendar.googleapis.com", "/calendar/v3/users/me/calendarList", 403, "accessNotConfigured"),
        ("www.googleapis.com", "/calendar/v3/users/me/calendarList", 403, "Google Calendar API has not been used"),
        ("www.googleapis.com", "/batch/calendar/v3", 403, "calendar.googleapis.com"),
        ("www.googleapis.com", "/drive/v9/nope", 404, "notFound"),
        ("pubsub.googleapis.com", "/v1/projects/p/topics", 403, "Cloud Pub/Sub API has not been used"),
        ("translate.googleapis.com", "/v3/x", 403, "translate.googleapis.com has not been used"),
        ("quayline.atlassian.net", "/wiki/rest/api/space", 404, "Confluence"),
        ("quayline.atlassian.net", "/rest/api/3/nope", 404, "null for uri"),
        ("slack.com", "/api/nope", 200, "unknown_method"),
        ("gmail.googleapis.com", "/gmail/v2/users/me", 404, "NOT_FOUND"),
    ],
)
def test_what_a_vendor_does_not_have_is_refused_in_its_words(
    plane: TestClient, firm: Host, host: str, path: str, status: int, said: str
) -> None:
    app = {"quayline": "jira", "slack": "slack"}.get(host.partition(".")[0], "gmail")
    answer = plane.get(path, headers={"Host": host, **_bearer(firm, app)})
    assert answer.status_code == status and said in answer.text


def test_a_site_is_reached_through_the_gateway_of_its_vendor_too(plane: TestClient, firm: Host) -> None:
    headers = {"Host": "api.atlassian.com", **_bearer(firm, "jira")}
    (site,) = plane.get("/oauth/token/accessible-resources", headers=headers).json()
    me = plane.get(f"/ex/jira/{site['id']}/rest/api/3/myself", headers=headers).json()
    assert site["url"] == "https://quayline.atlassian.net"
    assert me["self"].startswith(f"http://api.atlassian.com/ex/jira/{site['id']}/rest/api/3/user?")


def test_userinfo_tokeninfo_and_revoke_tell_of_a_token_and_end_it(plane: TestClient, firm: Host) -> None:
    bearer = _bearer(firm, "gmail")
    token, shared = bearer["Authorization"].partition(" ")[2], {"Host": "www.googleapis.com"}
    me = plane.get("/oauth2/v3/userinfo", headers={**shared, **bearer}).json()
    older = plane.get("/oauth2/v2/userinfo", headers={**shared, **bearer}).json()
    told = plane.get("/tokeninfo", params={"access_token": token}, headers={"Host": "oauth2.googleapis.com"}).json()
    assert me["email"].endswith("@quayline.example") and me["email_verified"] is True and older["id"] == me["sub"]
    assert told["sub"] == me["sub"] and told["scope"] == "https://mail.google.com/" and told["email"] == me["email"]
    assert plane.post("/revoke", data={"token": token}, headers={"Host": "oauth2.googleapis.com"}).json() == {}
    for answer in (
        plane.get("/oauth2/v3/userinfo", headers={**shared, **bearer}),
        plane.get("/gmail/v1/users/me/profile", headers={**shared, **bearer}),
    ):
        assert answer.status_code == 401
    again = plane.post("/revoke", data={"token": token}, headers={"Host": "oauth2.googleapis.com"})
    assert again.status_code == 400 and again.json()["error"] == "invalid_token"


def test_userinfo_takes_no_token_of_another_vendor(plane: TestClient, firm: Host) -> None:
    headers = {"Host": "www.googleapis.com", **_bearer(firm, "slack")}
    assert plane.get("/oauth2/v3/userinfo", headers=headers).json()["error"] == "invalid_request"
