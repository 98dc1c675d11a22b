"""Rows of the chat service from an imported workspace."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Sequence

from apps.slack import models as s
from apps.slack.text import find_mentions
from seeds.imports.intake import Landing
from seeds.imports.slack_archive import LINES, SlackChannel, SlackExport, SlackFile, SlackMessage, SlackUser, parse_time
from seeds.rows.references import ts_of
from seeds.rows.row_collector import Row
from world.core.directory import Blob

NEVER = "0000000000.000000"
PERMALINK = re.compile(r"(/archives/[CDG][A-Z0-9]+/p)(\d{10})(\d{6})")


def add_slack_rows(landing: Landing, export: SlackExport) -> None:
    """All rows of a workspace."""
    _add_profiles(landing, export.users)
    projection = _Projection(landing)
    for channel in export.channels:
        projection.add_channel(channel)
    projection.add_messages()


def _add_profiles(landing: Landing, users: Sequence[SlackUser]) -> None:
    """A profile of everybody; people whom only other archives know have an empty one."""
    known = {landing.who("slack", user.id): user for user in users}
    for person in sorted(landing.individuals):
        user = known.get(person)
        if user is None:
            landing.sink.add(s.Profile, person_id=person)
            continue
        landing.sink.add(
            s.Profile,
            person_id=person,
            status_text=user.status_text,
            status_emoji=user.status_emoji,
            status_expires_at=user.status_expires_at and user.status_expires_at + landing.shift,
            bot_id=user.bot_id or None,
            app_id=user.app_id or None,
            updated_at=landing.at(user.updated_at),
            **user.flags,
        )


class _Projection:
    def __init__(self, landing: Landing) -> None:
        self.landing, self.sink = landing, landing.sink
        self.said: list[tuple[str, str, SlackMessage]] = []  # ts on the world's clock, channel, message
        self.channels: dict[str, Row] = {}
        self.pins: list[tuple[str, str, str, int]] = []
        self.parents: dict[tuple[str, str], Row] = {}
        self.replies: dict[tuple[str, str], list[Row]] = defaultdict(list)
        self.called: dict[int, list[str]] = {}
        self.files: set[str] = set()
        self.blobs: set[str] = set()

    def who(self, user: str) -> str:
        return self.landing.who("slack", user)

    def ts(self, ts: str) -> str:
        """A ts on the world's clock."""
        return ts_of(parse_time(ts) + self.landing.shift)

    def text(self, text: str) -> str:
        """A text whose permalinks lead to the shifted times."""
        shift = self.landing.shift // 1_000_000
        return PERMALINK.sub(lambda found: f"{found[1]}{int(found[2]) + shift}{found[3]}", text) if shift else text

    # -- conversations

    def add_channel(self, channel: SlackChannel) -> None:
        members = sorted({self.who(user) for user in channel.members})
        created = self.landing.at(channel.created_at)
        direct = channel.kind in ("im", "mpim")
        key = ",".join(members) if direct else None
        (topic, topic_by, topic_at), (purpose, purpose_by, purpose_at) = channel.topic, channel.purpose
        self.channels[channel.id] = self.sink.add(
            s.Channel,
            id=channel.id,
            name=channel.name,
            kind=channel.kind,
            creator_id=self.who(channel.creator),
            created_at=created,
            updated_at=created,
            topic=topic,
            topic_by=self.who(topic_by) if topic_by else "",
            topic_at=self.landing.at(topic_at),
            purpose=purpose,
            purpose_by=self.who(purpose_by) if purpose_by else "",
            purpose_at=self.landing.at(purpose_at),
            is_general=channel.is_general,
            members_key=key,
            archived_at=self._find_archiving(channel),
        )
        seen = set[str]()
        for one in sorted(channel.messages, key=lambda one: (one.ts, one.text)):
            if one.ts in seen:
                self.landing.intake.drop("messages with the time of another one in their conversation")
                continue
            seen.add(one.ts)
            self.said.append((self.ts(one.ts), channel.id, one))
        self.channels[channel.id]["latest_ts"] = self.ts(max(seen)) if seen else ""
        joined = {
            self.who(one.user): one.at for one in channel.messages if one.subtype in ("channel_join", "group_join")
        }
        for person in members:
            at = self.landing.at(joined.get(person, 0)) or created
            latest = self.channels[channel.id]["latest_ts"] or NEVER
            self.sink.add(s.Member, channel_id=channel.id, person_id=person, joined_at=at, last_read=latest)
        self.pins += [(channel.id, self.ts(ts), user, at) for ts, user, at in channel.pins]

    def _find_archiving(self, channel: SlackChannel) -> int | None:
        """When a channel was archived: at the line that says so, else at its last message."""
        if not channel.is_archived:
            return None
        lines = [one.at for one in channel.messages if one.subtype in ("channel_archive", "group_archive")]
        times = lines or [one.at for one in channel.messages] or [channel.created_at]
        return self.landing.at(max(times)) or self.landing.at(channel.created_at)

    # -- messages

    def add_messages(self) -> None:
        """Messages of all conversations by time, then what follows from them."""
        number = 0
        for ts, channel, one in sorted(self.said, key=lambda found: found[:2]):
            if one.subtype in LINES:
                self._add_line(ts, channel, one)
                continue
            number += 1
            self._add_message(number, ts, channel, one)
        self._add_threads()
        self._add_pins()

    def _add_line(self, ts: str, channel: str, one: SlackMessage) -> None:
        subtype = one.subtype.replace("group_", "channel_")
        self.sink.add(
            s.Activity,
            channel_id=channel,
            ts=ts,
            person_id=self.who(one.user),
            subtype=subtype,
            text=self.text(one.text),
            facts=dict(one.facts) or None,
        )
        if subtype == "channel_name" and one.facts.get("old_name"):
            row = self.channels[channel]
            row["previous_names"] = [*(row["previous_names"] or []), one.facts["old_name"]]

    def _add_message(self, number: int, ts: str, channel: str, one: SlackMessage) -> None:
        thread = self.ts(one.thread_ts) if one.thread_ts and one.thread_ts != one.ts else None
        deleted = one.subtype == "tombstone"
        row = self.sink.add(
            s.Message,
            id=number,
            channel_id=channel,
            ts=ts,
            person_id=self.who(one.user),
            text=self.text(one.text),
            blocks=one.blocks or None,
            attachments=one.attachments or None,
            subtype=None if deleted else one.subtype or None,
            thread_ts=thread,
            is_broadcast=one.subtype == "thread_broadcast",
            edited_ts=self.ts(one.edited_ts) if one.edited_ts else None,
            edited_by=self.who(one.edited_by) if one.edited_by else None,
            deleted_at=parse_time(ts) if deleted else None,
            deleted_by=self.who(one.user) if deleted else None,
            client_msg_id=one.client_msg_id or None,
            username=one.username or None,
            icon=one.icon or None,
            has_files=bool(one.files),
        )
        if thread:
            self.replies[channel, thread].append(row)
        else:
            self.parents[channel, ts] = row
        self._add_mentions(row)
        for position, (name, user) in enumerate(dict.fromkeys(one.reactions)):
            at = parse_time(ts) + position
            self.sink.add(s.Reaction, message_id=number, name=name, person_id=self.who(user), created_at=at)
        for position, file in enumerate({file.id: file for file in one.files}.values()):
            self._add_file(file)
            self.sink.add(s.FileShare, file_id=file.id, message_id=number, channel_id=channel, position=position)

    def _add_mentions(self, row: Row) -> None:
        found = find_mentions(row["text"])
        known = [self.landing.people.get(("slack", user), "") for user in found.users]
        self.called[row["id"]] = [person for person in dict.fromkeys(known) if person]
        for target in dict.fromkeys([*self.called[row["id"]], *found.broadcasts]):
            self.sink.add(s.Mention, message_id=row["id"], target=target, channel_id=row["channel_id"], ts=row["ts"])

    def _add_file(self, file: SlackFile) -> None:
        if file.id in self.files:
            return
        self.files.add(file.id)
        data = self.landing.content(file.data)
        digest = hashlib.sha256(data).hexdigest()
        if digest not in self.blobs:
            self.blobs.add(digest)
            self.sink.add(Blob, sha256=digest, size=len(data), data=data)
        self.sink.add(
            s.File,
            id=file.id,
            person_id=self.who(file.user),
            name=file.name,
            title=file.title,
            mimetype=file.mimetype,
            filetype=file.filetype,
            size=len(data),
            sha256=digest,
            created_at=self.landing.at(file.created_at),
        )

    def _add_threads(self) -> None:
        for key, replies in self.replies.items():
            root = self.parents.get(key)
            if root is None:
                self.landing.intake.drop("parents of threads, which the export does not hold", 1)
                continue
            users = list(dict.fromkeys(one["person_id"] for one in replies))
            root.update(reply_count=len(replies), reply_users=users, latest_reply=replies[-1]["ts"])
            called = [person for one in (root, *replies) for person in self.called[one["id"]]]
            for person in dict.fromkeys([root["person_id"], *users, *called]):
                self.sink.add(s.ThreadFollower, message_id=root["id"], person_id=person, last_read=replies[-1]["ts"])

    def _add_pins(self) -> None:
        for channel, ts, user, at in self.pins:
            row = self.parents.get((channel, ts))
            if row is None:
                self.landing.intake.drop("pins of messages that the export does not hold")
                continue
            person = self.landing.people.get(("slack", user), row["person_id"])
            self.sink.add(
                s.Pin, channel_id=channel, message_id=row["id"], person_id=person, pinned_at=self.landing.at(at)
            )
