"""Each request of the control plane and how its answer is read; the clients differ only in how they send it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from .models import REWARDS, StepReward, Token, World

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Ask(Generic[T]):
    """One request, and the reader of its JSON."""

    method: str
    path: str
    read: Callable[[Any], T]
    body: Mapping[str, Any] | None = None
    query: Mapping[str, Any] = field(default_factory=dict[str, Any])


def _as_it_is(answer: Any) -> Any:
    return answer


def _read_nothing(_: Any) -> None:
    return None


def health() -> Ask[dict[str, Any]]:
    """GET /health."""
    return Ask("GET", "/health", _as_it_is)


def scenarios() -> Ask[dict[str, str]]:
    """GET /scenarios."""
    return Ask("GET", "/scenarios", _as_it_is)


def worlds() -> Ask[list[str]]:
    """GET /worlds."""
    return Ask("GET", "/worlds", _as_it_is)


def status() -> Ask[list[dict[str, Any]]]:
    """GET /status."""
    return Ask("GET", "/status", _as_it_is)


def release_world(world: str) -> Ask[None]:
    """DELETE the quarantine of a world."""
    return Ask("DELETE", f"/worlds/{world}/quarantine", _read_nothing)


def create(
    scenario: str | None, seed: int, name: str | None, settings: Mapping[str, Any], idle_ttl_s: float | None
) -> Ask[World]:
    """POST /worlds."""
    body = {"scenario": scenario, "seed": seed, "name": name, "settings": settings, "idle_ttl_s": idle_ttl_s}
    return Ask("POST", "/worlds", World.model_validate, body)


def describe_world(world: str) -> Ask[World]:
    """GET a world."""
    return Ask("GET", f"/worlds/{world}", World.model_validate)


def fork(world: str, at: int | None, name: str | None) -> Ask[World]:
    """POST the fork of a world."""
    return Ask("POST", f"/worlds/{world}/fork", World.model_validate, {"at": at, "name": name})


def fork_group(world: str, size: int, at: int | None) -> Ask[list[tuple[World, Token]]]:
    """POST several forks of one state."""

    def read(answer: Any) -> list[tuple[World, Token]]:
        return [(World.model_validate(one["world"]), Token.model_validate(one["token"])) for one in answer]

    return Ask("POST", f"/worlds/{world}/group", read, {"size": size, "at": at})


def do_steps(steps: Sequence[Mapping[str, Any]]) -> Ask[list[dict[str, Any]]]:
    """POST tool calls of many worlds."""
    return Ask("POST", "/steps", _as_it_is, {"steps": list(steps)})


def grade_worlds(worlds: Sequence[str], *, public: bool) -> Ask[list[dict[str, Any]]]:
    """POST the grading of many worlds."""
    return Ask("POST", "/grades", _as_it_is, {"worlds": list(worlds), "public": public})


def rewards(world: str, since: int) -> Ask[list[StepReward]]:
    """GET what each call of the agent was worth."""
    return Ask("GET", f"/worlds/{world}/rewards", REWARDS.validate_python, query={"since": since})


def salvage(world: str, name: str | None) -> Ask[dict[str, Any]]:
    """POST the salvage of a world."""
    return Ask("POST", f"/worlds/{world}/salvage", _as_it_is, {"name": name})


def advance(world: str, duration: str) -> Ask[World]:
    """POST an advance of time."""
    return Ask("POST", f"/worlds/{world}/advance", World.model_validate, {"for": duration})


def inject(world: str, person: str, operation: str, arguments: Mapping[str, Any]) -> Ask[Any]:
    """POST an operation as a person."""
    body = {"person": person, "operation": operation, "arguments": arguments}
    return Ask("POST", f"/worlds/{world}/inject", _as_it_is, body)


def token(
    world: str,
    app: str,
    person: str | None,
    kind: str | None,
    credential: str,
    subjects: Sequence[str],
    scopes: Sequence[str],
) -> Ask[Token]:
    """POST a credential."""
    named = {"person": person, "app": app, "kind": kind, "credential": credential}
    wanted = {**named, "subjects": list(subjects), "scopes": list(scopes)}
    return Ask("POST", f"/worlds/{world}/tokens", Token.model_validate, wanted)


def diff(world: str, since: int) -> Ask[list[dict[str, Any]]]:
    """GET the net difference."""
    return Ask("GET", f"/worlds/{world}/diff", _as_it_is, query={"since": since})


def history(world: str, since: int) -> Ask[dict[str, list[dict[str, Any]]]]:
    """GET calls and changes."""
    return Ask("GET", f"/worlds/{world}/history", _as_it_is, query={"since": since})


def trajectory(world: str) -> Ask[dict[str, Any]]:
    """GET header and steps."""
    return Ask("GET", f"/worlds/{world}/trajectory", _as_it_is)


def note(world: str, given: Mapping[str, Any]) -> Ask[None]:
    """POST what a harness adds to the last step."""
    return Ask("POST", f"/worlds/{world}/harness", _read_nothing, given)


def state_hash(world: str) -> Ask[str]:
    """GET the hash of a world."""
    return Ask("GET", f"/worlds/{world}/hash", lambda answer: answer["hash"])


def grade(world: str, *, public: bool, at: int | None) -> Ask[dict[str, Any]]:
    """POST the grading of an episode."""
    asked: dict[str, Any] = {"public": True} if public else {}
    if at is not None:
        asked["at"] = at
    return Ask("POST", f"/worlds/{world}/grade", _as_it_is, query=asked)


def drop(world: str) -> Ask[None]:
    """DELETE a world."""
    return Ask("DELETE", f"/worlds/{world}", _read_nothing)
