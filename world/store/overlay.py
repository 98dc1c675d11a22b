"""A world: the pages it changed over the pages of its ancestors over the sealed base."""

import bisect
from collections.abc import Callable
from typing import TYPE_CHECKING

from world.store.digest import RunningDigest
from world.store.errors import QuotaExceeded, UnknownCall, WorldFrozen
from world.store.image import Base
from world.store.log import Layer, Log

if TYPE_CHECKING:
    from world.store.log_files import Shelf


MERGED_COST = 200  # bytes of memory per page of a merged index


class MergedIndex:
    """One index over many layers, shared by every world that stands on the same point."""

    __slots__ = ("layers", "pages", "spend", "__weakref__")

    def __init__(self, layers: tuple[Layer, ...], spend: Callable[[int], None]):
        self.layers, self.spend = layers, spend
        self.pages: dict[int, tuple[Log, int]] | None = None

    def __del__(self) -> None:
        self.drop()

    def find(self, number: int) -> tuple[Log, int] | None:
        return (self.pages if self.pages is not None else self.build()).get(number)

    def build(self) -> dict[int, tuple[Log, int]]:
        pages: dict[int, tuple[Log, int]] = {}
        for log, mark in reversed(self.layers):
            for number, versions in log.load().items():
                if place := bisect.bisect_left(versions, mark):
                    pages[number] = (log, versions[place - 1])
        self.pages = pages
        self.spend(len(pages) * MERGED_COST)
        return pages

    def drop(self) -> None:
        """Forget the index; the next read builds it again."""
        if self.pages is not None:
            self.spend(-len(self.pages) * MERGED_COST)
            self.pages = None


class World:
    """Creating and forking one copies nothing and writes nothing; the log comes with the first commit."""

    __slots__ = ("shelf", "name", "below", "near", "merged", "log", "frozen", "digest")

    def __init__(self, shelf: "Shelf", name: str | None, below: tuple[Layer, ...] = (), log: Log | None = None):
        self.shelf, self.name, self.below, self.log = shelf, name, below, log
        self.near, self.merged = shelf.get_layers(below)
        self.frozen: str | None = None
        self.digest: RunningDigest | None = None

    @property
    def base(self) -> Base:
        return self.shelf.base

    def page(self, number: int) -> bytes:
        if self.log is not None and (versions := self.log.find(number)):
            return self.log.read(versions[-1])
        for log, mark in self.near:
            if (versions := log.find(number)) and (place := bisect.bisect_left(versions, mark)):
                return log.read(versions[place - 1])
        if self.merged is not None and (found := self.merged.find(number)):
            return found[0].read(found[1])
        size = self.shelf.base.page_size
        return self.shelf.base.map[(number - 1) * size : number * size]

    def mark(self) -> int:
        """The position of the last commit in the lineage: all record bytes from the base to here."""
        if self.log is not None:
            return self.log.end
        return self.below[0].mark if self.below else 0

    def commit(self, pages: dict[int, bytes]) -> None:
        if self.frozen:
            raise WorldFrozen(f"{self.title()} {self.frozen}: it takes no commits")
        pages = dict(sorted(pages.items()))
        if self.log is None:
            self.write_log(pages)
            return
        size = self.log.record_size(pages)
        self._check_quota(self.log.end - self.log.start + size)
        self.log.append(pages)
        self.shelf.grew(self.log)

    def write_log(self, pages: dict[int, bytes]) -> None:
        assert self.name is not None
        log = self.shelf.new_log(self.name)
        self._check_quota(log.record_size(pages))
        log.create(self.shelf.spec(self.below), pages)
        self.log = log
        self.shelf.wrote(log)

    def layers(self) -> tuple[Layer, ...]:
        return self.below if self.log is None else (Layer(self.log, self.log.end), *self.below)

    def layers_at(self, mark: int) -> tuple[Layer, ...]:
        """The lineage up to a mark, which must be a commit boundary of it."""
        layers = tuple(Layer(log, min(end, mark)) for log, end in self.layers() if log.start < mark)
        if mark and not (layers and layers[0].mark == mark and layers[0].log.is_boundary(mark)):
            raise UnknownCall(f"{self.title()} has no commit that ends at {mark}")
        return layers

    def record_digest(self) -> RunningDigest:
        """sha256 of all records of the lineage: equal for worlds that saw the same calls."""
        running = self.digest = self.digest or RunningDigest()
        for log, mark in reversed(self.layers()):
            if running.position < mark:
                running.add(log.records(running.position, mark))
        return running

    def title(self) -> str:
        return f"world {self.name}" if self.name else "this view"

    def _check_quota(self, size: int) -> None:
        if size > self.shelf.quota_bytes:
            raise QuotaExceeded(
                f"{self.title()} would hold {size} bytes of changes; its quota is {self.shelf.quota_bytes}"
            )


class View(World):
    """A world that is only read; it holds its ancestors' logs until it is gone."""

    __slots__ = ()

    def __init__(self, shelf: "Shelf", below: tuple[Layer, ...]):
        super().__init__(shelf, None, below)
        self.frozen = "is read-only"
        shelf.hold(below)

    def __del__(self) -> None:
        self.shelf.let_go(self.below)
