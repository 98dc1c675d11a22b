"""Random work over worlds and forks: no cross-talk, and journal, diff and hash agree with the rows."""

import itertools
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, multiple, rule
from office import build_office, finish, start

from tests.examples import examples
from world.core import diff, journal
from world.store import Base, Store, World, seal

Rows = dict[tuple[int, int], str | int | None]
KEYS = st.tuples(st.integers(0, 2), st.integers(0, 45))
VALUES = st.none() | st.integers(-5, 5) | st.text("ab", max_size=3) | st.just("long " * 400)
CELLS = "SELECT sheet, row, value FROM cell ORDER BY sheet, row"


def value(row: dict[str, Any] | None) -> Any:
    return row and row["value"]


class Modelled:
    """A world, and what its cells were after each of its calls."""

    def __init__(self, name: str, past: list[Rows]):
        self.name = name
        self.past = past
        self.hashed: tuple[int, int] | None = None

    @property
    def now(self) -> Rows:
        return self.past[-1]


class Worlds(RuleBasedStateMachine):
    worlds = Bundle("worlds")
    image: Path

    @initialize()
    def open(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.base = Base(self.image)
        self.names = itertools.count()
        self.store = Store(Path(self.folder.name), self.base, pool=2)
        raw = self.store.connection(self.store.create("start")).raw
        self.start: Rows = {(sheet, row): value for sheet, row, value in raw.execute(CELLS).fetchall()}

    @rule(target=worlds)
    def create(self) -> Modelled:
        modelled = Modelled(f"w{next(self.names)}", [self.start])
        self.store.create(modelled.name)
        return modelled

    @rule(modelled=worlds, changes=st.lists(st.tuples(KEYS, VALUES), min_size=1, max_size=6), kept=st.integers(0, 4))
    def put(self, modelled: Modelled, changes: list[tuple[tuple[int, int], str | int | None]], kept: int) -> None:
        bound = self.store.connection(self.world(modelled))
        seq = start(bound)
        bound.raw.executemany("INSERT OR REPLACE INTO cell VALUES (?, ?, ?)", [(*key, value) for key, value in changes])
        if kept == 0:
            bound.rollback()
        else:
            finish(bound, seq)
            modelled.past.append(modelled.now | dict(changes))
        self.check(modelled)

    @rule(modelled=worlds, sheet=st.integers(0, 2), below=st.integers(0, 30))
    def shift(self, modelled: Modelled, sheet: int, below: int) -> None:
        """Keys change; the new ones are free."""
        moved = {(s, r): (s, r + 1000) if s == sheet and r < below else (s, r) for s, r in modelled.now}
        if len(set(moved.values())) == len(moved):
            bound = self.store.connection(self.world(modelled))
            seq = start(bound)
            bound.raw.execute("UPDATE cell SET row = row + 1000 WHERE sheet = ? AND row < ?", (sheet, below))
            finish(bound, seq)
            modelled.past.append({moved[key]: value for key, value in modelled.now.items()})
            self.check(modelled)

    @rule(modelled=worlds, sheet=st.integers(0, 2), half=st.integers(0, 1))
    def remove(self, modelled: Modelled, sheet: int, half: int) -> None:
        bound = self.store.connection(self.world(modelled))
        seq = start(bound)
        bound.raw.execute("DELETE FROM cell WHERE sheet = ? AND row % 2 = ?", (sheet, half))
        finish(bound, seq)
        modelled.past.append({(s, r): v for (s, r), v in modelled.now.items() if s != sheet or r % 2 != half})
        self.check(modelled)

    @rule(target=worlds, modelled=worlds, back=st.integers(0, 5))
    def fork(self, modelled: Modelled, back: int) -> Modelled:
        at = max(0, len(modelled.past) - 1 - back)
        child = Modelled(f"w{next(self.names)}", modelled.past[: at + 1])
        self.store.fork(self.world(modelled), child.name, at=at if back else None)
        self.check(child)
        return child

    @rule(modelled=worlds, at=st.integers(0, 8))
    def look_back(self, modelled: Modelled, at: int) -> None:
        at = min(at, len(modelled.past) - 1)
        raw = self.store.connection(self.store.view(self.world(modelled), at=at)).raw
        assert {(s, r): v for s, r, v in raw.execute(CELLS).fetchall()} == modelled.past[at]

    @rule(target=worlds, modelled=consumes(worlds), gone=st.integers(0, 2))
    def discard(self, modelled: Modelled, gone: int) -> Modelled | object:
        if gone:
            return modelled
        self.store.discard(self.world(modelled))
        return multiple()

    @rule(modelled=worlds)
    def drop_index(self, modelled: Modelled) -> None:
        for log, _ in self.world(modelled).layers():
            log.drop()
        self.check(modelled)

    @rule(modelled=worlds)
    def reopen(self, modelled: Modelled) -> None:
        """Also of worlds without a commit, once a snapshot wrote their header."""
        for world in [world for world in self.store._worlds.values() if world.log is None]:
            self.store.snapshot(world)
        self.store.close()
        self.store = Store(Path(self.folder.name), self.base, pool=3)
        self.check(modelled)

    def world(self, modelled: Modelled) -> World:
        return self.store.open(modelled.name)

    def check(self, modelled: Modelled) -> None:
        bound = self.store.connection(self.world(modelled))
        rows = {(s, r): v for s, r, v in bound.raw.execute(CELLS).fetchall()}
        assert rows == modelled.now
        modelled.hashed = diff.state_hash(bound, self.base, resume=modelled.hashed)
        assert modelled.hashed[1] == diff.full_hash(bound) == diff.state_hash(bound, self.base)[1]
        changes = journal.changes(bound)
        assert self.replayed(changes) == modelled.now
        assert {change.pk: (value(change.before), value(change.after)) for change in diff.net_diff(bound)} == {
            key: (self.start.get(key), modelled.now.get(key))
            for key in self.start.keys() | modelled.now.keys()
            if (key in self.start, self.start.get(key)) != (key in modelled.now, modelled.now.get(key))
        }

    def replayed(self, changes: list[journal.Change]) -> Rows:
        rows = dict(self.start)
        for change in changes:
            if change.before is not None:
                assert rows.pop(change.pk) == change.before["value"]
            if change.after is not None:
                rows[change.pk] = change.after["value"]
        return rows

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            self.folder.cleanup()


def test_random_work_over_worlds_and_forks(tmp_path_factory) -> None:
    folder = tmp_path_factory.mktemp("random")
    build_office(folder / "building")
    Worlds.image = seal(folder / "building", folder / "images")
    Worlds.TestCase.settings = settings(
        max_examples=examples(150),
        stateful_step_count=50,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    Worlds.TestCase().runTest()
