"""Many rollouts in one request: steps, verdicts, forks of one state, and what each step of an episode was worth."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from pydantic import Field
from typing_extensions import TypedDict  # of Python 3.12: pydantic describes no other

from world.core.params import Int64
from world.grading.reasons.public import to_public
from world.server.control_state import Body, Fork, Grant, Name, Plane
from world.server.tool_calls import ToolBody
from world.store.queries import rows

MOST_ITEMS = 1024
GRADED_AT_ONCE = 4  # one runs on to its horizon while another is graded in the other process
CALLS = "SELECT seq, operation FROM _call WHERE actor = ? AND door IN ('rest', 'mcp', 'page') ORDER BY seq"
NOT_FOUND = 404


class Step(Body):
    """A tool call of a world's agent, or of the member of its team who is named by id, handle or address."""

    world: Name
    person: str | None = None
    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class Steps(Body):
    """Tool calls, done in the order given."""

    steps: list[Step] = Field(max_length=MOST_ITEMS)


class Verdicts(Body):
    """Worlds to grade; `public` leaves out the rubric."""

    worlds: list[Name] = Field(max_length=MOST_ITEMS)
    public: bool = False


class Group(Body):
    """Several forks of one state: of call `at`, or of the head."""

    size: int = Field(ge=1, le=MOST_ITEMS)
    at: Int64 | None = None


class Refusal(TypedDict):
    """In place of an answer: why there is none."""

    status: int
    error: str
    message: str


class StepReward(TypedDict):
    """A call of the agent, what the run was worth after it (`value`), and how much that is more than before (`gain`)."""

    call: int
    operation: str
    value: float
    gain: float


async def do_steps(plane: Plane, asked: Steps) -> list[ToolBody | Refusal]:
    """The answers in order. Other requests have their turn after each step."""
    answers: list[ToolBody | Refusal] = []
    for step in asked.steps:
        answers.append(_do_step(plane, step))
        await asyncio.sleep(0)
    return answers


def _do_step(plane: Plane, step: Step) -> ToolBody | Refusal:
    if not plane.knows(step.world) or step.world not in plane.episodes:
        return Refusal(status=NOT_FOUND, error="LookupError", message=f"no episode {step.world!r}")
    plane.retention.note_use(step.world)
    run = plane.episodes[step.world]
    try:
        principal = run.principal() if step.person is None else plane.host.principal(step.world, step.person)
        return plane.tools.call(principal, step.name, step.arguments).to_json()
    except LookupError as error:
        return Refusal(status=NOT_FOUND, error=type(error).__name__, message=str(error))


async def grade_worlds(plane: Plane, asked: Verdicts) -> list[Mapping[str, Any]]:
    """The verdicts in order, or for a world that has no episode a refusal."""
    room = asyncio.Semaphore(GRADED_AT_ONCE)

    async def grade(world: str) -> Mapping[str, Any]:
        if not plane.knows(world) or world not in plane.episodes:
            return Refusal(status=NOT_FOUND, error="LookupError", message=f"no episode {world!r}")
        plane.retention.note_use(world)
        async with room:
            found = orjson.loads(await plane.grade(world))
        return to_public(found) if asked.public else found

    return list(await asyncio.gather(*(grade(world) for world in asked.worlds)))


def fork_group(plane: Plane, world: str, asked: Group) -> list[dict[str, Any]]:
    """Fork a world several times; each with its state and a token of its agent. Raises TooManyWorlds, UnknownCall."""
    plane.retention.check_room(asked.size)
    made = [plane.fork(world, Fork(at=asked.at)) for _ in range(asked.size)]
    return [{"world": one, "token": plane.grant(one["world"], Grant())} for one in made]


async def list_rewards(plane: Plane, world: str, since: int) -> list[StepReward]:
    """What each call of the agent after call `since` was worth: the raw score after it, the score after the last one of
    an episode that has ended. The gains of a run add up to its score less what its first moment is worth.
    """
    run = plane.episodes[world]
    calls: Sequence[tuple[int, str]] = [(int(seq), str(name)) for seq, name in rows(run.actor.bound, CALLS, run.agent)]
    wanted = [one for one in calls if one[0] > since]
    if not wanted:
        return []
    found: list[StepReward] = []
    before = await _value(plane, world, wanted[0][0] - 1, "raw_score")
    for seq, operation in wanted:
        is_last = seq == calls[-1][0] and run.actor.ended is not None
        value = await _value(plane, world, seq, "score" if is_last else "raw_score")
        found.append(StepReward(call=seq, operation=operation, value=value, gain=value - before))
        before = value
    return found


async def _value(plane: Plane, world: str, at: int, name: str) -> float:
    verdict = orjson.loads(await plane.grade(world, at))
    if verdict[name] is None:
        raise LookupError(f"the run could not be graded at call {at}: {verdict['error']['kind']}")
    return float(verdict[name])
