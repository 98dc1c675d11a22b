"""Texts of others that the agent has replaced by its own, so that their content is lost."""

from collections.abc import Iterator, Sequence

from world.core.reading.part import Part
from world.grading.content.finding import Violation, to_excerpt
from world.grading.degrees.read_versions import is_rewritten
from world.grading.effects import Effect
from world.grading.readings import Readings
from world.grading.tables import Table

FEWEST = 6  # words of a text that says something


def find_overwritten(effect: Effect, table: Table, readings: Readings, agent: str) -> Iterator[Violation]:
    """The bodies of a row of which the agent has left little; those that it wrote itself are its own."""
    old = effect.history[0].before
    if effect.kind != "update" or old is None or table.conduct.record or _is_author(agent, old, table):
        return
    new = readings.of_effect(effect)
    for part in _list_bodies(readings.parts(table, old, ("before", effect.number))):
        text = part.passage.text
        if not part.columns & effect.columns or len(text.split()) < FEWEST:
            continue
        if is_rewritten(text, _tell(one for one in _list_bodies(new) if one.columns == part.columns)):
            yield Violation("overwrites what somebody else had written", "slip", to_excerpt(text))


def _list_bodies(parts: Sequence[Part]) -> Iterator[Part]:
    return (part for part in parts if part.kind == "body" and part.role == "whole")


def _tell(parts: Iterator[Part]) -> str:
    return "\n".join(part.passage.text for part in parts)


def _is_author(agent: str, row: dict[str, object], table: Table) -> bool:
    """Whether the agent is the only person whom a row names as its own."""
    return {row.get(name) for name in table.conduct.owners if row.get(name)} == {agent}
