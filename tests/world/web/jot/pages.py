"""The pages of the test app."""

from typing import Any

from starlette.responses import RedirectResponse, Response

from world.web import Pages, View
from world.web.refusals import Refusal

pages = Pages("jot", refusals={"word_forbidden": Refusal(422, "That word is not allowed here.")})
PLACES = {"jot.write": "/", "jot.delete": "/notes/{id}"}


@pages.page("/", template="notes.html", free=("menu",))
def notes(view: View) -> dict[str, Any]:
    """All notes, with the form for a new one."""
    found = view.call("jot.list")
    view.unread = len(found)
    return {"notes": found, "count": len(view.read("jot.list")), "title": "Notes"}


@pages.page("/notes/{id}", template="note.html")
def note(view: View, id: str) -> dict[str, Any]:
    """One note."""
    return {"note": view.call("jot.get", id=id), "title": "A note"}


@pages.page("/old", template="note.html")
def old(view: View) -> Response:
    """An address that moved."""
    return RedirectResponse(view.url("/"), 303)


@pages.page("/board", template="board.html")
def board(view: View) -> dict[str, Any]:
    """Cards in columns."""
    view.call("jot.list")
    return {"title": "Board"}


@pages.page("/choices", template="choices.html")
def choices(view: View) -> dict[str, Any]:
    """A form of choices."""
    return {"title": "Choices"}


@pages.page("/side", template="side.html")
def side(view: View) -> dict[str, Any]:
    """A page with a part it can do without."""
    some = view.attempt("jot.list") if view.wants("content") else None
    return {"nothing": view.attempt("jot.get", id="nope"), "some": some, "title": f"At {view.now}"}


@pages.every_page
def shared(view: View) -> dict[str, Any]:
    """A count on every page."""
    return {"total": len(view.read("jot.list"))}


@pages.action("jot.twice")
def twice(view: View, arguments: dict[str, Any]) -> dict[str, Any] | Response:
    """Two notes from one form; without a text, somewhere else at once."""
    if not arguments.get("text"):
        return RedirectResponse(view.url("/side"), 303)
    view.submit("jot.write", arguments)
    return view.submit("jot.write", arguments)


@pages.compose("jot.write")
def compose(view: View, arguments: dict[str, Any]) -> dict[str, Any]:
    """A smiley becomes a word."""
    return arguments | {"text": str(arguments.get("text", "")).replace(":-)", "smile")}
