"""People, organisations and teams."""

from typing import Any

from starlette.responses import Response

from apps.github.pages.ui import pages
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.web import View
from world.web.pages import PageContext

MOST_POPULAR = 6  # repositories on the page of a person who has pinned none


@pages.page("/{login}", template="person.html")
def account(view: View, login: str) -> PageContext:
    """Show the page of a person or an organisation."""
    found = view.call("users/get-by-username", username=login)
    if found["type"] == "Organization":
        return _org(view, found["login"]) | {
            "tab": "repositories",
            "repos": _repos(view, "repos/list-for-org", org=found["login"]),
        }
    return _person(view, found)


def _repos(view: View, operation: str, **which: object) -> list[dict[str, Any]]:
    text = view.query.get("q", "").strip().lower()
    found = view.attempt(operation, sort="pushed", per_page=100, **which) or []
    return [one for one in found if text in one["name"].lower()]


def _person(view: View, found: JsonObject) -> PageContext:
    login = found["login"]
    tab = view.query.get("tab", "overview")
    orgs = view.attempt("orgs/list-for-user", username=login, per_page=100) or []
    mine = view.attempt("users/get-authenticated") or {}
    if mine.get("login") == login:
        orgs = view.attempt("orgs/list-for-authenticated-user", per_page=100) or orgs
    repos = _repos(view, "repos/list-for-user", username=login)
    recent = view.attempt("search/issues-and-pull-requests", q=f"author:{login}", sort="updated", per_page=10) or {
        "items": []
    }
    stars = view.attempt("activity/list-repos-starred-by-user", username=login, per_page=100) or []
    return {
        "shown": found,
        "org": None,
        "tab": tab,
        "orgs": orgs,
        "repos": repos,
        "popular": sorted(repos, key=lambda one: one["stargazers_count"], reverse=True)[:MOST_POPULAR],
        "recent": recent["items"],
        "stars": stars,
        "q": view.query.get("q", ""),
        "title": f"{login} ({found['name']})" if found.get("name") else login,
    }


def _org(view: View, login: str) -> PageContext:
    found = view.read("orgs/get", org=login)
    people = view.attempt("orgs/list-members", org=login, per_page=100) or []
    teams = view.attempt("teams/list", org=login, per_page=100) or []
    membership = view.attempt("orgs/get-membership-for-authenticated-user", org=login)
    return {
        "shown": found,
        "org": found,
        "people": people,
        "teams": teams,
        "q": view.query.get("q", ""),
        "title": found.get("name") or login,
        "is_owner": bool(membership and membership["role"] == "admin"),
        "repo_count": len(_repos(view, "repos/list-for-org", org=login)),
    }


@pages.page("/orgs/{org}", template="person.html")
def org(view: View, org: str) -> Response:
    """Show an organisation at its longer address."""
    return Response(status_code=303, headers={"Location": view.url(f"/{org}")})


@pages.page("/orgs/{org}/repositories", template="person.html")
def org_repos(view: View, org: str) -> Response:
    """The repositories of an organisation."""
    return Response(status_code=303, headers={"Location": view.url(f"/{org}")})


@pages.page("/orgs/{org}/people", template="person.html")
def people(view: View, org: str) -> PageContext:
    """The members of an organisation."""
    listed = view.call("orgs/list-members", org=org, per_page=100)
    roles = {one["login"] for one in view.attempt("orgs/list-members", org=org, role="admin", per_page=100) or []}
    text = view.query.get("q", "").strip().lower()
    return _org(view, org) | {
        "tab": "people",
        "listed": [one for one in listed if text in one["login"].lower()],
        "admins": roles,
    }


@pages.page("/orgs/{org}/teams", template="person.html")
def teams(view: View, org: str) -> PageContext:
    """The teams of an organisation."""
    listed = view.call("teams/list", org=org, per_page=100)
    text = view.query.get("q", "").strip().lower()
    return _org(view, org) | {"tab": "teams", "listed": [one for one in listed if text in one["name"].lower()]}


@pages.page("/orgs/{org}/teams/{slug}", template="person.html")
def team(view: View, org: str, slug: str) -> PageContext:
    """One team: its members, repositories and the teams below it."""
    found = view.call("teams/get-by-name", org=org, team_slug=slug)
    which = {"org": org, "team_slug": slug, "per_page": 100}
    return _org(view, org) | {
        "tab": "teams",
        "team": found,
        "members": view.attempt("teams/list-members-in-org", **which) or [],
        "team_repos": view.attempt("teams/list-repos-in-org", **which) or [],
        "children": view.attempt("teams/list-child-in-org", **which) or [],
        "title": f"{found['name']} · {org} Team",
    }


@pages.action("team.join")
def join(view: View, given: JsonObject) -> Any:
    """Add somebody to a team by login."""
    if not str(given.get("username") or "").strip():
        raise OperationError("validation_failed", said="Whom do you want to add?")
    return view.submit("teams/add-or-update-membership-for-user-in-org", given)
