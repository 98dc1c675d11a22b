"""A great many worlds in one process, each with a row of its own."""

import os
from pathlib import Path

from office import open_files

from world.store import Base, Store

WORLDS = int(os.environ.get("FIRMAMENT_WORLDS", "5000"))


def test_each_of_many_worlds_sees_its_own_row_only(tmp_path: Path, base: Base) -> None:
    store = Store(tmp_path / "worlds", base)
    worlds = [store.create(f"w{number}") for number in range(WORLDS)]
    for number, world in enumerate(worlds):
        store.connection(world).raw.execute("INSERT INTO team VALUES (100, ?)", (f"canary {number}",))
    assert len([link for link in open_files() if str(tmp_path) in link]) <= 300
    for number, world in enumerate(worlds):
        rows = store.connection(world).raw.execute("SELECT name FROM team WHERE id >= 100").fetchall()
        assert rows == [(f"canary {number}",)]
    store.close()
    again = Store(tmp_path / "worlds", base)
    for number in range(0, WORLDS, 97):
        raw = again.connection(again.open(f"w{number}")).raw
        assert raw.execute("SELECT name FROM team WHERE id >= 100").fetchall() == [(f"canary {number}",)]
    again.close()
