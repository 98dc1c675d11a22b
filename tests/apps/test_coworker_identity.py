"""A coworker may be whoever an event has drawn: before that nobody hears, and a wrong fact is the author's mistake."""

import pytest

from tests.apps.conversation import EXPERT, LOST, Play, expert
from world.core.directory import Person
from world.script.errors import ScenarioError
from world.script.scenario import Script
from world.script.stage import Stage


def draw_late(s: Script) -> None:
    """After an hour it is known who the expert is."""
    s.at("+1h", lambda w: w.note(expert=EXPERT), name="truth")


def find_by_fact(w: Stage) -> Person | str:
    return w.fact("truth", "expert")


def find_person(w: Stage) -> Person | str:
    return w.person(w.fact("truth", "expert"))


@pytest.mark.parametrize("who", [find_by_fact, find_person])
def test_who_is_drawn_by_an_event_hears_nothing_before(play: Play, who: object) -> None:
    room = play(draw_late, expert(who=who))
    assert room.direct("What is up?") == ""
    room.pass_time(3600)
    assert room.direct("What is up?") in LOST


def test_a_coworker_whom_no_fact_names_is_a_mistake(play: Play) -> None:
    room = play(draw_late, expert(who=lambda w: w.fact("truth", "nobody")))
    room.host.strict = True
    room.pass_time(3700)
    with pytest.raises(ScenarioError, match=r"left no fact 'nobody'; it has left expert"):
        room.direct("What is up?")
