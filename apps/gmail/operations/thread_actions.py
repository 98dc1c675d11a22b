"""Actions of the browser client on several conversations: label, move, mute, delete for good, and undo."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Annotated, Literal, TypedDict

from pydantic import BaseModel, Field

from apps.gmail import label_changes
from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.example_objects import A_THREAD
from apps.gmail.limits import CLIENT
from apps.gmail.mailbox import Mailbox, Message
from apps.gmail.params import Id, Ids, LabelIds, MailboxParams
from world.core.call import Call
from world.core.errors import OperationError

SOURCE = "mail.google.com, the browser client"
MODIFY, FULL = "gmail.modify", "mail.google.com"
TO_THE_LAST = ("STARRED", "UNREAD")  # put on the last message of a conversation only; observed
_IN_FOLDER = {
    "spam": "SELECT id FROM gmail_message WHERE person_id = :me AND is_spam AND trashed_at IS NULL ORDER BY id",
    "trash": "SELECT id FROM gmail_message WHERE person_id = :me AND trashed_at IS NOT NULL ORDER BY id",
}


class ConversationsParams(MailboxParams):
    """Some conversations."""

    ids: Ids = Field(default_factory=list, description="Ids of threads.", examples=[[A_THREAD]])


class LabelConversationsParams(ConversationsParams):
    """Some conversations and their new labels."""

    addLabelIds: LabelIds = Field(
        default_factory=list, description="Ids of labels to put on: SPAM, TRASH, STARRED, Label_1 …"
    )
    removeLabelIds: LabelIds = Field(
        default_factory=list, description="Ids of labels to take off: INBOX archives, UNREAD marks as read."
    )


class Change(BaseModel):
    """Labels of some messages."""

    ids: Annotated[list[Id], Field(max_length=2000)]
    addLabelIds: LabelIds = Field(default_factory=list)
    removeLabelIds: LabelIds = Field(default_factory=list)


class UndoParams(MailboxParams):
    """The `undo` of an earlier action."""

    changes: Annotated[list[Change], Field(max_length=100)] = Field(
        default_factory=list, description="The `undo` of mail.label, mail.mute or mail.unmute."
    )


class EmptyListParams(MailboxParams):
    """Folder to empty."""

    folder: Literal["spam", "trash"] = Field(default="trash", description="spam or trash.", examples=["trash"])


class Undo(TypedDict):
    """A change that undoes part of an action; `ids` are messages."""

    ids: list[str]
    addLabelIds: list[str]
    removeLabelIds: list[str]


class ThreadsChanged(TypedDict):
    """Number of changed conversations, and the arguments of mail.revert that undo the change."""

    threads: int
    undo: list[Undo]


class DeletedCount(TypedDict):
    """Number of deleted messages."""

    messages: int


def get_chosen_threads(box: Mailbox, ids: Sequence[str]) -> dict[str, list[Message]]:
    """Return the selected conversations. Raises no_message_ids, not_found."""
    if not ids:
        raise OperationError("no_message_ids")
    found = box.threads(ids)
    if len(found) < len(set(ids)):
        raise OperationError("not_found")
    return found


def list_undo_steps(box: Mailbox, messages: Sequence[Message], had: dict[str, list[str]]) -> list[Undo]:
    """Return the changes from the present labels back to the former ones. A snooze is not restored."""
    have, groups = box.labels(messages), defaultdict[tuple[tuple[str, ...], tuple[str, ...]], list[str]](list)
    for id in had:
        lost = tuple(label for label in had[id] if label not in have[id] and label != "SNOOZED")
        won = tuple(label for label in have[id] if label not in had[id])
        if lost or won:
            groups[lost, won].append(id)
    return [
        {"ids": ids, "addLabelIds": list(lost), "removeLabelIds": list(won)}
        for (lost, won), ids in sorted(groups.items())
    ]


def relabel_threads(
    box: Mailbox, threads: dict[str, list[Message]], add: Sequence[str], remove: Sequence[str]
) -> ThreadsChanged:
    """Change conversations as the client does: stars and unread marks go to the last message, the trash stays."""
    moved = bool({*add, *remove} & {"TRASH", "SPAM"})
    messages = [one for listed in threads.values() for one in listed if moved or one.trashed_at is None]
    had = box.labels(messages)
    last = [
        _last_labelled_message(listed, label) for label in add if label in TO_THE_LAST for listed in threads.values()
    ]
    plain = [label for label in add if label not in TO_THE_LAST]
    label_changes.relabel_messages(box, messages, plain, remove)
    for message, label in zip(last, [label for label in add if label in TO_THE_LAST for _ in threads], strict=True):
        box.change([message], [label])
    return {"threads": len(threads), "undo": list_undo_steps(box, messages, had)}


def _last_labelled_message(messages: Sequence[Message], label: str) -> Message:
    """Return the message that gets a star or an unread mark; the owner's own is last choice for unread."""
    mails = [one for one in messages if one.mail_id > 0 and one.trashed_at is None] or list(messages)
    arrived = [one for one in mails if one.delivered_to] if label == "UNREAD" else []
    return (arrived or mails)[-1]


@app.operation(
    "mail.label",
    writes=True,
    source=SOURCE,
    scope=MODIFY,
    units=CLIENT,
    examples=[{"ids": [A_THREAD], "removeLabelIds": ["INBOX"]}],
    raises=(
        "delegation_denied",
        "no_message_ids",
        "not_found",
        "no_label_changes",
        "contradicting_labels",
        "several_places",
        "invalid_label",
        "mail_service_not_enabled",
    ),
)
def label_threads(call: Call, params: LabelConversationsParams) -> ThreadsChanged:
    """Change the labels of several conversations at once: archive, delete, report spam, mark as read, star, label,
    move.
    """
    box = open_mailbox(call, params.userId)
    threads = get_chosen_threads(box, params.ids)
    label_changes.check_label_change(box, params.addLabelIds, params.removeLabelIds)
    return relabel_threads(box, threads, params.addLabelIds, params.removeLabelIds)


@app.operation(
    "mail.mute",
    writes=True,
    source=SOURCE,
    scope=MODIFY,
    units=CLIENT,
    examples=[{"ids": [A_THREAD]}],
    raises=("delegation_denied", "no_message_ids", "not_found", "mail_service_not_enabled"),
)
def mute(call: Call, params: ConversationsParams) -> ThreadsChanged:
    """Mute conversations: they leave the inbox, and replies do not bring them back."""
    box = open_mailbox(call, params.userId)
    return relabel_threads(box, get_chosen_threads(box, params.ids), ["MUTED"], ["INBOX"])


@app.operation(
    "mail.unmute",
    writes=True,
    source=SOURCE,
    scope=MODIFY,
    units=CLIENT,
    examples=[{"ids": [A_THREAD]}],
    raises=("delegation_denied", "no_message_ids", "not_found", "mail_service_not_enabled"),
)
def unmute(call: Call, params: ConversationsParams) -> ThreadsChanged:
    """Unmute conversations: replies come to the inbox again."""
    box = open_mailbox(call, params.userId)
    return relabel_threads(box, get_chosen_threads(box, params.ids), [], ["MUTED"])


@app.operation(
    "mail.revert",
    writes=True,
    source=SOURCE,
    scope=MODIFY,
    units=CLIENT,
    after=["mail.label"],
    examples=[
        {"changes": [{"ids": ["$users.messages.send:id"], "addLabelIds": ["IMPORTANT"], "removeLabelIds": ["STARRED"]}]}
    ],
    raises=(
        "delegation_denied",
        "no_message_ids",
        "not_found",
        "several_places",
        "invalid_label",
        "mail_service_not_enabled",
    ),
)
def revert(call: Call, params: UndoParams) -> DeletedCount:
    """Undo an action: give messages the labels they had before mail.label, mail.mute or mail.unmute."""
    box = open_mailbox(call, params.userId)
    if not params.changes:
        raise OperationError("no_message_ids")
    for change in params.changes:
        _revert_change(box, change)
    return {"messages": sum(len(change.ids) for change in params.changes)}


def _revert_change(box: Mailbox, change: Change) -> None:
    messages = box.messages(change.ids)
    if len(messages) < len(set(change.ids)):
        raise OperationError("not_found")
    plain = [name for name in (*change.addLabelIds, *change.removeLabelIds) if name != "MUTED"]
    label_changes.check_labels(box, plain)
    label_changes.check_places(change.addLabelIds)
    label_changes.relabel_messages(box, messages, change.addLabelIds, change.removeLabelIds)


@app.operation(
    "mail.deleteForever",
    writes=True,
    source=SOURCE,
    scope=FULL,
    units=CLIENT,
    examples=[{"ids": [A_THREAD]}],
    raises=("delegation_denied", "no_message_ids", "not_found", "mail_service_not_enabled"),
)
def delete_forever(call: Call, params: ConversationsParams) -> DeletedCount:
    """Delete what lies in trash or spam of some conversations for good; nothing brings it back."""
    box = open_mailbox(call, params.userId)
    threads = get_chosen_threads(box, params.ids)
    messages = [one for listed in threads.values() for one in listed if one.trashed_at is not None or one.is_spam]
    label_changes.erase_messages(box, messages)
    return {"messages": len(messages)}


@app.operation(
    "mail.empty",
    writes=True,
    source=SOURCE,
    scope=FULL,
    units=CLIENT,
    examples=[{"folder": "trash"}],
    raises=("delegation_denied", "mail_service_not_enabled"),
)
def empty(call: Call, params: EmptyListParams) -> DeletedCount:
    """Delete everything in the trash, or in spam, for good."""
    box = open_mailbox(call, params.userId)
    messages = box.messages(str(row[0]) for row in call.all(_IN_FOLDER[params.folder], {"me": box.person}))
    label_changes.erase_messages(box, messages)
    return {"messages": len(messages)}
