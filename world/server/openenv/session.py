"""One session of an OpenEnv client: a world at a time, played through its tools and rewarded by its verdict."""

import orjson

from world.core.clock import iso
from world.server.control_state import NewWorld, Plane
from world.server.openenv.models import Action, Beginning, Called, Listed, ResetRequest, State, StepAnswer, ToolFailure
from world.server.openenv.tasks import choose_family
from world.server.tool_calls import UnknownTool


class NotGraded(ValueError):
    """A run that the grader could not judge, and that so has no reward."""


class NotReset(LookupError):
    """A step before the first reset, or after the world was dropped."""


class EnvSession:
    """Not shared by connections. `close` drops the world."""

    def __init__(self, plane: Plane) -> None:
        self._plane = plane
        self.world: str | None = None
        self._steps, self._paid, self._is_dense = 0, 0.0, False

    async def reset(self, asked: ResetRequest) -> StepAnswer:
        """Begin an episode in a new world; that of the one before is dropped. Raises ScenarioError, WorldExists."""
        self.close()
        scenario = asked.scenario or choose_family(asked.seed)
        body = NewWorld(name=asked.episode_id, scenario=scenario, seed=asked.seed, settings=asked.settings)
        world = self.world = self._plane.create(body)["world"]
        self._steps, self._is_dense, self._paid = 0, asked.dense, 0.0
        run = self._plane.episodes[world]
        if asked.dense:  # what the first moment is worth already is nobody's reward
            self._paid = await self._value("raw_score")
        seen = Beginning(
            prompt=run.task,
            episode_id=world,
            scenario=run.scenario.name,
            seed=run.seed,
            time=iso(run.actor.now),
            available_tools=[str(one["name"]) for one in self._plane.tools.list_tools()],
        )
        return StepAnswer(observation=seen, reward=None, done=False)

    async def step(self, action: Action) -> StepAnswer:
        """Do one action. The list of tools may be asked for before the first reset. Raises NotReset, NotGraded."""
        if action.type == "list_tools":
            listed = Listed(tools=[dict(one) for one in self._plane.tools.list_tools()])
            return StepAnswer(observation=listed, reward=None, done=self.describe()["ended"] is not None)
        world = self._find_world()
        self._steps += 1
        seen = self.call(action.tool_name, action.arguments)
        done = self._plane.host.actors[world].ended is not None
        return StepAnswer(observation=seen, reward=await self._reward(done=done), done=done)

    def call(self, name: str, arguments: dict[str, object]) -> Called:
        """Call a tool as the employee of the episode, without a reward. Raises NotReset."""
        run = self._plane.episodes[self._find_world()]
        seen = Called(tool_name=name, result=None, error=None, time="")
        try:
            said = self._plane.tools.call(run.principal(), name, arguments)
        except UnknownTool as error:
            seen["error"] = ToolFailure(error_type="tool_not_found", message=str(error))
        else:
            seen["result"] = {"content": said.to_json()["content"], "data": said.text, "is_error": said.is_error}
            if said.is_error:
                seen["error"] = ToolFailure(error_type="execution_error", message=said.text)
        seen["time"] = iso(run.actor.now)
        return seen

    def describe(self) -> State:
        """State of the session; empty before the first reset."""
        if self.world is None or not self._plane.knows(self.world):
            return State(episode_id=None, step_count=0, scenario=None, seed=None, time=None, ended=None)
        run = self._plane.episodes[self.world]
        return State(
            episode_id=self.world,
            step_count=self._steps,
            scenario=run.scenario.name,
            seed=run.seed,
            time=iso(run.actor.now),
            ended=run.actor.ended,
        )

    def close(self) -> None:
        """Drop the world."""
        world, self.world = self.world, None
        if world is not None and self._plane.knows(world):
            self._plane.drop(world)

    def _find_world(self) -> str:
        if self.world is None or not self._plane.knows(self.world):
            raise NotReset("there is no episode: reset begins one")
        return self.world

    async def _reward(self, *, done: bool) -> float | None:
        """What is due beyond what was paid: the score at the end, the raw score at every step if asked for."""
        if not done and not self._is_dense:
            return 0.0
        due = await self._value("score" if done else "raw_score")
        before, self._paid = self._paid, due
        return due - before

    async def _value(self, name: str) -> float:
        verdict = orjson.loads(await self._plane.grade(self._find_world()))
        if verdict[name] is None:
            raise NotGraded(f"the run could not be graded: {verdict['error']['kind']}")
        return float(verdict[name])
