"""The trajectory of a run: a header, then one line per step of the agent, written as they happen.

docs/trajectories.md describes the format.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from world.core.journal import changes_after, last_change
from world.run.actor import Actor
from world.run.call_record import CallRecord
from world.run.exchange import Exchange, Request, Response, get_exchange
from world.run.run_folder import AGENT_DOORS, Contents, line

FORMAT, VERSION = "firmament-trajectory", 1
FILE, HARNESS, CONTENT_FOLDER = "trajectory.jsonl", "harness.jsonl", "content"


class Origin(BaseModel):
    """Where a branch began: the run, its step, the call after which the world was forked, and what was changed."""

    model_config = ConfigDict(extra="forbid")
    run: str
    step: int
    seq: int
    change: str = ""


class Header(BaseModel):
    """The first line of a trajectory. `person` is the directory id of the employee the agent plays, `start` is in us."""

    model_config = ConfigDict(extra="forbid")
    format: str = FORMAT
    version: int = VERSION
    scenario: str = ""
    revision: str = ""
    seed: int = 0
    agent: str = ""
    person: str = ""
    start: int = 0
    task: str = ""
    image: str = ""
    origin: Origin | None = None


@dataclass(slots=True)
class _Waiting:
    """A step whose answer may still be under way."""

    row: dict[str, Any]
    exchange: Exchange | None
    began: float = 0.0
    first: "_Waiting | None" = None  # the step that opened the same request


class Trajectory:
    """Writes one line per step of the agent: what it asked, what it saw, what happened meanwhile, what changed.

    Steps are written in the order of their calls, each when its answer has been sent. `clock` gives real seconds for
    `harness.jsonl`, which a replay does not repeat; without it no real time is written. `before` are the lines of the
    run that this one branches off.
    """

    def __init__(
        self,
        actor: Actor,
        path: Path,
        header: Header | None = None,
        *,
        clock: Callable[[], float] | None = None,
        before: Sequence[bytes] = (),
    ) -> None:
        self._actor, self._clock = actor, clock
        self._file = path.open("wb")
        self._times = path.with_name(HARNESS).open("ab") if clock is not None else BytesIO()
        self._contents = Contents(path.with_name(CONTENT_FOLDER))
        self._file.write(line((header or Header()).model_dump()))
        self._file.writelines(before)
        self._file.flush()
        self._meanwhile: list[dict[str, Any]] = []
        self._waiting: deque[_Waiting] = deque()
        self._mark = last_change(actor.bound)
        self._began = clock() if clock is not None else 0.0
        self.steps = len(before)
        actor.recorders.append(self.record)

    def record(self, call: CallRecord) -> None:
        """Take note of one call; an agent's call is a step."""
        if call.door not in AGENT_DOORS and call.door != "control":
            self._meanwhile.append(_describe(call))
            return
        exchange = get_exchange()
        self.steps += 1
        row = {"kind": "step", "step": self.steps, **_describe(call), "arguments": dict(call.arguments)}
        if call.at_door:
            row["at_door"] = True
        if exchange is None:
            row["result"] = call.result
        else:
            exchange.listen(self._flush)
        diff = [asdict(change) for change in changes_after(self._actor.bound, self._mark)]
        self._mark = diff[-1]["id"] if diff else self._mark
        row |= {"events": self._meanwhile, "diff": diff}
        self._meanwhile = []
        self._waiting.append(_Waiting(row, exchange, self._clock() if self._clock else 0.0, self._find_first(exchange)))
        self._flush()

    def _find_first(self, exchange: Exchange | None) -> _Waiting | None:
        if exchange is None:
            return None
        return next((one for one in self._waiting if one.exchange is exchange), None)

    def _flush(self) -> None:
        """Write the steps whose answers have been sent, up to the first that waits."""
        while self._waiting and not (self._waiting[0].exchange is not None and self._waiting[0].exchange.is_open):
            self._write(self._waiting.popleft())
        self._file.flush()
        self._times.flush()

    def _write(self, one: _Waiting) -> None:
        row = one.row
        if one.first is not None:
            row["within"] = one.first.row["step"]
        elif one.exchange is not None and one.exchange.request is not None and one.exchange.response is not None:
            row["request"] = describe_message(one.exchange.request)
            row["response"] = describe_message(one.exchange.response)
        self._file.write(self._contents.encode(row))
        if self._clock is not None:
            now = self._clock()
            times = {"at_s": round(one.began - self._began, 6), "took_s": round(now - one.began, 6)}
            self._times.write(line({"kind": "time", "step": row["step"], **times}))

    def close(self) -> None:
        """Stop recording. Steps whose answers never came are written without them."""
        self._actor.recorders.remove(self.record)
        while self._waiting:
            self._write(self._waiting.popleft())
        self._file.close()
        self._times.close()


def _describe(call: CallRecord) -> dict[str, Any]:
    return {
        "seq": call.seq,
        "at": call.at,
        "ended_at": call.ended_at,
        "actor": call.actor,
        "door": call.door,
        "operation": call.operation,
        "status": call.status,
        "cause": call.cause,
    }


def describe_message(message: Request | Response) -> Mapping[str, Any]:
    """A request or an answer as a step keeps it: a body that is text as text, any other as base64."""
    if "body" not in message:
        return message
    return {**message, "body": decode_body(message["body"])}


def decode_body(body: bytes) -> str | bytes:
    """The text of a body in UTF-8, or the bytes."""
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return body
