"""Workers of `firm serve --workers` killed with SIGKILL while 64 clients play: no rollout and no acknowledged write is lost."""

import asyncio
import os
import random
import signal
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import httpx

from tests.campaign.part import Figures, Ground, Part, Tally, chance_of
from world.client import AsyncEpisode, AsyncFleet, Task
from world.client.local import LocalServer

SCENARIO = "flapping_alert"
WORKERS, CLIENTS = 2, 64
STEPS = 3  # acknowledged writes of each client between two kills
TRIES = 5  # of one write whose connection breaks
PATIENCE_S = 120.0


@dataclass
class Player:
    """One client with one rollout. `acknowledged` are the numbers of the messages whose writing was confirmed."""

    number: int
    episode: AsyncEpisode
    acknowledged: set[int] = field(default_factory=set[int])

    def text(self, step: int) -> str:
        """The message of a step, unlike every other."""
        return f"step-{self.number}-{step}-end"


class Game:
    """All clients on one server, and the kills between their writes."""

    def __init__(self, fleet: AsyncFleet, tally: Tally, chance: random.Random) -> None:
        self._fleet, self._tally, self._chance = fleet, tally, chance
        self._progress = asyncio.Condition()

    async def open(self) -> list[Player]:
        """A rollout for every client."""
        tasks = [Task.of(SCENARIO, seed, limits="off") for seed in range(CLIENTS)]
        return [Player(number, one) for number, one in enumerate(await self._fleet.create_many(tasks))]

    async def play(self, players: list[Player], kills: int) -> None:
        """Every client writes on, while workers are killed one after another."""
        steps = (kills + 1) * STEPS
        await asyncio.gather(self.kill(kills), *(self.write_all(one, steps) for one in players))

    async def write_all(self, player: Player, steps: int) -> None:
        """Write the messages of a client, each again when its connection broke."""
        for step in range(steps):
            for _ in range(TRIES):
                if await self.write(player, step):
                    break
            else:
                self._tally.note("lost_rollouts", f"client {player.number} could not go on after step {step}")
                return

    async def write(self, player: Player, step: int) -> bool:
        """Write one message; whether that was confirmed."""
        try:
            told = await player.episode.call(
                "chat_post_message",
                {"channel": "#random", "text": player.text(step)},
                app="slack",
                surface="operations",
            )
        except httpx.TransportError:
            self._tally.counts["broken_connections"] += 1
            return False
        if told.is_error:
            self._tally.note("refused_writes", f"{player.text(step)}: {told.content}")
        player.acknowledged.add(step)
        async with self._progress:
            self._tally.counts["acknowledged_writes"] += 1
            self._progress.notify_all()
        return True

    async def kill(self, kills: int) -> None:
        """Kill a worker each time the clients have made a round."""
        for number in range(kills):
            wanted = (number * STEPS + 1) * CLIENTS
            async with self._progress:
                await self._progress.wait_for(partial(self.has_written, wanted))
            workers = [one for one in (await self._fleet.client.health())["workers"] if one["up"]]
            os.kill(self._chance.choice(workers)["pid"], signal.SIGKILL)
            self._tally.counts["kills"] += 1

    def has_written(self, wanted: int) -> bool:
        """Whether so many writes were confirmed."""
        return self._tally.counts["acknowledged_writes"] >= wanted

    async def check(self, player: Player) -> None:
        """Look for every confirmed message, and for a verdict."""
        diff = str(await self._fleet.client.diff(player.episode.world))
        lost = [step for step in player.acknowledged if player.text(step) not in diff]
        for step in lost:
            self._tally.note("lost_writes", player.text(step))
        if (await player.episode.grade()).get("score") is None:
            self._tally.note("lost_rollouts", f"client {player.number} has no verdict")


async def play(server: LocalServer, tally: Tally, kills: int) -> None:
    """Let the clients play, then look at what is there."""
    async with AsyncFleet(secret=server.secret, socket=server.socket, timeout_s=PATIENCE_S) as fleet:
        game = Game(fleet, tally, chance_of("workers"))
        players = await game.open()
        await game.play(players, kills)
        for player in players:
            await game.check(player)


def make_home(ground: Ground) -> Path:
    """A home of its own that knows the sealed company."""
    home = ground.scratch / "home"
    home.mkdir(mode=0o700, parents=True)
    (home / "images").symlink_to(ground.company.parent)
    return home


def run(ground: Ground) -> Figures:
    """Kills until the share is done, at least two."""
    tally = Tally()
    server = LocalServer(workers=WORKERS, company=7, size="S", home=make_home(ground))
    try:
        asyncio.run(play(server, tally, ground.share(200, 2)))
    finally:
        server.close()
    names = ("lost_rollouts", "lost_writes", "refused_writes", "acknowledged_writes", "broken_connections")
    return {"done": tally.counts["kills"], "clients": CLIENTS, **{name: tally.counts[name] for name in names}}


part = Part("workers", 200, "kills of a worker", ("lost_rollouts", "lost_writes", "refused_writes"), run)
