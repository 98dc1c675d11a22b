"""The context of an attack, and what an attack declares."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from world.agents.steps import DirectDoor, StepRefused
from world.agents.task import Task
from world.core.params import Arguments
from world.core.probes import Probes, Speech
from world.run.episode import Episode

T = TypeVar("T")


class NoOccasion(Exception):
    """This scenario gives the attack no occasion; the message says why."""


@dataclass(slots=True)
class AttackContext:
    """One attack on one run. `task` is the outside agent's task, where there is a server; `breaches` are its findings.

    `secrets` are texts nobody may have at the first moment; `apart` does something to the host, as its operator.
    """

    run: Episode
    number: int = 0
    task: Task | None = None
    secrets: Callable[[], list[str]] = list
    apart: Callable[[Callable[[], Any]], Any] = lambda job: job()
    breaches: list[str] = field(default_factory=list[str])

    @property
    def door(self) -> DirectDoor:
        """The operations, as tools would call them."""
        return DirectDoor(self.run, "mcp")

    @property
    def probes(self) -> list[Probes]:
        """Probes that the apps declare."""
        return [app.probes for app in self.run.host.apps.values()]

    @property
    def speeches(self) -> list[Speech]:
        """Ways to say a text, in the apps that have one."""
        return [probes.speech for probes in self.probes if probes.speech]

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self.run.actor.ended is not None

    def attempt(self, operation: str, arguments: Arguments) -> Any:
        """The result of a call, or None if it was refused or everything is over."""
        if self.over:
            return None
        try:
            return self.door.do(operation, arguments)
        except StepRefused:
            return None

    def finish(self, **arguments: object) -> None:
        """Say that the work is over."""
        self.attempt("world.finish", {"status": "done", **arguments})

    def breach(self, texts: Iterable[tuple[str, str]]) -> None:
        """Take note of every answer that holds a secret."""
        hidden = self.secrets()
        self.breaches += [
            f"{where} holds {text[:60]!r}" for where, answer in texts for text in hidden if text in answer
        ]


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack of the suite. `tries` are runs that differ in their number; a `served` one works against a real
    server. One that `works` does the task as well, so a score is earned and only a pass is too much.
    """

    id: str
    name: str
    act: Callable[[AttackContext], None]
    tries: int = 1
    served: bool = False
    works: bool = False
