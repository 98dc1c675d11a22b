"""Gymnasium: one employee's episode as an environment. Needs the package gymnasium (1.x)."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import gymnasium

from world.client import Episode, Fleet, Task, ToolDoorError

NOTHING = '{"name": "world_now", "arguments": {}}'


class Words(gymnasium.Space[str]):
    """Any text. A sample is a harmless action: a look at the clock."""

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """The text that asks for the time."""
        return NOTHING

    def contains(self, x: Any) -> bool:
        """Whether it is a text."""
        return isinstance(x, str)

    def to_jsonable(self, sample_n: Iterable[str]) -> list[Any]:
        """Texts are JSON already."""
        return list(sample_n)

    @property
    def is_np_flattenable(self) -> bool:
        """A text is no array."""
        return False


class CompanyEnv(gymnasium.Env[str, str]):
    """Episodes of the tasks given. An action is a tool call as JSON, `{"name": ..., "arguments": {...}}`; the
    observation is the task, then each call's answer.

    The reward is the score when the episode has ended (`world_finish`, a call budget, or `max_steps`), 0 before. With
    `dense` it is the change of the raw score at every step; their sum is the raw score at the end. `info` holds
    `prompt` and `tools` at the reset, `is_error` after a step and the public verdict at the end.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        fleet: Fleet,
        tasks: Sequence[Task],
        *,
        max_steps: int = 200,
        dense: bool = False,
        render_mode: str = "ansi",
    ) -> None:
        self.observation_space = Words()
        self.action_space = Words()
        self.render_mode = render_mode
        self._fleet, self._tasks, self._max_steps, self._dense = fleet, tuple(tasks), max_steps, dense
        self._episode: Episode | None = None
        self._steps, self._raw, self._seen = 0, 0.0, ""

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """A new episode: of `options["task"]`, else of a task drawn by the seed. Raises ValueError for other options."""
        super().reset(seed=seed)
        if unknown := set(options or {}) - {"task"}:
            raise ValueError(f"unknown options: {', '.join(sorted(unknown))}")
        drawn = self._tasks[int(self.np_random.integers(len(self._tasks)))]
        self._leave()
        self._episode = episode = self._fleet.create((options or {}).get("task", drawn))
        self._steps, self._raw, self._seen = 0, 0.0, episode.prompt
        tools = [one.model_dump(by_alias=True) for one in episode.tools()]
        return self._seen, {"prompt": episode.prompt, "tools": tools}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Call a tool. What is no call, or names no tool, is an observation that says so. Raises ResetNeeded."""
        episode = self._episode
        if episode is None:
            raise gymnasium.error.ResetNeeded("call reset first")
        self._steps += 1
        self._seen, is_error = _perform(episode, action)
        terminated = episode.observe().ended is not None
        truncated = not terminated and self._steps >= self._max_steps
        info: dict[str, Any] = {"is_error": is_error}
        if terminated or truncated:
            info["verdict"] = episode.grade()
        reward = self._earn(episode) if self._dense else info["verdict"]["score"] if "verdict" in info else 0.0
        return self._seen, float(reward), terminated, truncated, info

    def render(self) -> str:
        """The last observation."""
        return self._seen

    def close(self) -> None:
        """Forget the episode; the fleet stays open."""
        self._leave()

    def _earn(self, episode: Episode) -> float:
        before, self._raw = self._raw, float(episode.grade(public=False)["raw_score"])
        return self._raw - before

    def _leave(self) -> None:
        if self._episode is not None:
            self._episode.close()
            self._episode = None


def _perform(episode: Episode, action: str) -> tuple[str, bool]:
    try:
        asked: Any = json.loads(action)
        name, arguments = asked["name"], asked.get("arguments", {})
        result = episode.call(name, arguments)
    except (json.JSONDecodeError, TypeError, KeyError, AttributeError):
        return 'An action is {"name": TOOL, "arguments": {...}}.', True
    except ToolDoorError as error:
        return error.message, True
    return result.text, result.is_error
