"""Threads: listed, read, labelled, moved, deleted."""

from typing import Literal, NotRequired, TypedDict

from pydantic import Field

from apps.gmail import content, label_changes, views
from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.example_objects import A_THREAD
from apps.gmail.limits import quota_units
from apps.gmail.mail_search import search
from apps.gmail.mail_search.result_pages import find_page
from apps.gmail.mailbox import Mailbox
from apps.gmail.mime.payload import snippet
from apps.gmail.operations.message_changes import FULL, LabelChanges
from apps.gmail.operations.messages import MODIFY, READ, ListMessagesParams
from apps.gmail.params import Id, Ids, MailboxParams
from apps.gmail.views import ThreadShape
from world.core.call import Call

DOCS = "developers.google.com/workspace/gmail/api/reference/rest/v1/users.threads/"


class ThreadParams(MailboxParams):
    """One thread."""

    id: Id = Field(description="Id of the thread: 16 hex digits.")


class GetThreadParams(ThreadParams):
    """A thread, and how much of its messages."""

    format: Literal["minimal", "full", "metadata"] = Field(
        default="full", description="How much to return of each message."
    )
    metadataHeaders: Ids = Field(default_factory=list, description="With `metadata`: only these headers.")


class ModifyThreadParams(ThreadParams, LabelChanges):
    """A thread and its new labels."""


class ThreadList(TypedDict):
    """A page of threads, the last first; without `threads` nothing was found."""

    threads: NotRequired[list[ThreadShape]]
    nextPageToken: NotRequired[str]
    resultSizeEstimate: int


@app.operation(
    "users.threads.list",
    source=DOCS + "list",
    scope=READ,
    units=quota_units("users.threads.list", False),
    examples=[{}],
    raises=("delegation_denied", "invalid_page_token", "invalid_query", "invalid_label", "mail_service_not_enabled"),
)
def list_threads(call: Call, params: ListMessagesParams) -> ThreadList:
    """List threads in which a message fits a search, the latest such message first."""
    box = open_mailbox(call, params.userId)
    label_changes.check_sought_labels(box, params.labelIds)
    page = find_page(box, "threads", params, search.find_threads, params.labelIds)
    out: ThreadList = {"resultSizeEstimate": page.estimate}
    if page.hits:
        out["threads"] = _threads_to_json(box, [hit.thread_id for hit in page.hits])
    if page.token:
        out["nextPageToken"] = page.token
    return out


def _threads_to_json(box: Mailbox, ids: list[str]) -> list[ThreadShape]:
    found = box.threads(ids)
    texts = content.contents_by_id(box.call, [found[id][-1].mail_id for id in ids])
    return [
        {
            "id": id,
            "snippet": snippet(texts[found[id][-1].mail_id].text),
            "historyId": str(max(one.history_id for one in found[id])),
        }
        for id in ids
    ]


@app.operation(
    "users.threads.get",
    source=DOCS + "get",
    scope=READ,
    units=quota_units("users.threads.get", False),
    examples=[{"id": A_THREAD}],
    raises=("delegation_denied", "not_found", "mail_service_not_enabled"),
)
def get_thread(call: Call, params: GetThreadParams) -> ThreadShape:
    """Read a whole conversation: all its messages in order, those in the trash too."""
    box = open_mailbox(call, params.userId)
    return views.thread_to_json(box, box.thread(params.id), params.format, params.metadataHeaders)


@app.operation(
    "users.threads.modify",
    writes=True,
    source=DOCS + "modify",
    scope=MODIFY,
    units=quota_units("users.threads.modify", True),
    examples=[{"id": A_THREAD, "addLabelIds": ["STARRED"]}],
    raises=(
        "delegation_denied",
        "not_found",
        "invalid_label",
        "no_label_changes",
        "contradicting_labels",
        "several_places",
        "mail_service_not_enabled",
    ),
)
def modify(call: Call, params: ModifyThreadParams) -> ThreadShape:
    """Change the labels of all messages of a thread: archive (remove INBOX), mark read (remove UNREAD), label, move.

    Drafts in it go to the trash and back with it and take no other label.
    """
    box = open_mailbox(call, params.userId)
    messages = box.thread(params.id)
    label_changes.check_label_change(box, params.addLabelIds, params.removeLabelIds)
    label_changes.relabel_messages(box, messages, params.addLabelIds, params.removeLabelIds)
    return _thread_to_json(box, params.id)


def _thread_to_json(box: Mailbox, id: str) -> ThreadShape:
    return {"id": id, "messages": views.messages_to_minimal_json(box, box.thread(id))}


@app.operation(
    "users.threads.trash",
    writes=True,
    source=DOCS + "trash",
    scope=MODIFY,
    units=quota_units("users.threads.trash", True),
    examples=[{"id": A_THREAD}],
    raises=("delegation_denied", "not_found", "mail_service_not_enabled"),
)
def trash(call: Call, params: ThreadParams) -> ThreadShape:
    """Move all messages of a thread to the trash."""
    box = open_mailbox(call, params.userId)
    label_changes.relabel_messages(box, box.thread(params.id), ["TRASH"])
    return _thread_to_json(box, params.id)


@app.operation(
    "users.threads.untrash",
    writes=True,
    source=DOCS + "untrash",
    scope=MODIFY,
    units=quota_units("users.threads.untrash", True),
    examples=[{"id": A_THREAD}],
    raises=("delegation_denied", "not_found", "mail_service_not_enabled"),
)
def untrash(call: Call, params: ThreadParams) -> ThreadShape:
    """Take all messages of a thread out of the trash; they do not come back to the inbox by that."""
    box = open_mailbox(call, params.userId)
    label_changes.relabel_messages(box, box.thread(params.id), [], ["TRASH"])
    return _thread_to_json(box, params.id)


@app.operation(
    "users.threads.delete",
    writes=True,
    source=DOCS + "delete",
    scope=FULL,
    units=quota_units("users.threads.delete", True),
    examples=[{"id": A_THREAD}],
    raises=("delegation_denied", "not_found", "mail_service_not_enabled"),
)
def delete(call: Call, params: ThreadParams) -> None:
    """Delete all messages of a thread for good; the trash is `users.threads.trash`."""
    box = open_mailbox(call, params.userId)
    label_changes.erase_messages(box, box.thread(params.id))
