"""Turns on the store's thread: a queue per world, one step of one world at a time, worlds in rotation.

A step is the computing of a request between two of its waits. A request that computes alone runs at once; the others
queue by world.
The world that has held the thread least goes next. Worlds that are equal rotate, however many requests one of them has
sent (start-time fair queueing). A world whose steps are long again and again, with no pause between them, is slowed: all
slowed worlds share one lane, which rests after each step while other worlds are at work. An agent that thinks between
its requests never gets there, since the pauses count for it. What slows a world is the processor time of its steps, so
that a busy machine slows nobody. Only real time depends on this; no world's contents do.
"""

import asyncio
import heapq
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count

from world.core.clock import processor_seconds, wall_seconds

LONG_S = 0.25  # a step that holds the thread longer is too long
CREDIT_S = LONG_S  # credit of a world that was away
SHORT_S = 0.02  # the part of a step that never counts against its world
ALLOWANCE_S = 1.0  # debt that makes a world slow: the parts of its steps that count
FORGIVEN_S = ALLOWANCE_S / 2  # debt at which a slowed world is slow no more
MOST_DEBT_S = ALLOWANCE_S + LONG_S
PAID_BACK = 0.02  # of the time in which a world asks for nothing
REST = 199  # times the length of a slowed world's step in which the lane rests: 0.5 % of the thread for all of them
AT_WORK_S = 10.0  # other worlds are at work when one of them had a step so lately
NO_WORLD = "?"  # begins the name of a queue for requests that tell no world


@dataclass(slots=True)
class Queue:
    """One world's waiting steps, and how long it has held the thread. Times are seconds.

    `share` is the time it has held as fairness counts it: a world that was away has saved up at most CREDIT_S. `debt` is
    what its long steps count, in processor time. A trusted queue is the operator's: it is never slowed.
    """

    waiting: deque[asyncio.Future[None]] = field(default_factory=deque[asyncio.Future[None]])
    steps: int = 0
    held: float = 0.0
    share: float = float("-inf")
    longest: float = 0.0
    long_steps: int = 0
    debt: float = 0.0
    is_slowed: bool = False
    is_trusted: bool = False
    last: float = float("-inf")
    _idle_since: float = float("inf")

    def count(self, length: float, computed: float, now: float) -> None:
        """Note a step that held the thread for `length` and took so much of the processor."""
        self.steps, self.last, self._idle_since = self.steps + 1, now, now
        self.held, self.share = self.held + length, self.share + length
        self.longest = max(self.longest, length)
        self.long_steps += length > LONG_S
        if not self.is_trusted:
            self.debt = min(self.debt + max(0.0, min(computed, LONG_S) - SHORT_S), MOST_DEBT_S)
            self.is_slowed = self.is_slowed or self.debt > ALLOWANCE_S

    def pay_back(self, now: float) -> None:
        """Take the time in which nothing was asked for off the debt."""
        self.debt = max(0.0, self.debt - PAID_BACK * max(0.0, now - self._idle_since))
        self.is_slowed = self.is_slowed and self.debt > FORGIVEN_S
        self._idle_since = now


Later = Callable[[float, Callable[[], None]], object]


class Turns:
    """Scheduler of steps. Not thread-safe by design: everything here runs on the store's thread.

    `clock` and `later` are those of the event loop unless a test gives its own.
    """

    def __init__(self, clock: Callable[[], float] = wall_seconds, later: Later | None = None) -> None:
        self.queues: dict[str, Queue] = {}
        self._clock, self._later = clock, later
        self._rotation: list[tuple[float, int, str]] = []  # a heap of the worlds with steps that wait, by their shares
        self._at_work: dict[str, float] = {}  # worlds that are not slowed, and when their last step ended: latest last
        self._numbers = count()
        self._least = 0.0  # the share of the world that had the last turn
        self._taken = self._waking = False
        self._lane_until = float("-inf")

    def queue(self, world: str) -> Queue:
        """Return the queue of a world's steps."""
        return self.queues.setdefault(world, Queue())

    def trust(self, world: str) -> None:
        """Let a queue take turns like the others, but never slow it."""
        self.queue(world).is_trusted = True

    def forget(self, world: str) -> None:
        """Drop the queue of a world that is no more; steps that wait there still get their turn."""
        self._at_work.pop(world, None)
        found = self.queues.get(world)
        if found is not None and not found.waiting:
            del self.queues[world]

    async def take(self, world: str) -> None:
        """Wait for the world's turn. It lasts until the task waits again."""
        queue = self.queue(world)
        if not queue.waiting:
            queue.share = max(queue.share, self._least - CREDIT_S)
            queue.pay_back(self._clock())
        if not self._taken and not self._rotation and not self._must_rest(queue):
            self._grant()
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if not queue.waiting:
            self._line_up(world)
        queue.waiting.append(turn)
        if not self._taken:
            self._grant()
        await turn

    @contextmanager
    def measure(self, world: str) -> Generator[None, None, None]:
        """Measure a step of this thread."""
        began, computed = self._clock(), processor_seconds()
        try:
            yield
        finally:
            self.note(world, began, self._clock(), processor_seconds() - computed)

    def note(self, world: str, began: float, ended: float, computed: float | None = None) -> None:
        """Count a step of a world; one of a slowed world makes the lane rest.

        `computed` is its processor time in seconds; without it, all of its time.
        """
        queue, length = self.queue(world), ended - began
        computed = length if computed is None else computed
        queue.count(length, computed, ended)
        self._at_work.pop(world, None)
        if not (queue.is_slowed or queue.is_trusted or world.startswith(NO_WORLD)):
            self._at_work[world] = ended
        if queue.is_slowed:
            self._lane_until = ended + REST * min(computed, LONG_S)

    def _grant(self) -> None:
        """Mark the thread as taken until this pass of the event loop has run what is ready."""
        self._taken = True
        asyncio.get_running_loop().call_soon(self._pass_on)

    def _pass_on(self) -> None:
        """Give the next world its turn."""
        self._taken = False
        world = self._choose()
        if world is None:
            return
        waiting = self.queues[world].waiting
        turn = waiting.popleft()
        if waiting:
            self._line_up(world)
        if not turn.done():  # a request may have gone away
            turn.set_result(None)
        self._grant()

    def _choose(self) -> str | None:
        """The world with the least share that need not rest; it leaves the rotation."""
        resting, chosen = list[tuple[float, int, str]](), None
        while self._rotation and chosen is None:
            entry = heapq.heappop(self._rotation)
            queue = self.queues[entry[2]]
            if queue.share > entry[0]:  # it has had a step since it lined up
                heapq.heappush(self._rotation, (queue.share, *entry[1:]))
            elif self._must_rest(queue):
                resting.append(entry)
            else:
                chosen, self._least = entry[2], max(self._least, queue.share)
        for entry in resting:
            heapq.heappush(self._rotation, entry)
        if chosen is not None:
            return chosen
        if self._rotation and not self._waking:
            self._waking = True
            (self._later or asyncio.get_running_loop().call_later)(self._rest_until() - self._clock(), self._wake)
        return None

    def _line_up(self, world: str) -> None:
        heapq.heappush(self._rotation, (self.queues[world].share, next(self._numbers), world))

    def _wake(self) -> None:
        self._waking = False
        if not self._taken:
            self._pass_on()

    def _must_rest(self, queue: Queue) -> bool:
        return queue.is_slowed and self._clock() < self._rest_until()

    def _rest_until(self) -> float:
        """When the lane goes on: it has rested, or no other world has been at work for a while."""
        return min(self._lane_until, next(reversed(self._at_work.values()), float("-inf")) + AT_WORK_S)
