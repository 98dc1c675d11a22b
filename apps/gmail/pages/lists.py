"""Lists of conversations: the inbox and its kin, categories, labels."""

from typing import Any

from starlette.responses import Response

from apps.gmail.folders import CATEGORIES, FOLDERS
from apps.gmail.pages.sidebar import label_name, label_path
from apps.gmail.pages.ui import pages
from world.operation import OperationError
from world.web import View


@pages.page("/", template="list.html")
def home(view: View) -> Response:
    """The inbox."""
    return Response(status_code=303, headers={"Location": view.url("/mail/inbox")})


def number_of(view: View) -> int:
    """The page of a list that the address asks for."""
    asked = view.query.get("page", "")
    return min(max(int(asked), 1), 10_000) if asked.isascii() and asked.isdecimal() and len(asked) < 6 else 1


def listed(view: View, title: str, base: str, kind: str, **which: str) -> dict[str, Any]:
    """A list page. `kind` chooses what its rows and tools show; `base` is the address conversations stand below."""
    found = view.call("mail.threads", **which, page=number_of(view))
    return {"title": title, "base": base, "kind": kind, "found": found}


@pages.page("/mail/category/{name}", template="list.html", free=("overlay",))
def category(view: View, name: str) -> dict[str, Any]:
    """A category of the inbox."""
    known = CATEGORIES.get(name)
    return listed(view, known.title if known else name, f"/mail/category/{name}", "category", category=name)


@pages.page("/mail/label/{name}", template="list.html", free=("overlay",))
def label(view: View, name: str) -> dict[str, Any]:
    """What is under a label of one's own."""
    own = label_name(name)
    return listed(view, own, label_path(own), "label", label=own)


@pages.page("/mail/{folder}", template="list.html", free=("overlay",))
def folder(view: View, folder: str) -> dict[str, Any]:
    """A list everybody has."""
    known = FOLDERS.get(folder)
    if known is None:
        raise OperationError("label_not_found", name=folder)
    return listed(view, known.title, f"/mail/{folder}", folder, folder=folder)
