"""Branches, tags and releases."""

from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import orjson
from starlette.responses import Response

from apps.github.pages.code import around
from apps.github.pages.history import page_number
from apps.github.pages.ui import pages
from apps.github.refusals import unprocessable
from apps.github.views.urls import quote_path
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import whole_number
from world.web import View, response_headers
from world.web.fields import read_files

PER_PAGE = 30
MOST_NOTES = 8_000  # letters of notes that an address carries
FEW = 5
VIEWS = {"overview": "Overview", "yours": "Yours", "active": "Active", "stale": "Stale", "all": "All"}
PARTS = (("mine", "Your branches"), ("active", "Active branches"), ("stale", "Stale branches"))
WHICH = {"yours": "mine", "active": "active", "stale": "stale", "all": "all"}


@pages.page("/{owner}/{repo}/branches", template="branches.html", free=("overlay",))
def branches(view: View, owner: str, repo: str) -> JsonObject:
    """The branches of a repository."""
    found = around(view, owner, repo)
    shown, text, page = view.query.get("view", "overview"), view.query.get("q", "").strip(), page_number(view)
    shown = "all" if text else shown if shown in VIEWS else "overview"
    parts = list(_parts(view, owner, repo, shown, text, page))
    default = found["repo"]["default_branch"]
    listed = view.attempt("repos/get-branch", owner=owner, repo=repo, branch=default)
    states = (
        view.attempt("web/commit-states", owner=owner, repo=repo, shas=[listed["commit"]["sha"]]) if listed else None
    )
    most = max([1, *(max(line["ahead"], line["behind"]) for _, lines, _, _ in parts for line in lines)])
    return found | {
        "views": VIEWS,
        "shown": shown,
        "text": text,
        "parts": parts,
        "page": page,
        "page_count": -(-parts[0][2] // PER_PAGE) if shown != "overview" else 1,
        "default": listed,
        "default_state": (states or {}).get(listed["commit"]["sha"]) if listed else None,
        "most": most,
        "undo": _undo,
        "from_branch": view.query.get("from") or default,
        "renamed": view.query.get("branch", ""),
        "title": f"Branches · {found['full_name']}",
    }


def _parts(view: View, owner: str, repo: str, shown: str, text: str, page: int) -> Any:
    """Return the tables of branches: heading, rows, count, and the view with all rows."""
    here = {"owner": owner, "repo": repo}
    if shown != "overview":
        lines = view.call("web/branches", **here, which=WHICH[shown], text=text, per_page=PER_PAGE, page=page)
        yield f"{VIEWS[shown]} branches", lines, lines.total, None
        return
    for which, heading in PARTS:
        ask = view.call if which == "active" else view.read
        lines = ask("web/branches", **here, which=which, per_page=FEW)
        yield heading, lines, lines.total, "yours" if which == "mine" else which


def _undo(owner: str, repo: str, name: str, sha: str) -> str:
    """Return the arguments that restore a deleted branch, as JSON for a toast."""
    return orjson.dumps({"owner": owner, "repo": repo, "ref": f"refs/heads/{name}", "sha": sha}).decode()


@pages.action("branch.create")
def create_branch(view: View, given: Mapping[str, object]) -> JsonObject:
    """Create a branch from another branch, a tag or a commit."""
    here = {"owner": str(given.get("owner")), "repo": str(given.get("repo"))}
    name, source = str(given.get("name") or "").strip(), str(given.get("from") or "").strip()
    if not name:
        raise unprocessable("A name for the branch is needed.")
    try:
        sha = view.submit("repos/get-commit", {**here, "ref": source, "mediaType": "sha"}).decode()
    except OperationError:
        raise unprocessable(f"There is no branch, tag or commit {source}.") from None
    view.submit("git/create-ref", {**here, "ref": f"refs/heads/{name}", "sha": sha})
    return {"name": name}


@pages.page("/{owner}/{repo}/tags", template="tags.html")
def tags(view: View, owner: str, repo: str) -> JsonObject:
    """The tags of a repository."""
    found = around(view, owner, repo)
    page = page_number(view)
    listed = view.call("repos/list-tags", owner=owner, repo=repo, per_page=PER_PAGE, page=page)
    released = {
        one["tag_name"] for one in view.attempt("repos/list-releases", owner=owner, repo=repo, per_page=100) or []
    }
    commits = {
        one["commit"]["sha"]: view.attempt("git/get-commit", owner=owner, repo=repo, commit_sha=one["commit"]["sha"])
        for one in listed
    }
    return found | {
        "tags": listed,
        "commits": commits,
        "released": released,
        "page": page,
        "page_count": -(-listed.total // PER_PAGE),
        "title": f"Tags · {found['full_name']}",
    }


@pages.page("/{owner}/{repo}/releases", template="releases.html")
def releases(view: View, owner: str, repo: str) -> JsonObject:
    """The releases of a repository."""
    found = around(view, owner, repo)
    page = page_number(view)
    listed = view.call("repos/list-releases", owner=owner, repo=repo, per_page=10, page=page)
    return found | {
        "releases": listed,
        "page": page,
        "page_count": -(-listed.total // 10),
        "latest": view.attempt("repos/get-latest-release", owner=owner, repo=repo),
        "one": False,
        "shas": _shas(view, owner, repo, listed),
        "title": f"Releases · {found['full_name']}",
    }


def _shas(view: View, owner: str, repo: str, listed: list[JsonObject]) -> dict[str, str]:
    """Return the commit of each release's tag."""
    found = {}
    for one in listed:
        commit = (
            None
            if one["draft"]
            else view.attempt(
                "repos/get-commit", owner=owner, repo=repo, ref=f"tags/{one['tag_name']}", mediaType="sha"
            )
        )
        if commit:
            found[one["tag_name"]] = commit.decode()
    return found


@pages.page("/{owner}/{repo}/releases/tag/{tag:path}", template="releases.html")
def release(view: View, owner: str, repo: str, tag: str) -> JsonObject:
    """Show one release; a tag without a release is shown like one."""
    found = around(view, owner, repo)
    try:
        one = view.call("repos/get-release-by-tag", owner=owner, repo=repo, tag=tag)
    except OperationError as refused:
        if refused.code != "not_found":
            raise
        commit = view.read("repos/get-commit", owner=owner, repo=repo, ref=f"tags/{tag}", per_page=1)
        one = {
            "tag_name": tag,
            "name": tag,
            "body": "",
            "draft": False,
            "prerelease": False,
            "assets": [],
            "author": commit["author"],
            "id": None,
            "published_at": commit["commit"]["committer"]["date"],
            "created_at": commit["commit"]["committer"]["date"],
        }
    return found | {
        "releases": [one],
        "page": 1,
        "page_count": 1,
        "latest": view.attempt("repos/get-latest-release", owner=owner, repo=repo),
        "one": True,
        "shas": _shas(view, owner, repo, [one]),
        "title": f"Release {one['name'] or tag} · {found['full_name']}",
    }


@pages.page("/{owner}/{repo}/releases/new", template="release_edit.html")
def new_release(view: View, owner: str, repo: str) -> JsonObject:
    """A form for a release."""
    found = around(view, owner, repo)
    tag = view.query.get("tag", "")
    notes = {"name": view.query.get("title", ""), "body": view.query.get("body", "")}
    target = view.query.get("target", found["repo"]["default_branch"])
    blank = {
        "tag_name": tag,
        "target_commitish": target,
        "prerelease": False,
        "draft": True,
        "assets": [],
        "id": None,
        **notes,
    }
    return found | {"release": blank, "title": f"New release · {found['full_name']}"}


@pages.page("/{owner}/{repo}/releases/edit/{release_id:int}", template="release_edit.html")
def edit_release(view: View, owner: str, repo: str, release_id: int) -> JsonObject:
    """Show the form to edit a release."""
    found = around(view, owner, repo)
    one = view.call("repos/get-release", owner=owner, repo=repo, release_id=release_id)
    return found | {"release": one, "title": f"Edit release · {found['full_name']}"}


@pages.action("release.save")
def save_release(view: View, given: dict[str, Any]) -> Response | JsonObject:
    """Publish, change or keep a draft release, with the chosen files."""
    here = {"owner": str(given.get("owner")), "repo": str(given.get("repo"))}
    doing = str(given.get("do") or "publish")
    there = f"/{here['owner']}/{here['repo']}/releases"
    if doing == "notes":
        asked = {name: str(given.get(name) or "") for name in ("tag_name", "target_commitish")}
        notes = view.submit("repos/generate-release-notes", {**here, **asked})
        found = {"title": given.get("name") or notes["name"], "body": notes["body"][:MOST_NOTES]}
        return _redirect(
            view, view.url(f"{there}/new", tag=asked["tag_name"], target=asked["target_commitish"], **found)
        )
    shape = {name: str(given.get(name) or "") for name in ("tag_name", "target_commitish", "name", "body")}
    shape |= {"draft": doing == "draft", "prerelease": bool(given.get("prerelease"))}
    if given.get("release_id"):
        made = view.submit("repos/update-release", {**here, **shape, "release_id": whole_number(given["release_id"])})
    else:
        made = view.submit("repos/create-release", {**here, **shape})
    for one in read_files(given.get("files")):
        sent = {
            "release_id": made["id"],
            "name": one["filename"],
            "content": b64encode(one["data"]).decode(),
            "content_type": one["mimetype"],
        }
        view.submit("repos/upload-release-asset", {**here, **sent})
    return _redirect(view, view.url(there if doing == "draft" else f"{there}/tag/{quote_path(made['tag_name'])}"))


def _redirect(view: View, address: str) -> Response:
    return (
        response_headers.elsewhere(address)
        if response_headers.is_fragment(view.request)
        else response_headers.see_other(address)
    )
