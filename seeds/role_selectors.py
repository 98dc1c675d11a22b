"""Casting: selectors such as `payments lead` or `any berlin !ceo`, resolved to people of one company."""

from collections.abc import Iterable, Sequence
from functools import cache

from seeds.company import Company, Staff
from world.core.rng import Stream


class RoleNotFilled(LookupError):
    """Nobody fits a role; the item cannot be told in this company."""


def fits(company: Company, one: Staff, selector: str) -> bool:
    """Whether a person fits. Words are joined by "and", `|` by "or"; a word is a seat, team, office, any, eng, lead,
    staying (nobody who has left since), or !word.
    """
    return any(all(_word(company, one, word) for word in option) for option in _split(selector))


@cache
def _split(selector: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(option.split()) for option in selector.split("|"))


def _word(company: Company, one: Staff, word: str) -> bool:
    if word.startswith("!"):
        return not _word(company, one, word[1:])
    if word == "any":
        return one.kind == "employee"
    if word == "eng":
        return one.team in ("payments", "checkout", "platform", "engineering") or one.seat == "cto"
    if word == "lead":
        return any(other.manager == one.seat for other in company.staff.values())
    if word == "staying":
        return one.left_at is None
    return word in (one.seat, one.team, one.office)


def cast(
    company: Company,
    roles: dict[str, str],
    draw: Stream,
    at: int,
    *,
    among: Iterable[str] | None = None,
    taken: Sequence[Staff] = (),
) -> dict[str, Staff]:
    """A different employee for each role, at work here at `at`; `among` limits to seats. Raises RoleNotFilled."""
    allowed = None if among is None else set(among)
    playing: dict[str, Staff] = {}
    for role in sorted(roles, key=lambda role: (_breadth(company, roles[role]), role)):
        if special := _special(company, roles[role], at):
            playing[role] = special
            continue
        used = {one.seat for name, one in playing.items() if not roles[name].startswith("oncall:")} | {
            one.seat for one in taken
        }
        found = [
            one
            for one in company.staff.values()
            if one.seat not in used
            and (allowed is None or one.seat in allowed)
            and one.is_employed(at)
            and fits(company, one, roles[role])
        ]
        present = [one for one in found if not company.away(one.seat, at)] or found
        if not present:
            raise RoleNotFilled(f"nobody for {role} ({roles[role]})")
        playing[role] = draw.choice(present)
    return playing


def _special(company: Company, selector: str, at: int) -> Staff | None:
    """A bot's seat, or `oncall:payments`, who has that pager at the time."""
    if selector.startswith("oncall:"):
        return company.on_call(selector.partition(":")[2], at)
    return company.bots.get(selector)


def _breadth(company: Company, selector: str) -> int:
    """Narrow roles are cast first, so that a wide one does not take their only holder."""
    if selector.startswith("oncall:"):
        return 0
    return sum(fits(company, one, selector) for one in company.staff.values())
