"""Portraits on pages: an employee's initials give way to their face; bots, customers and organisations keep theirs."""

import re
from collections.abc import Iterable, Mapping
from html import unescape

import orjson
from starlette.requests import Request
from starlette.responses import Response

from world.core.portraits import MARK, draw_portrait, portrait_mark
from world.run.host import Host
from world.store.queries import rows
from world.web.mount import MountPoint

AVATAR = re.compile(
    r'<svg class="avatar" data-of="([^"]*)" (?:role="img" aria-label="([^"]*)"|aria-hidden="true")'
    r' width="(\d+)"(.*?)</svg>',
    re.DOTALL,
)
OWNER = re.compile(r' data-of="[^"]*"')
_EMPLOYEES = (
    "WITH asked AS MATERIALIZED (SELECT value FROM json_each(?))"
    " SELECT c.domain, p.id, p.first_name, p.pronouns, p.email FROM person p JOIN company c ON c.id = 1"
    " WHERE p.kind = 'employee' AND (p.id IN asked OR p.email IN asked) ORDER BY p.id DESC"
)
_BY_ID = (
    "SELECT c.domain, p.id, p.first_name, p.pronouns FROM person p JOIN company c ON c.id = 1"
    " WHERE p.kind = 'employee' AND p.id IN (SELECT value FROM json_each(?))"
)


def put_portraits(host: Host, world: str, place: MountPoint, own_names: str, text: str) -> str:
    """Return a page with portraits in place of the initials that are said to be employees': by directory id or address.

    `own_names` is the app's statement for names of its own (`Pages.own_names`); empty if it has none.
    """
    found = {unescape(one[1]) for one in AVATAR.finditer(text)}
    if not found:
        return text
    marks = find_marks(host, world, own_names, found)

    def put(one: re.Match[str]) -> str:
        mark = marks.get(unescape(one[1]))
        if mark is None:
            return OWNER.sub("", one[0], count=1)
        address = place.site_url(f"/web/portraits/{mark}.svg")
        return f'<img class="avatar" src="{address}" alt="{one[2] or ""}" width="{one[3]}" height="{one[3]}" draggable="false">'

    return AVATAR.sub(put, text)


def find_marks(host: Host, world: str, own_names: str, names: Iterable[str]) -> Mapping[str, str]:
    """Return the marks of the portraits of those ids, addresses and own names that are employees'."""
    bound, asked = host.actor(world).bound, orjson.dumps(sorted(names)).decode()
    marks: dict[str, str] = {}
    for *person, address in rows(bound, _EMPLOYEES, asked):
        marks[str(person[1])] = marks[str(address)] = portrait_mark(*map(str, person))
    own = {str(name): str(person) for name, person in rows(bound, own_names, asked)} if own_names else {}
    if own:
        people = orjson.dumps(sorted(set(own.values()))).decode()
        by_id = {str(one[1]): portrait_mark(*map(str, one)) for one in rows(bound, _BY_ID, people)}
        marks |= {name: by_id[person] for name, person in own.items() if person in by_id}
    return marks


async def answer_portrait(request: Request) -> Response:
    """The portrait of a mark; it shows nothing that the address does not say."""
    mark = request.path_params["mark"]
    if not MARK.fullmatch(mark):
        return Response("Not found", 404, media_type="text/plain")
    headers = {"Cache-Control": "public, max-age=86400", "X-Content-Type-Options": "nosniff"}
    return Response(draw_portrait(mark), headers=headers, media_type="image/svg+xml")
