"""Reader of a Slack export (zip): users, conversations, and a file of messages per conversation and day.

Layout: slack.com/help/articles/220556107; `__uploads/<file id>/<name>` holds the bytes of files, where a tool added them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from apps.slack.profiles import SLACKBOT
from seeds.imports.archive import Archive
from seeds.imports.identities import Identity
from seeds.imports.intake import Intake
from seeds.imports.json_document import JsonNode, parse_json
from world.core.clock import SECOND
from world.core.ids import Ids
from world.core.json_types import JsonObject

KINDS = {"channels.json": "public", "groups.json": "private", "dms.json": "im", "mpims.json": "mpim"}
TS = re.compile(r"\d{9,10}\.\d{6}")
DAY_FILE = re.compile(r"\d{4}-\d\d-\d\d\.json")
LINES = {  # subtypes that are lines of the service: kept as such, with these facts
    "channel_join": ("inviter",),
    "channel_leave": (),
    "channel_topic": ("topic",),
    "channel_purpose": ("purpose",),
    "channel_name": ("old_name", "name"),
    "channel_archive": (),
    "channel_unarchive": (),
    "group_join": ("inviter",),
    "group_leave": (),
    "group_topic": ("topic",),
    "group_purpose": ("purpose",),
    "group_name": ("old_name", "name"),
    "group_archive": (),
    "group_unarchive": (),
}


@dataclass(slots=True)
class SlackUser:
    """What `users.json` says of somebody, beyond who they are."""

    id: str
    flags: dict[str, bool]
    status_text: str
    status_emoji: str
    status_expires_at: int
    bot_id: str
    app_id: str
    updated_at: int


@dataclass(slots=True)
class SlackFile:
    """A file of a message; `data` is empty where the archive has no bytes."""

    id: str
    user: str
    name: str
    title: str
    mimetype: str
    filetype: str
    created_at: int
    data: bytes


@dataclass(slots=True)
class SlackMessage:
    """One entry of a day file. `user` is always set: the author's, bot's or Slackbot's id."""

    ts: str
    user: str
    text: str
    subtype: str
    thread_ts: str
    edited_ts: str
    edited_by: str
    username: str
    icon: str
    client_msg_id: str
    facts: dict[str, str]
    blocks: list[JsonObject]
    attachments: list[JsonObject]
    reactions: list[tuple[str, str]]
    files: list[SlackFile]

    @property
    def at(self) -> int:
        """Microseconds since the epoch."""
        return parse_time(self.ts)


@dataclass(slots=True)
class SlackChannel:
    """A conversation with everything said in it; times in us, `about` is (value, author, time) of topic and purpose."""

    id: str
    name: str
    kind: str
    creator: str
    created_at: int
    is_general: bool
    is_archived: bool
    members: list[str]
    topic: tuple[str, str, int]
    purpose: tuple[str, str, int]
    pins: list[tuple[str, str, int]]
    messages: list[SlackMessage] = field(default_factory=list)


@dataclass(slots=True)
class SlackExport:
    """A whole workspace."""

    users: list[SlackUser] = field(default_factory=list)
    channels: list[SlackChannel] = field(default_factory=list)


def parse_time(ts: str) -> int:
    """Microseconds of a ts."""
    seconds, _, rest = ts.partition(".")
    return int(seconds) * SECOND + int(rest or 0)


def is_slack_export(archive: Archive) -> bool:
    """Whether an archive has the files of one."""
    return "users.json" in archive.names and any(name in archive.names for name in KINDS)


def read_slack_export(archive: Archive, intake: Intake) -> SlackExport:
    """A workspace; its people become identities. Raises ImportRefused."""
    reader = _Reader(archive, intake)
    reader.read_users()
    for name, kind in KINDS.items():
        if name in archive.names:
            for one in reader.document(name).objects():
                reader.read_channel(one, kind)
    reader.add_strangers()
    reader.count_ignored()
    intake.see_times(one.at for channel in reader.export.channels for one in channel.messages)
    return reader.export


class _Reader:
    def __init__(self, archive: Archive, intake: Intake) -> None:
        self.archive, self.intake, self.export = archive, intake, SlackExport()
        self.known: set[str] = set()
        self.strangers: dict[str, Identity] = {}
        self.bots: dict[str, str] = {}  # user ids by bot id
        self.read_names = {"users.json", *KINDS}
        self.files: dict[str, SlackFile] = {}
        self.ids: set[str] = set()

    def document(self, name: str) -> JsonNode:
        self.read_names.add(name)
        return parse_json(self.archive.read(name), f"{self.archive.file}/{name}")

    # -- people

    def read_users(self) -> None:
        for one in self.document("users.json").objects():
            user = one.need("id")
            if user in self.known:
                raise one.refuse(f"user {user} is there twice")
            self.known.add(user)
            profile = one.field("profile") if one.has("profile") else JsonNode({}, one.file, one.place)
            self.export.users.append(_user(one, profile))
            if profile.has("bot_id"):
                self.bots[profile.text("bot_id")] = user
            self.intake.identities.append(_identity(one, profile, user))

    def meet(self, user: str, name: str, place: str, *, bot: bool) -> str:
        """An id that must be somebody: known, or made a person who left."""
        if user not in self.known and user not in self.strangers:
            kind = "bot" if bot else "employee"
            identity = Identity("slack", user, name=name or user, kind=kind, is_active=bot, place=place)
            self.strangers[user] = identity
        return user

    def add_strangers(self) -> None:
        for user, one in sorted(self.strangers.items()):
            self.intake.identities.append(one)
            self.export.users.append(SlackUser(user, {}, "", "", 0, user if user.startswith("B") else "", "", 0))
            if one.kind == "employee":
                self.intake.drop(f"users that users.json does not have, kept as people who left: {user}")

    # -- conversations

    def read_channel(self, one: JsonNode, kind: str) -> None:
        id = one.need("id")
        if id in self.ids:
            raise one.refuse(f"conversation {id} is there twice")
        self.ids.add(id)
        name = one.text("name")
        members = [self.meet(user, "", one.place, bot=False) for user in dict.fromkeys(one.texts("members"))]
        creator = one.text("creator") or (members[0] if members else SLACKBOT)
        channel = SlackChannel(
            id,
            name if kind in ("public", "private", "mpim") else "",
            kind,
            self.meet(creator, "", one.place, bot=creator == SLACKBOT),
            one.number("created") * SECOND,
            one.flag("is_general"),
            one.flag("is_archived"),
            members,
            self._about(one, "topic"),
            self._about(one, "purpose"),
            [
                (_ts(pin, "id"), pin.text("user"), pin.number("created") * SECOND)
                for pin in one.field("pins").objects()
                if pin.text("type") in ("", "C")
            ],
        )
        for folder in dict.fromkeys((name or id, id)):
            channel.messages += self._messages(folder)
        self.export.channels.append(channel)

    def _about(self, one: JsonNode, name: str) -> tuple[str, str, int]:
        if not one.has(name):
            return ("", "", 0)
        about = one.field(name)
        author = about.text("creator")
        known = author if author in self.known else ""
        return (about.text("value"), known, about.number("last_set") * SECOND)

    def _messages(self, folder: str) -> Iterator[SlackMessage]:
        for name in self.archive.below(folder):
            if DAY_FILE.fullmatch(PurePosixPath(name).name) and name.count("/") == folder.count("/") + 1:
                for one in self.document(name).objects():
                    yield self._message(one)

    def _message(self, one: JsonNode) -> SlackMessage:
        edited = one.field("edited") if one.has("edited") else None
        subtype = one.text("subtype")
        return SlackMessage(
            _ts(one, "ts"),
            self._author(one),
            one.text("text"),
            subtype,
            _ts(one, "thread_ts") if one.has("thread_ts") else "",
            _ts(edited, "ts") if edited else "",
            self.meet(edited.text("user") or SLACKBOT, "", edited.place, bot=False) if edited else "",
            one.text("username"),
            _icon(one),
            one.text("client_msg_id"),
            {key: one.text(key) for key in LINES.get(subtype, ()) if one.has(key)},
            [node.value for node in one.field("blocks").objects()],
            [node.value for node in one.field("attachments").objects()],
            [
                (reaction.need("name"), self.meet(user, "", reaction.place, bot=False))
                for reaction in one.field("reactions").objects()
                for user in reaction.texts("users")
            ],
            [file for node in self._file_nodes(one) if (file := self._file(node, one)) is not None],
        )

    def _author(self, one: JsonNode) -> str:
        """Who wrote a message: a user, the user of a bot, or a bot made from what the message says of it."""
        user, bot, name = one.text("user"), one.text("bot_id"), one.text("username")
        if user:
            return self.meet(user, name, one.place, bot=bool(bot) or user == SLACKBOT)
        if bot in self.bots:
            return self.bots[bot]
        if bot or one.text("subtype") == "bot_message":
            made = bot or Ids(0, f"import:bot:{name}", 0).token("B", 10)
            return self.meet(made, name, one.place, bot=True)
        return self.meet(SLACKBOT, "Slackbot", one.place, bot=True)

    # -- files

    def _file_nodes(self, one: JsonNode) -> Iterator[JsonNode]:
        yield from one.field("files").objects()
        if one.has("file"):  # until 2018
            yield one.field("file")

    def _file(self, node: JsonNode, message: JsonNode) -> SlackFile | None:
        id = node.text("id")
        if not id or node.text("mode") in ("tombstone", "hidden_by_limit"):
            self.intake.drop("files that were deleted or hidden before the export")
            return None
        if id not in self.files:
            data = self._bytes(id)
            if not data:
                self.intake.drop("bytes of files, which the export does not hold")
            self.files[id] = SlackFile(
                id,
                self.meet(node.text("user") or message.text("user") or SLACKBOT, "", node.place, bot=False),
                node.text("name") or node.text("title") or id,
                node.text("title"),
                node.text("mimetype") or "application/octet-stream",
                node.text("filetype") or "binary",
                node.number("created") * SECOND,
                data,
            )
        return self.files[id]

    def _bytes(self, id: str) -> bytes:
        names = self.archive.below(f"__uploads/{id}")
        self.read_names.update(names)
        return self.archive.read(names[0]) if names else b""

    def count_ignored(self) -> None:
        for name in self.archive.names:
            if name not in self.read_names:
                self.intake.drop(f"files of no conversation: {name.partition('/')[0]}")


def _ts(one: JsonNode, name: str) -> str:
    text = one.need(name)
    if not TS.fullmatch(text):
        raise one.field(name).refuse(f"{text!r} is no time of a message")
    return text


def _icon(one: JsonNode) -> str:
    if not one.has("icons"):
        return ""
    icons = one.field("icons")
    return icons.text("emoji") or icons.text("image_48")


def _user(one: JsonNode, profile: JsonNode) -> SlackUser:
    names = ("is_admin", "is_owner", "is_primary_owner")
    flags = {name: one.flag(name) for name in names}
    return SlackUser(
        one.need("id"),
        {**flags, "is_guest": one.flag("is_restricted") or one.flag("is_ultra_restricted")},
        profile.text("status_text"),
        profile.text("status_emoji"),
        profile.number("status_expiration") * SECOND,
        profile.text("bot_id"),
        profile.text("api_app_id"),
        one.number("updated") * SECOND,
    )


def _identity(one: JsonNode, profile: JsonNode, user: str) -> Identity:
    address = profile.text("email").strip().lower()
    return Identity(
        "slack",
        user,
        name=(profile.text("real_name") or one.text("real_name")).strip(),
        handle=one.text("name"),
        emails=(address,) if address else (),
        display=profile.text("display_name"),
        title=profile.text("title"),
        tz=one.text("tz"),
        phone=profile.text("phone"),
        pronouns=profile.text("pronouns"),
        kind="bot" if one.flag("is_bot") or user == SLACKBOT else "employee",
        is_active=not one.flag("deleted"),
        place=one.place,
    )
