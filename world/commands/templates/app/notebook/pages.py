"""The browser UI: one page with the notes and a form."""

from typing import Any

from world.web import Pages, View
from world.web.refusals import Refusal

REFUSALS = {
    "note_not_found": Refusal(404, "That note is gone."),
    "not_your_note": Refusal(403, "Only its author can delete a note."),
}
pages = Pages("notebook", refusals=REFUSALS)
PLACES = {"notebook.list": "/", "notebook.write": "/", "notebook.delete": "/"}


@pages.page("/", template="notes.html")
def notes(view: View) -> dict[str, Any]:
    """All notes, with a form for a new one."""
    return {"notes": view.call("notebook.list"), "title": "Notes"}
