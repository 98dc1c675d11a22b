"""A world's connection: its transactions, the calls opened in them, and the watchers of what they wrote."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Protocol

import apsw
from sqlalchemy.exc import OperationalError

from world.core.app import App
from world.core.call import Call
from world.core.errors import InvalidArguments, Outage
from world.core.journal import start_call, tables_after
from world.core.operation import Operation
from world.core.principal import Principal
from world.core.settings import Settings
from world.run.call_record import Attempt, CallRecord, Recorder, Visitor
from world.run.sandbox_results import SandboxResults, SandboxResultSource
from world.store import Bound, NoRoom, QuotaExceeded, Store, TooManyRows, World
from world.store.queries import value

TOO_MUCH = ("request", "asks for more work than one call may do; ask for less at once")
NO_ROOM = (QuotaExceeded, apsw.FullError, apsw.IOError, apsw.ReadOnlyError)


class ActorHost(Protocol):
    """Interface of the process that an actor lives in."""

    @property
    def store(self) -> Store: ...

    @property
    def apps(self) -> Mapping[str, App]: ...

    @property
    def outcomes(self) -> SandboxResultSource: ...

    @property
    def strict(self) -> bool: ...

    def operation(self, name: str) -> Operation: ...

    def base_url(self, app: str) -> str: ...

    def announce_end(self, world: str, ending: str) -> None: ...


def find_no_room(error: BaseException) -> BaseException | None:
    """The full disk or quota that a transaction failed of, whichever layer raised it."""
    found = getattr(error.orig, "__cause__", None) if isinstance(error, OperationalError) else error
    return found if isinstance(found, NO_ROOM) else None


def is_interrupted(error: BaseException) -> bool:
    """Whether a statement was ended because its call had taken all the steps it may, whichever layer says so."""
    found = getattr(error.orig, "__cause__", None) if isinstance(error, OperationalError) else error
    return isinstance(found, apsw.InterruptError)


class Transactions:
    """Reads and writes one world. Not thread-safe by design: all store work of a process runs on one thread."""

    def __init__(self, host: ActorHost, world: World, settings: Settings) -> None:
        self.host, self.world, self.settings = host, world, settings
        self.recorders: list[Recorder] = []
        self.visitors: list[Visitor] = []
        self.watchers: list[Callable[[int, frozenset[str]], None]] = []
        self.outcomes = SandboxResults(host.outcomes)
        self._held: Bound | None = None

    @property
    def name(self) -> str:
        """The name the world is addressed by."""
        return str(self.world.name)

    @property
    def bound(self) -> Bound:
        """A connection on this world; inside a transaction, the one that holds it."""
        return self._held or self.host.store.connection(self.world)

    @property
    def now(self) -> int:
        """The world's simulated time, microseconds since the epoch, UTC."""
        return value(self.bound, "SELECT at FROM _now")

    @contextmanager
    def open(self) -> Generator[Bound, None, None]:
        """Everything inside commits as one record, or nothing does."""
        bound = self.host.store.connection(self.world)
        bound.sql.begin()
        self._held = bound
        try:
            yield bound
            bound.sql.commit()
        except BaseException as error:  # raised again: even an interrupt must leave no transaction open
            bound.sql.rollback()
            if (why := find_no_room(error)) is not None:
                raise NoRoom(f"world {self.name} cannot be written: {why}") from error
            raise
        finally:
            self._held = None

    @contextmanager
    def translate_full_disk(self, operation: Operation, door: str) -> Generator[None, None, None]:
        """Turn a full disk or quota into the vendor's own kind of failure; the control plane sees it as it is.

        A call that changes more rows than its record holds is refused.
        """
        try:
            yield
        except NoRoom as full:
            if isinstance(full.__cause__, TooManyRows):
                raise InvalidArguments([TOO_MUCH]) from None
            if door == "control":
                raise
            app = self.host.apps[operation.app]
            raise Outage("error", app.fault_codes.get("error", "internal_error"), app=app.name) from None

    def start(self, bound: Bound, attempt: Attempt, cause: int | None = None) -> int:
        """Write the row of a call that begins; returns its number."""
        return start_call(
            bound,
            at=attempt.now,
            actor=attempt.principal.person,
            door=attempt.door,
            operation=attempt.operation.id,
            params_hash=attempt.digest,
            cause_seq=cause,
        )

    def new_call(
        self, bound: Bound, principal: Principal, app: str, door: str, now: int, seq: int, base_url: str = ""
    ) -> Call:
        """The call that an app's code runs in."""
        call = Call(
            bound,
            self.host.apps,
            app,
            principal,
            door=door,
            now=now,
            seq=seq,
            seed=self.settings.seed,
            base_url=base_url or self.host.base_url(app),
        )
        call.recall = self.outcomes.recall
        return call

    def record(self, record: CallRecord) -> None:
        """Hand a finished call to every recorder."""
        for recorder in self.recorders:
            recorder(record)

    def announce(self, seq: int, mark: int) -> None:
        """Name the tables written since a mark to every watcher."""
        if self.watchers:
            tables = tables_after(self.bound, mark)
            for watcher in list(self.watchers):
                watcher(seq, tables)
