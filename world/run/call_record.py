"""One call under way, and what recorders get to read of it afterwards."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from world.core.errors import OperationError
from world.core.operation import Operation
from world.core.params import Arguments, Params
from world.core.principal import Principal
from world.run.exchange import Exchange
from world.script.faults import CLEAR, FaultDecision


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One finished call: times in us, the outcome, and the caller's arguments."""

    seq: int
    at: int
    ended_at: int
    actor: str
    door: str
    operation: str
    arguments: Arguments
    status: str
    result: Any = None
    cause: int | None = None
    at_door: bool = False


Recorder = Callable[[CallRecord], None]
Visitor = Callable[[Exchange], None]  # is told of a request that reached no operation


@dataclass(slots=True)
class Attempt:
    """One call under way."""

    principal: Principal
    door: str
    operation: Operation
    arguments: Arguments
    base_url: str
    now: int
    refusal: OperationError | None = None
    params: Params | None = None
    hit: FaultDecision = CLEAR
    digest: str = ""
