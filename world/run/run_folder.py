"""The run folder: config, trajectory and journal as JSON lines, written as they happen and read back for replay."""

import base64
import json
from collections.abc import Iterator
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel

from world.core.errors import InvalidArguments, OperationError, Outage
from world.core.journal import changes_after, last_change
from world.core.json_types import is_array, is_object, is_set
from world.run.actor import Actor
from world.run.call_record import CallRecord

AGENT_DOORS = frozenset({"rest", "mcp", "page"})


def encode_default(value: object) -> Any:
    """JSON for what orjson does not know: bytes as base64, models and refusals as objects, sets in order."""
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    if isinstance(value, InvalidArguments):
        return {"error": value.code, "problems": value.problems}
    if isinstance(value, Outage):
        return {"error": value.code, "kind": value.kind, "retry_after_s": value.retry_after_s}
    if isinstance(value, OperationError):
        return {"error": value.code, **value.detail}
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if is_set(value):
        return sorted(value)
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def line(value: object) -> bytes:
    """One canonical JSON line; what an agent sent may hold numbers and texts that only the standard library writes."""
    try:
        return (
            orjson.dumps(value, default=encode_default, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS) + b"\n"
        )
    except orjson.JSONEncodeError:
        return json.dumps(value, default=encode_default, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def restore_bytes(value: object) -> Any:
    """Restore arguments read back from a trajectory: base64 objects become bytes again."""
    if is_object(value):
        if set(value) == {"base64"}:
            return base64.b64decode(str(value["base64"]))
        return {key: restore_bytes(item) for key, item in value.items()}
    return [restore_bytes(item) for item in value] if is_array(value) else value


class Trajectory:
    """Writes one line per step of the agent: the call, its result, what happened meanwhile, what changed."""

    def __init__(self, actor: Actor, path: Path) -> None:
        self._actor, self._path, self._file = actor, path, path.open("wb")
        self._mark = last_change(actor.bound)
        self._meanwhile: list[dict[str, Any]] = []
        self.steps = 0
        actor.recorders.append(self.record)

    def record(self, call: CallRecord) -> None:
        """Take note of one call; an agent's call closes a step."""
        row = {
            "seq": call.seq,
            "at": call.at,
            "ended_at": call.ended_at,
            "actor": call.actor,
            "door": call.door,
            "operation": call.operation,
            "status": call.status,
            "cause": call.cause,
        }
        if call.door not in AGENT_DOORS and call.door != "control":
            self._meanwhile.append(row)
            return
        if call.at_door:
            row["at_door"] = True
        diff = [asdict(change) for change in changes_after(self._actor.bound, self._mark)]
        self._mark = diff[-1]["id"] if diff else self._mark
        self._file.write(
            line(
                {
                    **row,
                    "arguments": dict(call.arguments),
                    "result": call.result,
                    "events": self._meanwhile,
                    "diff": diff,
                }
            )
        )
        self._file.flush()
        self._meanwhile = []
        self.steps += 1

    def close(self) -> None:
        """Stop recording."""
        self._actor.recorders.remove(self.record)
        self._file.close()


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON-lines file."""
    with path.open("rb") as file:
        for text in file:
            yield json.loads(text)
