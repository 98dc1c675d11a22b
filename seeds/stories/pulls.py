"""Pull requests of issues: pushed while the work is in progress, opened for its review, merged when it is done."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from seeds.company import Company, Staff
from seeds.conversation_timing import StoryWriter
from seeds.events import Checked, Event, IssueMade, PullClosed, PullMerged, PullOpened, Pushed, Reviewed, token
from seeds.repositories import services
from world.core.clock import HOUR, MINUTE, SECOND

SERVICE_OF = {"dashboard": "merchant-dashboard", "search": "catalog-search", "platform": "edge"}
TWICE = 0.4  # of the pull requests that nobody objected to, those with a second commit
RED = 0.22  # of those behind a flag, those that CI refuses first
PASTED = 0.45  # of what CI refuses, that of which the author shows what it printed
PATIENCE = HOUR  # at least, from the opening to the end of one that CI refuses first
CHECKED_S = (100, 290)  # seconds that CI takes
REFUSAL = """```
{service} · {sha} · check-flags
{path}: key "default" is missing
{path}: expected true or false, found end of file
1 file refused, see flags/README.md
exit status 1
```"""


def find_service(company: Company, components: Sequence[str]) -> str:
    """The service that an issue's first component belongs to; empty if this company has no such service."""
    service = SERVICE_OF.get(components[0], components[0]) if components else ""
    return service if service in company.services else ""


def is_flagged(made: IssueMade) -> bool:
    """Whether the work of an issue comes behind a flag: stories and bugs do, tasks do not."""
    return made.type != "Task"


def name_flag(made: IssueMade) -> str:
    """The file of the flag behind which the work of an issue comes."""
    return f"flags/{'_'.join(re.findall(r'[a-z0-9]+', made.title.lower())[:4])}.toml"


class Pulls:
    """Tells the pull requests of services whose repositories have no code kept here; `texts` is what people write."""

    def __init__(self, teller: StoryWriter, texts: Mapping[str, Any]) -> None:
        self.teller, self.texts = teller, texts
        self._opened: dict[str, Event] = {}
        self._words: dict[str, Mapping[str, Sequence[str]]] = {}

    def open(self, story: str, issue: Event, author: Staff, times: Mapping[str, int], service: str) -> Event | None:
        """The branch and the pull request of an issue, just before it goes to review; None where there is none."""
        at, started, handle, made = times["review"] - 5 * SECOND, times["started"], issue.part, issue.facts
        assert isinstance(made, IssueMade)
        if (
            made.type == "Epic"
            or not self._has_pulls(service)
            or not author.is_employed(started)
            or not author.is_employed(at)
        ):
            return None
        draw = self.teller.spec.stream("pull", handle)
        pushed = max(at - draw.integer(6, 90) * MINUTE, started + (at - started) // 2)
        left = times.get("done", self.teller.spec.start) - at
        red = left > PATIENCE and self._is_refused(made)
        work = Pushed(service, handle, made.title, "draft" if red else "work")
        first = self._add(story, handle, "pushed", pushed, author, work, issue)
        reviewer = self._find_reviewer(service, author, at)
        words = self._words[handle] = self.texts["flagged" if is_flagged(made) else "plain"]
        body = draw.choice(words["bodies"])
        facts = PullOpened(service, handle, made.title, body, reviewer.id if reviewer else "")
        self._opened[handle] = self._add(story, handle, "opened", at, author, facts, first)
        self._announce(self._opened[handle], facts, author)
        self._check(self._opened[handle], made, author, left, red=red)
        return self._opened[handle]

    def _check(self, opened: Event, made: IssueMade, author: Staff, left: int, *, red: bool) -> None:
        """CI looks at what was opened. If it refuses, the author mends it before anybody reviews."""
        verdict = self._judge(opened, "checked", left, passed=not red)
        if verdict is None or not red:
            return
        self._tell_refusal(verdict, made, author)
        draw = self.teller.spec.stream("pull", made.issue, "mend")
        at = min(verdict.at + draw.integer(8, 35) * MINUTE, opened.at + left // 4)
        facts = Pushed(self._service(opened), made.issue, draw.choice(self.texts["mends"]), "mend")
        mended = self._add(opened.story, made.issue, "mended", at, author, facts, verdict)
        self._judge(mended, "mended-checked", left // 4, passed=True)

    def _judge(self, after: Event, name: str, left: int, *, passed: bool) -> Event | None:
        """CI's verdict on a commit, some minutes after it came; None where nobody waits so long."""
        facts, bot = after.facts, self.teller.company.bots.get("bot-ci")
        assert isinstance(facts, PullOpened | Pushed)
        draw = self.teller.spec.stream("pull", facts.pull, name)
        at = after.at + min(draw.integer(*CHECKED_S) * SECOND, left // 2)
        if bot is None or at >= self.teller.spec.start - MINUTE:
            return None
        return self._add(after.story, facts.pull, name, at, bot, Checked(facts.service, facts.pull, passed), after)

    def _tell_refusal(self, verdict: Event, made: IssueMade, author: Staff) -> None:
        """The bot says so where builds are told, and the author pastes what CI printed."""
        facts, room = verdict.facts, self.teller.rooms.get("ci")
        assert isinstance(facts, Checked)
        if room is None or author.seat not in room.seats(verdict.at) or verdict.at < self.teller.spec.window_start:
            return
        draw = self.teller.spec.stream("pull", made.issue, "refusal")
        sha, bot = token("g", f"{made.issue}:0"), self.teller.company.bots["bot-ci"]
        text = f":x: {facts.service} · check-flags failed on {sha} by {author.full} · {token('a', made.issue)}"
        said = self.teller.post(
            verdict.story, bot, "ci", text, verdict.at + SECOND, causes=[verdict.id], part=made.issue
        )
        above = draw.choice(self.texts["refusals"]).format(jira=token("i", made.issue))
        paste = REFUSAL.format(service=facts.service, sha=sha, path=name_flag(made))
        text = f"{above}\n{paste}" if draw.random() < PASTED else above.rstrip(":")
        at = said.at + draw.integer(40, 400) * SECOND
        self.teller.post(verdict.story, author, "ci", text, at, thread=said.id, causes=[said.id], part=made.issue)

    def _announce(self, opened: Event, facts: PullOpened, author: Staff) -> None:
        """The author asks for a review in the team's channel."""
        team = self.teller.company.services[facts.service].team
        room = self.teller.rooms.get(f"team-{team}")
        draw = self.teller.spec.stream("pull", facts.pull, "post")
        at = opened.at + draw.integer(25, 400) * SECOND
        if room is None or at < self.teller.spec.window_start or author.seat not in room.seats(at):
            return
        reviewer = token("p", facts.reviewer) if facts.reviewer else ""
        text = draw.choice([one for one in self.texts["posts"] if reviewer or "{reviewer}" not in one])
        text = text.format(jira=token("i", facts.pull), link=token("a", facts.pull), reviewer=reviewer)
        self.teller.say(opened.story, author, room.key, text, at, causes=[opened.id], part=facts.pull)

    def send_back(self, story: str, handle: str, at: int) -> Event | None:
        """The review that asks for changes, just before its issue goes back to work."""
        opened, reviewer = self._find(handle)
        if opened is None or reviewer is None or not reviewer.is_employed(at):
            return None
        draw = self.teller.spec.stream("pull", handle, "remark")
        facts = Reviewed(
            self._service(opened), handle, "CHANGES_REQUESTED", draw.choice(self._words[handle]["remarks"])
        )
        return self._add(story, handle, "remark", at - 3 * SECOND, reviewer, facts, opened)

    def merge(self, story: str, handle: str, author: Staff, done: int, *, objected: bool = False) -> Event | None:
        """The approval and the merge, just before the issue is done; a second commit between them at times."""
        opened, reviewer = self._find(handle)
        if opened is None:
            return None
        draw = self.teller.spec.stream("pull", handle, "merge")
        merged, cause = done - 4 * SECOND, opened
        left = merged - opened.at
        if author.is_employed(merged) and (objected or draw.random() < TWICE):
            facts = Pushed(self._service(opened), handle, draw.choice(self._words[handle]["seconds"]), "answer")
            cause = self._add(story, handle, "second", opened.at + left * 3 // 5, author, facts, cause)
            self._judge(cause, "second-checked", left // 5, passed=True)
        if reviewer is not None and reviewer.is_employed(merged):
            at = merged - min(left // 4, draw.integer(2, 55) * MINUTE)
            said = Reviewed(self._service(opened), handle, "APPROVED", draw.choice(self.texts["approvals"]))
            cause = self._add(story, handle, "approved", at, reviewer, said, cause)
        by = author if author.is_employed(merged) else reviewer
        facts = PullMerged(self._service(opened), handle)
        return None if by is None else self._add(story, handle, "merged", merged, by, facts, cause)

    def close(self, story: str, handle: str, author: Staff, after: Event | None, at: int) -> None:
        """The author gives a pull request up, and says so in the channel of the team."""
        opened, _ = self._find(handle)
        if opened is None or not author.is_employed(at) or at >= self.teller.spec.start - 10 * MINUTE:
            return
        draw, service = self.teller.spec.stream("pull", handle, "close"), self._service(opened)
        facts = PullClosed(service, handle, draw.choice(self.texts["closings"]))
        closed = self._add(story, handle, "closed", at, author, facts, after or opened)
        room = self.teller.rooms.get(f"team-{self.teller.company.services[service].team}")
        if room is not None and at >= self.teller.spec.window_start and author.seat in room.seats(at):
            words = {"jira": token("i", handle), "link": token("a", handle)}
            text = draw.choice(self.texts["closed"]).format(**words)
            at += draw.integer(30, 300) * SECOND
            self.teller.post(story, author, room.key, text, at, causes=[closed.id], part=handle)

    def _is_refused(self, made: IssueMade) -> bool:
        """Whether CI refuses the first commit: a flag without its default."""
        drawn = self.teller.spec.stream("red", made.issue).random() < RED
        return drawn and is_flagged(made) and "bot-ci" in self.teller.company.bots

    def _has_pulls(self, service: str) -> bool:
        return bool(service) and bool(self.texts) and service not in services()

    @staticmethod
    def _service(opened: Event) -> str:
        assert isinstance(opened.facts, PullOpened)
        return opened.facts.service

    def _find(self, handle: str) -> tuple[Event | None, Staff | None]:
        opened = self._opened.get(handle)
        if opened is None or not isinstance(opened.facts, PullOpened):
            return None, None
        return opened, self.teller.people.get(opened.facts.reviewer)

    def _find_reviewer(self, service: str, author: Staff, at: int) -> Staff | None:
        """Somebody of the service's team who is there, else of engineering."""
        company = self.teller.company
        for team in (company.services[service].team, "engineering"):
            there = [
                one
                for one in company.members(team)
                if one is not author and one.is_employed(at + 48 * HOUR) and not company.away(one.seat, at)
            ]
            if there:
                return self.teller.spec.stream("reviewer", service, at).choice(there)
        return None

    def _add(
        self,
        story: str,
        handle: str,
        what: str,
        at: int,
        one: Staff,
        facts: Pushed | Checked | PullOpened | Reviewed | PullMerged | PullClosed,
        cause: Event,
    ) -> Event:
        return self.teller.log.add(story, at, one.id, facts, causes=[cause.id], part=handle, name=f"{handle}.{what}")
