"""Inspect: tasks of this company as a dataset, a solver and a scorer. Needs the package inspect_ai (0.3)."""

from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai import Task as InspectTask
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser
from inspect_ai.scorer import Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolDef, ToolError, ToolParams

from world.client import AsyncEpisode, AsyncFleet, Task, Tool, ToolDoorError

VERDICT = "firmament_verdict"
Address = Mapping[str, Any]  # what AsyncFleet takes: secret, and socket or url


def company(address: Address, tasks: Sequence[Task], *, app: str = "", name: str = "firmament") -> InspectTask:
    """Tasks for `inspect eval`: each sample is an episode of its own, with the tools of `app` (by default of all)."""
    samples = [
        Sample(
            input=task.id,
            id=task.id,
            metadata={"scenario": task.scenario, "seed": task.seed, "settings": dict(task.settings)},
        )
        for task in tasks
    ]
    return InspectTask(dataset=samples, solver=employee(address, app), scorer=verdict(), name=name)


@solver
def employee(address: Address, app: str = "") -> Solver:
    """The model as the employee: it gets the task's text and tools, and works until it calls no more of them."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        told = state.metadata
        async with AsyncFleet(**address) as fleet:
            async with await fleet.create(Task.of(told["scenario"], told["seed"], **told["settings"])) as episode:
                state.messages = [ChatMessageUser(content=episode.prompt)]
                state.tools = [_offer(episode, one, app).as_tool() for one in await episode.tools(app)]
                state = await generate(state, tool_calls="loop")
                state.store.set(VERDICT, await episode.grade())
        return state

    return solve


@scorer(metrics=[accuracy(), stderr()])
def verdict() -> Scorer:
    """The verdict of the server; what it charges stands in the score's metadata."""

    async def score(state: TaskState, target: Target) -> Score:
        said = state.store.get(VERDICT) or {"pass": False, "score": 0.0, "charges": ["the episode was not graded"]}
        explained = "; ".join(str(one) for one in said.get("charges", []))
        return Score(value=float(said["score"]), explanation=explained, metadata=said)

    return score


def _offer(episode: AsyncEpisode, tool: Tool, app: str) -> ToolDef:
    async def execute(**arguments: Any) -> str:
        try:
            result = await episode.call(tool.name, arguments, app=app)
        except ToolDoorError as error:
            raise ToolError(error.message) from error
        if result.is_error:
            raise ToolError(result.text)
        return result.text

    schema = {name: tool.input_schema[name] for name in ("properties", "required") if name in tool.input_schema}
    return ToolDef(execute, tool.name, tool.description or tool.name, ToolParams.model_validate(schema))
