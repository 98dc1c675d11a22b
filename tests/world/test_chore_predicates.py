"""A chore may have Python predicates beside its file."""

from pathlib import Path

from world.script.catalogue import chores
from world.script.loader import find_scenario


def test_predicates_are_no_chore_of_their_own() -> None:
    assert not [name for name in chores() if "." in name]


def test_predicates_belong_to_the_files_of_their_chore() -> None:
    scenario = find_scenario("mend_totals")
    assert Path(scenario.folder, "mend_totals.predicates.py") in scenario.files
