"""Worlds in order: who is dropped, when, and what is refused."""

from pathlib import Path

import pytest

from world.core.clock import wall_seconds
from world.run.host import Host, open_host
from world.server.control_state import Fork, NewWorld, Plane
from world.server.retention import TooManyWorlds
from world.server.retention_limits import RetentionLimits

HOUR = 3600.0


def plane(host: Host, **limits: float | int) -> Plane:
    return Plane(host, "secret", limits=RetentionLimits(**limits))  # type: ignore[arg-type]


def write(host: Host, world: str) -> None:
    """Put something on disk."""
    host.actors[world].advance(host.actors[world].now + 1)


def test_a_world_with_a_time_of_its_own_goes_when_nobody_uses_it(firm: Host) -> None:
    made = plane(firm)
    for name, idle_s in (("short", HOUR), ("never", 0), ("usual", None)):
        made.create(NewWorld(name=name, idle_ttl_s=idle_s))
    made.fork("short", Fork(name="child"))
    assert made.retention.sweep(wall_seconds() + HOUR / 2) == []
    assert made.retention.sweep(wall_seconds() + 2 * HOUR) == ["child", "short"]
    assert made.worlds() == ["never", "usual"]


def test_a_default_of_the_server_is_for_worlds_without_one(firm: Host) -> None:
    made = plane(firm, idle_s=HOUR)
    made.create(NewWorld(name="usual"))
    made.create(NewWorld(name="never", idle_ttl_s=0))
    assert made.retention.sweep(wall_seconds() + 2 * HOUR) == ["usual"]


def test_calls_and_questions_keep_a_world(firm: Host) -> None:
    made = plane(firm, idle_s=HOUR)
    for name in ("asked", "called", "left"):
        made.create(NewWorld(name=name))
    later = wall_seconds() + HOUR
    made.retention._used["asked"] = later
    firm.turns.note("called", later, later)
    assert made.retention.sweep(later) == ["left"]
    assert [made.retention.measure_idle(name, later + 5) for name in ("asked", "called")] == [5.0, 5.0]


def test_new_worlds_beyond_the_limit_are_refused(firm: Host) -> None:
    made = plane(firm, most_worlds=2)
    made.create(NewWorld(name="one"))
    made.fork("one", Fork(name="two"))
    for more in (lambda: made.create(NewWorld()), lambda: made.fork("one", Fork())):
        with pytest.raises(TooManyWorlds, match="2 worlds at most"):
            more()
    made.drop("one")
    assert made.create(NewWorld(name="three"))["world"] == "three"


def test_the_longest_unused_make_room(firm: Host) -> None:
    made = plane(firm, most_bytes=1)
    for name in ("old", "new", "unwritten"):
        made.create(NewWorld(name=name))
    for name in ("old", "new"):
        write(firm, name)
    now = wall_seconds() + HOUR
    made.retention._used["new"] = now
    assert made.retention.sweep(now) == ["old"]
    assert made.worlds() == ["new", "unwritten"]
    assert made.status("new")["bytes"] > 0


def test_a_world_that_an_earlier_process_left_is_dropped_without_being_opened(company: Path, tmp_path: Path) -> None:
    host = open_host(company, tmp_path / "worlds")
    host.create("left")
    write(host, "left")
    host.store.close()
    host = open_host(company, tmp_path / "worlds")
    made = plane(host, idle_s=0.0)
    assert made.status("left")["open"] is False and made.status("left")["idle_s"] >= 0
    assert made.retention.sweep(wall_seconds()) == ["left"]
    assert made.worlds() == [] and not list((tmp_path / "worlds").glob("*/*.log"))
    host.store.close()


def test_limits_are_shared_by_processes() -> None:
    assert RetentionLimits(60.0, 5, 100).share(2) == RetentionLimits(60.0, 3, 50)
