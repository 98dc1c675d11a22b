"""Tables of the mail service. People are directory ids (`p_…`), times microseconds since the epoch, UTC.

A mail is kept once (`gmail_mail`, or `gmail_draft` until it is sent); each mailbox it lies in has a row of its own
(`gmail_message`) with the labels of that mailbox. Unread, trash and spam are columns of that row; every other label is
a row of `gmail_message_label`. A draft's `mail_id` is negative, so that one number names the content of either kind.
"""

# SQLModel types __tablename__ as a declared attribute
# pyright: reportAssignmentType=false

from typing import Any

from sqlalchemy import JSON, Column, Index, text
from sqlmodel import Field, SQLModel

from world.core.json_types import JsonObject

PERSON = "person_id:person.id"
SUBJECT = "mail_id:gmail_mail.subject"
OF_MAIL = {"derived_from": ["gmail_mail", "gmail_draft"], "derived_key": ["mail_id"]}


def json_list() -> Any:
    """A JSON column that holds a list."""
    return Column(JSON(none_as_null=True), nullable=False)


class Mailbox(SQLModel, table=True):
    """A person's mailbox. History ids grow from `first_history_id`; older ones are forgotten."""

    __tablename__ = "gmail_mailbox"
    person_id: str = Field(primary_key=True)
    email: str = Field(unique=True)
    first_history_id: int = 1000


class Mail(SQLModel, table=True):
    """A mail as it was sent, once for all mailboxes; its bytes are the `blob` row of `sha256`.

    `sender_id` is the person who sent it from this company's mail service, if any. `to_list`, `cc_list`, `bcc_list`
    hold
    {name, email}; `recipients` are all their addresses in lower case. `text` is what a reader sees, without markup.
    """

    __tablename__ = "gmail_mail"
    __table_args__ = (
        Index("gmail_mail_by_header", "message_id"),
        Index("gmail_mail_by_sender", "sender_id", "sent_at"),
        {"info": {"volatile": ["queued"], "names": {"sender": "sender_id:person.id"}}},
    )
    id: int | None = Field(default=None, primary_key=True)
    sender_id: str | None = None
    size: int = Field(default=0, index=True)  # before what is long: searches read it
    from_name: str = ""
    from_email: str = ""
    to_list: list[dict[str, str]] = Field(default_factory=list, sa_column=json_list())
    cc_list: list[dict[str, str]] = Field(default_factory=list, sa_column=json_list())
    bcc_list: list[dict[str, str]] = Field(default_factory=list, sa_column=json_list())
    recipients: list[str] = Field(default_factory=list, sa_column=json_list())
    subject: str = ""
    text: str = ""
    filenames: list[str] = Field(default_factory=list, sa_column=json_list())
    features: list[str] = Field(
        default_factory=list, sa_column=json_list()
    )  # drive, document, spreadsheet, presentation, youtube
    message_id: str = ""  # of the header, in angle brackets
    # References and In-Reply-To, and what the mails named there go back to
    answers: list[str] = Field(default_factory=list, sa_column=json_list())
    list_id: str = ""
    is_automatic: bool = False  # sent by a machine or a list: nothing answers it by itself
    sha256: str = ""
    sent_at: int = 0
    queued: int | None = None  # of the event that hands it over, until it has; -1 while a fault holds it back


class Draft(SQLModel, table=True):
    """A mail being written, with the same columns; with `send_at` it is scheduled and sent automatically."""

    __tablename__ = "gmail_draft"
    __table_args__ = {"info": {"volatile": ["id", "queued", "updated_at"], "names": {"sender": PERSON}}}
    mail_id: int = Field(primary_key=True)  # negative
    id: str = Field(unique=True)  # r…
    person_id: str = Field(index=True)
    size: int = Field(default=0, index=True)
    from_name: str = ""
    from_email: str = ""
    to_list: list[dict[str, str]] = Field(default_factory=list, sa_column=json_list())
    cc_list: list[dict[str, str]] = Field(default_factory=list, sa_column=json_list())
    bcc_list: list[dict[str, str]] = Field(default_factory=list, sa_column=json_list())
    recipients: list[str] = Field(default_factory=list, sa_column=json_list())
    subject: str = ""
    text: str = ""
    filenames: list[str] = Field(default_factory=list, sa_column=json_list())
    features: list[str] = Field(
        default_factory=list, sa_column=json_list()
    )  # drive, document, spreadsheet, presentation, youtube
    message_id: str = Field(default="", index=True)
    answers: list[str] = Field(default_factory=list, sa_column=json_list())
    list_id: str = ""
    is_automatic: bool = False
    sha256: str = ""
    updated_at: int = 0
    send_at: int | None = None
    queued: int | None = None


class Message(SQLModel, table=True):
    """A mail or draft in one mailbox. `thread_id` is the id of the thread's first message there.

    `delivered_to` is the address it came by, empty for what the owner wrote. Trash is a time, spam a flag.
    """

    __tablename__ = "gmail_message"
    __table_args__ = (
        Index("gmail_message_by_thread", "person_id", "thread_id", "internal_at"),
        Index("gmail_message_by_time", "person_id", "internal_at", "id"),
        Index(
            "gmail_message_unread",
            "person_id",
            "internal_at",
            "id",
            "thread_id",
            "is_spam",
            "trashed_at",
            sqlite_where=text("is_unread"),
        ),
        Index("gmail_message_spam", "person_id", "internal_at", "id", sqlite_where=text("is_spam")),
        Index("gmail_message_trash", "person_id", "internal_at", "id", sqlite_where=text("trashed_at IS NOT NULL")),
        Index("gmail_message_by_mail", "mail_id", "person_id"),
        {
            "info": {
                **OF_MAIL,
                "volatile": ["history_id"],
                "benign": ["is_unread"],
                "soft_delete": "trashed_at",
                "names": {"owner": PERSON, "subject": SUBJECT},
            }
        },
    )
    id: str = Field(primary_key=True)  # 16 hex digits
    person_id: str
    thread_id: str
    mail_id: int
    internal_at: int
    is_unread: bool = False
    is_spam: bool = False
    trashed_at: int | None = None
    delivered_to: str = ""
    history_id: int = 0


class MessageLabel(SQLModel, table=True):
    """A label on a message: the vendor's (INBOX, SENT, DRAFT, STARRED …) or the owner's (Label_1)."""

    __tablename__ = "gmail_message_label"
    __table_args__ = (
        Index("gmail_message_label_by_time", "person_id", "label_id", "internal_at", "message_id"),
        Index("gmail_message_label_by_thread", "person_id", "label_id", "thread_id"),
        {
            "info": {
                **OF_MAIL,
                "part_of": {"gmail_message": "message_id"},
                "names": {"owner": PERSON, "subject": SUBJECT, "label": "label_id:gmail_label.name"},
            }
        },
    )
    message_id: str = Field(primary_key=True)
    label_id: str = Field(primary_key=True)
    person_id: str
    thread_id: str
    mail_id: int
    internal_at: int


class Label(SQLModel, table=True):
    """A label of the owner's own; system labels have no row. Visibilities are the API's words."""

    __tablename__ = "gmail_label"
    __table_args__ = {"info": {"names": {"owner": PERSON}}}
    person_id: str = Field(primary_key=True)
    id: str = Field(primary_key=True)  # Label_…
    name: str
    list_visibility: str = "labelShow"
    message_visibility: str = "show"
    text_color: str = ""
    background_color: str = ""


class History(SQLModel, table=True):
    """A change of a mailbox. `kind`: messageAdded, messageDeleted, labelAdded or labelRemoved."""

    __tablename__ = "gmail_history"
    __table_args__ = {"info": {"derived_from": "*", "hidden": True}}
    person_id: str = Field(primary_key=True)
    id: int = Field(primary_key=True)
    kind: str
    message_id: str
    thread_id: str
    labels: list[str] = Field(default_factory=list, sa_column=json_list())


class Snooze(SQLModel, table=True):
    """A thread that comes back to the inbox at `until_at`."""

    __tablename__ = "gmail_snooze"
    __table_args__ = {"info": {"volatile": ["queued"], "names": {"owner": PERSON}}}
    person_id: str = Field(primary_key=True)
    thread_id: str = Field(primary_key=True)
    until_at: int
    queued: int | None = None


class MailingList(SQLModel, table=True):
    """An address that stands for several people: a team's active members, everybody, or those of `gmail_list_member`.

    Anybody inside may write to it, somebody outside if `allows_outside`.
    """

    __tablename__ = "gmail_list"
    address: str = Field(primary_key=True)
    name: str
    team_id: str | None = None
    is_everyone: bool = False
    allows_outside: bool = False


class ListMember(SQLModel, table=True):
    """Somebody on a list beyond its team."""

    __tablename__ = "gmail_list_member"
    address: str = Field(primary_key=True)
    person_id: str = Field(primary_key=True, index=True)


class Outbound(SQLModel, table=True):
    """A mail on its way to somebody outside. `state`: sent or bounced; `contact_id` is set for a known contact."""

    __tablename__ = "gmail_outbound"
    __table_args__ = {"info": {"derived_from": "gmail_mail", "derived_key": ["mail_id"], "names": {"subject": SUBJECT}}}
    mail_id: int = Field(primary_key=True)
    address: str = Field(primary_key=True)
    contact_id: str | None = None
    state: str = "sent"
    sent_at: int = 0


class Filter(SQLModel, table=True):
    """A rule for arriving mail; `criteria` and `action` are the API's objects."""

    __tablename__ = "gmail_filter"
    __table_args__ = {"info": {"names": {"owner": PERSON}}}
    id: str = Field(primary_key=True)  # ANe1Bm…
    person_id: str = Field(index=True)
    criteria: JsonObject = Field(default_factory=dict, sa_column=json_list())
    action: JsonObject = Field(default_factory=dict, sa_column=json_list())
    created_at: int = 0


class Setting(SQLModel, table=True):
    """A group of settings of one mailbox: vacation, autoForwarding, imap, pop, language, web. `value` is the API's
    object.
    """

    __tablename__ = "gmail_setting"
    __table_args__ = {"info": {"names": {"owner": PERSON}}}
    person_id: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    value: JsonObject = Field(default_factory=dict, sa_column=json_list())


class SendAs(SQLModel, table=True):
    """An address the owner may send from, besides or instead of the plain one."""

    __tablename__ = "gmail_send_as"
    __table_args__ = {"info": {"names": {"owner": PERSON}}}
    person_id: str = Field(primary_key=True)
    email: str = Field(primary_key=True)
    display_name: str = ""
    reply_to: str = ""
    signature: str = ""
    is_default: bool = False
    treat_as_alias: bool = True
    verification: str = "accepted"


class Forwarding(SQLModel, table=True):
    """An address mail may be forwarded to."""

    __tablename__ = "gmail_forwarding_address"
    __table_args__ = {"info": {"names": {"owner": PERSON}}}
    person_id: str = Field(primary_key=True)
    email: str = Field(primary_key=True)
    verification: str = "accepted"


class Delegate(SQLModel, table=True):
    """A person who may read and send for the owner."""

    __tablename__ = "gmail_delegate"
    __table_args__ = {"info": {"names": {"owner": PERSON}}}
    person_id: str = Field(primary_key=True)
    email: str = Field(primary_key=True)
    verification: str = "accepted"


class Watch(SQLModel, table=True):
    """A push subscription of a mailbox."""

    __tablename__ = "gmail_watch"
    person_id: str = Field(primary_key=True)
    topic: str
    labels: list[str] = Field(default_factory=list, sa_column=json_list())
    label_behavior: str = "include"
    expires_at: int


class AutoReply(SQLModel, table=True):
    """Time of the owner's last vacation reply to a sender."""

    __tablename__ = "gmail_auto_reply"
    __table_args__ = {"info": {"names": {"owner": PERSON}, "derived_from": "*", "hidden": True}}
    person_id: str = Field(primary_key=True)
    address: str = Field(primary_key=True)
    replied_at: int


# What `apps.gmail.content.index` writes: words of a mail per field, cut as `apps.gmail.query.tokens` cuts them; `mark`
# holds
# what no word is: whole addresses and features.
DDL = [
    (
        "CREATE VIRTUAL TABLE gmail_mail_fts USING fts5(words, sender, receiver, cc, bcc, subject, filename, list,"
        " mark, content='', contentless_delete=1, tokenize='ascii')"
    ),
]
