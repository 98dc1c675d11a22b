"""Reading operations: every door leaves the same world, and the page that an app names is there."""

import pytest

from tests.doors.same_world import ADMIN, OPERATIONS, assert_same_world, prepared
from tests.doors.three import Doors
from tests.portions import portions
from world.agents.browser import place_for, places
from world.core.operation import Operation

SHOWN = [
    operation for operation in OPERATIONS if not operation.writes and operation.id in places().get(operation.app, {})
]
OTHER_TOKENS = {"apps.connections.open", "getDynamicWebhooksForApp"}  # tokens of apps only; tested with their apps
READS = [one for one in OPERATIONS if not one.writes and one.id not in OTHER_TOKENS]


@pytest.mark.full
@pytest.mark.parametrize("operations", portions(READS, 8))
def test_a_read_leaves_the_same_world_too(doors: Doors, operations: list[Operation], subtests: pytest.Subtests) -> None:
    for operation in operations:
        with subtests.test(operation.id):
            assert_same_world(doors, operation)


@pytest.mark.parametrize("operations", portions(SHOWN))
def test_the_page_of_a_reading_is_there(doors: Doors, operations: list[Operation], subtests: pytest.Subtests) -> None:
    for operation in operations:
        with subtests.test(operation.id):
            assert_page(doors, operation)


def assert_page(doors: Doors, operation: Operation) -> None:
    world, examples = prepared(doors, operation)
    place = place_for(places()[operation.app], operation.id, examples[0])
    doors.become(world, ADMIN, operation.app)
    page = doors.look(f"/{operation.app}{place}")
    assert page.status_code == 200, f"{place}: {page.status_code}"
