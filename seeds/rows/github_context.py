"""One repository of the company: its series of changes, its numbers, and who did what when."""

import re
from collections.abc import Mapping
from typing import Any

from apps.github.git import Repo, Signature
from seeds.company import Company, Staff
from seeds.events import Deployed, Event
from seeds.repositories import MemoryObjectStore, Tree, patch, series, services
from seeds.rows.github_site import Hub
from seeds.rows.references import References
from seeds.rows.series_times import SeriesTimes
from seeds.rows.service_series import compose
from seeds.spec import Spec
from world.core.clock import DAY, MINUTE, SECOND, to_datetime

SLOT = re.compile(r"\{(@|#|issue:|jira)([\w-]*)\}")
Facts = Mapping[str, Any]


class RepositoryContext:
    """Context from which the rows of one repository are made."""

    def __init__(self, spec: Spec, company: Company, refs: References, hub: Hub, id: int, service: str) -> None:
        self.spec, self.company, self.refs, self.hub, self.id, self.service = spec, company, refs, hub, id, service
        kept = service in services()
        self.series = series(service) if kept else compose(spec, company, refs, service)
        self.times = SeriesTimes(spec, service, self.series, refs.events) if kept else None
        self.bench = MemoryObjectStore()
        self.git = Repo(self.bench, id)  # type: ignore[arg-type]  # the bench answers what a call would
        self.numbers = self._number_things()

    def seat(self, seat: str, but: str = "") -> str:
        """The seat itself, or in a smaller company somebody of its team, then anybody of engineering."""
        if seat in self.hub.accounts:
            return seat
        team = seat.rpartition("-")[0]
        near = [one for one in sorted(self.hub.accounts) if one != but and one.startswith(team)]
        return (
            near[0]
            if near
            else next(one for one in ("payments-1", "payments-3", "cto") if one != but and one in self.hub.accounts)
        )

    def who(self, seat: str, but: str = "") -> int:
        """An account by seat."""
        return self.hub.accounts[self.seat(seat, but)]

    def at(self, days: float) -> int:
        """A time given in days before the start, on the second; that of kept code differs by seed."""
        at = self.spec.start - int(days * DAY)
        return min((self.times.shift(at) if self.times else at) // SECOND * SECOND, self.spec.start - MINUTE)

    def change(self, tree: Tree, commit: Facts) -> Tree:
        """The tree that a commit of the series makes. Raises PatchError."""
        return tree.put(commit["files"]) if "files" in commit else tree.then(patch(self.service, commit["patch"]))

    def key(self, facts: Facts) -> str:
        """The key of the issue that a pull request is for; empty if there is none."""
        return self.refs.issue_keys.get(str(facts.get("jira", "")), "")

    def find_issue(self, facts: Facts) -> Event | None:
        """The event that made the issue that a pull request is for."""
        return self.refs.issues.get(str(facts.get("jira", "")))

    def list_deploys(self) -> list[tuple[Event, Deployed]]:
        """The releases of the service in the window, in the order of time."""
        events = self.refs.events.values()
        return [
            (one, one.facts) for one in events if isinstance(one.facts, Deployed) and one.facts.service == self.service
        ]

    def name_issue(self, line: str, facts: Facts) -> str:
        """A title or subject that begins with the key of the pull request's issue, if there is one."""
        key = self.key(facts)
        return f"{key}: {line}" if key and not line.startswith(key) else line

    def branch_name(self, facts: Facts, name: str = "") -> str:
        """The name of a pull request's branch: the key of its issue, and the given name or its title in a few words."""
        key = self.key(facts)
        words = re.findall(r"[a-z0-9]+", str(facts["title"]).removeprefix(f"{key}: ").lower())
        return "-".join([*([key] if key else []), *([name] if name else words[:5])])

    def build_signature(self, seat: str, days: float) -> Signature:
        """Build a person's commit signature, at a time given in days before the start."""
        one = self._member(self.seat(seat))
        at = self.at(days)
        offset = to_datetime(at, one.tz).utcoffset()
        return Signature(one.full, one.email, at // SECOND, int(offset.total_seconds()) // 60 if offset else 0)

    def _member(self, seat: str) -> Staff:
        return self.company.staff[seat] if seat in self.company.staff else self.company.bots[seat]

    def _number_things(self) -> dict[str, int]:
        opened = [(facts.get("opened_days", facts.get("days", 0)), handle) for handle, facts in self.things()]
        return {
            handle: number for number, (_, handle) in enumerate(sorted(opened, key=lambda one: (-one[0], one[1])), 1)
        }

    def things(self) -> list[tuple[str, Facts]]:
        branches = self.series["branches"]
        listed = [(one["handle"], one) for one in self.series["issues"]]
        return [
            *listed,
            *self.series["pulls"].items(),
            *((name, branch["pull"]) for name, branch in branches.items() if "pull" in branch),
        ]

    def text(self, text: str, facts: Facts | None = None) -> str:
        """A text with people, numbers and keys of the tracker filled in."""
        key = self.key(facts or {})

        def fill(found: re.Match[str]) -> str:
            kind, name = found.groups()
            if kind == "@":
                return f"@{self.hub.logins[self.seat(name)]}"
            return key if kind == "jira" else f"#{self.numbers[name]}"

        filled = SLOT.sub(fill, text if key else re.sub(r"\{jira\}[:.,]?[ \n]*", "", text))
        return filled.strip()
