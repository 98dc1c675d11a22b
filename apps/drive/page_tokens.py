"""Page tokens: opaque, bound to their list and to the caller."""

import base64
import binascii
from collections.abc import Sequence
from typing import TypeVar

from apps.drive import opaque_tokens
from world.core.call import Call
from world.core.errors import OperationError

MOST = 1 << 8 * opaque_tokens.EACH  # permissions have larger numbers than a token holds
Item = TypeVar("Item")


def page(
    call: Call, kind: str, rows: Sequence[Item], ids: Sequence[int], size: int, token: str
) -> tuple[Sequence[Item], str]:
    """A page of rows and the token of the next one, empty at the end. A row that has gone meanwhile does not shift it.
    Raises bad_page_token.
    """
    begin = 0
    if token:
        shown, last = _decode_token(call, kind, token)
        known = [id % MOST for id in ids]
        begin = known.index(last) + 1 if last in known else min(shown, len(rows))
    found = rows[begin : begin + size]
    end = begin + len(found)
    return found, _seal_position(call, kind, end, ids[end - 1]) if end < len(rows) else ""


def _seal_position(call: Call, kind: str, end: int, last: int) -> str:
    return base64.urlsafe_b64encode(opaque_tokens.seal_numbers(call, kind, end, last % MOST)).decode().rstrip("=")


def _decode_token(call: Call, kind: str, token: str) -> list[int]:
    try:
        raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise OperationError("bad_page_token") from None
    return opaque_tokens.open_token(call, kind, raw, 2)
