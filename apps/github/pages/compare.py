"""Pages that compare branches, and open a pull request from the differences."""

import base64
from typing import Any

from starlette.responses import Response

from apps.github.pages import diffs
from apps.github.pages.frame import frame
from apps.github.pages.issues import choices
from apps.github.pages.pulls import by_day
from apps.github.pages.ui import pages
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.web import View
from world.web.pages import PageContext

TEMPLATES = (
    ".github/pull_request_template.md",
    ".github/PULL_REQUEST_TEMPLATE.md",
    "pull_request_template.md",
    "docs/pull_request_template.md",
)


@pages.page("/{owner}/{repo}/compare", template="compare.html")
def choose(view: View, owner: str, repo: str) -> PageContext | Response:
    """Show the branches to choose for a comparison."""
    if view.query.get("head"):
        base, head = view.query.get("base", ""), view.query["head"]
        return Response(
            status_code=303, headers={"Location": view.url(f"/{owner}/{repo}/compare/{base}...{head}", expand="1")}
        )
    around = frame(view, owner, repo, "pulls")
    listed = view.call("repos/list-branches", owner=owner, repo=repo, per_page=100)
    base = around["repo"]["default_branch"]
    return around | {
        "branches": [one["name"] for one in listed],
        "base": base,
        "head": base,
        "compared": None,
        "problem": None,
        "title": f"Compare · {around['full_name']}",
    }


@pages.page("/{owner}/{repo}/compare/{place:path}", template="compare.html")
def compare(view: View, owner: str, repo: str, place: str) -> PageContext:
    """Show the commits and changes of one branch over another, and the form to open a pull request."""
    around = frame(view, owner, repo, "pulls")
    base, found, head = place.partition("...")
    if not found:
        base, head = around["repo"]["default_branch"], place
    compared, problem = None, None
    try:
        compared = view.call("repos/compare-commits-with-basehead", owner=owner, repo=repo, basehead=f"{base}...{head}")
    except OperationError as error:
        if error.code not in ("no_such", "not_found"):
            raise
        problem = "These branches can't be compared: one of them does not exist, or they have no history in common."
    listed = view.attempt("repos/list-branches", owner=owner, repo=repo, per_page=100) or []
    shown = (
        around
        | choices(view, owner, repo)
        | _form(view, owner, repo, compared, head)
        | {
            "branches": [one["name"] for one in listed],
            "base": base,
            "head": head,
            "compared": compared,
            "problem": problem,
            "open_pull": _find_open_pull(view, owner, repo, base, head),
            "expanded": bool(view.query.get("expand") or view.failure),
            "teams": view.attempt("repos/list-teams", owner=owner, repo=repo, per_page=100) or [],
            "mode": view.query.get("diff", "unified"),
            "title": f"Comparing {base}...{head} · {around['full_name']}",
        }
    )
    if compared is None:
        return shown
    files = diffs.files_of(compared["files"], view.queries.get("expand", []))
    return shown | {"files": files, "totals": diffs.totals(compared["files"]), "days": by_day(compared["commits"])}


def _find_open_pull(view: View, owner: str, repo: str, base: str, head: str) -> dict[str, Any] | None:
    label = head if ":" in head else f"{owner}:{head}"
    found = view.attempt("pulls/list", owner=owner, repo=repo, base=base, head=label, per_page=1)
    return found[0] if found else None


def _form(view: View, owner: str, repo: str, compared: dict[str, Any] | None, head: str) -> PageContext:
    """Return initial values of the form: the message of a single commit, else the branch's name and the template."""
    commits = compared["commits"] if compared else []
    if len(commits) == 1:
        first, _, rest = commits[0]["commit"]["message"].partition("\n")
        return {"said_title": first, "said_body": rest.strip() or _template(view, owner, repo)}
    words = head.rpartition(":")[2].rpartition("/")[2].replace("-", " ").replace("_", " ").strip()
    return {"said_title": words[:1].upper() + words[1:], "said_body": _template(view, owner, repo)}


def _template(view: View, owner: str, repo: str) -> str:
    for path in TEMPLATES:
        found = view.attempt("repos/get-content", owner=owner, repo=repo, path=path)
        if isinstance(found, dict) and found.get("content"):
            return base64.b64decode(found["content"]).decode("utf-8", "replace")
    return ""


@pages.action("pull.open")
def open_pull(view: View, given: JsonObject) -> Any:
    """Open the pull request, then apply the choices of the side panel."""
    where = {name: given[name] for name in ("owner", "repo")}
    said = {name: given.get(name) for name in ("title", "head", "base", "body") if given.get(name)}
    made = view.submit("pulls/create", {**where, **said, "draft": given.get("mode") == "draft"})
    number = made["number"]
    people, teams = _list(given.get("reviewers")), _list(given.get("team_reviewers"))
    if people or teams:
        asked: dict[str, object] = {**where, "pull_number": number, "reviewers": people, "team_reviewers": teams}
        view.submit("pulls/request-reviewers", asked)
    chosen: dict[str, object] = {name: found for name in ("assignees", "labels") if (found := _list(given.get(name)))}
    if given.get("milestone"):
        chosen["milestone"] = given["milestone"]
    if chosen:
        view.submit("issues/update", {**where, "issue_number": number, **chosen})
    return made


def _list(value: object) -> list[str]:
    return [str(one) for one in (value if isinstance(value, list) else [value]) if one]
