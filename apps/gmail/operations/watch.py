"""Push notifications of a mailbox: started and stopped."""

import re
from typing import Literal, TypedDict

import orjson
from pydantic import Field

from apps.gmail import label_changes
from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.limits import quota_units
from apps.gmail.operations.messages import READ
from apps.gmail.operations.profile import DOCS
from apps.gmail.params import LabelIds, MailboxParams, Word
from world.core.call import Call
from world.core.errors import OperationError

LASTS_US = 7 * 86_400_000_000  # developers.google.com/workspace/gmail/api/guides/push#renewing_mailbox_watch
_TOPIC = re.compile(
    r"projects/[a-z][a-z0-9:.-]{4,98}/topics/[A-Za-z][A-Za-z0-9._~+%-]{2,254}"
)  # cloud.google.com/pubsub/docs/pubsub-basics
_WATCH = (
    "INSERT INTO gmail_watch(person_id, topic, labels, label_behavior, expires_at) VALUES (:me, :topic, :labels,"
    " :behavior, :until) ON CONFLICT(person_id) DO UPDATE SET topic = excluded.topic, labels = excluded.labels,"
    " label_behavior = excluded.label_behavior, expires_at = excluded.expires_at"
)

Behavior = Literal["include", "exclude"]


class WatchParams(MailboxParams):
    """Request fields of push notifications: topic and labels."""

    topicName: Word = Field(
        default="",
        description="Where to publish: projects/<project>/topics/<topic>.",
        examples=["projects/acme-mail/topics/inbox"],
    )
    labelIds: LabelIds = Field(
        default_factory=list, description="Only changes of messages with these labels, or all but those."
    )
    labelFilterBehavior: Behavior | None = Field(default=None, description="Whether `labelIds` are meant or left out.")
    labelFilterAction: Behavior | None = Field(default=None, description="The older name of `labelFilterBehavior`.")


class Watch(TypedDict):
    """End of push notifications (milliseconds since the epoch, UTC), and the mailbox's current history id."""

    historyId: str
    expiration: str


@app.operation(
    "users.watch",
    writes=True,
    source=DOCS + "watch",
    scope=READ,
    units=quota_units("users.watch", True),
    examples=[{"topicName": "projects/acme-mail/topics/inbox"}],
    raises=("delegation_denied", "invalid_topic_name", "invalid_label", "mail_service_not_enabled"),
)
def watch(call: Call, params: WatchParams) -> Watch:
    """Ask for push notifications of the mailbox for seven days; asking again renews them.

    Deviates: nothing is published; what changed is read with users.history.list.
    """
    box = open_mailbox(call, params.userId)
    if _TOPIC.fullmatch(params.topicName) is None:
        raise OperationError("invalid_topic_name")
    label_changes.check_sought_labels(box, params.labelIds)
    until = call.now + LASTS_US
    behavior = params.labelFilterBehavior or params.labelFilterAction or "include"
    labels = orjson.dumps(params.labelIds).decode()
    call.execute(
        _WATCH, {"me": box.person, "topic": params.topicName, "labels": labels, "behavior": behavior, "until": until}
    )
    return {"historyId": str(box.history_id), "expiration": str(until // 1000)}


@app.operation(
    "users.stop",
    writes=True,
    source=DOCS + "stop",
    scope=READ,
    units=quota_units("users.stop", True),
    examples=[{}],
    raises=("delegation_denied", "mail_service_not_enabled"),
)
def stop(call: Call, params: MailboxParams) -> None:
    """End push notifications of the mailbox."""
    box = open_mailbox(call, params.userId)
    call.execute("DELETE FROM gmail_watch WHERE person_id = :me", {"me": box.person})
