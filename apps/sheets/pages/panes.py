"""What lies over and beside any page: the dialog that the address names, the pane of comments; and what all pages
share.
"""

from typing import Any

from apps.sheets.operations.drive_fields import COLORS
from apps.sheets.pages import comments, dialogs
from apps.sheets.pages.ui import pages
from world.web import View

PLACES = (
    ("/", "Sheets", "sheet", ""),
    ("/my-drive", "My Drive", "hard-drive", ""),
    ("/shared-with-me", "Shared with me", "users", ""),
    ("/recent", "Recent", "clock", ""),
    ("/starred", "Starred", "star", ""),
    ("/trash", "Trash", "trash", ""),
)


@pages.every_page
def shared(view: View) -> dict[str, Any]:
    """The rail's places and the dialog that is open."""
    return {
        "place": view.path,
        "places": PLACES,
        "hues": COLORS,
        **(dialogs.overlay(view) if view.wants("overlay") else dialogs.CLOSED),
    }


def part(view: View, key: str) -> dict[str, Any] | None:
    """What a page of a spreadsheet answers when only its dialog or its comments are asked for; None for anything else."""
    if view.block not in ("overlay", "comments"):
        return None
    file = view.read("drive.files.get", fileId=key)
    context = {"title": file["name"], "file_key": key}
    return context | (comments.pane(view, key) if view.block == "comments" else {})


def beside(view: View, key: str) -> dict[str, Any]:
    """What the whole page of a spreadsheet needs for these parts."""
    return {"file_key": key, **comments.pane(view, key)}
