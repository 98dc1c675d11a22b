"""Whoever only reads leaves nothing that a grader would look at."""

import pytest

from world.agents.examples import Examples
from world.agents.steps import DirectDoor, StepRefused
from world.core.journal import changes_after
from world.core.tables import metadata
from world.grading.tables import describe
from world.run import episode
from world.run.host import Host
from world.run.run_folder import AGENT_DOORS
from world.script import loader
from world.store.queries import rows


@pytest.mark.full
def test_no_reading_operation_leaves_more_than_benign_rows(firm: Host) -> None:
    run = episode.start(firm, loader.find_scenario("us_east_1_outage"), seed=1, world="w")
    door, answered = DirectDoor(run, "mcp"), set[str]()
    reads = {
        id: operation
        for id, operation in sorted(firm.operations.items())
        if not operation.writes and id != "world.wait"
    }
    examples = Examples(reads, door.do)
    for id in reads:
        try:
            for arguments in examples.of(id):
                door.do(id, arguments)
                answered.add(id)
        except (StepRefused, LookupError):
            continue
    assert len(answered) > len(reads) * 3 // 4 and "web/pulls/conflicts" in answered, sorted(set(reads) - answered)
    tables = describe(metadata())
    mine = {seq for seq, way in rows(run.actor.bound, "SELECT seq, door FROM _call") if way in AGENT_DOORS}
    left = [change for change in changes_after(run.actor.bound, 0) if change.call_seq in mine]
    assert {change.table for change in left if not tables[change.table].only_benign} == set()
