"""Notification mail: issues, releases, alerts, builds, status, pagers, and messages missed in chat."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from seeds.company import Staff
from seeds.conversation_timing import StoryWriter
from seeds.events import (
    TOKEN,
    Checked,
    Commented,
    Deployed,
    Event,
    FieldChange,
    IssueChanged,
    IssueMade,
    Mailed,
    Posted,
    PullClosed,
    PullMerged,
    PullOpened,
    Reviewed,
    Watched,
    token,
)
from seeds.mailing_lists import circles
from seeds.stories.sprints import Sprint
from world.core.clock import MINUTE, SECOND

JIRA = ("Jira", "jira@quayline.atlassian.example")
SLACK = ("Slack", "notification@slack.example")
CODE_HOST = "notifications@github.example"
STATUS = ("Quayline Status", "status@bots.quayline.example")
BATCH = 10 * MINUTE  # changes of one person to one issue that go into one mail
MARKUP = re.compile(r":[a-z_]+:\s*|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])|`")
STATES = {"APPROVED": "Approved this pull request.", "CHANGES_REQUESTED": "Requested changes."}
NAMES = {"fix": "Fix version", "points": "Story points", "due": "Due date", "estimate": "Original estimate"}


def strip_markup(text: str) -> str:
    """A chat message without its markup."""
    return MARKUP.sub("", text).strip()


@dataclass(slots=True)
class Watch:
    """An issue as its notifications see it: the people notified, and the last mail each of them had."""

    made: IssueMade
    people: dict[str, None] = field(default_factory=dict)
    last: dict[str, str] = field(default_factory=dict)
    mailed_at: int = 0


class Notices:
    """Writes the notifications of one company."""

    def __init__(self, teller: StoryWriter, sprints: Mapping[str, Sprint]) -> None:
        self.teller, self.sprints, self.lists = teller, sprints, circles(teller.company)
        self.issues: dict[str, Watch] = {}

    def open(self, name: str) -> str:
        """The address of a list, or of the company's head where it has no members."""
        circle = self.lists.get(name)
        return (
            circle.address
            if circle and circle.members(self.teller.company, self.teller.spec.start)
            else self.lists["everyone"].address
        )

    def mail(
        self,
        cause: Event,
        after: int,
        sender: tuple[str, str],
        to: Sequence[str],
        subject: str,
        text: str,
        *,
        kind: str = "notice",
        answers: str = "",
    ) -> str:
        """Send a mail some microseconds after its cause; empty if that would be after now."""
        at, spec = cause.at + after, self.teller.spec
        if not spec.window_start <= at < spec.start - SECOND:
            return ""
        facts = Mailed(sender, tuple(to), subject, text, kind=kind, answers=answers)
        actor = "system:mail"
        return self.teller.log.add(f"{cause.story}.mail", at, actor, facts, causes=[cause.id], part=cause.part).id

    # -- issues

    def jira(self, events: Iterable[Event]) -> None:
        """Mail everybody who watches an issue but the author of the change; changes within ten minutes go together."""
        batch: list[Event] = []
        for event in events:
            handle = getattr(event.facts, "issue", "")
            if isinstance(event.facts, IssueMade):
                self.issues[handle] = Watch(
                    event.facts, dict.fromkeys([event.actor, *self._list_interested_leads(event.facts)])
                )
            if isinstance(event.facts, (IssueMade, IssueChanged, Commented)):
                if (
                    batch
                    and (batch[0].actor, getattr(batch[0].facts, "issue", "")) == (event.actor, handle)
                    and event.at < batch[0].at + BATCH
                ):
                    batch.append(event)
                else:
                    self._notify(batch)
                    batch = [event]
                self._follow(event)
            elif isinstance(event.facts, Watched) and handle in self.issues:
                self.issues[handle].people[event.actor] = None
        self._notify(batch)

    def _list_interested_leads(self, made: IssueMade) -> list[str]:
        """List the leads who are told of urgent issues in their components."""
        company = self.teller.company
        if made.priority not in ("High", "Highest"):
            return []
        team = {"payments": "payments", "ledger": "payments", "webhooks": "payments", "platform": "platform"}.get(
            (made.components or ("",))[0], "checkout"
        )
        lead = company.teams[team].lead if team in company.teams and made.components else ""
        return [company.staff[lead].id] if lead in company.staff else []

    def _follow(self, event: Event) -> None:
        facts = event.facts
        watch = self.issues[getattr(facts, "issue", "")]
        if isinstance(facts, IssueMade) and facts.assignee:
            watch.people[facts.assignee] = None
        for change in facts.changes if isinstance(facts, IssueChanged) else ():
            if change.field == "assignee" and change.new:
                watch.people[change.new] = None

    def _notify(self, batch: list[Event]) -> None:
        if not batch or batch[0].at < self.teller.spec.window_start:
            return
        first = batch[0]
        watch = self.issues[getattr(first.facts, "issue", "")]
        made = watch.made
        text = self._describe_batch(batch, made)
        after = batch[-1].at - first.at + self.teller.spec.stream("notice", first.id).integer(20, 90) * SECOND
        after = max(after, watch.mailed_at + SECOND - first.at)
        subject = f"[JIRA] ({token('i', made.issue)}) {made.title}"
        for person in watch.people:
            one = self.teller.people[person]
            if person == first.actor or one.kind != "employee" or not one.is_employed(first.at + after):
                continue
            sent = self.mail(first, after, JIRA, [one.email], subject, text, answers=watch.last.get(person, ""))
            if sent:
                watch.last[person] = sent
            watch.mailed_at = first.at + after
            after += SECOND

    def _describe_batch(self, batch: list[Event], made: IssueMade) -> str:
        who = self.teller.people[batch[0].actor].full
        parts: list[str] = []
        for event in batch:
            facts = event.facts
            if isinstance(facts, IssueMade):
                parts.append(f"{who} created {token('i', made.issue)}\n\n{made.title}\n\n{made.description}".rstrip())
            elif isinstance(facts, Commented):
                parts.append(f"{who} commented on {token('i', made.issue)}\n\n{facts.text}")
            elif isinstance(facts, IssueChanged):
                parts.append(
                    f"{who} updated {token('i', made.issue)}\n\n" + "\n".join(map(self._change, facts.changes))
                )
        return (
            "\n\n".join(parts)
            + f"\n\nView issue: {token('l', made.issue)}\n\n--\nYou receive this because you are involved in or"
            " watching the issue."
        )

    def _change(self, change: FieldChange) -> str:
        name = NAMES.get(change.field, change.field.capitalize())
        old, new = (self._describe_value(change.field, value) for value in (change.old, change.new))
        return f"{name}: {old} -> {new}"

    def _describe_value(self, kind: str, value: str) -> str:
        if kind == "assignee":
            return self.teller.people[value].full if value in self.teller.people else "Unassigned"
        if kind == "sprint":
            return f"Sprint {self.sprints[value].number}" if value else "none"
        return value or "none"

    # -- chat, machines, status

    def chat(self, events: Sequence[Event]) -> None:
        """Mail the posts of bots and of the status channel, and the messages that people missed while they were off."""
        firing: dict[str, str] = {}
        for event in events:
            facts = event.facts
            if not isinstance(facts, Posted) or event.at < self.teller.spec.window_start:
                continue
            if facts.channel == "status-updates":
                self._status(event, facts)
            elif facts.human:
                self._mail_absent(event, facts)
            else:
                self._machine(event, facts, firing)

    def _status(self, event: Event, facts: Posted) -> None:
        said = strip_markup(facts.text)
        if not facts.thread and ":" in said:
            state, _, rest = said.partition(":")
            what = rest.strip().partition(".")[0]
            text = f"{said}\n\nPosted by {self.teller.people[event.actor].full}. Replies to this address are not read."
            self.mail(event, 40 * SECOND, STATUS, [self.open("everyone")], f"{state}: {what}", text)

    def _machine(self, event: Event, facts: Posted, firing: dict[str, str]) -> None:
        bot, text = self.teller.people[event.actor], strip_markup(facts.text)
        sender = (bot.full, bot.email)
        parts = [part.strip() for part in text.split(" · ")]
        if bot.seat == "bot-alerts" and len(parts) >= 3:
            body = f"{text}\n\nhttps://alerts.quayline.example/{parts[1]}/{parts[0].split()[-1]}"
            self.mail(event, 12 * SECOND, sender, [self.open("oncall")], f"{parts[0]} ({parts[1]})", body)
        elif bot.seat == "bot-ci":
            author = next((one for one in self.teller.company.staff.values() if text.endswith(f"by {one.full}")), None)
            to = [author.email] if author else []
            self.mail(
                event, 30 * SECOND, sender, [*to, self.open("platform")], " ".join(parts[:2]), text.replace(" · ", "\n")
            )
        elif bot.seat == "bot-pager":
            mentioned = [self.teller.people[ref].email for kind, ref in TOKEN.findall(facts.text) if kind == "p"]
            if mentioned:
                self.mail(
                    event,
                    3 * SECOND,
                    sender,
                    mentioned,
                    "You are on call now",
                    f"{text}\n\nSwap shifts in the schedule, not by mail.",
                )
        elif bot.seat == "bot-vendors" and len(parts) >= 2:
            name = parts[0].split()[0]
            self.mail(
                event,
                90 * SECOND,
                (f"{name} Status", f"status@{name.lower()}.example"),
                [self.open("oncall")],
                f"{name}: {parts[1]}"[:90],
                text,
            )

    def _mail_absent(self, event: Event, facts: Posted) -> None:
        """A mail to those named, or spoken to directly, who are not at work then."""
        room, said = self.teller.rooms[facts.channel], facts.text
        direct = room.kind in ("im", "mpim")
        named = {ref for kind, ref in TOKEN.findall(said) if kind == "p"}
        aimed = {self.teller.company.who(seat).id for seat in room.seats(event.at)} if direct else named
        for person in sorted(aimed - {event.actor}):
            one = self.teller.people[person]
            if one.kind == "employee" and one.is_employed(event.at) and not self.teller.hours.is_working(one, event.at):
                self._slack(event, one, room.name if not direct else "", said)

    def _slack(self, event: Event, one: Staff, channel: str, said: str) -> None:
        writer = self.teller.people[event.actor]
        where = f"#{channel}" if channel else "a direct message"
        subject = (
            f"[Quayline] {writer.full} mentioned you in {where}"
            if channel
            else f"[Quayline] {writer.full} sent you a direct message"
        )
        text = (
            f"Hi {one.first},\n\nyou have a new message in {where} from {writer.full}:\n\n    {said}\n\nOpen Slack to"
            f" answer: {token('m', event.id)}"
        )
        self.mail(event, 15 * MINUTE + 7 * SECOND, SLACK, [one.email], subject, text)

    def releases(self, events: Iterable[Event]) -> None:
        """Every release to engineering."""
        bot = self.teller.company.bots.get("bot-deploy")
        for event in events:
            facts = event.facts
            if isinstance(facts, Deployed) and bot is not None:
                carried = "\n".join(
                    f"- {token('i', handle)} {self.issues[handle].made.title}"
                    for handle in facts.issues
                    if handle in self.issues
                )
                by = self.teller.people[event.actor].full
                text = (
                    f"{facts.service} {facts.version} is live in us-east-1, released by"
                    f" {by}.\n\n{carried or '- no issues attached'}"
                )
                self.mail(
                    event,
                    65 * SECOND,
                    (bot.full, bot.email),
                    [self.open("engineering")],
                    f"Released: {facts.service} {facts.version}",
                    text,
                )

    # -- pull requests

    def pulls(self, events: Iterable[Event]) -> None:
        """Mail the reviewer of a pull request when it is opened, and its author when it is reviewed or merged."""
        opened: dict[str, tuple[Event, PullOpened]] = {}
        mailed: dict[tuple[str, str], str] = {}
        for event in events:
            facts = event.facts
            if isinstance(facts, PullOpened):
                opened[facts.pull] = event, facts
                self._tell_pull(
                    event, facts, facts.reviewer, facts.text.replace("{jira}", token("i", facts.pull)), mailed
                )
            elif isinstance(facts, Reviewed | PullMerged | PullClosed | Checked) and (said := _tell_step(facts)):
                made, first = opened[facts.pull]
                person = first.reviewer if isinstance(facts, PullClosed) else made.actor
                self._tell_pull(event, first, person, said, mailed)

    def _tell_pull(
        self, event: Event, pull: PullOpened, person: str, text: str, mailed: dict[tuple[str, str], str]
    ) -> None:
        """One mail of the code host; those of one pull request and person are a thread."""
        one, actor = self.teller.people.get(person), self.teller.people[event.actor]
        if one is None or one.id == event.actor or not one.is_employed(event.at):
            return
        repository = f"{self.teller.company.slack_domain}/{pull.service}"
        key, number = token("i", pull.pull), token("n", pull.pull)
        before = mailed.get((pull.pull, person), "")
        subject = f"{'Re: ' if before else ''}[{repository}] {key}: {pull.title} (PR {number})"
        body = f"{text}\n\n--\nView it on GitHub: {token('a', pull.pull)}"
        sent = self.mail(event, 9 * SECOND, (actor.full, CODE_HOST), [one.email], subject, body, answers=before)
        mailed[pull.pull, person] = sent or before


def _tell_step(facts: Reviewed | PullMerged | PullClosed | Checked) -> str:
    """What the code host says of a step of a pull request; nothing of a check that passed."""
    if isinstance(facts, Reviewed):
        return f"{facts.text}\n\n{STATES[facts.state]}".strip()
    if isinstance(facts, PullClosed):
        return f"{facts.text}\n\nClosed without merging."
    if isinstance(facts, Checked):
        return "" if facts.passed else "check-flags failed: a flag is not valid."
    return "Merged into main."


def tell_notices(teller: StoryWriter, sprints: Mapping[str, Sprint]) -> None:
    """All notifications of a finished log."""
    events, notices = teller.log.list_events(), Notices(teller, sprints)
    notices.jira(events)
    notices.chat(events)
    notices.releases(events)
    notices.pulls(events)
