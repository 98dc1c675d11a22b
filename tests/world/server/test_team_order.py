"""A team over HTTP: the order of calls does not depend on who is faster, and waits are answered when they are over."""

import asyncio
from collections.abc import Iterator

import pytest

from tests.conftest import Server
from world.client import AsyncEpisode, AsyncFleet, Fleet, Task

DANIEL, DEEPIKA = "p_0004", "p_0006"
TASK = Task.of("flapping_alert", 1, team=("dsharma",))


@pytest.fixture
def fleet(server: Server) -> Iterator[Fleet]:
    with Fleet(secret="control secret", url=server.control_url) as made:
        yield made


async def work(member: AsyncEpisode, calls: int) -> None:
    """Look at the clock a few times, wait, and finish."""
    for _ in range(calls):
        await member.call("world_now", {})
    await member.call("world_wait", {"seconds": 60})
    await member.finish()


async def race(server: Server, first: str, second: str) -> list[tuple[str, str, int]]:
    """Let one member begin before the other. Returns the calls of both: who, what, when."""
    async with AsyncFleet(secret="control secret", url=server.control_url) as fleet, await fleet.create(TASK) as root:
        members = {person: await root.member(person) for person in (first, second)}
        ahead = asyncio.ensure_future(work(members[first], 4))
        await members[second].tools("slack")  # the other's first call is held meanwhile
        await asyncio.gather(ahead, work(members[second], 4))
        assert (await root.observe()).ended == "finished"
        return [
            (call["actor"], call["operation"], call["at"])
            for call in await root.trajectory()
            if call["door"] in ("mcp", "rest")
        ]


def test_the_order_of_calls_is_the_same_whoever_is_faster(server: Server) -> None:
    one, other = asyncio.run(race(server, DANIEL, DEEPIKA)), asyncio.run(race(server, DEEPIKA, DANIEL))
    assert one == other
    assert [call[0] for call in one] == [DANIEL, DEEPIKA] * 6


def test_a_wait_is_answered_when_it_is_over(server: Server) -> None:
    async def play() -> tuple[str, int]:
        async with (
            AsyncFleet(secret="control secret", url=server.control_url) as fleet,
            await fleet.create(TASK) as root,
        ):
            daniel, deepika = await root.member(DANIEL), await root.member(DEEPIKA)
            wait = asyncio.ensure_future(daniel.call("world_wait", {"seconds": 600}))
            before = (await root.observe()).now
            await deepika.call("world_now", {})
            assert not wait.done()
            await deepika.finish()
            return (await wait).text, (await root.observe()).now - before

    text, passed = asyncio.run(play())
    assert "waiting" not in text and "happened" in text
    assert passed >= 60_000_000


def test_requests_of_apps_have_their_turn_too(server: Server) -> None:
    async def play() -> list[str]:
        async with (
            AsyncFleet(secret="control secret", url=server.control_url) as fleet,
            await fleet.create(TASK) as root,
        ):

            async def ask(person: str) -> None:
                token = await fleet.client.token(root.world, "slack", person=person)
                headers = {"authorization": f"Bearer {token.token}"}
                for _ in range(2):
                    assert (await fleet.agents.get(f"{token.rest}/api/auth.test", headers=headers)).json()["ok"]
                await (await root.member(person)).finish()

            await asyncio.gather(ask(DEEPIKA), ask(DANIEL))
            return [call["actor"] for call in await root.trajectory() if call["door"] == "rest"]

    assert asyncio.run(play()) == [DANIEL, DEEPIKA] * 2


def test_a_world_that_goes_lets_go_of_the_calls_it_holds(server: Server) -> None:
    async def play() -> bool:
        async with AsyncFleet(secret="control secret", url=server.control_url) as fleet:
            root = await fleet.create(TASK)
            held = asyncio.ensure_future(root.call("world_now", {}))
            while not server.do(lambda: server.plane.host.team_turns.count_held(root.world)):
                await asyncio.sleep(0)
            await root.close()
            return (await held).is_error

    assert asyncio.run(play())


def test_a_trainer_steps_members_in_the_order_it_likes(fleet: Fleet) -> None:
    with fleet.create(TASK) as root:
        assert root.members == [DANIEL, DEEPIKA]
        deepika = root.member(DEEPIKA)
        assert deepika.prompt.startswith("You are Deepika Sharma") and root.prompt in deepika.prompt
        fleet.step_many([(deepika, "world_now", {}), (deepika, "world_wait", {"seconds": 60}), (root, "world_now", {})])
        assert [one.state for one in root.observe().team] == ["at_work", "waiting"]
        assert [call["actor"] for call in root.trajectory() if call["door"] == "mcp"] == [DEEPIKA, DEEPIKA, DANIEL]
        with pytest.raises(LookupError, match="no team"):
            root.member("p_0001")


@pytest.mark.full  # a grading process
def test_a_verdict_says_what_each_member_answers_for(fleet: Fleet) -> None:
    with fleet.create(TASK) as root:
        fleet.step_many([(root, "world_finish", {"status": "done"})])
        nothing = {"score": 0.0, "slips": 0, "harms": 0}
        assert root.grade()["members"] == {DANIEL: nothing, DEEPIKA: nothing}
