"""Context of all pages: the places of the rail, and the open dialog."""

from apps.drive.operations.file_fields import COLORS
from apps.drive.pages import dialogs
from apps.drive.pages.ui import pages
from world.core.json_types import JsonObject
from world.web import View

PLACES = (
    ("/my-drive", "My Drive", "hard-drive", ""),
    ("/shared-with-me", "Shared with me", "users", ""),
    ("/recent", "Recent", "clock", ""),
    ("/starred", "Starred", "star", ""),
    ("/trash", "Trash", "trash", ""),
)


@pages.every_page
def build_frame_context(view: View) -> JsonObject:
    """The rail's places and the dialog that is open."""
    return {
        "place": view.path,
        "places": PLACES,
        "hues": COLORS,
        **(dialogs.overlay(view) if view.wants("overlay") else dialogs.CLOSED),
    }
