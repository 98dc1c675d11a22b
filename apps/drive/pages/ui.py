"""Page declarations of the drive's client: shortcuts, text of refusals, lost forms."""

from pathlib import Path

from apps.drive.refusals import PROTECTED
from world.web import Pages
from world.web.pages import Shortcut
from world.web.refusals import Refusal

CLIENT = Path(__file__).parents[1]  # with the templates and static files
SHORTCUTS = (
    Shortcut("?", "Show keyboard shortcuts"),
    Shortcut("/", "Search files"),
    Shortcut("Escape", "Close a dialog"),
)
REFUSALS = {
    "not_found": Refusal(404, "Sorry, the file you have requested does not exist."),
    "forbidden": Refusal(403, "You need access. Ask for access, or switch to an account with access."),
    "protected": Refusal(403, PROTECTED),
    "bad_request": Refusal(422, "{problem}"),
    "too_long": Refusal(422, "Your input contains more than the maximum of 50000 characters in a single cell."),
    "unknown_recipient": Refusal(422, "The address {email} was not found. Check it and try again."),
    "bad_email": Refusal(422, "This is no address that a file can be shared with."),
    "invalid_value": Refusal(422, "This is not understood here."),
    "bad_expiration": Refusal(422, "Choose a day within the next year."),
    "shortcut_target": Refusal(422, "This can't have a shortcut."),
    "no_revision": Refusal(404, "This version is no longer there."),
    "no_revisions": Refusal(404, "This has no versions."),
    "revision_undeletable": Refusal(409, "The last version of a file can't be deleted."),
    "transfer_outside": Refusal(422, "Only somebody at the company can own this file."),
    "inherited_permission": Refusal(409, "This access comes from a folder. Change it there."),
    "cannot_remove_owner": Refusal(409, "The owner of a file keeps access to it."),
    "would_be_circle": Refusal(409, "A folder can't be moved into itself."),
    "cannot_add_parent": Refusal(409, "Only who may edit the folder it is in can move this."),
    "parent_not_folder": Refusal(404, "This is no folder."),
    "conversion_unsupported": Refusal(
        422, "This kind of file can't be turned into a spreadsheet. Choose an xlsx, csv or tsv file."
    ),
    "bad_file": Refusal(422, "The file could not be read: {problem}."),
    "encrypted_file": Refusal(422, "The file is protected by a password or has an old format."),
    "file_too_large": Refusal(422, "The file is too large to import."),
    "too_large": Refusal(422, "The file is larger than an upload can be."),
    "too_many_cells": Refusal(422, "The spreadsheet would have more cells than the limit of {most}."),
    "too_many_sheets": Refusal(422, "A spreadsheet can't have more than {most} sheets."),
    "cannot_download": Refusal(403, "The owner doesn't allow viewers to download, print or copy this file."),
    "cannot_copy": Refusal(403, "The owner doesn't allow viewers to download, print or copy this file."),
    "bad_page_token": Refusal(404, "This page of the list is no longer there. Open the list again."),
    "no_comment": Refusal(404, "This comment was deleted."),
    "no_permission": Refusal(404, "This person no longer has access."),
    "not_the_author": Refusal(403, "Only who wrote this can change it."),
}

# of forms, by what they lead to, when an outage swallowed them
LOST = {
    "new": "It wasn't created.",
    "upload": "Upload failed.",
    "copy": "The copy wasn't made.",
    "move": "It wasn't moved.",
    "drive.files.update": "Your change wasn't saved.",
    "share": "It wasn't shared.",
    "access": "Access wasn't updated.",
    "general-access": "Access wasn't updated.",
    "drive.comments.create": "Your comment wasn't posted.",
    "web.requestAccess": "Your request wasn't sent.",
}
pages = Pages(
    "drive",
    shortcuts=SHORTCUTS,
    refusals=REFUSALS,
    lost=LOST,
    search_label="Search spreadsheets and files",
    own_names=(
        "SELECT full_name, min(id) FROM person WHERE full_name IN (SELECT value FROM json_each(?))"
        " GROUP BY full_name HAVING count(*) = 1"  # who comments is shown by name alone
    ),
    site_folders=("drive",),
)
