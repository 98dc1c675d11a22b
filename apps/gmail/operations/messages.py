"""Messages: listed, read, sent."""

from typing import Literal, NotRequired, TypedDict

from pydantic import Field

from apps.gmail import label_changes, views
from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.example_objects import A_MAIL, A_MESSAGE
from apps.gmail.limits import quota_units
from apps.gmail.mail_search import search
from apps.gmail.mail_search.result_pages import find_page
from apps.gmail.mime.base64url import from_base64url
from apps.gmail.outgoing import send_raw as send_mail
from apps.gmail.params import Id, Ids, LabelIds, MailboxParams, PageSize, PageToken, Word
from apps.gmail.views import MessageShape
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import Text

DOCS = "developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/"
READ, MODIFY, SEND = "gmail.readonly", "gmail.modify", "gmail.send"


class ListMessagesParams(MailboxParams):
    """Filters and page of messages."""

    q: Word = Field(
        default="", description="A search as in the search box: `from:ann is:unread`.", examples=["is:unread"]
    )
    labelIds: LabelIds = Field(default_factory=list, description="Only messages with all of these labels.")
    maxResults: PageSize = Field(
        default=100, description="Most messages to return at once, at most 500.", examples=[20]
    )
    pageToken: PageToken = ""
    includeSpamTrash: bool = Field(default=False, description="Look through spam and trash too.")


class MessageParams(MailboxParams):
    """One message."""

    id: Id = Field(description="Id of the message: 16 hex digits.")


class GetMessageParams(MessageParams):
    """A message, and how much of it."""

    format: Literal["minimal", "full", "raw", "metadata"] = Field(default="full", description="How much to return.")
    metadataHeaders: Ids = Field(default_factory=list, description="With `metadata`: only these headers.")


class SendMessageParams(MailboxParams):
    """A mail to send."""

    raw: Text = Field(default="", description="The whole mail (RFC 822), base64url.")
    threadId: Word = Field(default="", description="The thread it answers; References and Subject must fit it too.")


class MessageList(TypedDict):
    """A page of messages, the last first; without `messages` nothing was found."""

    messages: NotRequired[list[MessageShape]]
    nextPageToken: NotRequired[str]
    resultSizeEstimate: int


def decode_raw(raw: str) -> bytes:
    """Decode `raw` to bytes. Raises raw_missing, invalid_raw."""
    if not raw:
        raise OperationError("raw_missing")
    try:
        return from_base64url(raw)
    except ValueError:
        raise OperationError("invalid_raw") from None


@app.operation(
    "users.messages.list",
    source=DOCS + "list",
    scope=READ,
    units=quota_units("users.messages.list", False),
    examples=[{}],
    raises=("delegation_denied", "invalid_page_token", "invalid_query", "invalid_label", "mail_service_not_enabled"),
)
def list_messages(call: Call, params: ListMessagesParams) -> MessageList:
    """List messages, the latest first; trash and spam are left out unless asked for."""
    box = open_mailbox(call, params.userId)
    label_changes.check_sought_labels(box, params.labelIds)
    page = find_page(box, "messages", params, search.find_messages, params.labelIds)
    out: MessageList = {"resultSizeEstimate": page.estimate}
    if page.hits:
        out["messages"] = [{"id": hit.id, "threadId": hit.thread_id} for hit in page.hits]
    if page.token:
        out["nextPageToken"] = page.token
    return out


@app.operation(
    "users.messages.get",
    source=DOCS + "get",
    scope=READ,
    units=quota_units("users.messages.get", False),
    examples=[{"id": A_MESSAGE}],
    raises=("delegation_denied", "not_found", "mail_service_not_enabled"),
)
def get_message(call: Call, params: GetMessageParams) -> MessageShape:
    """Read a message: headers, text and files."""
    box = open_mailbox(call, params.userId)
    return views.messages_to_json(box, [box.message(params.id)], params.format, params.metadataHeaders)[0]


@app.operation(
    "users.messages.send",
    writes=True,
    source=DOCS + "send",
    scope=SEND,
    units=quota_units("users.messages.send", True),
    examples=[{"raw": A_MAIL}],
    raises=(
        "delegation_denied",
        "raw_missing",
        "invalid_raw",
        "too_large",
        "malformed_mail",
        "recipient_required",
        "invalid_to_header",
        "invalid_cc_header",
        "invalid_bcc_header",
        "too_many_recipients",
        "sending_limit_exceeded",
        "not_found",
        "mail_service_not_enabled",
    ),
)
def send(call: Call, params: SendMessageParams) -> MessageShape:
    """Send a mail to the people in its To, Cc and Bcc headers."""
    box = open_mailbox(call, params.userId)
    message = send_mail(box, decode_raw(params.raw), params.threadId or None)
    return views.messages_to_minimal_json(box, [message])[0]
