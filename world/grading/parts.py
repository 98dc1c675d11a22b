"""Chores of a composed day in its rubric: to which one an item belongs, and which ones a change is about."""

from collections.abc import Iterable

from world.grading.effects import Effect
from world.grading.errors import EventNotFired
from world.grading.items import Claim
from world.grading.schema import find_part
from world.grading.scope import Scope


def list_parts(effect: Effect, claims: Iterable[Claim], scope: Scope) -> frozenset[str]:
    """The chores with an item about the row, or the place, of a change; none in a rubric that is no day's."""
    able = (one for one in claims if one.concerns(effect) and find_part(one.id))
    return frozenset(find_part(one.id) for one in able if _is_about(one, effect, scope))


def _is_about(claim: Claim, effect: Effect, scope: Scope) -> bool:
    try:
        return claim.is_about(effect, scope)
    except EventNotFired:
        return False
