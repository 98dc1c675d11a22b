"""PettingZoo: the members of a team as the agents of a parallel environment. Needs the package pettingzoo (1.27)."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy
from pettingzoo import ParallelEnv

from world.adapters.gym import Words
from world.client import Episode, Fleet, Task, ToolDoorError

NOT_A_CALL = 'An action is {"name": TOOL, "arguments": {...}}.'
Infos = dict[str, dict[str, Any]]


class TeamEnv(ParallelEnv[str, str, str]):
    """Episodes of tasks with a team. Agents are named by their directory ids; an action is a tool call as JSON,
    `{"name": ..., "arguments": {...}}`, an observation the task and then each call's answer.

    In a step every agent that is at work acts, in the order of the team; what a waiting one sends is not done. Rewards
    are 0 until the episode has ended or had `max_steps`; then each is the agent's own score. With `dense` each step earns
    the change of the raw score, and the last one what is due beyond it to the agent's own score. `infos` hold `tools` at the
    reset, afterwards `state` (at_work, waiting, finished) and `is_error`, and at the end the public `verdict`.
    """

    metadata: dict[str, Any] = {"name": "firmament_team", "render_modes": ["ansi"]}

    def __init__(self, fleet: Fleet, tasks: Sequence[Task], *, max_steps: int = 200, dense: bool = False) -> None:
        self.render_mode = "ansi"
        self._fleet, self._tasks, self._max_steps, self._dense = fleet, tuple(tasks), max_steps, dense
        self._paid = 0.0
        self._root: Episode | None = None
        self._members: dict[str, Episode] = {}
        self._asleep: set[str] = set()  # those whose wait has not been answered
        self._steps, self._random = 0, numpy.random.default_rng(0)
        self.possible_agents = self._list_agents()
        self.agents: list[str] = []
        self._spaces = {agent: Words() for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Words:
        """Any text."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Words:
        """Any text; a sample looks at the clock."""
        return self._spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[dict[str, str], Infos]:
        """A new episode: of `options["task"]`, else of a task drawn by the seed. Raises ValueError for a task whose team
        is another one.
        """
        if seed is not None:
            self._random = numpy.random.default_rng(seed)
        drawn = self._tasks[int(self._random.integers(len(self._tasks)))]
        self.close()
        self._root = self._fleet.create((options or {}).get("task", drawn))
        if self._root.members != self.possible_agents:
            raise ValueError(f"another team than {', '.join(self.possible_agents)}")
        self._members = {person: self._root.member(person) for person in self._root.members}
        self.agents, self._steps, self._asleep = list(self._members), 0, set()
        self._paid = self._raw_score(self._root) if self._dense else 0.0
        tools = [one.model_dump(by_alias=True) for one in self._root.tools()]
        seen = {agent: one.prompt for agent, one in self._members.items()}
        return seen, {agent: {"tools": tools} for agent in self.agents}

    def step(
        self, actions: Mapping[str, str]
    ) -> tuple[dict[str, str], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Let every agent that is at work act once; a text that is no call is answered with what one is."""
        root = self._root
        if root is None or not self.agents:
            return {}, {}, {}, {}, {}
        self._steps += 1
        answers = {agent: self._act(agent, actions.get(agent, "")) for agent in self.agents}
        after = root.observe()
        for one in after.team:
            if one.person in self._asleep and one.state == "at_work" and one.woken is not None:
                self._asleep.discard(one.person)
                answers[one.person] = json.dumps(one.woken), False
        states = {one.person: one.state for one in after.team}
        is_cut = after.ended is None and self._steps >= self._max_steps
        is_over = after.ended is not None or is_cut
        verdict = root.grade() if is_over else {}
        infos: Infos = {
            agent: {"state": states[agent], "is_error": answers[agent][1]} | ({"verdict": verdict} if is_over else {})
            for agent in self.agents
        }
        found = (
            {agent: answers[agent][0] for agent in self.agents},
            self._earn(root, verdict),
            {agent: after.ended is not None for agent in self.agents},
            dict.fromkeys(self.agents, is_cut),
            infos,
        )
        if is_over:
            self.agents = []
        return found

    def render(self) -> str:
        """The time of the world."""
        return "" if self._root is None else self._root.observe().utc

    def close(self) -> None:
        """Forget the episode; the fleet stays open."""
        if self._root is not None:
            self._root.close()
            self._root = None

    def _earn(self, root: Episode, verdict: Mapping[str, Any]) -> dict[str, float]:
        """What is due to each agent beyond what was paid; the verdict is empty before the end."""
        before = self._paid
        if verdict:
            return {agent: float(verdict["members"][agent]["score"]) - before for agent in self.agents}
        if self._dense:
            self._paid = self._raw_score(root)
        return dict.fromkeys(self.agents, self._paid - before)

    def _raw_score(self, root: Episode) -> float:
        return float(root.grade(public=False)["raw_score"])

    def _list_agents(self) -> list[str]:
        with self._fleet.create(self._tasks[0]) as probe:
            return probe.members

    def _act(self, agent: str, action: str) -> tuple[str, bool]:
        """Do the call of an agent. One who waits, or is done, acts with no call; their answer is empty."""
        episode = self._members[agent]
        states = {one.person: one.state for one in episode.observe().team}
        if states[agent] != "at_work":
            return "", False
        try:
            asked: Any = json.loads(action)
            name, arguments = str(asked["name"]), dict(asked.get("arguments", {}))
            result = self._fleet.step_many([(episode, name, arguments)])[0]
        except (json.JSONDecodeError, TypeError, KeyError, AttributeError, ValueError):
            return NOT_A_CALL, True
        except ToolDoorError as error:
            return error.message, True
        if name == "world_wait" and not result.is_error:
            self._asleep.add(agent)
        return result.text, result.is_error
