"""Labels and milestones of a repository: lists, forms, and one milestone with its issues."""

from typing import Any

from apps.github.pages.frame import frame
from apps.github.pages.issues import build_issue_list
from apps.github.pages.ui import pages
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.web import View
from world.web.pages import PageContext

COLOURS = (
    "b60205",
    "d93f0b",
    "fbca04",
    "0e8a16",
    "006b75",
    "1d76db",
    "0052cc",
    "5319e7",
    "e99695",
    "c5def5",
    "bfd4f2",
    "d4c5f9",
)


@pages.page("/{owner}/{repo}/labels", template="labels.html")
def labels(view: View, owner: str, repo: str) -> PageContext:
    """The labels, with forms to change them."""
    around = frame(view, owner, repo, "issues")
    found = view.call("issues/list-labels-for-repo", owner=owner, repo=repo, per_page=100)
    text = view.query.get("q", "").strip().lower()
    shown = [one for one in found if text in one["name"].lower() or text in (one["description"] or "").lower()]
    return around | {
        "labels": shown,
        "count": len(found),
        "q": view.query.get("q", ""),
        "colours": COLOURS,
        "title": f"Labels · {around['full_name']}",
    }


@pages.page("/{owner}/{repo}/milestones", template="milestones.html")
def milestones(view: View, owner: str, repo: str) -> PageContext:
    """Show the open or closed milestones, with their progress."""
    around = frame(view, owner, repo, "issues")
    state = "closed" if view.query.get("state") == "closed" else "open"
    found = view.call("issues/list-milestones", owner=owner, repo=repo, state=state, per_page=100)
    other = view.read(
        "issues/list-milestones", owner=owner, repo=repo, state="open" if state == "closed" else "closed", per_page=1
    )
    counts = {state: len(found), "open" if state == "closed" else "closed": other.total or 0}
    return around | {
        "milestones": found,
        "state": state,
        "counts": counts,
        "title": f"Milestones · {around['full_name']}",
    }


@pages.page("/{owner}/{repo}/milestones/new", template="milestone_form.html")
def new_milestone(view: View, owner: str, repo: str) -> PageContext:
    """A form for a new milestone."""
    around = frame(view, owner, repo, "issues")
    return around | {"milestone": None, "title": f"New milestone · {around['full_name']}"}


@pages.page("/{owner}/{repo}/milestones/{number:int}/edit", template="milestone_form.html")
def edit_milestone(view: View, owner: str, repo: str, number: int) -> PageContext:
    """A form to change a milestone."""
    around = frame(view, owner, repo, "issues")
    found = view.call("issues/get-milestone", owner=owner, repo=repo, milestone_number=number)
    return around | {"milestone": found, "title": f"Edit milestone · {around['full_name']}"}


@pages.page("/{owner}/{repo}/milestone/{number:int}", template="milestone.html")
def milestone(view: View, owner: str, repo: str, number: int) -> PageContext:
    """Show one milestone and its issues."""
    found = view.read("issues/get-milestone", owner=owner, repo=repo, milestone_number=number)
    usual = f'milestone:"{found["title"]}" state:open'
    return build_issue_list(view, owner, repo, "", usual) | {
        "milestone": found,
        "title": f"{found['title']} Milestone · {owner}/{repo}",
    }


@pages.action("milestone.save")
def save(view: View, given: JsonObject) -> Any:
    """Save a new or changed milestone; a day becomes its start time."""
    due = str(given.pop("due", "") or "")
    given["due_on"] = f"{due}T08:00:00Z" if due else None
    number = given.get("milestone_number")
    if not str(given.get("title") or "").strip():
        raise OperationError("validation_failed", said="Title can't be blank.")
    if number:
        return view.submit("issues/update-milestone", given)
    given.pop("milestone_number", None)
    return view.submit(
        "issues/create-milestone", {name: value for name, value in given.items() if value not in ("", None)}
    )
