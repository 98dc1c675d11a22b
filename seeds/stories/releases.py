"""Releases: finished issues reach production; the deploy bot says so, builds break and mend."""

from collections.abc import Sequence
from dataclasses import dataclass

from seeds.company import Staff
from seeds.conversation_timing import StoryWriter
from seeds.events import Deployed, Event, Posted, token
from seeds.repositories import series, services
from seeds.stories.issues import Issues
from seeds.stories.pulls import find_service
from world.core.clock import DAY, HOUR, MINUTE, SECOND, to_datetime

FIRST = {
    "checkout": (4, 17),
    "ledger": (2, 9),
    "merchant-dashboard": (7, 3),
    "catalog-search": (2, 31),
    "notifications": (1, 8),
    "edge": (5, 12),
}
AHEAD = 90  # minor numbers that a service is past its first one when the window begins


def first_version(service: str) -> str:
    """The version that ran before the first one of the window, of a service whose code is not kept here."""
    major, minor = FIRST[service]
    return f"{major}.{minor + AHEAD - 3}.1"


@dataclass(frozen=True, slots=True)
class Release:
    service: str
    version: str
    previous: str
    event: Event


class Releases:
    """Keeps the versions of every service. Minor numbers follow the calendar, so releases may be told in any order."""

    def __init__(self, teller: StoryWriter) -> None:
        self.teller = teller
        self._done: dict[str, list[tuple[int, str]]] = {}
        self._released: set[str] = set()

    def version_at(self, service: str, at: int, *, patch: bool = False) -> tuple[str, str]:
        """The next version of a service at a time and the one before it.

        The minor number follows the day, the patch number counts within it. Where the code is kept here, major and
        minor are those of its last tag, and the patch number counts three hours each.
        """
        taken = {version for _, version in self._done.get(service, [])}
        head, tail, first = self._number_day(service, at)
        before = [version for when, version in sorted(self._done.get(service, [])) if when < at]
        previous = before[-1] if before else first
        if patch and before:
            head, _, last = before[-1].rpartition(".")
            tail = int(last) + 1
        while f"{head}.{tail}" in taken:
            tail += 1
        return f"{head}.{tail}", previous

    def _number_day(self, service: str, at: int) -> tuple[str, int, str]:
        """Major and minor number of a day, its first patch number, and the version that ran before all others."""
        start = self.teller.spec.start
        if service in services():
            tags = [(start - int(one["days"] * DAY), one["tag"]) for one in series(service)["releases"]]
            since, tag = max(one for one in tags if one[0] <= at)
            first = max(one for one in tags if one[0] <= self.teller.spec.window_start)[1].removeprefix("v")
            return tag.removeprefix("v").rpartition(".")[0], 1 + (at - since) // (3 * HOUR), first
        major, minor = FIRST[service]
        return (
            f"{major}.{minor + max((at - self.teller.spec.window_start) // DAY, 0) + AHEAD}",
            0,
            first_version(service),
        )

    def release(
        self, service: str, at: int, issues: tuple[str, ...], story: str, part: str, *, revert_of: Release | None = None
    ) -> Release:
        """One release and the bot's message about it."""
        version, previous = self.version_at(service, at, patch=revert_of is not None)
        self._done.setdefault(service, []).append((at, version))
        self._released.update(issues)
        draw = self.teller.spec.stream("release", service, version)
        by = self._releaser(service, at)
        event = self.teller.log.add(story, at, by.id, Deployed(service, version, issues, previous), part=part)
        if "deploys" in self.teller.rooms and "bot-deploy" in self.teller.company.bots:
            carried = ", ".join(token("i", handle) for handle in issues)
            what = f"revert of {revert_of.version}" if revert_of else carried or "dependency updates"
            took = f"{draw.integer(3, 9)}m {draw.integer(1, 59)}s"
            text = f":rocket: `{service} {version}` is live in us-east-1 ({what}) · {by.full} · {took}"
            bot = self.teller.company.bots["bot-deploy"]
            self.teller.log.add(
                story,
                at + draw.integer(2, 50) * SECOND,
                bot.id,
                Posted("deploys", text, human=False),
                causes=[event.id],
                part=part,
            )
        return Release(service, version, previous, event)

    def _releaser(self, service: str, at: int) -> Staff:
        team = self.teller.company.services[service].team
        people = [
            one
            for one in self.teller.company.members(team)
            if one.is_employed(at) and not self.teller.company.away(one.seat, at)
        ]
        there = [one for one in people if self.teller.hours.is_working(one, at)] or people
        return self.teller.spec.stream("releaser", service, at).choice(there)

    def release_finished(self, issues: Issues, *, but: Sequence[str] = ()) -> None:
        """Finished issues of the window go out the next time their service is released, together with what waits.

        Those named in `but` wait for a release of their own.
        """
        waiting: dict[tuple[str, int], list[str]] = {}
        for handle, life in sorted(issues.lives.items()):
            done = life.at.get("done", 0)
            if (
                handle in self._released
                or handle in but
                or life.made is None
                or not life.ticket.component
                or life.ticket.state != "done"
                or done < self.teller.spec.window_start
            ):
                continue
            service = find_service(self.teller.company, life.ticket.component)
            if not service:
                continue
            at = self._slot(service, done)
            if at is not None:
                waiting.setdefault((service, at), []).append(handle)
        for (service, at), handles in sorted(waiting.items(), key=lambda one: (one[0][1], one[0][0])):
            self.release(service, at, tuple(handles), f"releases-{service}", "release")

    def _slot(self, service: str, done: int) -> int | None:
        """Half-day release slots, not on Friday afternoons; None if the slot lies ahead."""
        at = done + 40 * MINUTE
        for _ in range(12):
            half = at // (6 * HOUR) * 6 * HOUR
            moment = half + 6 * HOUR + self.teller.spec.stream("slot", service, half).integer(5, 170) * MINUTE
            local = to_datetime(moment, self.teller.company.tz)
            if local.weekday() < 5 and 8 <= local.hour < 18 and not (local.weekday() == 4 and local.hour >= 15):
                return moment if moment < self.teller.spec.start - 10 * MINUTE else None
            at = half + 6 * HOUR
        return None
