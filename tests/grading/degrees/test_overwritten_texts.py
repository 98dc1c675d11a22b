"""What somebody else wrote may be added to, and not be replaced."""

from collections.abc import Iterable
from typing import Any

import pytest

from world.core.conduct import Conduct
from world.core.journal import Change
from world.core.reading.part import Lookup, Part, Row
from world.core.reading.plain import from_plain
from world.grading.degrees.overwritten_texts import find_overwritten
from world.grading.directory import Directory
from world.grading.effects import Effect, State
from world.grading.inputs import SeedRows
from world.grading.readings import Readings, WorldLookup
from world.grading.tables import Table

ME, OTHER = "p_0001", "p_0002"
OLD = "Several merchants called within five minutes. Buyers see an error after they pay by card."
TABLES = {
    "note": Table("note", {"id": "integer", "owner": "text", "text": "text"}, ("id",), conduct=Conduct(("owner",)))
}


def read_note(row: Row, lookup: Lookup) -> Iterable[Part]:
    yield Part("body", from_plain(row["text"]), ("text",))


def judge(new: str, owner: str = OTHER) -> list[str]:
    rows = SeedRows(TABLES, {})
    lookup = WorldLookup(TABLES, State(TABLES, rows, ()), rows, Directory(), {})
    before: dict[str, Any] = {"id": 1, "owner": owner, "text": OLD}
    after = {**before, "text": new}
    change = Change(1, 1, "note", (1,), "update", before, after)
    effect = Effect(
        1,
        "note",
        (1,),
        "update",
        "agent",
        after,
        after,
        {"text": OLD},
        frozenset({"text"}),
        False,
        (change,),
        frozenset({ME}),
        0,
        0,
    )
    found = find_overwritten(effect, TABLES["note"], Readings({"note": read_note}, lookup, TABLES), ME)
    return [one.kind for one in found]


@pytest.mark.parametrize("new", ["Nothing of note.", "", "A few shops cannot tell a declined card from an error."])
def test_another_text_in_its_place_destroys_what_was_known(new: str) -> None:
    assert judge(new) == ["overwrites what somebody else had written"]


@pytest.mark.parametrize("new", [f"{OLD}\n\nRoot cause: DNS.", f"Impact: {OLD}", OLD.replace("five", "ten")])
def test_a_longer_or_mended_text_keeps_it(new: str) -> None:
    assert judge(new) == []


def test_ones_own_text_is_ones_own() -> None:
    assert judge("Nothing of note.", owner=ME) == []
