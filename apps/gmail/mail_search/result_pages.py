"""Pages of search results for the lists of messages, threads and drafts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from apps.gmail import page_tokens
from apps.gmail.mail_search.search import Hit
from apps.gmail.mailbox import Mailbox


class Query(page_tokens.PageParams, Protocol):
    """Parameters of a page of a search."""

    @property
    def q(self) -> str: ...

    @property
    def includeSpamTrash(self) -> bool: ...


class Find(Protocol):
    """Search function for messages or threads."""

    def __call__(
        self,
        box: Mailbox,
        query: str,
        labels: Sequence[str],
        *,
        everywhere: bool,
        after: tuple[int, str] | None,
        limit: int,
    ) -> list[Hit]: ...


@dataclass(frozen=True, slots=True)
class ResultPage:
    """The hits of a page, the estimated total, and the token of the next page, if any."""

    hits: list[Hit]
    estimate: int
    token: str


def find_page(box: Mailbox, kind: str, params: Query, find: Find, labels: Sequence[str]) -> ResultPage:
    """Return the requested page. Raises invalid_page_token, and the errors of `find`."""
    page = page_tokens.read_page(box.call, box, kind, params)
    hits = find(box, params.q, labels, everywhere=params.includeSpamTrash, after=page.after, limit=page.size + 1)
    shown = hits[: page.size]
    token = page.make_next_token(shown[-1].internal_at, shown[-1].id) if len(hits) > page.size else ""
    return ResultPage(shown, page.estimate(len(hits)), token)
