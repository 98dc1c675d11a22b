"""Page declarations of the issue tracker: shortcuts, and the text of refusals."""

from apps.jira.refusals import SENTENCES
from world.web import Pages
from world.web.pages import Shortcut
from world.web.refusals import SIGNED_OUT, Refusal

SHORTCUTS = (
    Shortcut("?", "Show keyboard shortcuts"),
    Shortcut("c", "Create an issue"),
    Shortcut("/", "Search"),
    Shortcut("g d", "Your work"),
    Shortcut("g p", "Projects"),
    Shortcut("g i", "Issues"),
    Shortcut("1", "Backlog of the project"),
    Shortcut("2", "Board of the project"),
    Shortcut("e", "Edit the issue"),
    Shortcut("m", "Comment on the issue"),
    Shortcut("i", "Assign the issue to me"),
    Shortcut(".", "Actions on the issue"),
    Shortcut("j", "Next issue in a list"),
    Shortcut("k", "Previous issue in a list"),
    Shortcut("Escape", "Close a dialog, or leave a field"),
)


def _refusals() -> dict[str, Refusal]:
    """Return the REST door's sentence for each refusal code, for pages.

    The vendor's 401 for links does not sign out here.
    """
    return {
        code: Refusal(403 if status == 401 and code not in SIGNED_OUT else status, text)
        for code, (status, text) in SENTENCES.items()
    }


pages = Pages(
    "jira",
    shortcuts=SHORTCUTS,
    refusals=_refusals(),
    search_path="/issues",
    search_label="Search issues",
    own_names=(
        "SELECT external_id, person_id FROM account"
        " WHERE app = 'jira' AND external_id IN (SELECT value FROM json_each(?))"
    ),
    site_folders=("jira",),
)
