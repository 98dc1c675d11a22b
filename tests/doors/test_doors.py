"""One door or another, same world: every writing operation of every installed app through REST, MCP and its form."""

import pytest

from tests.doors.same_world import ADMIN, BY_FEED, OPERATIONS, assert_same_world, prepared
from tests.doors.three import Doors
from tests.portions import portions
from world.agents.browser import place_for, places
from world.core.operation import Operation

WRITES = [
    operation
    for operation in OPERATIONS
    if operation.writes and operation.app != "world" and operation.id not in BY_FEED
]


@pytest.mark.parametrize("operations", portions([one for one in OPERATIONS if one.writes], 8))
def test_every_door_leaves_the_same_world(doors: Doors, operations: list[Operation], subtests: pytest.Subtests) -> None:
    for operation in operations:
        with subtests.test(operation.id):
            assert_same_world(doors, operation)


@pytest.mark.parametrize("operations", portions(WRITES))
def test_the_form_of_every_write_stands_where_the_app_says(
    doors: Doors, operations: list[Operation], subtests: pytest.Subtests
) -> None:
    for operation in operations:
        with subtests.test(operation.id):
            assert_form(doors, operation)


def assert_form(doors: Doors, operation: Operation) -> None:
    world, examples = prepared(doors, operation)
    place = place_for(places().get(operation.app, {}), operation.id, examples[0])
    assert place is not None, f"{operation.id} is in no PLACES"
    doors.become(world, ADMIN, operation.app)
    page = doors.look(f"/{operation.app}{place}")
    assert page.status_code == 200, f"{place}: {page.status_code}"
    assert f'data-operation="{operation.id}"' in page.text, f"no form for {operation.id} on {place}"
