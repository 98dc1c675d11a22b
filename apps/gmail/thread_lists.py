"""Lists of conversations: the threads on a page, and their rows."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypedDict

import orjson

from apps.gmail import outgoing
from apps.gmail.content import to_sql_list
from apps.gmail.mail_search import search
from apps.gmail.mailbox import Mailbox
from apps.gmail.mime.payload import SNIPPET

EVERYWHERE = "everywhere"
COUNTED = 1_000  # results of a search at most
BATCH = 4  # messages looked at for each conversation shown, to begin with
_LIVE = "NOT m.is_spam AND m.trashed_at IS NULL"
_NEWEST = ("INBOX", "STARRED", "IMPORTANT")  # lists that tell when the conversation was last written in
_SHOWN = {EVERYWHERE: "1", "SPAM": "m.is_spam AND m.trashed_at IS NULL", "TRASH": "m.trashed_at IS NOT NULL"}
_BY_TIME = (
    "SELECT m.thread_id, m.internal_at FROM gmail_message m WHERE m.person_id = :me AND {shown}"
    " ORDER BY m.internal_at DESC, m.id DESC LIMIT :n"
)
_BY_LABEL = (
    "SELECT l.thread_id, l.internal_at FROM gmail_message_label l CROSS JOIN gmail_message m ON m.id = l.message_id"
    " WHERE l.person_id = :me AND l.label_id = :label AND {shown} ORDER BY l.internal_at DESC, l.message_id DESC"
    " LIMIT :n"
)
# All conversations are counted along an index; those of which nothing is left outside of spam and trash are then looked
# for.
_ALL = (
    (
        "SELECT count(*) FROM (SELECT DISTINCT thread_id FROM gmail_message INDEXED BY gmail_message_by_thread WHERE"
        " person_id = :me)"
    ),
    (
        "NOT EXISTS (SELECT 1 FROM gmail_message m WHERE m.person_id = :me AND m.thread_id = t.thread_id AND NOT"
        " m.is_spam AND m.trashed_at IS NULL)"
    ),
)
_LABELLED = (
    (
        "SELECT count(*) FROM (SELECT DISTINCT thread_id FROM gmail_message_label INDEXED BY"
        " gmail_message_label_by_thread WHERE person_id = :me AND label_id = :label)"
    ),
    (
        "EXISTS (SELECT 1 FROM gmail_message_label o WHERE o.message_id = t.id AND o.label_id = :label) AND NOT EXISTS"
        " (SELECT 1 FROM gmail_message_label l JOIN gmail_message m ON m.id = l.message_id WHERE l.person_id = :me AND"
        f" l.label_id = :label AND l.thread_id = t.thread_id AND {_LIVE})"
    ),
)
_GONE = (
    "SELECT count(DISTINCT thread_id) FROM (SELECT id, thread_id FROM gmail_message INDEXED BY gmail_message_trash"
    " WHERE person_id = :me AND trashed_at IS NOT NULL UNION ALL SELECT id, thread_id FROM gmail_message INDEXED BY"
    " gmail_message_spam WHERE person_id = :me AND is_spam) t WHERE {}"
)
_COUNT_AWAY = "SELECT count(DISTINCT m.thread_id) FROM gmail_message m WHERE m.person_id = :me AND {shown}"
_PART = (
    "SELECT m.thread_id, m.id, m.mail_id, m.internal_at, m.is_unread, m.is_spam OR m.trashed_at IS NOT NULL,"
    " c.from_name, c.from_email, c.to_list, c.cc_list, CASE WHEN m.delivered_to = '' THEN c.bcc_list ELSE '[]' END,"
    " c.subject, substr(c.text, 1, 2000), c.filenames, {send_at} FROM gmail_message m JOIN {table} ON {key} = m.mail_id"
    " WHERE m.person_id = :me AND m.thread_id IN (SELECT value FROM json_each(:ids)) AND {shown}"
)
_KINDS = (("gmail_mail c", "c.id", "NULL"), ("gmail_draft c", "c.mail_id", "c.send_at"))
_LABELS = (
    "SELECT message_id, label_id FROM gmail_message_label WHERE message_id IN (SELECT value FROM json_each(:ids)) ORDER"
    " BY 1, 2"
)
_SNOOZED = (
    "SELECT thread_id, until_at FROM gmail_snooze WHERE person_id = :me AND thread_id IN (SELECT value FROM"
    " json_each(:ids))"
)
_DRAFTS = "SELECT mail_id, id FROM gmail_draft WHERE mail_id IN (SELECT value FROM json_each(:ids))"


class RowPerson(TypedDict):
    """Somebody in a row: a sender, or a recipient of what the owner wrote."""

    name: str
    email: str
    isMe: bool
    isUnread: bool


class Row(TypedDict):
    """A conversation in a list. Times are microseconds since the epoch, UTC; 0 is none."""

    id: str
    messageId: str
    subject: str
    snippet: str
    senders: list[RowPerson]
    recipients: list[RowPerson]
    messages: int
    drafts: int
    draftId: str
    at: int
    isUnread: bool
    labelIds: list[str]
    attachments: list[str]
    scheduledAt: int
    snoozedUntil: int


class ListedMessage(NamedTuple):
    """A message of a conversation, as a list needs it."""

    thread: str
    id: str
    mail_id: int
    at: int
    is_unread: bool
    is_away: bool
    name: str
    email: str
    to: str
    cc: str
    bcc: str
    subject: str
    text: str
    filenames: str
    send_at: int | None


class Heads(NamedTuple):
    """Conversations of a page with their times, and the number of all (or more, if not all were counted)."""

    at: dict[str, int]
    total: int
    is_more: bool = False


def list_condition(label: str) -> str:
    """Return the condition of messages that a list shows: spam and trash have separate lists."""
    return _SHOWN.get(label, _LIVE)


def list_heads(box: Mailbox, label: str, first: int, size: int) -> Heads:
    """A page of the conversations under a label ('' is all mail), the latest first."""
    values = {"me": box.person, "label": label}
    page = _BY_TIME if label in ("", *_SHOWN) else _BY_LABEL
    found = _distinct_threads(box, page.format(shown=list_condition(label)), values, first + size)
    return Heads(dict(list(found.items())[first : first + size]), _count_threads(box, label, values))


def _count_threads(box: Mailbox, label: str, values: Mapping[str, object]) -> int:
    """Count the conversations of a list."""
    if label in _SHOWN:
        return int(box.call.scalar(_COUNT_AWAY.format(shown=list_condition(label)), values))
    everything, gone = _LABELLED if label else _ALL
    return int(box.call.scalar(everything, values)) - int(box.call.scalar(_GONE.format(gone), values))


def _distinct_threads(box: Mailbox, sql: str, values: Mapping[str, object], wanted: int) -> dict[str, int]:
    """Return the first conversations of a list of messages; reads more messages until there are enough."""
    n = wanted * BATCH
    while True:
        rows = box.call.all(sql, {**values, "n": n})
        found: dict[str, int] = {}
        for thread, at in rows:
            found.setdefault(thread, at)
        if len(found) >= wanted or len(rows) < n:
            return found
        n *= BATCH


def search_heads(box: Mailbox, query: str, first: int, size: int) -> Heads:
    """A page of the conversations a search finds. Raises invalid_query."""
    found = search.find_threads(box, query, limit=first + size)[first:]
    total = search.count_found(box, query, most=COUNTED, of_threads=True)
    return Heads({hit.thread_id: hit.internal_at for hit in found}, total, total >= COUNTED)


def list_rows(box: Mailbox, at: Mapping[str, int], label: str) -> list[Row]:
    """The rows of conversations, in the order given; `label` is `everywhere` for a search."""
    parts = _parts_by_thread(box, at, label)
    if label == EVERYWHERE:
        parts.update(
            {thread: [part for part in listed if not part.is_away] or listed for thread, listed in parts.items()}
        )
    labels = _labels_by_thread(box, parts.values())
    snoozed = {str(row[0]): int(row[1]) for row in box.call.all(_SNOOZED, {"me": box.person, "ids": to_sql_list(at)})}
    written = to_sql_list(part.mail_id for listed in parts.values() for part in listed if part.mail_id < 0)
    ids = {int(row[0]): str(row[1]) for row in box.call.all(_DRAFTS, {"ids": written})}
    own = {one.email.lower() for one in outgoing.list_identities(box)}
    return [
        _row_to_json(parts[thread], time, labels[thread], snoozed.get(thread, 0), ids, own, label)
        for thread, time in at.items()
        if thread in parts
    ]


def _parts_by_thread(box: Mailbox, ids: Iterable[str], label: str) -> dict[str, list[ListedMessage]]:
    """The messages of conversations, oldest first."""
    kinds = [
        _PART.format(table=table, key=key, send_at=send_at, shown=list_condition(label))
        for table, key, send_at in _KINDS
    ]
    found: dict[str, list[ListedMessage]] = defaultdict(list)
    for row in box.call.all(" UNION ALL ".join(kinds) + " ORDER BY 4, 2", {"me": box.person, "ids": to_sql_list(ids)}):
        found[row[0]].append(ListedMessage._make(row))
    return found


def _labels_by_thread(box: Mailbox, threads: Iterable[Sequence[ListedMessage]]) -> dict[str, list[str]]:
    thread_of = {part.id: part.thread for listed in threads for part in listed}
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for id, label in box.call.all(_LABELS, {"ids": to_sql_list(thread_of)}):
        found[thread_of[id]][label] = None
    return defaultdict(list, {thread: sorted(listed) for thread, listed in found.items()})


def _row_to_json(
    parts: Sequence[ListedMessage],
    at: int,
    labels: list[str],
    snoozed: int,
    drafts: Mapping[int, str],
    own: set[str],
    label: str,
) -> Row:
    mails = [part for part in parts if part.mail_id > 0]
    draft = next((part for part in reversed(parts) if part.mail_id < 0), None)
    last = draft if draft and (label in ("DRAFT", "SCHEDULED") or not mails) else mails[-1]
    written = [part for part in parts if part.email.lower() in own]
    return {
        "id": last.thread,
        "messageId": last.id,
        "subject": parts[0].subject,
        "snippet": shorten_text(last.text),
        "senders": _list_senders(mails, own),
        "recipients": _list_recipients(written, own),
        "messages": len(parts),
        "drafts": len(parts) - len(mails),
        "draftId": drafts.get(draft.mail_id, "") if draft else "",
        "at": max(at, last.at) if label in _NEWEST else at,
        "isUnread": any(part.is_unread for part in parts),
        "labelIds": labels,
        "attachments": [name for part in parts for name in orjson.loads(part.filenames)],
        "scheduledAt": next((part.send_at for part in parts if part.send_at), None) or 0,
        "snoozedUntil": snoozed,
    }


def _list_senders(parts: Sequence[ListedMessage], own: set[str]) -> list[RowPerson]:
    """Return the senders, in the order of their first messages."""
    found: dict[str, RowPerson] = {}
    for part in parts:
        email = part.email.lower()
        who = found.setdefault("me" if email in own else email, _who_to_json(part.name, part.email, own))
        who["isUnread"] |= bool(part.is_unread)
    return list(found.values())


def _list_recipients(parts: Sequence[ListedMessage], own: set[str]) -> list[RowPerson]:
    found: dict[str, RowPerson] = {}
    for part in parts:
        for one in (item for listed in (part.to, part.cc, part.bcc) for item in orjson.loads(listed)):
            found.setdefault(one["email"].lower(), _who_to_json(one["name"], one["email"], own))
    return list(found.values())


def _who_to_json(name: str, email: str, own: set[str]) -> RowPerson:
    return {"name": name, "email": email, "isMe": email.lower() in own, "isUnread": False}


def shorten_text(text: str) -> str:
    """The beginning of a text on one line."""
    return " ".join(text.split())[:SNIPPET]


# what the rail counts

_UNREAD = (
    "SELECT label_id, count(*) FROM (SELECT DISTINCT l.label_id, m.thread_id FROM gmail_message m INDEXED BY"
    " gmail_message_unread CROSS JOIN gmail_message_label l ON l.message_id = m.id WHERE m.person_id = :me AND"
    f" m.is_unread AND {_LIVE}) GROUP BY 1 ORDER BY 1"
)
_UNREAD_SPAM = (
    "SELECT count(DISTINCT m.thread_id) FROM gmail_message m WHERE m.person_id = :me AND m.is_unread AND"
    f" {_SHOWN['SPAM']}"
)
_WRITTEN = "SELECT send_at IS NOT NULL, count(*) FROM gmail_draft WHERE person_id = :me GROUP BY 1"


def count_unread(box: Mailbox) -> dict[str, int]:
    """Label -> conversations with an unread message under it."""
    found = {str(label): int(count) for label, count in box.call.all(_UNREAD, {"me": box.person})}
    return {**found, "SPAM": int(box.call.scalar(_UNREAD_SPAM, {"me": box.person}) or 0)}


def count_drafts(box: Mailbox) -> Counter[bool]:
    """Count the drafts: False plain ones, True scheduled ones."""
    return Counter({bool(scheduled): count for scheduled, count in box.call.all(_WRITTEN, {"me": box.person})})


def iter_own_labels(box: Mailbox) -> Iterator[tuple[str, str, str, str, str, str]]:
    """The owner's labels by name: id, name, the two visibilities, colours of text and background."""
    columns = "id, name, list_visibility, message_visibility, text_color, background_color"
    sql = f"SELECT {columns} FROM gmail_label WHERE person_id = :me ORDER BY lower(name), id"
    return (tuple(row) for row in box.call.all(sql, {"me": box.person}))  # type: ignore[return-value]
