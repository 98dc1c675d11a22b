"""One repository of the company: its series of changes, its numbers, and who did what when."""

import re
from collections.abc import Mapping
from typing import Any

from apps.github.git import Repo, Signature
from seeds.company import Company, Staff
from seeds.repositories import MemoryObjectStore, series
from seeds.rows.github_site import Hub
from seeds.rows.references import References
from seeds.spec import Spec
from world.core.clock import DAY, MINUTE, SECOND, to_datetime

SLOT = re.compile(r"\{(@|#|issue:|jira)([\w-]*)\}")
Facts = Mapping[str, Any]


class RepositoryContext:
    """Context from which the rows of one repository are made."""

    def __init__(self, spec: Spec, company: Company, refs: References, hub: Hub, id: int, service: str) -> None:
        self.spec, self.company, self.refs, self.hub, self.id, self.service = spec, company, refs, hub, id, service
        self.series, self.bench = series(service), MemoryObjectStore()
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
        """A time given in days before the start, on the second."""
        return min((self.spec.start - int(days * DAY)) // SECOND * SECOND, self.spec.start - MINUTE)

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
        key = self.refs.issue_keys.get(str((facts or {}).get("jira", "")), "")

        def fill(found: re.Match[str]) -> str:
            kind, name = found.groups()
            if kind == "@":
                return f"@{self.hub.logins[self.seat(name)]}"
            return key if kind == "jira" else f"#{self.numbers[name]}"

        filled = SLOT.sub(fill, text if key else re.sub(r"\{jira\}[:.,]?[ \n]*", "", text))
        return filled.strip()


def branch_name(facts: Facts) -> str:
    """The name of a pull request's branch: its title in a few words."""
    words = re.findall(r"[a-z0-9]+", str(facts["title"]).lower())
    return "-".join(words[:5])
