"""The trajectory of a run: a header, then one line per step of the agent, written as they happen.

docs/trajectories.md describes the format.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from world.core.journal import changes_between, last_change, last_change_of, parse_json
from world.run.actor import Actor
from world.run.call_record import CallRecord
from world.run.exchange import Exchange, Request, Response, get_exchange
from world.run.run_folder import AGENT_DOORS, Contents, line
from world.store import Bound

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
    """A step that is not written yet: its answer may be under way. `mark` is the last journal row up to its end.

    Without a call it is a request that reached no operation.
    """

    call: CallRecord | None
    events: list[dict[str, Any]]
    exchange: Exchange | None
    first: "_Waiting | None"  # the step that opened the same request
    mark: int
    began: float
    number: int = 0

    @property
    def is_open(self) -> bool:
        """Whether the answer has not been sent."""
        return self.exchange is not None and self.exchange.is_open


@dataclass(frozen=True, slots=True)
class Opening:
    """How a file begins: its header, and of a branch the lines of the steps that it shares with another run."""

    header: Header = field(default_factory=Header)
    lines: Sequence[bytes] = ()


Open = Callable[[Bound, Contents], Opening]  # asked with the world, and the place for long texts


def open_plainly(bound: Bound, contents: Contents) -> Opening:
    """The opening of a trajectory that nothing is known of."""
    return Opening()


class Trajectory:
    """Writes one line per step of the agent: what it asked, what it saw, what happened meanwhile, what changed.

    Steps are written in the order of their calls, after their answers have been sent; up to `hold` of them wait in
    memory for `flush`. `clock` gives real seconds for `harness.jsonl`, which a replay does not repeat; without it no
    real time is written. `opening` is asked when the file is begun. `since` is the last call of the world so far, where
    that is known: a fork is then recorded without a look at it.
    """

    def __init__(
        self,
        actor: Actor,
        path: Path,
        opening: Open = open_plainly,
        *,
        clock: Callable[[], float] | None = None,
        hold: int = 0,
        since: int | None = None,
    ) -> None:
        self.path, self._actor, self._clock, self._opening, self._hold = path, actor, clock, opening, hold
        self._contents = Contents(path.with_name(CONTENT_FOLDER))
        self._meanwhile: list[dict[str, Any]] = []
        self._waiting: deque[_Waiting] = deque()
        self._since = since
        self._mark = last_change(actor.bound) if since is None else 0
        self._began = clock() if clock is not None else 0.0
        self._written: int | None = None  # steps in the file, once there is one
        if not hold:
            self._start()
        actor.recorders.append(self.record)
        actor.visitors.append(self.see)

    @property
    def steps(self) -> int:
        """How many steps there are, those that wait included."""
        return self._start() + sum(one.call is not None for one in self._waiting)

    def record(self, call: CallRecord) -> None:
        """Take note of one call; an agent's call is a step."""
        if self._since is not None:
            self._mark, self._since = last_change_of(self._actor.bound, self._since), None
        if call.door not in AGENT_DOORS and call.door != "control":
            self._meanwhile.append(_describe(call))
            return
        exchange = get_exchange()
        is_further = exchange is not None and not exchange.listen(self._settle)
        first = next((one for one in self._waiting if one.exchange is exchange), None) if is_further else None
        began = self._clock() if self._clock is not None else 0.0
        step = _Waiting(call, self._meanwhile, exchange, first, last_change(self._actor.bound), began)
        self._meanwhile = []
        self._waiting.append(step)
        self._settle()

    def see(self, exchange: Exchange) -> None:
        """Take note of a request that reached no operation; it is no step."""
        began = self._clock() if self._clock is not None else 0.0
        mark = self._waiting[-1].mark if self._waiting else self._mark
        self._waiting.append(_Waiting(None, [], exchange, None, mark, began))
        self._settle()

    def _settle(self) -> None:
        """Write when more wait than may."""
        if len(self._waiting) > self._hold:
            self.flush()

    def flush(self) -> None:
        """Write the steps whose answers have been sent, up to the first that waits."""
        ready = list[_Waiting]()
        while self._waiting and not self._waiting[0].is_open:
            ready.append(self._waiting.popleft())
        self._write(ready)

    def close(self) -> None:
        """Stop recording. Steps whose answers never came are written without them."""
        self._leave()
        self._write(list(self._waiting))
        self._waiting.clear()

    def abandon(self) -> None:
        """Stop recording a world that is gone; what waits stays for branches that begin in it."""
        self._leave()
        self._hold = len(self._waiting) + 1

    def _leave(self) -> None:
        if self.record in self._actor.recorders:
            self._actor.recorders.remove(self.record)
            self._actor.visitors.remove(self.see)

    def move(self, path: Path) -> None:
        """Go on with the file at another place, where it has been moved to."""
        self.path, self._contents = path, Contents(path.with_name(CONTENT_FOLDER))

    def list_lines(self, seq: int, bound: Bound, contents: Contents) -> list[bytes]:
        """The lines up to the step of a call, for a branch: `bound` is its world, where the same rows stand."""
        known = self._read_file() if self._written is not None else self._opening(bound, contents).lines
        contents.link(self._contents)
        shared = list(takewhile(lambda text: _read_seq(text) <= seq, known))
        ready = list(takewhile(lambda one: not one.is_open, self._waiting))
        fresh = list(takewhile(lambda one: one.call is None or one.call.seq <= seq, ready))
        return [*shared, *self._encode(fresh, bound, contents, count_steps(known))]

    def _read_file(self) -> list[bytes]:
        return self.path.read_bytes().splitlines(keepends=True)[1:]

    def _start(self) -> int:
        """Begin the file, or go on with one that is there; returns how many steps it holds."""
        if self._written is None and self.path.exists():
            self._written = count_steps(self._read_file())
        if self._written is None:
            begun = self._opening(self._actor.bound, self._contents)
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.path.write_bytes(b"".join((line(begun.header.model_dump()), *begun.lines)))
            self._written, self._opening = count_steps(begun.lines), open_plainly
        return self._written

    def _write(self, waiting: Sequence[_Waiting]) -> None:
        texts = self._encode(waiting, self._actor.bound, self._contents, self._start()) if waiting else []
        _append(self.path, texts)
        if self._clock is not None:
            _append(self.path.with_name(HARNESS), [self._describe_time(one) for one in waiting if one.call])
        self._written = self._start() + sum(one.call is not None for one in waiting)
        self._mark = waiting[-1].mark if waiting else self._mark

    def _encode(self, waiting: Sequence[_Waiting], bound: Bound, contents: Contents, number: int) -> list[bytes]:
        """The lines of what waits, after so many steps."""
        texts, mark = list[bytes](), self._mark
        for one in waiting:
            number += one.call is not None
            one.number = number
            texts.append(contents.encode(_describe_waiting(one, bound, mark)))
            mark = one.mark
        return texts

    def _describe_time(self, one: _Waiting) -> bytes:
        return line({"kind": "time", "step": one.number, "at_s": round(one.began - self._began, 6)})


def _describe_waiting(one: _Waiting, bound: Bound, mark: int) -> dict[str, Any]:
    """A step, or a request that is none, as its line says it; `mark` is the last journal row of the step before."""
    if one.call is None:
        return {"kind": "request", "after": one.number, **_describe_exchange(one.exchange)}
    diff = [asdict(change) for change in changes_between(bound, mark, one.mark)] if one.mark > mark else []
    row = {"kind": "step", "step": one.number, **_describe(one.call), "arguments": dict(one.call.arguments)}
    row |= {"events": one.events, "diff": diff}
    if one.call.at_door:
        row["at_door"] = True
    if one.exchange is None:
        return {**row, "result": one.call.result}
    if one.first is not None:
        return {**row, "within": one.first.number}
    return {**row, **_describe_exchange(one.exchange)}


def _describe_exchange(exchange: Exchange | None) -> dict[str, Any]:
    if exchange is None or exchange.request is None or exchange.response is None:
        return {}
    return {"request": describe_message(exchange.request), "response": describe_message(exchange.response)}


def count_steps(lines: Iterable[bytes]) -> int:
    """How many of some lines are steps."""
    return sum("seq" in parse_json(text) for text in lines)


def _read_seq(text: bytes) -> int:
    """The call of a step's line; 0 of any other line."""
    return parse_json(text).get("seq", 0)


def _append(path: Path, texts: Sequence[bytes]) -> None:
    if texts:
        with path.open("ab") as file:
            file.write(b"".join(texts))


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
