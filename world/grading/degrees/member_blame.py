"""Blame in a team: which member answers for which charge of a verdict."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from world.grading.grading_context import GradingContext
from world.grading.verdict import Breach, UnclaimedChange


@dataclass
class Charges:
    """The charges of one member: the degree of each unclaimed change, and the number of breaches."""

    degrees: list[str] = field(default_factory=list[str])
    breaches: int = 0


def assign_charges(
    context: GradingContext, unclaimed: Sequence[UnclaimedChange], never: Sequence[Breach]
) -> dict[str, Charges]:
    """The charges of every member of the team. What goes back to calls of none of them counts against all.

    Empty for a run of one agent.
    """
    found = {person: Charges() for person in context.evidence.team}
    for one in unclaimed if found else ():
        for person in _find_culprits(context, one.journal):
            found[person].degrees.append(one.degree)
    for breach in never if found else ():
        for person in _find_culprits(context, breach.journal):
            found[person].breaches += 1
    return found


def _find_culprits(context: GradingContext, journal: Sequence[int]) -> Sequence[str]:
    """The members whose calls are behind journal entries."""
    evidence, ledger = context.evidence, context.changes.ledger
    calls = [change.call_seq for change in evidence.changes if change.id in set(journal)]
    behind = {ledger.root(seq).actor for seq in calls}
    return [person for person in evidence.team if person in behind] or evidence.team
