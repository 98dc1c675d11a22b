"""Many rollouts in one request, verdicts at any call, and rewards that add up."""

from collections.abc import Iterator

import pytest

from tests.conftest import Server
from world.agents.solver import play
from world.agents.steps import DirectDoor, Scene
from world.client import Client, ControlError, Fleet, Task, ToolDoorError

pytestmark = pytest.mark.full  # most of them wait for a grading process
SCENARIO = "flapping_alert"


@pytest.fixture
def fleet(server: Server) -> Iterator[Fleet]:
    with Fleet(secret="control secret", url=server.control_url) as made:
        yield made


def solve(server: Server, world: str) -> None:
    """Play the solution."""

    def run() -> None:
        episode = server.plane.episodes[world]
        assert episode.scenario.oracle is not None
        play(episode.scenario.oracle, Scene(episode), DirectDoor(episode), strict=False)

    server.do(run)


def test_a_group_goes_on_from_one_state(fleet: Fleet) -> None:
    root = fleet.create(Task.of(SCENARIO, 1))
    root.call("world_wait", {"seconds": 60})
    group = root.fork_group(3)
    steps = [(one, "world_wait", {"seconds": 60 * (number + 1)}) for number, one in enumerate(group)]
    assert [one.is_error for one in fleet.step_many([*steps, *steps])] == [False] * 6
    times = [one.observe().now for one in group]
    assert times == sorted(times) and len(set(times)) == 3
    assert [one["score"] for one in fleet.grade_many(group)] == [0.0] * 3
    earlier = root.fork_group(2, at=root.observe().calls - 1)
    assert [one.observe().now < root.observe().now for one in earlier] == [True, True]


def test_an_item_that_cannot_be_done_says_why(fleet: Fleet) -> None:
    one = fleet.create(Task.of(SCENARIO, 1))
    blank = fleet.client.create().world
    with pytest.raises(ToolDoorError, match="Unknown tool"):
        fleet.step_many([(one, "nothing", {})])
    answers = fleet.client.do_steps([{"world": world, "name": "world_now"} for world in ("gone", blank, one.world)])
    assert [answer.get("status") for answer in answers] == [404, 404, None]
    assert [verdict.get("status") for verdict in fleet.client.grade_worlds([one.world, "gone"])] == [None, 404]
    for asked in (lambda: fleet.client.rewards(blank), lambda: fleet.client.fork_group(blank, 2)):
        with pytest.raises(ControlError, match="without a scenario"):
            asked()


def test_a_verdict_of_an_earlier_call_is_what_it_was_then(server: Server, fleet: Fleet) -> None:
    one = fleet.create(Task.of(SCENARIO, 1))
    one.call("world_now", {})
    then, before = one.observe().calls, one.grade()
    solve(server, one.world)
    assert one.grade()["pass"] is True and one.grade(at=then) == before
    with pytest.raises(ControlError) as unknown:
        one.grade(at=10**6)
    assert unknown.value.status == 404


def test_gains_add_up_to_the_score(server: Server, fleet: Fleet) -> None:
    one = fleet.create(Task.of(SCENARIO, 1))
    assert one.rewards() == []
    solve(server, one.world)
    found = one.rewards()
    start = found[0].value - found[0].gain
    assert [reward.call for reward in found] == sorted(reward.call for reward in found)
    assert sum(reward.gain for reward in found) == pytest.approx(1.0 - start)
    assert found[-1].value == 1.0 and found[-1].operation == "world.finish"
    assert [reward.call for reward in one.rewards(since=found[-2].call)] == [found[-1].call]
    assert set(found[0].model_dump()) == {"call", "operation", "person", "value", "gain", "members"}
    assert (found[0].person, found[0].members) == (one.agent, {})


def test_a_rollout_of_a_fleet_has_a_time_to_live(server: Server, fleet: Fleet) -> None:
    one = fleet.create(Task.of(SCENARIO, 1))
    with Client(secret="control secret", url=server.control_url) as client:
        kept = client.create().world
    limit = server.plane.retention.find_idle_limit
    assert (limit(one.world), limit(one.fork().world), limit(kept)) == (1800.0, 1800.0, None)


def test_each_member_of_a_team_earns_their_own_score(server: Server, fleet: Fleet) -> None:
    root = fleet.create(Task.of(SCENARIO, 1, team=("dsharma",)))
    deepika = root.member(root.members[1])
    noise = {"channel_id": "general", "message": "Lunch at noon?"}
    fleet.step_many([(deepika, "slack_send_message", noise), (deepika, "world_finish", {"status": "done"})])
    solve(server, root.world)
    found = root.rewards()
    assert [reward.person for reward in found[:3]] == [*root.members[1:] * 2, root.members[0]]
    shares = root.grade()["members"]
    for person, share in shares.items():
        start = found[0].members[person].value - found[0].members[person].gain
        assert sum(reward.members[person].gain for reward in found) == pytest.approx(share["score"] - start)
    lead, colleague = root.members
    assert shares[lead]["score"] == 1.0 > shares[colleague]["score"]
    assert {reward.members[lead].gain for reward in found[:2]} == {0.0}
