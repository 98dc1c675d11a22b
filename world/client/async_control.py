"""The client of the control plane on an event loop: make worlds, hand out tokens, look, grade."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import httpx

from . import asks, wire
from .asks import Ask
from .async_requests import send_request
from .models import StepReward, Token, World

T = TypeVar("T")


class AsyncClient:
    """Talks to one server: `AsyncClient(socket=".firm/run/control.sock", secret=...)` or `AsyncClient(url=..., secret=...)`."""

    def __init__(
        self, *, secret: str, socket: str | Path | None = None, url: str | None = None, timeout_s: float = 60.0
    ) -> None:
        transport = httpx.AsyncHTTPTransport(uds=str(socket), limits=wire.LIMITS) if socket is not None else None
        self._http = httpx.AsyncClient(
            base_url=url or "http://control",
            headers={"Authorization": f"Bearer {secret}"},
            transport=transport,
            timeout=timeout_s,
            limits=wire.LIMITS,
        )

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def _do(self, ask: Ask[T]) -> T:
        return ask.read(
            wire.read(await send_request(self._http, ask.method, ask.path, json=ask.body, params=ask.query or None))
        )

    async def health(self) -> dict[str, Any]:
        """`image`, the number of `worlds`, and of a server with workers each of them: pid, up, restarts, waiting."""
        return await self._do(asks.health())

    async def scenarios(self) -> dict[str, str]:
        """Installed scenarios: name -> title."""
        return await self._do(asks.scenarios())

    async def worlds(self) -> list[str]:
        """Names of all worlds."""
        return await self._do(asks.worlds())

    async def status(self) -> list[dict[str, Any]]:
        """List each world's health: `quarantined` (the fault), `slowed`, `waiting`, `steps`, `longest_hold_ms`."""
        return await self._do(asks.status())

    async def release(self, world: str) -> None:
        """Let the callers of a quarantined world in again. Raises ControlError."""
        return await self._do(asks.release_world(world))

    async def create(
        self,
        *,
        scenario: str | None = None,
        seed: int = 0,
        name: str | None = None,
        idle_ttl_s: float | None = None,
        **settings: Any,
    ) -> World:
        """A new world; with a scenario, at its first moment. It is dropped when nobody uses it for `idle_ttl_s` seconds
        (0: never; by default as the server says). Raises ControlError.
        """
        return await self._do(asks.create(scenario, seed, name, settings, idle_ttl_s))

    async def describe(self, world: str) -> World:
        """Return the state of a world."""
        return await self._do(asks.describe_world(world))

    async def fork(self, world: str, *, at: int | None = None, name: str | None = None) -> World:
        """A world that goes on from call `at` of another (its head by default)."""
        return await self._do(asks.fork(world, at, name))

    async def fork_group(self, world: str, size: int, *, at: int | None = None) -> list[tuple[World, Token]]:
        """Several forks of one state, each with a token of its agent. Raises ControlError."""
        return await self._do(asks.fork_group(world, size, at))

    async def do_steps(self, steps: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Tool calls of agents, `world`, `name` and `arguments` each; up to 1,024. An answer with `status` is a refusal."""
        return await self._do(asks.do_steps(steps))

    async def grade_worlds(self, worlds: Sequence[str], *, public: bool = False) -> list[dict[str, Any]]:
        """Verdicts of up to 1,024 worlds, in order. An answer with `status` is a refusal."""
        return await self._do(asks.grade_worlds(worlds, public=public))

    async def salvage(self, world: str, *, name: str | None = None) -> dict[str, Any]:
        """A new world from the calls before the damage of this one's log; `damaged_at` and `lost_bytes` say what is gone."""
        return await self._do(asks.salvage(world, name))

    async def advance(self, world: str, duration: str) -> World:
        """Let simulated time pass: `20m`, `2h`."""
        return await self._do(asks.advance(world, duration))

    async def inject(self, world: str, person: str, operation: str, **arguments: Any) -> Any:
        """Do an operation as a person (id, handle or address)."""
        return await self._do(asks.inject(world, person, operation, arguments))

    async def token(
        self,
        world: str,
        app: str = "",
        *,
        person: str | None = None,
        kind: str | None = None,
        credential: str = "",
        subjects: Sequence[str] = (),
        scopes: Sequence[str] = (),
    ) -> Token:
        """A token in the app's own form, or one of a vendor for all its apps; without a person, for the employee the
        agent plays. `scopes` limit it.

        `credential` asks for another kind as well, which may speak for `subjects` too.
        """
        return await self._do(asks.token(world, app, person, kind, credential, subjects, scopes))

    async def diff(self, world: str, since: int = 0) -> list[dict[str, Any]]:
        """Rows that are different in the end: table, pk, op, before, after, journal_ids."""
        return await self._do(asks.diff(world, since))

    async def history(self, world: str, since: int = 0) -> dict[str, list[dict[str, Any]]]:
        """`calls` and `changes` after a call; `missed`: what employees asked for so far that no app has."""
        return await self._do(asks.history(world, since))

    async def trajectory(self, world: str) -> dict[str, Any]:
        """`header` and `steps`: what the agent asked and saw at each step, and what changed."""
        return await self._do(asks.trajectory(world))

    async def note(
        self,
        world: str,
        *,
        tokens: Mapping[str, int] | None = None,
        messages: Sequence[Mapping[str, Any]] = (),
        screenshot: str | None = None,
    ) -> None:
        """Keep with the last step what only a harness knows: tokens, the model's messages, a PNG in base64."""
        given = {"tokens": tokens, "messages": [*messages], "screenshot": screenshot}
        return await self._do(asks.note(world, {name: value for name, value in given.items() if value}))

    async def state_hash(self, world: str) -> str:
        """The hash of every tracked row, 32 hex digits."""
        return await self._do(asks.state_hash(world))

    async def grade(self, world: str, *, public: bool = False, at: int | None = None) -> dict[str, Any]:
        """The verdict: pass, score, items, unclaimed ...; `public`: pass, score, unmet, charges, and nothing of the rubric.
        With `at` that of the run up to that call. The world itself is not touched.
        """
        return await self._do(asks.grade(world, public=public, at=at))

    async def rewards(self, world: str, since: int = 0) -> list[StepReward]:
        """What each call of the agent, or of their team, after call `since` was worth; the gains add up to the score."""
        return await self._do(asks.rewards(world, since))

    async def drop(self, world: str) -> None:
        """Forget a world and its tokens."""
        return await self._do(asks.drop(world))
