"""Many rollouts in one request: steps, verdicts, forks of one state, and what each step of an episode was worth."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
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
CALLS = """SELECT seq, operation, actor FROM _call
    WHERE door IN ('rest', 'mcp', 'page') AND actor IN (SELECT value FROM json_each(?)) ORDER BY seq"""
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


class MemberReward(TypedDict):
    """What the run was worth to a member of the team after a call, and how much that is more than before."""

    value: float
    gain: float


class StepReward(TypedDict):
    """A call of the agent or of a member of their team, who made it, what the run was worth after it (`value`), and how
    much that is more than before (`gain`). `members` has the same for each member, by their own score at the end.
    """

    call: int
    operation: str
    person: str
    value: float
    gain: float
    members: dict[str, MemberReward]


@dataclass(frozen=True, slots=True)
class RunValue:
    """What a run is worth after a call: to all, and to each member of a team."""

    whole: float
    members: Mapping[str, float]

    def reward(self, before: "RunValue", call: tuple[int, str, str]) -> StepReward:
        """What the call between two values was worth."""
        seq, operation, person = call
        members = {
            one: MemberReward(value=value, gain=value - before.members[one]) for one, value in self.members.items()
        }
        gain = self.whole - before.whole
        return StepReward(call=seq, operation=operation, person=person, value=self.whole, gain=gain, members=members)


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
    """What each call of the agent, or of their team, after call `since` was worth: the raw score after it, the score after
    the last one of an episode that has ended. The gains add up to the score less what the first moment is worth.
    """
    run = plane.episodes[world]
    team = run.actor.team.members if run.actor.team is not None else (run.agent,)
    found = rows(run.actor.bound, CALLS, orjson.dumps(team).decode())
    calls = [(int(seq), str(name), str(person)) for seq, name, person in found]
    wanted = [one for one in calls if one[0] > since]
    if not wanted:
        return []
    rewards: list[StepReward] = []
    before = await _value(plane, world, wanted[0][0] - 1)
    for call in wanted:
        is_last = call == calls[-1] and run.actor.ended is not None
        value = await (_final_value(plane, world) if is_last else _value(plane, world, call[0]))
        rewards.append(value.reward(before, call))
        before = value
    return rewards


async def _value(plane: Plane, world: str, at: int) -> RunValue:
    """The raw score after a call. What members do counts for all of them."""
    verdict = await _grade(plane, world, at)
    raw = float(verdict["raw_score"])
    return RunValue(raw, dict.fromkeys(verdict.get("members", {}), raw))


async def _final_value(plane: Plane, world: str) -> RunValue:
    """The score at the end, to each member their own."""
    verdict = await _grade(plane, world, None)
    members = {person: float(share["score"]) for person, share in verdict.get("members", {}).items()}
    return RunValue(float(verdict["score"]), members)


async def _grade(plane: Plane, world: str, at: int | None) -> Mapping[str, Any]:
    verdict = orjson.loads(await plane.grade(world, at))
    if verdict["score"] is None:
        when = "at its end" if at is None else f"at call {at}"
        raise LookupError(f"the run could not be graded {when}: {verdict['error']['kind']}")
    return verdict
