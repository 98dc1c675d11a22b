"""A recovery that does not last: the fault is back for a while, so many times, and then it is over."""

from pathlib import Path

import pytest

from tests.company import START, as_person, host
from world.core.app import App
from world.core.call import Call
from world.core.clock import MINUTE
from world.core.errors import OperationError
from world.core.params import Params
from world.core.settings import Settings
from world.run.host import Host
from world.script.faults import Fault, FaultKind, Flapping
from world.script.scenario import Script, compile_script

app = App("clock", "Clock")


@app.operation("clock.read", source="own choice")
def read(call: Call, params: Params) -> int:
    """Read the clock."""
    return call.now


def started(folder: Path, **more: object) -> Host:
    firm = host(folder, [app])
    script = Script("flaps", START)
    script.fault(Fault("f", "clock", "error", **more), start="+0s", end="+10m")  # type: ignore[arg-type]
    firm.create("s", Settings(limits="off"), compile_script(script, horizon="2h"))
    return firm


def works(firm: Host, minute: int) -> bool:
    firm.actors["s"].advance(START + minute * MINUTE)
    try:
        firm.call(as_person(firm, world="s"), "rest", "clock.read", {})
    except OperationError:
        return False
    return True


@pytest.mark.parametrize(("count", "down"), [(0, [1, 5]), (1, [1, 5, 16]), (2, [1, 5, 16, 26])])
def test_a_fault_comes_back_so_many_times(tmp_path: Path, count: int, down: list[int]) -> None:
    firm = started(tmp_path, flapping=Flapping(period_s=600, count=count))
    minutes = [1, 5, 11, 14, 16, 21, 24, 26, 31, 36, 60]
    assert [minute for minute in minutes if not works(firm, minute)] == down


@pytest.mark.parametrize(("kind", "ramp_s"), [("error", 60), ("delay_event", 0), ("drop_event", 0), ("dup_event", 0)])
def test_what_cannot_flap_is_said(kind: FaultKind, ramp_s: int) -> None:
    with pytest.raises(ValueError, match="flapping goes neither with ramp_s nor"):
        Fault("f", "clock", kind, ramp_s=ramp_s, flapping=Flapping(600, 1))
