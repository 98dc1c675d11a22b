"""Turns of the members of a team: a call is held until every member at work has one under way, then the member whose last
call ended earliest is served. So the order of calls does not depend on which program is faster.
"""

import asyncio
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType

from world.core.builtin_operations import WaitResult
from world.core.principal import Principal
from world.run.actor import Actor

Held = asyncio.Future[None]


@dataclass
class Order:
    """The held calls of one world by member, the call that is served, and the waits that are not over."""

    held: dict[str, deque[Held]] = field(default_factory=dict[str, deque[Held]])
    served: Held | None = None
    asleep: dict[Held, str] = field(default_factory=dict[Held, str])


@dataclass
class TeamTurns:
    """Turns in all worlds of a host. Everything here runs on the store's thread."""

    actors: Mapping[str, Actor]
    _orders: dict[str, Order] = field(default_factory=dict[str, Order])

    def enter(self, principal: Principal) -> "MemberTurn":
        """The turn of one call, as a context: it begins when it is the caller's turn. At once for all but members."""
        return MemberTurn(self, principal)

    def note(self, actor: Actor) -> None:
        """Look after those who wait for something in a world that has served a call."""
        order = self._orders.get(actor.world_name)
        if order is None or actor.team is None:
            return
        for sleeper, person in list(order.asleep.items()):
            if actor.ended is not None or not actor.team.is_waiting(person):
                del order.asleep[sleeper]
                _release(sleeper)
        self._pass_on(actor)

    def forget(self, world: str) -> None:
        """Let go of all calls that are held in a world that is no more."""
        order = self._orders.pop(world, None)
        for one in [*order.asleep, *(one for held in order.held.values() for one in held)] if order else ():
            _release(one)

    def count_held(self, world: str) -> int:
        """How many calls of a world are held now."""
        order = self._orders.get(world)
        return 0 if order is None else sum(map(len, order.held.values()))

    async def take(self, principal: Principal) -> Held | None:
        """Wait for the turn of a member. Returns what gives it back; None for anybody else."""
        actor = self.actors.get(principal.world)
        if actor is None or actor.team is None or not actor.team.holds(principal.person):
            return None
        if actor.ended is not None or actor.team.has_finished(principal.person):
            return None
        mine: Held = asyncio.get_running_loop().create_future()
        order = self._orders.setdefault(principal.world, Order())
        held = order.held.setdefault(principal.person, deque())
        held.append(mine)
        self._pass_on(actor)
        try:
            await mine
        except asyncio.CancelledError:
            with suppress(ValueError):
                held.remove(mine)
            self.give_back(principal.world, mine)
            raise
        return mine

    def give_back(self, world: str, turn: Held) -> None:
        """End a turn, unless it has been given back."""
        order, actor = self._orders.get(world), self.actors.get(world)
        if order is not None and order.served is turn:
            order.served = None
            if actor is not None:
                self._pass_on(actor)

    async def sleep(self, principal: Principal, turn: Held) -> WaitResult | None:
        """Give a turn back and wait until the member's wait is over. Returns its result; None if they do not wait, or the
        world is gone.
        """
        actor = self.actors.get(principal.world)
        if actor is None or actor.team is None or not actor.team.is_waiting(principal.person):
            return None
        over: Held = asyncio.get_running_loop().create_future()
        order = self._orders[principal.world]
        order.asleep[over] = principal.person
        self.give_back(principal.world, turn)
        try:
            await over
        finally:
            order.asleep.pop(over, None)
        return actor.team.read_wake(principal.person) if self.actors.get(principal.world) is actor else None

    def _pass_on(self, actor: Actor) -> None:
        """Serve the next call if none is served and every member at work has one."""
        order, team = self._orders.get(actor.world_name), actor.team
        if order is None or order.served is not None or team is None:
            return
        if actor.ended is not None:
            self.forget(actor.world_name)
            return
        working = team.list_at_work()
        if working and all(order.held.get(person) for person in working):
            order.served = order.held[team.choose_next(working)].popleft()
            _release(order.served)


@dataclass
class MemberTurn:
    """The turn of one call."""

    turns: TeamTurns
    principal: Principal
    _turn: Held | None = None

    async def __aenter__(self) -> "MemberTurn":
        self._turn = await self.turns.take(self.principal)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._turn is not None:
            self.turns.give_back(self.principal.world, self._turn)

    async def sleep(self) -> WaitResult | None:
        """Wait until the wait that this call began is over. Returns its result; None for any other call."""
        return None if self._turn is None else await self.turns.sleep(self.principal, self._turn)


def _release(one: Held) -> None:
    if not one.done():
        one.set_result(None)
