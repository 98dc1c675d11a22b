"""The page of every part that the apps' pages share, in its states; for who draws pages."""

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from world.core.portraits import portrait_mark
from world.studio.studio_state import Studio
from world.web.response_headers import add_page_headers

NAMES = (
    "Ada Novak",
    "Bo Lindqvist",
    "Cyrus Patel",
    "Dee Okafor",
    "Eve Moreau",
    "Farid Haddad",
    "Grace Kim",
    "Hanna Weiss",
    "Ivo Horvat",
    "Jun Sato",
    "Kofi Mensah",
    "Lea Rossi",
)


async def show_parts(studio: Studio, request: Request) -> Response:
    """Every shared part once: choices, pickers, menus, dialogs, notices, an editor, faces, dates."""
    faces = [(name, _mark_of(name)) for name in NAMES]
    return studio.render("parts.html", {"names": NAMES, "faces": faces, "title": "Parts"})


async def list_suggestions(studio: Studio, request: Request) -> Response:
    """The people whose names hold a text, as a picker's suggestions."""
    wanted = request.query_params.get("q", "").casefold().removeprefix("@")
    rows = [
        f'<li role="option" data-value="{name}" data-label="{name}"><img class="avatar"'
        f' src="/web/portraits/{_mark_of(name)}.svg" alt="" width="22" height="22"><b>{name}</b></li>'
        for name in NAMES
        if wanted in name.casefold()
    ]
    return add_page_headers(HTMLResponse("".join(rows)))


def _mark_of(name: str) -> str:
    return portrait_mark("parts.example", name, name.split()[0])
