"""Frame of every page: projects, boards, starred filters, and the create dialog."""

from apps.jira.pages.create import create_form
from apps.jira.pages.template_filters import KEY
from apps.jira.pages.ui import pages
from world.core.json_types import JsonObject
from world.web import View

OVER = (
    "dialog",
    "edit",
    "transition",
    "comment",
    "worklog",
    "menu",
    "issue",
    "sprint",
    "version",
    "component",
    "project",
    "type",
    "parent",
    "link",
)


def project_key_of_path(path: str) -> str:
    """The project a page belongs to, by its address."""
    parts = path.split("/")
    return parts[2] if len(parts) > 2 and parts[1] == "projects" else ""


@pages.every_page
def build_context(view: View) -> JsonObject:
    """The side bar and the dialogs that any page may open."""
    projects = view.read("searchProjects", maxResults=100)["values"]
    boards: dict[str, JsonObject] = {}
    for board in view.read("getAllBoards", maxResults=50)["values"]:
        boards.setdefault(board["location"]["projectKey"], board)
    keys = {project["key"] for project in projects}

    def find_address(key: str) -> str | None:
        """The address of an issue by its key, if its project is one the reader sees."""
        return view.url(f"/browse/{key}") if KEY.fullmatch(key) and key.rsplit("-", 1)[0] in keys else None

    def find_existing_address(key: str) -> str | None:
        """The address of an issue by its key, if there is one that the reader sees."""
        address = find_address(key)
        return address if address and view.attempt("getIssue", issueIdOrKey=key, fields=["summary"]) else None

    def render_closed_address() -> str:
        """This page without the dialog over it."""
        return view.here(**dict.fromkeys(OVER))

    context: JsonObject = {
        "projects": projects,
        "boards": boards,
        "starred": view.read("getFavouriteFilters"),
        "shown_project": project_key_of_path(view.path),
        "tab": view.path.split("/")[3] if view.path.count("/") > 2 else "",
        "known": find_address,
        "existing": find_existing_address,
        "closed": render_closed_address,
        "path": view.path,
        "dialog": view.query.get("dialog", ""),
        "my_account": view.read("getCurrentUser")["accountId"],
        "account_links": [
            {
                "address": view.url(f"/people/{view.read('getCurrentUser')['accountId']}"),
                "icon": "circle-user-round",
                "text": "Profile",
                "target": "page",
            }
        ],
    }
    if context["dialog"] == "create" and view.wants("overlay"):
        context |= create_form(view, project_key_of_path(view.path) or view.query.get("project", ""))
    return context
