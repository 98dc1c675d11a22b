"""Forms for new repositories, empty or forked."""

from collections.abc import Mapping

from starlette.responses import Response

from apps.github.pages.code import around
from apps.github.pages.ui import pages
from apps.github.views.urls import quote_path
from world.core.json_types import JsonObject
from world.web import View, response_headers


@pages.page("/new", template="new_repo.html")
def new_repo(view: View) -> JsonObject:
    """A form for a repository."""
    orgs = view.call("orgs/list-for-authenticated-user", per_page=100)
    return {
        "orgs": orgs,
        "chosen": view.query.get("org", ""),
        "templates": view.read("gitignore/get-all-templates"),
        "licenses": view.read("licenses/get-all-commonly-used", per_page=100),
        "title": "New repository",
    }


@pages.action("repo.create")
def create(view: View, given: Mapping[str, object]) -> Response:
    """A repository of the person, or of an organisation."""
    me = view.read("users/get-authenticated")["login"]
    owner = str(given.get("owner") or me)
    shape = {
        "name": str(given.get("name") or ""),
        "description": str(given.get("description") or ""),
        "private": given.get("visibility") != "public",
        "auto_init": bool(given.get("auto_init")),
        **{name: str(given[name]) for name in ("gitignore_template", "license_template") if given.get(name)},
    }
    if owner == me:
        made = view.submit("repos/create-for-authenticated-user", shape)
    else:
        made = view.submit("repos/create-in-org", {**shape, "org": owner})
    return _redirect(view, made["full_name"])


@pages.page("/{owner}/{repo}/fork", template="fork.html")
def fork(view: View, owner: str, repo: str) -> JsonObject:
    """A form for a fork."""
    found = around(view, owner, repo)
    orgs = view.call("orgs/list-for-authenticated-user", per_page=100)
    about = view.read("repos/get", owner=owner, repo=repo)
    return found | {
        "orgs": [one for one in orgs if one["login"] != found["owner"]],
        "about": about,
        "title": f"Fork {found['full_name']}",
    }


@pages.action("repo.fork")
def make_fork(view: View, given: Mapping[str, object]) -> Response:
    """A fork of a repository."""
    me = view.read("users/get-authenticated")["login"]
    into, name = str(given.get("into") or me), str(given.get("name") or "").strip()
    asked: JsonObject = {
        "owner": given["owner"],
        "repo": given["repo"],
        "default_branch_only": bool(given.get("default_branch_only")),
    }
    made = view.submit(
        "repos/create-fork", asked | ({} if into == me else {"organization": into}) | ({"name": name} if name else {})
    )
    return _redirect(view, made["full_name"])


def _redirect(view: View, full_name: str) -> Response:
    there = view.url(f"/{quote_path(full_name)}")
    return (
        response_headers.elsewhere(there)
        if response_headers.is_fragment(view.request)
        else response_headers.see_other(there)
    )
