"""Processes that are killed and machines that lose power."""

import hashlib
import os
import random
from pathlib import Path

import pytest

from tests.world.store.crashes import WORLDS, check, cut_power, killed_after, record_worlds
from tests.world.store.office import post, posted
from world.store import Base, DamagedLog, Store

KILLS = int(os.environ.get("FIRMAMENT_KILLS", "25"))
POWER_CUTS = int(os.environ.get("FIRMAMENT_POWER_CUTS", "1000"))


@pytest.mark.full
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_killed_process_loses_no_acknowledged_call(tmp_path: Path, base: Base) -> None:
    chance = random.Random(7)
    image = hashlib.sha256(base.path.read_bytes()).hexdigest()
    acknowledged = dict.fromkeys(range(WORLDS), 0)
    for _ in range(KILLS):
        acknowledged |= killed_after(tmp_path / "worlds", base, chance.randrange(1, 60))
        store = Store(tmp_path / "worlds", base)
        for n, count in acknowledged.items():
            found = posted(store, store.open(f"w{n}")) if f"w{n}" in store.names() else []
            assert found == list(range(len(found)))
            assert count <= len(found) <= count + 1, "a call was lost, or one that was never made appeared"
        check(store)
        store.close()
    assert image == base.sha256 == hashlib.sha256(base.path.read_bytes()).hexdigest()


@pytest.mark.full
def test_a_power_cut_leaves_a_prefix_of_the_calls_and_every_snapshot(tmp_path: Path, base: Base) -> None:
    worlds, chance = tmp_path / "worlds", random.Random(5)
    recorded = record_worlds(worlds, base)
    for turn in range(POWER_CUTS):
        at = chance.randrange(1, len(recorded.disk.events) + 1)
        files = recorded.disk.after_power_cut(at, chance)
        left = cut_power(recorded, at, files, worlds, tmp_path / "cut" / str(turn), base)
        assert left.is_prefix and not left.lost


@pytest.mark.full
def test_a_disk_that_tears_and_reorders_writes_keeps_every_snapshot(tmp_path: Path, base: Base) -> None:
    worlds, chance = tmp_path / "worlds", random.Random(6)
    recorded = record_worlds(worlds, base)
    refused = 0
    for turn in range(POWER_CUTS):
        at = chance.randrange(1, len(recorded.disk.events) + 1)
        files = recorded.disk.after_disorder(at, chance)
        left = cut_power(recorded, at, files, worlds, tmp_path / "cut" / str(turn), base)
        assert left.is_prefix and not left.lost
        refused += left.refused
    assert refused, "a hole before the end is told and not passed over"


def test_a_fork_is_read_over_what_is_sound_of_its_damaged_parent(tmp_path: Path, base: Base) -> None:
    store = Store(tmp_path / "worlds", base)
    parent = store.create("parent")
    post(store, parent, 0)
    child = store.fork(parent, "child")
    post(store, child, 1)
    for number in (2, 3, 4):
        post(store, parent, number)
    assert parent.log is not None
    path, place = Path(parent.log.path), parent.log.ends[1] - parent.log.shift
    store.close()
    content = bytearray(path.read_bytes())
    content[place + 40] ^= 1
    path.write_bytes(content)
    again = Store(tmp_path / "worlds", base)
    reopened = again.open("child")
    assert posted(again, reopened) == [0, 1]
    with pytest.raises(DamagedLog, match="log parent is damaged"):
        again.open("parent")
    post(again, again.fork(reopened, "grandchild"), 5)
    again.close()
    last = Store(tmp_path / "worlds", base)
    assert posted(last, last.open("grandchild")) == [0, 1, 5] and path.read_bytes() == content
    last.close()
