"""Dialog and comments pane of a spreadsheet's page, and the context of all pages."""

from apps.drive.pages.public import dialogs, panes
from apps.sheets.pages import comments
from apps.sheets.pages.ui import pages
from world.core.json_types import JsonObject
from world.web import View
from world.web.pages import PageContext

PLACES = (("/", "Sheets", "sheet", ""), *panes.PLACES)
dialogs.DIALOGS["import"] = dialogs.render_file_dialog


@pages.every_page
def build_page_context(view: View) -> JsonObject:
    """The rail's places and the dialog that is open."""
    return {**panes.build_frame_context(view), "places": PLACES}


def part(view: View, key: str) -> PageContext | None:
    """Return the context when only the dialog or the comments are requested; None for anything else."""
    if view.block not in ("overlay", "comments"):
        return None
    file = view.read("drive.files.get", fileId=key)
    context = {"title": file["name"], "file_key": key}
    return context | (comments.pane(view, key) if view.block == "comments" else {})


def beside(view: View, key: str) -> JsonObject:
    """Return the context of these parts for the whole page."""
    return {"file_key": key, **comments.pane(view, key)}
