"""Pictures of users and projects at the addresses that answers name."""

from collections.abc import Callable

from markupsafe import escape
from starlette.requests import Request
from starlette.responses import Response

from apps.jira.domain.access import parse_number
from apps.jira.rest.arguments import authenticate_caller
from world.core.errors import OperationError
from world.core.portraits import draw_portrait, portrait_mark
from world.core.principal import Principal
from world.run.host import Host
from world.store.queries import row
from world.web.icons import colour, initials

PATH = "/rest/api/{v}/universal_avatar/view/type/{kind}/owner/{owner}"
_USER = (
    "SELECT p.full_name, p.kind, c.domain, p.id, p.first_name, p.pronouns FROM account a JOIN person p ON p.id = a.person_id"
    " JOIN company c ON c.id = 1 WHERE a.app = 'jira' AND a.external_id = ?"
)
HEADERS = {"Cache-Control": "private, max-age=300", "X-Content-Type-Options": "nosniff"}


def find_avatar(host: Host, request: Request, missing: Callable[[str], Response]) -> Response:
    """An employee's portrait, or the initials of an app or a project that the caller sees; `missing` answers the rest."""
    principal = authenticate_caller(host, request)
    kind, owner = request.path_params["kind"], request.path_params["owner"]
    picture = None
    if principal is not None and kind == "user":
        picture = _draw_user(host, principal, owner)
    elif principal is not None and kind == "project" and parse_number(owner) is not None:
        picture = _draw_project(host, principal, owner)
    return missing(str(request.url.replace(query=""))) if picture is None else _answer(picture)


def _draw_user(host: Host, principal: Principal, account: str) -> str | None:
    found = row(host.actor(principal.world).bound, _USER, account)
    if found is not None and found[1] == "employee":
        return draw_portrait(portrait_mark(*map(str, found[2:])))
    return None if found is None else _draw_initials(str(found[0]))


def _draw_project(host: Host, principal: Principal, id: str) -> str | None:
    """The initials of a project; None for one that the caller may not browse."""
    try:
        found = host.peek(principal, "rest", "getProject", {"projectIdOrKey": id})
    except OperationError:
        return None
    return _draw_initials(str(found["name"]))


def _answer(picture: str) -> Response:
    return Response(picture, headers=HEADERS, media_type="image/svg+xml")


def _draw_initials(name: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">'
        f'<rect width="36" height="36" fill="{colour(name)}"/>'
        '<text x="18" y="23.5" font-family="Arial,sans-serif" font-size="14.5" font-weight="600" fill="#fff"'
        f' text-anchor="middle">{escape(initials(name))}</text></svg>'
    )
