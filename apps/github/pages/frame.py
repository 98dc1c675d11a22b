"""Frame of the pages of a repository, and context of all pages."""

from collections.abc import Mapping

from starlette.responses import HTMLResponse, Response

from apps.github.pages.template_filters import EMOJI, REACTION_NAMES, render_markdown
from apps.github.pages.ui import pages
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.web import View
from world.web.pages import PageContext

OVER = ("dialog", "menu", "edit")


@pages.every_page
def build_context(view: View) -> JsonObject:
    """Return the template context of all pages."""
    me = view.attempt("users/get-authenticated")
    if me is None and not view.troubles:
        raise OperationError("bad_credentials")
    links = (
        [{"address": view.url(f"/{me['login']}"), "icon": "circle-user-round", "text": "Profile", "target": "page"}]
        if me
        else []
    )

    def render_closed_address() -> str:
        """Return the address of this page without the dialog over it."""
        return view.here(**dict.fromkeys(OVER))

    return {
        "account": me,
        "my_login": me["login"] if me else "",
        "path": view.path,
        "dialog": view.query.get("dialog", ""),
        "closed": render_closed_address,
        "edit": view.query.get("edit", ""),
        "emoji": EMOJI,
        "reaction_names": REACTION_NAMES,
        "account_links": links,
        "unread": view.attempt("web/unread") or 0,
        "tab": "",
        "full_name": None,
        **({"drawn_as": me["login"]} if me else {}),
    }


def frame(view: View, owner: str, repo: str, tab: str) -> PageContext:
    """Return header and tabs of a repository's pages. Raises not_found for one the reader cannot see."""
    over = view.read("web/overview", owner=owner, repo=repo)
    name = over["full_name"]

    def at(path: str = "", **query: object) -> str:
        """Return an address below the repository."""
        return view.url(f"/{name}{path}", **query)

    level = over["level"]
    return {
        "repo": over,
        "full_name": name,
        "autolinks": over["autolinks"],
        "owner": name.partition("/")[0],
        "name": name.partition("/")[2],
        "at": at,
        "tab": tab,
        "may_triage": level in ("triage", "push", "maintain", "admin"),
        "may_push": level in ("push", "maintain", "admin"),
        "may_admin": level == "admin",
    }


@pages.action("preview")
def preview(view: View, given: Mapping[str, object]) -> Response:
    """Preview the text of a field as it will look once sent."""
    text = render_markdown(
        str(given.get("text") or ""), view.url("/").rstrip("/"), str(given.get("context") or "") or None
    )
    return HTMLResponse(f'<div class="prose">{text}</div>' if text else '<p class="hint">Nothing to preview</p>')
