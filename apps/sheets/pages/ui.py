"""Page declarations of the spreadsheet client, which shows the drive's lists too: shortcuts, refusals, lost forms."""

from apps.drive.pages.public import CLIENT
from apps.drive.pages.public import pages as of_drive
from world.web import Pages
from world.web.pages import Shortcut
from world.web.refusals import Refusal

SHORTCUTS = (
    Shortcut("?", "Show keyboard shortcuts"),
    Shortcut("/", "Search spreadsheets"),
    Shortcut("Escape", "Close a dialog"),
)
REFUSALS = {
    **of_drive.refusals,
    "not_a_spreadsheet": Refusal(404, "Sorry, this file is no spreadsheet."),
    "no_sheet": Refusal(404, "This sheet is gone: somebody deleted it."),
    "nothing_to_undo": Refusal(409, "There is nothing to undo."),
    "outside_grid": Refusal(422, "This is beyond the end of the sheet."),
    "range_beyond_sheet": Refusal(422, "This is beyond the end of the sheet."),
    "violates_rule": Refusal(422, "{problem}"),
}
LOST = {
    **of_drive.lost,
    "import": "Import failed.",
    "comment": "Your comment wasn't posted.",
    "reply": "Your reply wasn't posted.",
    "cell": "Your edit wasn't saved.",
}
pages = Pages(
    "sheets",
    shortcuts=SHORTCUTS,
    refusals=REFUSALS,
    lost=LOST,
    search_label="Search spreadsheets and files",
    own_names=(
        "SELECT full_name, min(id) FROM person WHERE full_name IN (SELECT value FROM json_each(?))"
        " GROUP BY full_name HAVING count(*) = 1"  # who comments is shown by name alone
    ),
    lent=CLIENT,
    site_folders=("spreadsheets",),
)
