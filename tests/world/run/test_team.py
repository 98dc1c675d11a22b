"""Several agents in one world: time, ends, turns and blame of each."""

from typing import Any

import pytest

from world.core.clock import SECOND
from world.core.diff import state_hash
from world.core.errors import EpisodeEnded, OperationError
from world.run import episode
from world.run.episode import Episode
from world.run.host import Host
from world.script import loader
from world.script.errors import ScenarioError
from world.store.queries import rows

DANIEL, DEEPIKA = "p_0004", "p_0006"  # who is on call, and a colleague


def begin(firm: Host, world: str = "w") -> Episode:
    """A world in which two agents act."""
    return episode.start(firm, loader.find_scenario("flapping_alert"), seed=1, world=world, team=("dsharma",))


def do(run: Episode, person: str, operation: str, **arguments: Any) -> Any:
    """A call of a member."""
    return run.host.call(run.host.principal(run.world, person), "mcp", operation, arguments)


def list_states(run: Episode) -> list[str]:
    """The states of the members, in order."""
    return [one["state"] for one in episode.list_members(run)]


def test_time_stands_still_for_those_at_work_until_all_wait(firm: Host) -> None:
    run = begin(firm)
    before = run.actor.now
    assert do(run, DANIEL, "world.wait", until="15:00")["waiting"]
    do(run, DEEPIKA, "world.now")
    assert run.actor.now - before < SECOND and list_states(run) == ["waiting", "at_work"]
    woken = do(run, DEEPIKA, "world.wait", seconds=120)
    assert (woken["events"], run.actor.now - before) == ([], 120 * SECOND + 2)
    assert list_states(run) == ["waiting", "at_work"]


def test_a_message_of_a_colleague_ends_a_wait(firm: Host) -> None:
    run = begin(firm)
    do(run, DANIEL, "world.wait", seconds=3600)
    user = do(run, DEEPIKA, "users.lookupByEmail", email="daniel.kowalski@quayline.example")["user"]["id"]
    channel = do(run, DEEPIKA, "conversations.open", users=user)["channel"]["id"]
    do(run, DEEPIKA, "chat.postMessage", channel=channel, text="The exporter is slow again.")
    assert run.actor.team is not None and list_states(run) == ["at_work", "at_work"]
    woken = run.actor.team.read_wake(DANIEL)
    assert woken is not None and "Deepika" in woken["happened"][0]


def test_a_call_of_a_member_ends_their_own_wait(firm: Host) -> None:
    run = begin(firm)
    do(run, DANIEL, "world.wait", seconds=3600)
    do(run, DANIEL, "world.now")
    assert list_states(run) == ["at_work", "at_work"]


def test_each_member_finishes_for_themselves(firm: Host) -> None:
    run = begin(firm)
    do(run, DEEPIKA, "world.finish", answer={"incident": "yes"})
    with pytest.raises(EpisodeEnded):
        do(run, DEEPIKA, "world.now")
    with pytest.raises(OperationError, match="not_yours"):
        do(run, "p_0005", "world.finish")
    assert "waiting" not in do(run, DANIEL, "world.wait", seconds=60)
    do(run, DANIEL, "world.finish", answer={"incident": "no"})
    assert run.actor.ended == "finished"
    assert episode.collect_run_record(run.actor).answer.fields == {"incident": "no"}  # pyright: ignore


def test_the_horizon_ends_every_wait(firm: Host) -> None:
    run = begin(firm)
    team, horizon = run.actor.team, run.actor.settings.horizon_at
    assert team is not None and horizon is not None
    while run.actor.now < horizon:
        do(run, team.list_at_work()[0], "world.wait", seconds=86400)
    assert list_states(run) == ["at_work", "at_work"]
    with pytest.raises(EpisodeEnded):
        do(run, DANIEL, "world.now")


def test_the_same_calls_lead_to_the_same_world(firm: Host) -> None:
    found = list[Any]()
    for world in ("one", "two"):
        run = begin(firm, world)
        for person in (DANIEL, DEEPIKA, DANIEL, DEEPIKA):
            do(run, person, "world.wait", seconds=900)
        found.append((state_hash(run.actor.bound, firm.store.base), list(rows(run.actor.bound, "SELECT * FROM _call"))))
    assert found[0] == found[1]


def test_a_fork_goes_on_with_the_states_of_its_parent(firm: Host) -> None:
    run = begin(firm)
    do(run, DANIEL, "world.wait", seconds=900)
    firm.fork(run.actor, "fork")
    fork = episode.of_world(run, "fork")
    assert list_states(fork) == ["waiting", "at_work"]
    do(fork, DEEPIKA, "world.finish")
    assert (list_states(run), list_states(fork)) == (["waiting", "at_work"], ["at_work", "finished"])


def test_the_member_who_does_harm_answers_for_it(firm: Host) -> None:
    run = begin(firm)
    do(run, DANIEL, "world.now")
    channel = do(run, DEEPIKA, "conversations.list", limit=1000)["channels"]
    updates = next(one["id"] for one in channel if one["name"] == "status-updates")
    do(run, DEEPIKA, "conversations.join", channel=updates)
    do(run, DEEPIKA, "chat.postMessage", channel=updates, text="Payments are down.")
    episode.finish(run)
    shares = episode.verdict(run).members
    assert (shares[DANIEL].harms, shares[DEEPIKA].harms > 0, shares[DEEPIKA].score) == (0, True, 0.0)


def test_a_colleague_whom_nobody_knows_is_refused(firm: Host) -> None:
    with pytest.raises(ScenarioError, match="nobody in this company"):
        episode.start(firm, loader.find_scenario("flapping_alert"), seed=1, world="w", team=("nobody",))
