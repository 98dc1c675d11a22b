"""Rows of the chat service, from the events of channels and messages."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from apps.slack import models as s
from seeds.company import Company, Staff
from seeds.events import TOKEN, Archived, ChannelMade, Edited, Event, Joined, Pinned, Posted, Reacted, Renamed
from seeds.hours import Hours
from seeds.rows.references import References, ts_of
from seeds.rows.row_collector import Row, Sink
from seeds.spec import Spec
from world.core.clock import HOUR
from world.core.ids import Ids

UNREAD = "0000000000.000000"
FEEDS = (  # channel, service, what is told, who tells, only of this branch
    ("team-payments", "payments", "reviews", "bot-github", ""),
    ("team-payments", "webhooks", "reviews", "bot-github", ""),
    ("team-payments", "payments", "builds", "bot-github", ""),
    ("team-payments", "webhooks", "builds", "bot-github", ""),
    ("ci", "payments", "builds", "bot-ci", "main"),
    ("ci", "webhooks", "builds", "bot-ci", "main"),
)
CARDS = (  # channel, project whose new bugs and incidents and finished issues are told, only of this component
    ("incidents", "INC", ""),
    *(("team-payments", "SHOP", name) for name in ("payments", "ledger", "webhooks")),
    *(("team-checkout", "SHOP", name) for name in ("checkout", "dashboard", "search")),
)
GROUPS = {
    "payments": "payments-eng",
    "checkout": "checkout-eng",
    "platform": "platform-eng",
    "support": "support-team",
    "customers": "csm",
}


class Projection:
    """The state of one pass over the log."""

    def __init__(self, spec: Spec, company: Company, refs: References, sink: Sink) -> None:
        self.spec, self.company, self.refs, self.sink = spec, company, refs, sink
        self.people = company.by_id()
        self.channels: dict[str, Row] = {}
        self.members: dict[tuple[str, str], Row] = {}
        self.messages: dict[str, Row] = {}
        self.replies: dict[str, list[Row]] = defaultdict(list)
        self.called: dict[int, list[str]] = {}

    # -- channels

    def channel_made(self, event: Event, facts: ChannelMade) -> None:
        key = ",".join(sorted(facts.members)) if facts.members else None
        about = (facts.topic, facts.purpose)
        self.channels[facts.channel] = row = self.sink.add(
            s.Channel,
            id=self.refs.channels[facts.channel],
            name=facts.name,
            kind=facts.kind,
            creator_id=event.actor,
            created_at=event.at,
            members_key=key,
            is_general=facts.channel == "general",
            updated_at=event.at,
            topic=about[0],
            topic_by=event.actor if about[0] else "",
            topic_at=event.at if about[0] else 0,
            purpose=about[1],
            purpose_by=event.actor if about[1] else "",
            purpose_at=event.at if about[1] else 0,
        )
        self.refer("slack_channel", row["id"], event)
        for person in facts.members:
            self.member(facts.channel, person, event.at)

    def member(self, channel: str, person: str, at: int, inviter: str = "") -> None:
        if (channel, person) in self.members:
            return
        row = self.sink.add(
            s.Member, channel_id=self.refs.channels[channel], person_id=person, joined_at=at, inviter_id=inviter or None
        )
        self.members[channel, person] = row
        self.sink.refer("slack_member", f"{row['channel_id']},{person}", "e.channels", "channels", channel)

    def add_member(self, event: Event, facts: Joined) -> None:
        self.member(facts.channel, event.actor, event.at, facts.inviter)
        more = {"inviter": self.refs.slack_user(facts.inviter)} if facts.inviter else None
        self.activity(event, facts.channel, "channel_join", "has joined the channel", more)

    def rename_channel(self, event: Event, facts: Renamed) -> None:
        row = self.channels[facts.channel]
        row["previous_names"] = [facts.old]
        row["updated_at"] = event.at
        text = f'has renamed the channel from "{facts.old}" to "{facts.new}"'
        self.activity(event, facts.channel, "channel_name", text, {"old_name": facts.old, "name": facts.new})

    def archive_channel(self, event: Event, facts: Archived) -> None:
        self.activity(event, facts.channel, "channel_archive", "archived the channel")
        self.channels[facts.channel].update(archived_at=event.at, archived_by=event.actor, updated_at=event.at)

    def activity(self, event: Event, channel: str, subtype: str, said: str, more: dict[str, Any] | None = None) -> None:
        """A line the service writes itself."""
        row = self.sink.add(
            s.Activity,
            channel_id=self.refs.channels[channel],
            ts=ts_of(event.at),
            person_id=event.actor,
            subtype=subtype,
            text=f"<@{self.refs.slack_user(event.actor)}> {said}",
            facts=more,
        )
        self.latest(channel, row["ts"])
        self.refer("slack_activity", f"{row['channel_id']},{row['ts']}", event)

    def latest(self, channel: str, ts: str) -> None:
        self.channels[channel]["latest_ts"] = max(self.channels[channel]["latest_ts"], ts)

    # -- messages

    def message(self, event: Event, channel: str, text: str, **more: object) -> Row:
        row = self.sink.add(
            s.Message,
            id=len(self.messages) + 1,
            channel_id=self.refs.channels[channel],
            ts=ts_of(event.at),
            person_id=event.actor,
            text=text,
            **more,
        )
        self.messages[event.id] = row
        self.latest(channel, row["ts"])
        self.refer("slack_message", str(row["id"]), event)
        return row

    def add_post(self, event: Event, facts: Posted) -> None:
        root = self.messages[facts.thread] if facts.thread else None
        row = self.message(event, facts.channel, self.mrkdwn(facts.text), thread_ts=root["ts"] if root else None)
        if root is not None:
            self.replies[facts.thread].append(row)
        self.called[row["id"]] = list(
            dict.fromkeys(found[2] for found in TOKEN.finditer(facts.text) if found[1] == "p")
        )
        for target in self.called[row["id"]]:
            self.sink.add(s.Mention, message_id=row["id"], target=target, channel_id=row["channel_id"], ts=row["ts"])

    def mrkdwn(self, text: str) -> str:
        escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return self.refs.write(escaped, self.form)

    def form(self, kind: str, ref: str) -> str:
        if kind == "p":
            return f"<@{self.refs.slack_user(ref)}>"
        if kind == "c":
            return f"<#{self.refs.channels[ref]}|{self.refs.channel_names[ref]}>"
        if kind == "m":
            return f"<{self.refs.permalink(ref)}>"
        if kind == "s":
            return f"<{self.refs.sheet_url(ref)}>"
        if kind == "l":
            return f"<{self.refs.issue_url(ref)}>"
        if kind == "u":
            return f"<{self.refs.issue_url(ref)}|{self.refs.issue_keys[ref]}>"
        if kind == "a":
            return f"<{self.refs.pull_url(ref)}>"
        if kind in ("g", "n"):
            return self.refs.write_code(kind, ref)
        return self.refs.issue_keys[ref]

    def mark_edited(self, event: Event, facts: Edited) -> None:
        self.messages[facts.message].update(edited_ts=ts_of(event.at), edited_by=event.actor)

    def add_reaction(self, event: Event, facts: Reacted) -> None:
        message = self.messages[facts.message]
        row = self.sink.add(
            s.Reaction, message_id=message["id"], name=facts.emoji, person_id=event.actor, created_at=event.at
        )
        self.refer("slack_reaction", f"{row['message_id']},{facts.emoji},{event.actor}", event)

    def add_pin(self, event: Event, facts: Pinned) -> None:
        message = self.messages[facts.message]
        self.sink.add(
            s.Pin, channel_id=message["channel_id"], message_id=message["id"], person_id=event.actor, pinned_at=event.at
        )
        self.refer("slack_pin", f"{message['channel_id']},{message['id']}", event)

    def refer(self, table: str, row_id: str, event: Event) -> None:
        self.sink.refer(table, row_id, event.id, event.story, event.part)

    # -- what follows from all messages

    def threads(self) -> None:
        """Reply counts of parents and who follows each thread."""
        for root_id, replies in self.replies.items():
            root = self.messages[root_id]
            users = list(dict.fromkeys(one["person_id"] for one in replies))
            root.update(reply_count=len(replies), reply_users=users, latest_reply=replies[-1]["ts"])
            called = [person for one in replies for person in self.called.get(one["id"], ())]
            for person in dict.fromkeys([root["person_id"], *users, *called]):
                own = [one["ts"] for one in (root, *replies) if one["person_id"] == person]
                self.sink.add(
                    s.ThreadFollower, message_id=root["id"], person_id=person, last_read=max(own, default=UNREAD)
                )

    def read_marks(self) -> None:
        """Set each member's read mark: the end of their last working day, for a few of them earlier."""
        by_channel: dict[str, list[str]] = defaultdict(list)
        own: dict[tuple[str, str], str] = {}
        for row in self.messages.values():
            if row["thread_ts"] is None:
                by_channel[row["channel_id"]].append(row["ts"])
            own[row["channel_id"], row["person_id"]] = row["ts"]
        hours = Hours(self.company)
        for (channel, person), member in sorted(self.members.items()):
            draw = self.spec.stream("read", channel, person)
            seen = ts_of(
                last_at_work(hours, self.people[person], self.spec.start) - int(draw.lognormal(20, 2.2)) * HOUR // 60
            )
            before = [ts for ts in by_channel[member["channel_id"]] if ts <= seen]
            member["last_read"] = max([*before[-1:], own.get((member["channel_id"], person), UNREAD), UNREAD])


def last_at_work(hours: Hours, one: Staff, now: int) -> int:
    """The latest full hour before now at which the person worked, as far as ten weeks back."""
    return next((at for at in range(now, now - 70 * 24 * HOUR, -HOUR) if hours.is_working(one, at)), one.joined_at)


HANDLERS = {
    ChannelMade: Projection.channel_made,
    Joined: Projection.add_member,
    Renamed: Projection.rename_channel,
    Archived: Projection.archive_channel,
    Posted: Projection.add_post,
    Edited: Projection.mark_edited,
    Reacted: Projection.add_reaction,
    Pinned: Projection.add_pin,
}


def project(spec: Spec, company: Company, events: Sequence[Event], refs: References, sink: Sink) -> None:
    """All rows of the chat service."""
    projection = Projection(spec, company, refs, sink)
    _workspace(spec, company, sink)
    for event in events:
        handler: object = HANDLERS.get(type(event.facts))
        if handler is not None:
            handler(projection, event, event.facts)
    projection.threads()
    projection.read_marks()
    _feeds(company, refs, sink)


def _feeds(company: Company, refs: References, sink: Sink) -> None:
    """Add the subscriptions of channels to repositories of the organisation and to projects."""
    for channel, service, kind, bot, branch in FEEDS:
        if channel in refs.channels and service in company.services and bot in company.bots:
            sink.add(
                s.Feed,
                channel_id=refs.channels[channel],
                source=f"{company.slack_domain}/{service}",
                kind=kind,
                person_id=company.bots[bot].id,
                only=branch,
            )
    for channel, project, component in CARDS if "bot-jira" in company.bots else ():
        if channel in refs.channels:
            sink.add(
                s.Feed,
                channel_id=refs.channels[channel],
                source=project,
                kind="issues",
                person_id=company.bots["bot-jira"].id,
                only=component,
            )


def _workspace(spec: Spec, company: Company, sink: Sink) -> None:
    ids = Ids(spec.seed, "workspace", 0)
    born = min(one.joined_at for one in company.staff.values())
    sink.add(
        s.Workspace,
        id=ids.token("T", 10),
        name=company.name,
        domain=company.slack_domain,
        email_domain=company.domain,
        created_at=born,
    )
    for one in (*company.staff.values(), *company.bots.values()):
        _profile(spec, company, one, sink)
    for team, handle in GROUPS.items():
        people = [one for one in company.members(team) if one.is_employed(spec.start)]
        if team in company.teams and people:
            _group(spec, company, team, handle, people, sink)


def _profile(spec: Spec, company: Company, one: Staff, sink: Sink) -> None:
    ids = Ids(spec.seed, f"profile:{one.id}", 0)
    gone = next(
        (away for away in company.absences if away.seat == one.seat and away.start_at <= spec.start < away.end_at), None
    )
    sink.add(
        s.Profile,
        person_id=one.id,
        status_text={"parental": "Parental leave", "vacation": "On holiday", "sick": "Off sick"}[gone.kind]
        if gone
        else "",
        status_emoji={"parental": ":baby_bottle:", "vacation": ":palm_tree:", "sick": ":face_with_thermometer:"}[
            gone.kind
        ]
        if gone
        else "",
        status_expires_at=gone.end_at if gone else 0,
        is_admin=one.seat in ("platform-lead", "people", "cto"),
        is_owner=one.seat in ("cto", "people"),
        is_primary_owner=one.seat == "cto",
        bot_id=ids.token("B", 10) if one.kind == "bot" else None,
        app_id=ids.token("A", 10) if one.kind == "bot" else None,
        updated_at=gone.start_at if gone else one.joined_at,
    )


def _group(spec: Spec, company: Company, team: str, handle: str, people: list[Staff], sink: Sink) -> None:
    group = Ids(spec.seed, f"usergroup:{team}", 0).token("S", 10)
    lead = company.who(company.teams[team].lead)
    at = lead.joined_at + 30 * 24 * HOUR
    sink.add(
        s.UserGroup,
        id=group,
        name=company.teams[team].name,
        handle=handle,
        description=f"Everybody in {company.teams[team].name}",
        created_by=lead.id,
        created_at=at,
        updated_by=lead.id,
        updated_at=at,
    )
    sink.refer("slack_usergroup", group, "e.channels", "groups", handle)
    for one in people:
        sink.add(s.UserGroupMember, usergroup_id=group, person_id=one.id)
