"""Home page: the reader's spreadsheets."""

from apps.drive.pages.public import OWNERS, build_list_context, search_files
from apps.drive.public import SPREADSHEET
from apps.sheets.pages.ui import pages
from world.web import View
from world.web.pages import PageContext

SHEETS = f"mimeType = '{SPREADSHEET}' and trashed = false"
OWNED = (("anyone", "Owned by anyone"), ("me", "Owned by me"), ("others", "Not owned by me"))
# name of an order -> how it reads, how the drive says it, the time a row shows then
SORTS = {
    "opened": ("Last opened by me", "viewedByMeTime desc", "viewedByMeTime"),
    "edited": ("Last modified by me", "modifiedByMeTime desc", "modifiedByMeTime"),
    "modified": ("Last modified", "modifiedTime desc", "modifiedTime"),
    "title": ("Title", "name_natural", "viewedByMeTime"),
}


@pages.page("/", template="files_home.html", free=("overlay",))
def home(view: View) -> PageContext:
    """Spreadsheets, the one opened last first."""
    owner = view.query.get("owner", "anyone")
    sort = view.query.get("sort", "opened")
    owner, sort = owner if owner in OWNERS else "anyone", sort if sort in SORTS else "opened"
    _, order, time = SORTS[sort]
    listed = search_files(view, SHEETS + OWNERS[owner], order)
    empty = (
        ("sheet", "No spreadsheets yet", "Click + to create a new spreadsheet.")
        if owner == "anyone"
        else ("sheet", "No spreadsheets here", "")
    )
    return build_list_context(
        view,
        "home",
        listed,
        title="",
        owner=owner,
        owners=OWNED,
        sort=sort,
        sorts=SORTS,
        time_of=time,
        heading=SORTS[sort][0],
        empty=empty,
        grouped=sort != "title",
    )
