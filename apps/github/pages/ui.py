"""Page declarations of the code host: shortcuts, and the text of refusals."""

from apps.github.refusals import SENTENCES
from world.web import Pages
from world.web.pages import Shortcut
from world.web.refusals import SIGNED_OUT, Refusal

SHORTCUTS = (
    Shortcut("?", "Show keyboard shortcuts"),
    Shortcut("/", "Search"),
    Shortcut("g n", "Notifications"),
    Shortcut("g d", "Your repositories"),
    Shortcut("g c", "Code of the repository"),
    Shortcut("g i", "Issues of the repository"),
    Shortcut("g p", "Pull requests of the repository"),
    Shortcut("g a", "Actions of the repository"),
    Shortcut("c", "New issue"),
    Shortcut("t", "Find a file"),
    Shortcut("w", "Choose a branch"),
    Shortcut("b", "Blame"),
    Shortcut("e", "Edit the file"),
    Shortcut("y", "Permanent address of the file"),
    Shortcut("j", "Next in a list"),
    Shortcut("k", "Previous in a list"),
    Shortcut("l", "Labels of the issue"),
    Shortcut("a", "Assignees of the issue"),
    Shortcut("m", "Milestone of the issue"),
    Shortcut("q", "Reviewers of the pull request"),
    Shortcut("r", "Write a comment"),
    Shortcut("Escape", "Close a dialog"),
)
OWN = {
    "not_found": "This is not the page you are looking for.",
    "moved": "This issue was transferred to another repository. Load the page again to follow it there.",
    "validation_failed": "{said}",
    "review_refused": "{said}",
    "forbidden": "You don't have permission to do that here.",
    "no_push": "You don't have permission to change this repository.",
}


def _refusals() -> dict[str, Refusal]:
    """Return the REST door's sentence for each refusal code, for pages."""
    return {
        code: Refusal(_page_status(code, status), OWN.get(code, text)) for code, (status, text) in SENTENCES.items()
    }


def _page_status(code: str, status: int) -> int:
    if code == "moved":  # a form is not sent on
        return 404
    return 403 if status == 401 and code not in SIGNED_OUT else status


pages = Pages(
    "github",
    shortcuts=SHORTCUTS,
    refusals=_refusals(),
    search_path="/search",
    search_label="Search or jump to",
    own_names=(
        "SELECT login, person_id FROM github_account"
        " WHERE kind = 'User' AND person_id IS NOT NULL AND login IN (SELECT value FROM json_each(?))"
    ),
)
