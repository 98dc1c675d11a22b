"""Page tokens: opaque, bound to their list, and stable while mail is added or deleted."""

import base64
import binascii
from dataclasses import dataclass
from typing import Protocol

from apps.gmail.mailbox import Mailbox
from world.core.call import Call
from world.core.errors import OperationError
from world.core.rng import digest

MOST, SEAL = 500, 8


class PageParams(Protocol):
    """Parameters of a page."""

    @property
    def maxResults(self) -> int: ...

    @property
    def pageToken(self) -> str: ...


@dataclass(frozen=True, slots=True)
class PagePosition:
    """Requested page; `after` is the time and id of the last row before it."""

    seed: int
    kind: str
    size: int
    shown: int
    after: tuple[int, str] | None

    def make_next_token(self, at: int, id: str) -> str:
        """Return the token of the page after a row."""
        return _seal_token(self.seed, self.kind, f"{self.shown + self.size}:{at}:{id}")

    def estimate(self, found: int) -> int:
        """Estimate the total number of results."""
        return self.shown + found


def read_page(call: Call, box: Mailbox, kind: str, params: PageParams) -> PagePosition:
    """Return the requested page. Raises invalid_page_token."""
    bound = f"{kind}:{box.person}"
    size = min(params.maxResults or 100, MOST)
    if not params.pageToken:
        return PagePosition(call.rng.seed, bound, size, 0, None)
    shown, at, id = _open_token(call.rng.seed, bound, params.pageToken).split(":", 2)
    return PagePosition(call.rng.seed, bound, size, int(shown), (int(at), id))


def _seal_token(seed: int, kind: str, text: str) -> str:
    return (
        base64.urlsafe_b64encode(digest("gmail page", seed, kind, text, size=SEAL) + text.encode()).decode().rstrip("=")
    )


def _open_token(seed: int, kind: str, token: str) -> str:
    try:
        raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
        text = raw[SEAL:].decode()
    except (binascii.Error, ValueError):
        raise OperationError("invalid_page_token") from None
    if raw[:SEAL] != digest("gmail page", seed, kind, text, size=SEAL):
        raise OperationError("invalid_page_token")
    return text
