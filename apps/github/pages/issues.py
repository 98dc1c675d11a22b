"""Issue pages: the list with its filters, one issue with its conversation, and the form for a new one."""

from typing import Any

from starlette.responses import Response

from apps.github.operations.issues.pinned_issues import MOST_PINNED
from apps.github.pages.assignees import list_assignees, sort_people
from apps.github.pages.frame import frame
from apps.github.pages.ui import pages
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import whole_number
from world.web import View
from world.web.pages import PageContext

PER_PAGE = 25
SORTS = {
    "created-desc": "Newest",
    "created-asc": "Oldest",
    "comments-desc": "Most commented",
    "comments-asc": "Least commented",
    "updated-desc": "Recently updated",
    "updated-asc": "Least recently updated",
}
TIMELINE_PAGE = 100


def build_issue_list(view: View, owner: str, repo: str, kind: str, usual: str = "") -> PageContext:
    """Return the context of a list of issues or pull requests: its search, filters and page."""
    around = frame(view, owner, repo, "pulls" if kind == "pr" else "issues")
    text = view.query.get("q", usual or f"is:{kind} state:open").strip()
    kinds = f"repo:{around['full_name']} " + ("" if not kind or f"is:{kind}" in text.split() else f"is:{kind} ")
    number = view.query.get("page", "1")
    page = whole_number(number, 1, least=1, most=999)
    found = view.call(
        "search/issues-and-pull-requests", q=kinds + _without_sort(text), per_page=PER_PAGE, page=page, **_sort(text)
    )
    counts = {
        state: view.read(
            "search/issues-and-pull-requests", q=f"{kinds}{_without_state(text)} state:{state}", per_page=1
        )["total_count"]
        for state in ("open", "closed")
    }
    return around | {
        "kind": kind,
        "items": found["items"],
        "total": found["total_count"],
        "counts": counts,
        "q": text,
        "page": page,
        "page_count": -(-found["total_count"] // PER_PAGE),
        "with_word": with_word(text),
        "shown_state": "closed" if "closed" in _states(text) else "open" if "open" in _states(text) else "",
        "sorts": SORTS,
        "sort": next((word[5:] for word in text.split() if word.startswith("sort:")), "created-desc"),
        "labels": view.read("issues/list-labels-for-repo", owner=owner, repo=repo, per_page=100),
        "milestones": view.read("issues/list-milestones", owner=owner, repo=repo, per_page=100),
        "people": sort_people(view.read("issues/list-assignees", owner=owner, repo=repo, per_page=100)),
        "title": f"{'Pull requests' if kind == 'pr' else 'Issues'} · {around['full_name']}",
    }


def _states(text: str) -> list[str]:
    return [
        word.partition(":")[2]
        for word in text.split()
        if word in ("is:open", "is:closed", "state:open", "state:closed")
    ]


def _without_state(text: str) -> str:
    return " ".join(
        word
        for word in _without_sort(text).split()
        if word not in ("is:open", "is:closed", "state:open", "state:closed")
    )


def _without_sort(text: str) -> str:
    return " ".join(word for word in text.split() if not word.startswith("sort:"))


def _sort(text: str) -> dict[str, str]:
    wanted = next((word[5:] for word in text.split() if word.startswith("sort:")), "created-desc")
    name, _, order = wanted.partition("-")
    return {"sort": name, "order": order if order in ("asc", "desc") else "desc"} if f"{name}-desc" in SORTS else {}


def with_word(text: str) -> Any:
    """Return a function that rewrites the search with one qualifier set or removed."""

    def with_qualifier(name: str, value: str | None) -> str:
        drop = ("is:open", "is:closed", "state:open", "state:closed") if name == "state" else ()
        kept = [
            word
            for word in _words(text)
            if word not in drop and not (word.startswith(f"{name}:") or (value is None and word == f"no:{name}"))
        ]
        if value is not None:
            kept.append(f'{name}:"{value}"' if " " in value else f"{name}:{value}")
        return " ".join(kept)

    return with_qualifier


def _words(text: str) -> list[str]:
    """Split a search into words; quoted text is one word."""
    out, inside = [""], False
    for char in text:
        inside ^= char == '"'
        if char == " " and not inside:
            out.append("")
        else:
            out[-1] += char
    return [word for word in out if word]


@pages.page("/{owner}/{repo}/issues", template="issues.html", free=("overlay",))
def issues(view: View, owner: str, repo: str) -> PageContext:
    """The issues of a repository."""
    shown = build_issue_list(view, owner, repo, "issue")
    pinned = [] if view.query.get("q") else view.read("web/issues/list-pinned", owner=owner, repo=repo)
    return shown | {"pinned": pinned}


@pages.page("/{owner}/{repo}/issues/new", template="new_issue.html")
def new_issue(view: View, owner: str, repo: str) -> PageContext:
    """A form for a new issue."""
    around = frame(view, owner, repo, "issues")
    return around | choices(view, owner, repo) | {"title": f"New issue · {around['full_name']}"}


def choices(view: View, owner: str, repo: str) -> PageContext:
    """Return the choices for an issue: labels, people, milestones."""
    return {
        "labels": view.read("issues/list-labels-for-repo", owner=owner, repo=repo, per_page=100),
        "people": list_assignees(view, owner, repo),
        "milestones": view.read("issues/list-milestones", owner=owner, repo=repo, per_page=100),
    }


@pages.page("/{owner}/{repo}/issues/{number:int}", template="issue.html", free=("overlay", "side"))
def issue(view: View, owner: str, repo: str, number: int) -> PageContext | Response:
    """Show one issue with its conversation and side panel."""
    around = frame(view, owner, repo, "issues")
    try:
        found = view.call("issues/get", owner=owner, repo=repo, issue_number=number)
    except OperationError as refused:
        if refused.code != "moved":
            raise
        return _redirect(view, str(refused.detail["page"]))
    if found.get("pull_request"):
        return _redirect(view, f"/{around['full_name']}/pull/{number}")
    return (
        around
        | conversation(view, owner, repo, found)
        | _issue_acts(view, owner, repo, number)
        | {"title": f"{found['title']} · Issue #{number} · {around['full_name']}"}
    )


def _issue_acts(view: View, owner: str, repo: str, number: int) -> PageContext:
    """Return whether an issue is pinned, and where it can go while the reader is asked where to transfer it."""
    pinned = [one["number"] for one in view.read("web/issues/list-pinned", owner=owner, repo=repo)]
    asked = view.query.get("dialog") == "transfer"
    targets = view.read("web/issues/list-transfer-targets", owner=owner, repo=repo) if asked else None
    return {"is_pinned": number in pinned, "pins_full": len(pinned) >= MOST_PINNED, "targets": targets}


def _redirect(view: View, path: str) -> Response:
    return Response(status_code=303, headers={"Location": view.url(path)})


def conversation(view: View, owner: str, repo: str, found: dict[str, Any]) -> PageContext:
    """Return the timeline of an issue or pull request, and the context of its side panel."""
    number = found["number"]
    more = view.query.get("events", "1")
    upto = whole_number(more, 1, least=1, most=50)
    events: list[dict[str, Any]] = []
    rest = False
    for page in range(1, upto + 1):
        read = view.read(
            "issues/list-events-for-timeline",
            owner=owner,
            repo=repo,
            issue_number=number,
            per_page=TIMELINE_PAGE,
            page=page,
        )
        events += read
        rest = bool(read.total is not None and read.total > page * TIMELINE_PAGE)
    sub = (
        view.read("issues/list-sub-issues", owner=owner, repo=repo, issue_number=number)
        if found.get("sub_issues_summary", {}).get("total")
        else []
    )
    offered = choices(view, owner, repo) if view.query.get("menu") else {"labels": [], "people": [], "milestones": []}
    return offered | {
        "issue": found,
        "events": group_label_events(events),
        "more_events": upto + 1 if rest else None,
        "sub_issues": sub,
        "locked_out": found["locked"]
        and view.read("web/overview", owner=owner, repo=repo)["level"] in ("pull", "triage"),
        "participants": participants(found, events),
        "subscription": view.attempt("web/subscription", owner=owner, repo=repo, issue_number=number),
    }


def participants(found: dict[str, Any], events: list[dict[str, object]]) -> list[dict[str, Any]]:
    """Return the people who wrote something, in order, and the assignees."""
    said = [found["user"], *(event["user"] for event in events if event["event"] in ("commented", "reviewed"))]
    return list({one["login"]: one for one in [*said, *found["assignees"]]}.values())


def group_label_events(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Group events for display: consecutive label changes by one person form one line."""
    out: list[dict[str, Any]] = []
    for event in events:
        last = out[-1] if out else None
        if event["event"] in ("labeled", "unlabeled"):
            if last and last["event"] == "labels" and last["actor"]["login"] == event["actor"]["login"]:
                last["put" if event["event"] == "labeled" else "taken"].append(event["label"])
                continue
            put, taken = ([event["label"]], []) if event["event"] == "labeled" else ([], [event["label"]])
            out.append(
                {
                    "event": "labels",
                    "actor": event["actor"],
                    "created_at": event["created_at"],
                    "put": put,
                    "taken": taken,
                    "id": event["id"],
                }
            )
        else:
            out.append(event)
    return out


@pages.action("issue.comment")
def comment_or_close(view: View, given: JsonObject) -> Any:
    """Handle the buttons under the comment field: comment, close (with the comment), reopen."""
    where = {name: given[name] for name in ("owner", "repo", "issue_number")}
    body = str(given.get("body") or "").strip()
    result: object = {}
    if body or not given.get("state"):
        result = view.submit("issues/create-comment", {**where, "body": str(given.get("body") or "")})
    if given.get("state"):
        reason = {"state_reason": given["state_reason"]} if given.get("state_reason") else {}
        result = view.submit("issues/update", {**where, "state": given["state"], **reason})
    return result
