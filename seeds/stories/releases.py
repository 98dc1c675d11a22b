"""Releases: finished issues reach production; the deploy bot says so, builds break and mend."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from seeds.company import Staff
from seeds.conversation_timing import StoryWriter
from seeds.events import Deployed, Event, Posted, references, token
from seeds.repositories import series, services
from seeds.rows.series_times import SeriesTimes
from seeds.spec import Spec
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
LIVE = "live:"  # before service and time, in the token of what ran then
AHEAD = 90  # minor numbers that a service is past its first one when the window begins


def draw_first_number(spec: Spec, service: str) -> tuple[int, int]:
    """Major and minor number that a service began with; drawn for a service of another pack."""
    draw = spec.stream("first version", service)
    return FIRST.get(service) or (draw.integer(1, 6), draw.integer(1, 40))


def first_version(spec: Spec, service: str) -> str:
    """The version that ran before the first one of the window, of a service whose code is not kept here."""
    major, minor = draw_first_number(spec, service)
    return f"{major}.{minor + AHEAD - 3}.1"


@dataclass(frozen=True, slots=True)
class Release:
    """`version` is a token until all releases have their numbers."""

    service: str
    version: str
    event: Event


class Releases:
    """Tells the releases of every service in any order, and numbers them when all are told."""

    def __init__(self, teller: StoryWriter) -> None:
        self.teller = teller
        self._told: list[Release] = []
        self._released: set[str] = set()

    def release(
        self,
        service: str,
        at: int,
        issues: tuple[str, ...],
        story: str,
        part: str,
        *,
        causes: Sequence[str] = (),
        revert_of: Release | None = None,
    ) -> Release:
        """One release and the bot's message about it."""
        version = token("v", str(len(self._told)))
        self._released.update(issues)
        draw = self.teller.spec.stream("release", service, at)
        by = self._releaser(service, at)
        event = self.teller.log.add(story, at, by.id, Deployed(service, version, issues), causes=causes, part=part)
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
        self._told.append(Release(service, version, event))
        return self._told[-1]

    def number(self) -> None:
        """Number the releases of every service in the order of time, and write the numbers where they are named."""
        versions: dict[str, str] = {}
        last: dict[str, str] = {}
        tags = {service: self._list_tags(service) for service in services()}
        for place, one in sorted(enumerate(self._told), key=lambda pair: (pair[1].event.at, pair[1].event.id)):
            head, tail = self._number_day(one.service, one.event.at, tags.get(one.service, ()))
            before, _, count = last.get(one.service, "").rpartition(".")
            if before == head:
                tail = max(tail, int(count) + 1)
            versions[str(place)] = last[one.service] = f"{head}.{tail}"
        self.teller.log.write_tokens("v", {**versions, **self._name_running(versions, tags)})

    def _name_running(
        self, versions: Mapping[str, str], tags: Mapping[str, Sequence[tuple[int, str]]]
    ) -> dict[str, str]:
        """What ran at the times that texts ask for: version, and the commit where its release is told."""
        told = sorted((one.event.at, one.service, versions[str(place)]) for place, one in enumerate(self._told))
        found: dict[str, str] = {}
        for event in self.teller.log.list_events():
            for kind, ref in references(event.facts):
                if kind == "v" and ref.startswith(LIVE):
                    service, at = ref.removeprefix(LIVE).split(":")
                    out = [version for since, name, version in told if name == service and since <= int(at)]
                    found[ref] = (
                        f"{out[-1]} ({token('g', f'{service}@{out[-1]}')})" if out else self._find_first(service, tags)
                    )
        return found

    def _find_first(self, service: str, tags: Mapping[str, Sequence[tuple[int, str]]]) -> str:
        """The version that ran when the window began."""
        before = [tag for since, tag in sorted(tags.get(service, ())) if since <= self.teller.spec.window_start]
        return before[-1].removeprefix("v") if before else first_version(self.teller.spec, service)

    def _list_tags(self, service: str) -> list[tuple[int, str]]:
        """The tags of kept code, with their times in this company."""
        facts, start = series(service), self.teller.spec.start
        events = {one.id: one for one in self.teller.log.list_events()}
        times = SeriesTimes(self.teller.spec, service, facts, events)
        return [(times.shift(start - int(one["days"] * DAY)), one["tag"]) for one in facts["releases"]]

    def _number_day(self, service: str, at: int, tags: Sequence[tuple[int, str]]) -> tuple[str, int]:
        """Major and minor number of a release at a time, and its least patch number.

        The minor number follows the day. Where the code is kept here, major and minor are those of its last tag, and
        the patch number counts three hours each.
        """
        if tags:
            since, tag = max(one for one in tags if one[0] <= at)
            return tag.removeprefix("v").rpartition(".")[0], 1 + (at - since) // (3 * HOUR)
        major, minor = draw_first_number(self.teller.spec, service)
        return f"{major}.{minor + max((at - self.teller.spec.window_start) // DAY, 0) + AHEAD}", 0

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
            finished = [life.finished.id for handle in handles if (life := issues.lives[handle]).finished]
            story = f"release-{service}-{(at - self.teller.spec.window_start) // DAY + 1}-{handles[0]}"
            self.release(service, at, tuple(handles), story, "release", causes=finished)

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
