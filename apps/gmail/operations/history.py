"""History of a mailbox: the changes since a client last looked."""

from collections.abc import Sequence
from typing import Any, NotRequired, TypedDict

import orjson
from pydantic import Field

from apps.gmail import label_changes, page_tokens, views
from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.content import to_sql_list
from apps.gmail.example_objects import A_HISTORY_ID
from apps.gmail.limits import quota_units
from apps.gmail.mailbox import Mailbox
from apps.gmail.operations.messages import READ
from apps.gmail.params import HistoryId, HistoryKinds, MailboxParams, PageSize, PageToken, Word
from apps.gmail.views import MessageShape
from world.core.call import Call
from world.core.errors import OperationError

DOCS = "developers.google.com/workspace/gmail/api/reference/rest/v1/users.history/"
_SINCE = (
    "SELECT h.id, h.kind, h.message_id, h.thread_id, h.labels FROM gmail_history h WHERE h.person_id = :me AND h.id >"
    " :after AND h.kind IN (SELECT value FROM json_each(:kinds)) AND (:label = '' OR EXISTS (SELECT 1 FROM"
    " json_each(h.labels) WHERE value = :label) OR EXISTS (SELECT 1 FROM gmail_message_label l WHERE l.message_id ="
    " h.message_id AND l.label_id = :label) OR EXISTS (SELECT 1 FROM gmail_message m WHERE m.id = h.message_id AND CASE"
    " :label WHEN 'UNREAD' THEN m.is_unread WHEN 'SPAM' THEN m.is_spam WHEN 'TRASH' THEN m.trashed_at IS NOT NULL ELSE"
    " 0 END)) ORDER BY h.id LIMIT :n"
)
_FIELDS = {
    "messageAdded": "messagesAdded",
    "messageDeleted": "messagesDeleted",
    "labelAdded": "labelsAdded",
    "labelRemoved": "labelsRemoved",
}


class ListHistoryParams(MailboxParams):
    """Start and filters of the history."""

    startHistoryId: HistoryId = Field(
        default="", description="The historyId a message, thread or list had: changes after it."
    )
    historyTypes: HistoryKinds = Field(default_factory=list, description="Only changes of these kinds.")
    labelId: Word = Field(default="", description="Only changes of messages with this label.")
    maxResults: PageSize = Field(default=100, description="Most records to return at once, at most 500.", examples=[20])
    pageToken: PageToken = ""


class ChangedMessage(TypedDict):
    """A message that changed; `labelIds` are those added or removed."""

    message: MessageShape
    labelIds: NotRequired[list[str]]


class HistoryRecord(TypedDict):
    """One change of the mailbox."""

    id: str
    messages: list[MessageShape]
    messagesAdded: NotRequired[list[ChangedMessage]]
    messagesDeleted: NotRequired[list[ChangedMessage]]
    labelsAdded: NotRequired[list[ChangedMessage]]
    labelsRemoved: NotRequired[list[ChangedMessage]]


class HistoryPage(TypedDict):
    """A page of changes, oldest first; without `history` nothing changed."""

    history: NotRequired[list[HistoryRecord]]
    nextPageToken: NotRequired[str]
    historyId: str


@app.operation(
    "users.history.list",
    source=DOCS + "list",
    scope=READ,
    units=quota_units("users.history.list", False),
    examples=[{"startHistoryId": A_HISTORY_ID}],
    raises={
        "delegation_denied": "",
        "history_id_missing": "",
        "invalid_history_id": "",
        "not_found": "too old, or yet to come",
        "invalid_label": "",
        "invalid_page_token": "",
        "mail_service_not_enabled": "",
    },
)
def list_history(call: Call, params: ListHistoryParams) -> HistoryPage:
    """List the changes of the mailbox since a history id: mail added or deleted, labels added or removed."""
    box = open_mailbox(call, params.userId)
    start = _parse_start(box, params.startHistoryId)
    label_changes.check_sought_labels(box, [params.labelId] if params.labelId else [])
    page = page_tokens.read_page(call, box, "history", params)
    after = max(start, page.after[0]) if page.after else start
    kinds = params.historyTypes or list(_FIELDS)
    rows = call.all(
        _SINCE,
        {"me": box.person, "after": after, "kinds": to_sql_list(kinds), "label": params.labelId, "n": page.size + 1},
    )
    out: HistoryPage = {"historyId": str(box.history_id)}
    shown = rows[: page.size]
    if shown:
        out["history"] = _records_to_json(box, shown)
    if len(rows) > page.size:
        out["nextPageToken"] = page.make_next_token(shown[-1][0], "")
    return out


def _parse_start(box: Mailbox, text: str) -> int:
    """Parse the start of the history. Raises history_id_missing, invalid_history_id, not_found."""
    if not text:
        raise OperationError("history_id_missing")
    if not (text.isascii() and text.isdigit() and len(text) <= 20):
        raise OperationError("invalid_history_id")
    if not box.first_history_id <= int(text) <= box.history_id:
        raise OperationError("not_found")
    return int(text)


def _records_to_json(box: Mailbox, rows: Sequence[Sequence[Any]]) -> list[HistoryRecord]:
    here = box.messages(dict.fromkeys(row[2] for row in rows))
    labels = {id: views.list_label_ids(found) for id, found in box.labels(here).items()}
    return [_record_to_json(row, labels) for row in rows]


def _record_to_json(row: Sequence[Any], labels: dict[str, list[str]]) -> HistoryRecord:
    id, kind, message, thread, changed = row[0], row[1], row[2], row[3], orjson.loads(row[4])
    plain: MessageShape = {"id": message, "threadId": thread}
    has = changed if kind == "messageDeleted" else labels.get(message, [])
    entry: ChangedMessage = {"message": {**plain, "labelIds": has} if has else plain}
    if kind.startswith("label"):
        entry["labelIds"] = changed
    return {"id": str(id), "messages": [plain], _FIELDS[kind]: [entry]}  # type: ignore[return-value, misc]
