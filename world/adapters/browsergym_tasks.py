"""BrowserGym: a task for page agents of every scenario or chore. Needs the package browsergym-core (0.14)."""

from collections.abc import Iterable, Mapping
from typing import Any

import playwright.sync_api
from browsergym.core.registration import register_task
from browsergym.core.task import AbstractBrowserTask

from world.client import Episode, Fleet, Task

PREFIX = "firmament."
Address = Mapping[str, Any]  # what a Fleet takes: secret, and socket or url


class CompanyTask(AbstractBrowserTask):
    """One episode: the employee's pages, signed in. It ends when the agent finishes on a page or tells the user something;
    the reward is then the score. `task_info` has the world, and at the end the public verdict.
    """

    def __init__(self, seed: int, address: Address, scenario: str, settings: Mapping[str, Any]) -> None:
        super().__init__(seed)
        self.slow_mo, self.timeout = 0, 20_000
        self._task = Task.of(scenario, seed or 0, **settings)  # without a seed, BrowserGym gives None
        self._fleet = Fleet(**address)
        self._episode: Episode | None = None

    def setup(self, page: playwright.sync_api.Page) -> tuple[str, dict[str, Any]]:
        """Make the world, sign in, and tell the task."""
        episode = self._episode = self._fleet.create(self._task)
        page.goto(episode.connections.login)
        return episode.prompt, {"world": episode.world}

    def validate(
        self, page: playwright.sync_api.Page, chat_messages: list[dict[str, Any]]
    ) -> tuple[float, bool, str, dict[str, Any]]:
        """Ask the server for the verdict once the episode has ended."""
        episode = self._episode
        assert episode is not None, "setup comes first"
        if episode.observe().ended is None and not _has_reported(chat_messages):
            return 0.0, False, "", {"world": episode.world}
        verdict = episode.grade()
        return float(verdict["score"]), True, "", {"world": episode.world, "verdict": verdict}

    def teardown(self) -> None:
        """Forget the world."""
        if self._episode is not None:
            self._episode.close()
            self._episode = None
        self._fleet.close()


def register_company(address: Address, scenarios: Iterable[str], **settings: Any) -> list[str]:
    """Register `browsergym/firmament.NAME` for each scenario or chore, and return the ids. The seed of an episode is that
    of `reset`.
    """
    ids: list[str] = []
    for scenario in scenarios:
        given = {"address": address, "scenario": scenario, "settings": settings}
        register_task(f"{PREFIX}{scenario}", CompanyTask, task_kwargs=given, nondeterministic=False)
        ids.append(f"browsergym/{PREFIX}{scenario}")
    return ids


def _has_reported(chat_messages: list[dict[str, Any]]) -> bool:
    """Whether the agent has said something after the task; BrowserGym itself greets before it."""
    roles = [message["role"] for message in chat_messages]
    task = roles.index("user") if "user" in roles else len(roles)
    return any(role in ("assistant", "infeasible") for role in roles[task:])
