"""Pictures of accounts: the portrait of the mark in an address, or a pattern of the account's number."""

from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from world.core.portraits import MARK, draw_portrait

LONGEST = 20  # digits of an id and one more
SIDE = 5  # squares of a pattern; its left half is its right half turned over


def list_avatar_routes() -> list[BaseRoute]:
    """Return the routes of the pictures; they show nothing that their addresses do not say."""
    return [Route(f"/avatars/{kind}/{{id}}", _answer_avatar, methods=["GET"]) for kind in ("u", "t")]


async def _answer_avatar(request: Request) -> Response:
    id = request.path_params["id"]
    if not (id.isascii() and id.isdecimal() and len(id) < LONGEST):
        return Response("Not Found", 404, media_type="text/plain")
    mark = request.query_params.get("u", "")
    picture = draw_portrait(mark) if MARK.fullmatch(mark) else draw_pattern(id)
    headers = {"Cache-Control": "max-age=300", "X-Content-Type-Options": "nosniff"}
    return Response(picture, headers=headers, media_type="image/svg+xml")


def draw_pattern(id: str) -> str:
    """The SVG of an account without a picture: squares of one colour, symmetrical."""
    drawn = sha256(f"pattern {id}".encode()).digest()
    columns = [min(x, SIDE - 1 - x) for x in range(SIDE)]
    squares = "".join(
        f"M{x + 1} {y + 1}h1v1h-1z" for x in range(SIDE) for y in range(SIDE) if drawn[columns[x] * SIDE + y] % 2
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 7 7"><rect width="7" height="7" fill="#f0f0f0"/>'
        f'<path d="{squares}" fill="hsl({int.from_bytes(drawn[-2:]) % 360} 45% 55%)"/></svg>'
    )
