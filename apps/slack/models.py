"""Tables of the chat service. People are directory ids (`p_…`), message times Slack's `ts`, other times microseconds."""

# SQLModel types __tablename__ as a declared attribute
# pyright: reportAssignmentType=false

from typing import Any

from sqlalchemy import JSON, Column, Index, text
from sqlmodel import Field, SQLModel

from world.core.json_types import JsonObject

OF_MESSAGE = {"derived_from": "slack_message", "derived_key": "message_id"}
CHANNEL = "channel_id:slack_channel.name"
PERSON = "person_id:person.id"
MESSAGE = "message_id:slack_message.ts"
NAMES = {"channel": CHANNEL, "channel_kind": "channel_id:slack_channel.kind", "user": PERSON, "sender": PERSON}


def json_column() -> Any:
    """A JSON column; None is SQL NULL."""
    return Column(JSON(none_as_null=True), nullable=True)


class Workspace(SQLModel, table=True):
    """The one row about the workspace; `domain` is the first label of its address."""

    __tablename__ = "slack_workspace"
    id: str = Field(primary_key=True)  # T…
    name: str
    domain: str
    email_domain: str = ""
    edit_window_s: int | None = None  # how long people may edit what they wrote; None: for ever
    created_at: int = 0


class Profile(SQLModel, table=True):
    """A person's settings in Slack; without a row the defaults apply. Bots have `bot_id` and `app_id`."""

    __tablename__ = "slack_profile"
    __table_args__ = {"info": {"volatile": ["updated_at"], "benign": ["presence"]}}
    person_id: str = Field(primary_key=True)
    status_text: str = ""
    status_emoji: str = ""
    status_expires_at: int = 0
    presence: str = "auto"  # auto | away
    snooze_until_at: int = 0
    is_admin: bool = False
    is_owner: bool = False
    is_primary_owner: bool = False
    is_guest: bool = False
    bot_id: str | None = Field(default=None, index=True)
    app_id: str | None = None
    title: str | None = None
    phone: str | None = None
    display_name: str | None = None
    updated_at: int = 0


class Channel(SQLModel, table=True):
    """A conversation. `kind`: public, private, im or mpim; `members_key` names the people of an im or mpim."""

    __tablename__ = "slack_channel"
    __table_args__ = {
        "info": {
            "volatile": ["updated_at", "latest_ts", "topic_by", "topic_at", "purpose_by", "purpose_at"],
            "derived": ["previous_names"],
            "soft_delete": "archived_at",
            "entity": "channel",
        }
    }
    id: str = Field(primary_key=True)  # C…, D… for an im
    name: str = Field(default="", index=True)
    kind: str = Field(default="public", index=True)
    creator_id: str
    created_at: int
    topic: str = ""
    topic_by: str = ""
    topic_at: int = 0
    purpose: str = ""
    purpose_by: str = ""
    purpose_at: int = 0
    previous_names: list[str] | None = Field(default=None, sa_column=json_column())
    is_general: bool = False
    posting: str = "everyone"  # everyone | admins
    members_key: str | None = Field(default=None, unique=True)  # sorted person ids joined with a comma
    archived_at: int | None = None
    archived_by: str | None = None
    latest_ts: str = ""
    updated_at: int = 0


class Member(SQLModel, table=True):
    """Membership of a channel, with read position and settings."""

    __tablename__ = "slack_member"
    __table_args__ = {"info": {"benign": ["last_read", "is_open"], "names": NAMES}}
    channel_id: str = Field(primary_key=True)
    person_id: str = Field(primary_key=True, index=True)
    joined_at: int = 0
    inviter_id: str | None = None
    last_read: str = "0000000000.000000"
    is_muted: bool = False
    is_starred: bool = False
    is_open: bool = True  # im and mpim: shown in the sidebar


class Message(SQLModel, table=True):
    """A message. `text` is mrkdwn as Slack keeps it (&amp; &lt; &gt; escaped); replies have `thread_ts`, parents have
    not.

    A deleted row keeps its words for the record; no operation shows them. `facts` are the extra keys of a subtype.
    """

    __tablename__ = "slack_message"
    __table_args__ = (
        Index("slack_message_by_ts", "channel_id", "ts", unique=True),
        Index("slack_message_by_thread", "channel_id", "thread_ts", "ts"),
        Index("slack_message_by_client", "client_msg_id", sqlite_where=text("client_msg_id IS NOT NULL")),
        {
            "info": {
                "volatile": ["reply_count", "reply_users", "latest_reply"],
                "derived": ["reply_count", "reply_users", "latest_reply"],
                "soft_delete": "deleted_at",
                "names": NAMES,
            }
        },
    )
    id: int | None = Field(default=None, primary_key=True)
    channel_id: str
    ts: str
    person_id: str = Field(index=True)
    text: str = ""
    blocks: list[JsonObject] | None = Field(default=None, sa_column=json_column())
    attachments: list[JsonObject] | None = Field(default=None, sa_column=json_column())
    subtype: str | None = None
    thread_ts: str | None = None
    is_broadcast: bool = False
    reply_count: int = 0
    reply_users: list[str] | None = Field(default=None, sa_column=json_column())
    latest_reply: str | None = None
    edited_ts: str | None = None
    edited_by: str | None = None
    deleted_at: int | None = None
    deleted_by: str | None = None
    client_msg_id: str | None = None
    username: str | None = None
    icon: str | None = None
    has_files: bool = False
    facts: JsonObject | None = Field(default=None, sa_column=json_column())


class Activity(SQLModel, table=True):
    """A line the service writes into a conversation by itself: somebody joined, the topic changed, and so on.

    `subtype`: channel_join, channel_leave, channel_topic, channel_purpose, channel_name, channel_archive,
    channel_unarchive.
    """

    __tablename__ = "slack_activity"
    __table_args__ = {"info": {"derived_from": ["slack_member", "slack_channel"], "derived_key": ["channel_id"]}}
    channel_id: str = Field(primary_key=True)
    ts: str = Field(primary_key=True)
    person_id: str
    subtype: str
    text: str
    facts: JsonObject | None = Field(default=None, sa_column=json_column())


class Ephemeral(SQLModel, table=True):
    """A message only one member sees, and which no history returns."""

    __tablename__ = "slack_ephemeral"
    __table_args__ = {"info": {"names": NAMES}}
    channel_id: str = Field(primary_key=True)
    ts: str = Field(primary_key=True)
    person_id: str
    to_person_id: str = Field(index=True)
    text: str = ""
    blocks: list[JsonObject] | None = Field(default=None, sa_column=json_column())
    attachments: list[JsonObject] | None = Field(default=None, sa_column=json_column())
    thread_ts: str | None = None


class Mention(SQLModel, table=True):
    """A mention in a message. `target`: a person id, a user group id (S…), or !here, !channel, !everyone."""

    __tablename__ = "slack_mention"
    __table_args__ = {"info": OF_MESSAGE}
    message_id: int = Field(primary_key=True)
    target: str = Field(primary_key=True, index=True)
    channel_id: str
    ts: str


class Reaction(SQLModel, table=True):
    """An emoji somebody put on a message; `created_at` orders them."""

    __tablename__ = "slack_reaction"
    __table_args__ = {
        "info": {"names": {"user": PERSON, "message": MESSAGE, "channel": "message_id:slack_message.channel"}}
    }
    message_id: int = Field(primary_key=True)
    name: str = Field(primary_key=True)
    person_id: str = Field(primary_key=True, index=True)
    created_at: int


class ThreadFollower(SQLModel, table=True):
    """Somebody following (or having left) a thread, and how far they have read it."""

    __tablename__ = "slack_thread_follower"
    __table_args__ = {"info": {"benign": ["last_read"], "derived_from": "slack_message", "derived_key": "message_id"}}
    message_id: int = Field(primary_key=True)  # of the parent
    person_id: str = Field(primary_key=True, index=True)
    is_subscribed: bool = True
    last_read: str = "0000000000.000000"


class Pin(SQLModel, table=True):
    """A message pinned to its channel."""

    __tablename__ = "slack_pin"
    __table_args__ = {"info": {"names": NAMES}}
    channel_id: str = Field(primary_key=True)
    message_id: int = Field(primary_key=True, index=True)
    person_id: str
    pinned_at: int


class Bookmark(SQLModel, table=True):
    """A link in the bar under a channel's name."""

    __tablename__ = "slack_bookmark"
    __table_args__ = {"info": {"volatile": ["updated_at"], "names": NAMES}}
    id: str = Field(primary_key=True)  # Bk…
    channel_id: str = Field(index=True)
    title: str
    link: str
    emoji: str = ""
    rank: str = "i"
    person_id: str
    created_at: int
    updated_at: int = 0


class UserGroup(SQLModel, table=True):
    """A group people mention by one handle."""

    __tablename__ = "slack_usergroup"
    __table_args__ = {"info": {"volatile": ["updated_at", "updated_by"], "soft_delete": "disabled_at"}}
    id: str = Field(primary_key=True)  # S…
    name: str
    handle: str
    description: str = ""
    created_by: str
    created_at: int
    updated_by: str = ""
    updated_at: int = 0
    disabled_at: int | None = None
    channels: list[str] | None = Field(default=None, sa_column=json_column())


class UserGroupMember(SQLModel, table=True):
    """Membership of a user group."""

    __tablename__ = "slack_usergroup_member"
    __table_args__ = {"info": {"names": {"usergroup": "usergroup_id:slack_usergroup.handle", "user": PERSON}}}
    usergroup_id: str = Field(primary_key=True)
    person_id: str = Field(primary_key=True, index=True)


class File(SQLModel, table=True):
    """An uploaded file; its bytes are the `blob` row of `sha256`."""

    __tablename__ = "slack_file"
    __table_args__ = {"info": {"names": {"user": PERSON}, "soft_delete": "deleted_at"}}
    id: str = Field(primary_key=True)  # F…
    person_id: str = Field(index=True)
    name: str
    title: str = ""
    mimetype: str = "application/octet-stream"
    filetype: str = "binary"
    size: int = 0
    sha256: str = ""
    alt_text: str = ""
    created_at: int
    deleted_at: int | None = None


class FileShare(SQLModel, table=True):
    """A file shown by a message; `position` orders the files of one message."""

    __tablename__ = "slack_file_share"
    __table_args__ = {"info": OF_MESSAGE}
    file_id: str = Field(primary_key=True)
    message_id: int = Field(primary_key=True, index=True)
    channel_id: str
    position: int = 0


class Upload(SQLModel, table=True):
    """A file on its way: asked for, perhaps sent, not yet completed. `secret` is in the upload address."""

    __tablename__ = "slack_upload"
    __table_args__ = {"info": {"derived_from": "*", "hidden": True}}
    file_id: str = Field(primary_key=True)
    secret: str = Field(unique=True)
    person_id: str
    filename: str
    length: int
    alt_text: str = ""
    snippet_type: str = ""
    sha256: str | None = None
    created_at: int


class Feed(SQLModel, table=True):
    """A channel follows a repository or a project; `person_id` is the bot that posts.

    `kind`: reviews (requests) or builds (failed ones) of a repository, issues of a project. `only`: builds of this
    branch, issues of this component; empty for all.
    """

    __tablename__ = "slack_feed"
    channel_id: str = Field(primary_key=True)
    source: str = Field(primary_key=True)  # owner/name of a repository, key of a project
    kind: str = Field(primary_key=True)
    only: str = Field(default="", primary_key=True)
    person_id: str


class Scheduled(SQLModel, table=True):
    """A message to be posted at `post_at`. `state`: pending, sent, deleted or failed."""

    __tablename__ = "slack_scheduled_message"
    __table_args__ = {"info": {"volatile": ["queued"], "names": NAMES}}
    id: str = Field(primary_key=True)  # Q…
    channel_id: str
    person_id: str = Field(index=True)
    text: str = ""
    blocks: list[JsonObject] | None = Field(default=None, sa_column=json_column())
    attachments: list[JsonObject] | None = Field(default=None, sa_column=json_column())
    thread_ts: str | None = None
    is_broadcast: bool = False
    post_at: int
    created_at: int
    queued: int | None = None
    state: str = "pending"
    sent_ts: str | None = None


class Draft(SQLModel, table=True):
    """An unsent message of one person. At most one per conversation and thread."""

    __tablename__ = "slack_draft"
    __table_args__ = {"info": {"volatile": ["updated_at"], "soft_delete": "deleted_at", "names": NAMES}}
    id: str = Field(primary_key=True)  # Dr…
    person_id: str = Field(index=True)
    channel_id: str
    thread_ts: str | None = None
    text: str
    created_at: int
    updated_at: int = 0
    deleted_at: int | None = None


class Saved(SQLModel, table=True):
    """A message kept for later. `state`: in_progress, archived or completed."""

    __tablename__ = "slack_saved"
    __table_args__ = {"info": {"names": {"user": PERSON, "message": MESSAGE}}}
    person_id: str = Field(primary_key=True)
    message_id: int = Field(primary_key=True)
    state: str = "in_progress"
    due_at: int | None = None
    created_at: int


class Reminder(SQLModel, table=True):
    """A reminder that Slack sends a person at a time."""

    __tablename__ = "slack_reminder"
    __table_args__ = {"info": {"names": {"user": PERSON}, "volatile": ["queued"], "soft_delete": "deleted_at"}}
    id: str = Field(primary_key=True)  # Rm…
    creator_id: str
    person_id: str = Field(index=True)
    text: str
    due_at: int
    created_at: int
    completed_at: int | None = None
    fired_at: int | None = None
    deleted_at: int | None = None
    queued: int | None = None


class Canvas(SQLModel, table=True):
    """A document. `channel_id` is set for a channel's own canvas; otherwise `slack_canvas_access` says who sees it."""

    __tablename__ = "slack_canvas"
    __table_args__ = {
        "info": {"names": {"channel": CHANNEL}, "volatile": ["updated_at", "updated_by"], "soft_delete": "deleted_at"}
    }
    id: str = Field(primary_key=True)  # F…
    title: str
    channel_id: str | None = Field(default=None, index=True)
    owner_id: str
    created_at: int
    updated_at: int = 0
    updated_by: str = ""
    deleted_at: int | None = None


class CanvasSection(SQLModel, table=True):
    """A block of a canvas, in Markdown; `position` orders them."""

    __tablename__ = "slack_canvas_section"
    id: str = Field(primary_key=True)  # temp:C:…
    canvas_id: str = Field(index=True)
    position: int
    markdown: str


class CanvasAccess(SQLModel, table=True):
    """Access to a canvas besides its owner's. `subject`: a person id or a channel id."""

    __tablename__ = "slack_canvas_access"
    canvas_id: str = Field(primary_key=True)
    subject: str = Field(primary_key=True)
    level: str = "read"  # read | write


class Emoji(SQLModel, table=True):
    """A custom emoji; `alias_for` names another one."""

    __tablename__ = "slack_emoji"
    name: str = Field(primary_key=True)
    url: str = ""
    alias_for: str | None = None


_PLAIN = "replace(replace(replace({0}text, '&lt;', ' < '), '&gt;', ' > '), '&amp;', ' & ')"

DDL = [
    f"CREATE VIEW slack_message_words AS SELECT id, {_PLAIN.format('')} AS words FROM slack_message",
    (
        "CREATE VIRTUAL TABLE slack_message_fts USING fts5(words,"
        " content='slack_message_words', content_rowid='id', tokenize='unicode61 remove_diacritics 2')"
    ),
    (
        "CREATE TRIGGER slack_message_fts_insert AFTER INSERT ON slack_message BEGIN"
        f" INSERT INTO slack_message_fts(rowid, words) VALUES (new.id, {_PLAIN.format('new.')}); END"
    ),
    (
        "CREATE TRIGGER slack_message_fts_delete AFTER DELETE ON slack_message BEGIN INSERT INTO"
        f" slack_message_fts(slack_message_fts, rowid, words) VALUES ('delete', old.id, {_PLAIN.format('old.')}); END"
    ),
    (
        "CREATE TRIGGER slack_message_fts_update AFTER UPDATE OF text ON slack_message BEGIN INSERT INTO"
        f" slack_message_fts(slack_message_fts, rowid, words) VALUES ('delete', old.id, {_PLAIN.format('old.')});"
        f" INSERT INTO slack_message_fts(rowid, words) VALUES (new.id, {_PLAIN.format('new.')}); END"
    ),
]
