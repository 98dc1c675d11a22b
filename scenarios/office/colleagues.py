"""Colleagues who say yes or no when they are asked, for the authors of chores.

The facts of the draw hold them under `people`: name to `id`, and `says`, which is `yes` or `no`.
"""

from collections.abc import Callable, Mapping, Sequence

from scenarios.office.questions import find_drawn_person
from world.core.clock import DAY
from world.core.rows import PersonRow
from world.script.chore import Draw
from world.script.coworkers import Coworker, Rule
from world.script.stage import Stage

Slots = Callable[[Stage], Mapping[str, str]]


def list_present(d: Draw, days: int) -> list[PersonRow]:
    """The people who are here now and on all of the next days."""
    end = d.asked_at + days * DAY
    away = {one["person_id"] for one in d.w.rows("absence") if one["start_at"] < end and one["end_at"] > d.w.now}
    return [one for one in d.people() if one["id"] not in away]


def make_answerer(
    name: str, intent: Sequence[str], replies: Mapping[str, tuple[str, ...]], slots: Slots, fallback: tuple[str, ...]
) -> Coworker:
    """A coworker of the draw's `people` who answers with what they say; `replies` maps yes and no to their variants."""
    rules = tuple(
        Rule(says, intent=(tuple(intent),), replies=texts, when=_says(name, says), slots=slots)
        for says, texts in replies.items()
    )
    return Coworker(who=find_drawn_person("people", name), rules=rules, fallback=fallback, delay_s=100, always=True)


def _says(name: str, says: str) -> Callable[[Stage], bool]:
    return lambda w: w.fact("truth", "people")[name]["says"] == says
