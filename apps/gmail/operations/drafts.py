"""Drafts: listed, read, written, sent, deleted."""

from typing import Literal, NotRequired, TypedDict

from pydantic import Field

from apps.gmail import content, drafts, outgoing, views
from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.drafts import Draft
from apps.gmail.example_objects import A_DRAFT, A_MAIL
from apps.gmail.limits import quota_units
from apps.gmail.mail_search import search
from apps.gmail.mail_search.result_pages import find_page
from apps.gmail.mailbox import Mailbox
from apps.gmail.mime.envelope import remove_header
from apps.gmail.mime.headers import Mail
from apps.gmail.operations.messages import READ, decode_raw
from apps.gmail.params import Id, MailboxParams, PageSize, PageToken, Word
from apps.gmail.views import MessageShape
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import Params, Text

DOCS = "developers.google.com/workspace/gmail/api/reference/rest/v1/users.drafts/"
SCOPE = "gmail.compose"
_OF_MESSAGES = (
    "SELECT m.id, d.id FROM gmail_message m JOIN gmail_draft d ON d.mail_id = m.mail_id WHERE m.person_id = :me"
    " AND m.id IN (SELECT value FROM json_each(:ids))"
)


class ListDraftsParams(MailboxParams):
    """Filters and page of drafts."""

    q: Word = Field(default="", description="A search as in the search box: `to:ann subject:minutes`.")
    maxResults: PageSize = Field(default=100, description="Most drafts to return at once, at most 500.", examples=[20])
    pageToken: PageToken = ""
    includeSpamTrash: bool = Field(default=False, description="Those in the trash too.")


class DraftParams(MailboxParams):
    """One draft."""

    id: Id = Field(description="Id of the draft: r…, not that of its message.")


class GetDraftParams(DraftParams):
    """A draft, and how much of its message."""

    format: Literal["minimal", "full", "raw", "metadata"] = Field(
        default="full", description="How much to return of its message."
    )


class DraftMessage(Params):
    """Content of a draft."""

    raw: Text = Field(default="", description="The whole mail (RFC 822), base64url.", examples=[A_MAIL])
    threadId: Word = Field(default="", description="The thread it answers; References and Subject must fit it too.")


class CreateDraftParams(MailboxParams):
    """A new draft."""

    message: DraftMessage | None = Field(default=None, description="Its mail.")


class UpdateDraftParams(DraftParams):
    """A draft and its new mail."""

    message: DraftMessage | None = Field(default=None, description="The mail that takes the place of the one it has.")


class SendDraftParams(DraftParams):
    """A draft to send."""

    message: DraftMessage | None = Field(default=None, description="Another mail to send in its place.")


class DraftShape(TypedDict):
    """A draft: its id, which stays, and its message, whose id changes with its content."""

    id: str
    message: MessageShape


class DraftList(TypedDict):
    """A page of drafts, the last first; without `drafts` nothing was found."""

    drafts: NotRequired[list[DraftShape]]
    nextPageToken: NotRequired[str]
    resultSizeEstimate: int


@app.operation(
    "users.drafts.list",
    source=DOCS + "list",
    scope=READ,
    units=quota_units("users.drafts.list", False),
    examples=[{}],
    raises=("delegation_denied", "invalid_page_token", "invalid_query", "mail_service_not_enabled"),
)
def list_drafts(call: Call, params: ListDraftsParams) -> DraftList:
    """List drafts, the latest first."""
    box = open_mailbox(call, params.userId)
    page = find_page(box, "drafts", params, search.find_messages, ["DRAFT"])
    out: DraftList = {"resultSizeEstimate": page.estimate}
    if page.hits:
        rows = call.all(_OF_MESSAGES, {"me": box.person, "ids": content.to_sql_list(hit.id for hit in page.hits)})
        ids: dict[str, str] = {row[0]: row[1] for row in rows}
        out["drafts"] = [{"id": ids[hit.id], "message": {"id": hit.id, "threadId": hit.thread_id}} for hit in page.hits]
    if page.token:
        out["nextPageToken"] = page.token
    return out


@app.operation(
    "users.drafts.get",
    source=DOCS + "get",
    scope=READ,
    units=quota_units("users.drafts.get", False),
    examples=[{"id": A_DRAFT}],
    raises=("delegation_denied", "not_found", "mail_service_not_enabled"),
)
def get_draft(call: Call, params: GetDraftParams) -> DraftShape:
    """Read a draft: its headers, text and files."""
    box = open_mailbox(call, params.userId)
    draft = drafts.get_draft(box, params.id)
    return {"id": draft.id, "message": views.messages_to_json(box, [box.message(draft.message_id)], params.format)[0]}


@app.operation(
    "users.drafts.create",
    writes=True,
    source=DOCS + "create",
    scope=SCOPE,
    units=quota_units("users.drafts.create", True),
    examples=[{"message": {"raw": A_MAIL}}],
    raises=(
        "delegation_denied",
        "draft_message_missing",
        "raw_missing",
        "invalid_raw",
        "too_large",
        "malformed_mail",
        "not_found",
        "mail_service_not_enabled",
    ),
)
def create_draft(call: Call, params: CreateDraftParams) -> DraftShape:
    """Save a mail as a draft, to be sent later; with threadId, as an answer in that thread."""
    box = open_mailbox(call, params.userId)
    raw, mail = _read_written(box, params.message)
    return _draft_to_json(box, drafts.save_draft(box, raw, mail, thread=_find_thread(box, mail, params.message, None)))


@app.operation(
    "users.drafts.update",
    writes=True,
    source=DOCS + "update",
    scope=SCOPE,
    units=quota_units("users.drafts.update", True),
    examples=[{"id": A_DRAFT, "message": {"raw": A_MAIL}}],
    raises=(
        "delegation_denied",
        "not_found",
        "draft_message_missing",
        "raw_missing",
        "invalid_raw",
        "too_large",
        "malformed_mail",
        "already_scheduled",
        "mail_service_not_enabled",
    ),
)
def update_draft(call: Call, params: UpdateDraftParams) -> DraftShape:
    """Replace the mail of a draft; the draft keeps its id, its message gets another."""
    box = open_mailbox(call, params.userId)
    old = drafts.get_draft(box, params.id)
    if old.send_at is not None:
        raise OperationError("already_scheduled")
    raw, mail = _read_written(box, params.message)
    thread = _find_thread(box, mail, params.message, old)
    return _draft_to_json(box, drafts.save_draft(box, raw, mail, old=old._replace(thread_id=thread or "")))


@app.operation(
    "users.drafts.delete",
    writes=True,
    source=DOCS + "delete",
    scope=SCOPE,
    units=quota_units("users.drafts.delete", True),
    examples=[{"id": A_DRAFT}],
    raises=("delegation_denied", "not_found", "mail_service_not_enabled"),
)
def delete_draft(call: Call, params: DraftParams) -> None:
    """Delete a draft for good, not into the trash."""
    box = open_mailbox(call, params.userId)
    drafts.discard_draft(box, drafts.get_draft(box, params.id))


@app.operation(
    "users.drafts.send",
    writes=True,
    source=DOCS + "send",
    scope=SCOPE,
    units=quota_units("users.drafts.send", True),
    examples=[{"id": A_DRAFT}],
    raises=(
        "delegation_denied",
        "not_found",
        "invalid_raw",
        "too_large",
        "malformed_mail",
        "recipient_required",
        "invalid_to_header",
        "invalid_cc_header",
        "invalid_bcc_header",
        "too_many_recipients",
        "sending_limit_exceeded",
        "mail_service_not_enabled",
    ),
)
def send_draft(call: Call, params: SendDraftParams) -> MessageShape:
    """Send a draft to the people in its To, Cc and Bcc headers; the draft is gone then. With `message`, that mail is
    sent instead.
    """
    box = open_mailbox(call, params.userId)
    draft = drafts.get_draft(box, params.id)
    raw = decode_raw(params.message.raw) if params.message and params.message.raw else _read_draft_bytes(box, draft)
    raw, mail = outgoing.complete_headers(box, raw, outgoing.read_sized_mail(raw))
    outgoing.check_recipients(mail)
    thread = _find_thread(box, mail, params.message, draft)
    drafts.discard_draft(box, draft)
    return views.messages_to_minimal_json(box, [outgoing.send_complete_mail(box, raw, mail, thread)])[0]


def _read_draft_bytes(box: Mailbox, draft: Draft) -> bytes:
    """Return the bytes of the draft's mail, to be dated when it is sent."""
    return remove_header(
        content.read_bytes(box.call, content.contents_by_id(box.call, [draft.mail_id])[draft.mail_id]), "Date"
    )


def _read_written(box: Mailbox, message: DraftMessage | None) -> tuple[bytes, Mail]:
    """A mail to keep, with the headers it lacks. Raises draft_message_missing, and what reading a mail raises."""
    if message is None:
        raise OperationError("draft_message_missing")
    raw = decode_raw(message.raw)
    return outgoing.complete_headers(box, raw, outgoing.read_sized_mail(raw))


def _find_thread(box: Mailbox, mail: Mail, message: DraftMessage | None, draft: Draft | None) -> str | None:
    """Find the thread of a mail: that of the mail it answers, or that of its draft alone.

    Raises not_found for an unknown one.
    """
    wanted = message.threadId if message else ""
    if wanted:
        box.thread(wanted)
    within = wanted or (draft.thread_id if draft else "")
    if draft and within == draft.thread_id and len(box.thread(within)) == 1:
        return within
    return outgoing.find_thread(box, mail.subject, mail.answers, within) if within else None


def _draft_to_json(box: Mailbox, draft: Draft) -> DraftShape:
    return {"id": draft.id, "message": views.messages_to_minimal_json(box, [box.message(draft.message_id)])[0]}
