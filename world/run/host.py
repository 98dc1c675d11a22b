"""The worlds of one process: made, forked, addressed by name, and called through their actors."""

from collections import Counter
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import orjson
from sqlmodel import SQLModel

from world.core import discovery
from world.core.access import Tokens
from world.core.app import App
from world.core.builtin_operations import app as employee_app
from world.core.errors import OperationError
from world.core.operation import Operation
from world.core.params import Arguments
from world.core.principal import Kind, Principal
from world.core.rng import process_secret
from world.core.settings import Settings
from world.run.actor import Actor
from world.run.exchange import Exchange
from world.run.home import Home
from world.run.quarantine import FORESEEN, QuarantinedWorlds, WorldQuarantined, is_damage
from world.run.sandbox_results import HostResults, SandboxResultSource
from world.run.team import Team
from world.run.team_turns import TeamTurns
from world.run.token_book import TokenBook
from world.run.transactions import NO_ROOM
from world.run.turns import Turns
from world.script.scenario import Timeline
from world.store import Base, NoRoom, Store, World
from world.store.queries import row, rows

MAX_MISSES = 1000  # different things of one world that were not there


class Host:
    """Owns a store and the actors of its worlds. Everything here runs on one thread.

    `strict`: failures in events are raised at once, for authors of scenarios and apps. Otherwise the world records the
    failure and goes on, and a world whose call breaks is closed (`quarantined`).
    """

    strict = False

    def __init__(
        self,
        store: Store,
        apps: Iterable[App],
        tokens: Tokens,
        *,
        public_url: str = "http://127.0.0.1",
        outcomes: SandboxResultSource | None = None,
    ) -> None:
        self.outcomes = outcomes or HostResults()
        self.store, self.tokens, self.public_url = store, tokens, public_url.rstrip("/")
        self.apps: dict[str, App] = {app.name: app for app in (*apps, employee_app)}
        self.operations: dict[str, Operation] = {}
        for app in self.apps.values():
            for operation in app.operations.values():
                if operation.id in self.operations:
                    raise ValueError(f"two apps declare {operation.id}")
                self.operations[operation.id] = operation
        self.actors: dict[str, Actor] = {}
        self.quarantined = QuarantinedWorlds()
        self.turns = Turns()
        self.opener: Callable[[str], bool] | None = None  # opens a world that an earlier process left on disk
        self._missed: dict[str, Counter[tuple[str, str, str]]] = {}
        self.team_turns = TeamTurns(self.actors)
        # each is told of an actor that is new or served a call
        self.actor_watchers: list[Callable[[Actor], None]] = [self.team_turns.note]
        self.end_watchers: list[Callable[[str, str], None]] = []  # each is told the world and why its episode ended

    def announce_end(self, world: str, ending: str) -> None:
        """Tell the watchers that an episode of this process ended."""
        for watch in self.end_watchers:
            watch(world, ending)

    def base_url(self, app: str) -> str:
        """Return the address of an app when the caller's own address is not known."""
        return f"{self.public_url}/{app}"

    def tables(self, app: str) -> list[str]:
        """Names of an app's tables."""
        return [name for name in sorted(SQLModel.metadata.tables) if name.startswith(f"{app}_")]

    def operation(self, name: str) -> Operation:
        """The operation of an id. Raises LookupError."""
        found = self.operations.get(name)
        if found is None:
            raise LookupError(f"no operation {name!r}")
        return found

    def create(self, name: str, settings: Settings | None = None, timeline: Timeline | None = None) -> Actor:
        """Make a new world over the base. With a scenario or settings of its own it starts with a first record."""
        actor = self._adopt(self._make(name, lambda: self.store.create(name)), settings or Settings(), timeline)
        if settings is not None or timeline is not None:
            with self.or_nothing(name):
                actor.events.begin()
        return actor

    @contextmanager
    def or_nothing(self, name: str) -> Generator[None, None, None]:
        """Make a world ready, or leave none behind when the disk has no room for it."""
        try:
            yield
        except NoRoom:
            self.drop(name)
            raise

    def open(self, name: str, timeline: Timeline | None = None) -> Actor:
        """A world written earlier, with the settings it was started with."""
        world = self.store.open(name)
        query = "SELECT key, value FROM _state WHERE key IN ('settings', 'ended')"
        stored = {key: orjson.loads(value) for key, value in rows(self.store.connection(world), query)}
        return self._adopt(world, Settings.model_validate(stored.get("settings", {})), timeline, stored.get("ended"))

    def fork(self, parent: Actor, name: str, at: int | None = None) -> Actor:
        """A world that goes on from a call of another (from its head by default); copies nothing."""
        world = self._make(name, lambda: self.store.fork(parent.world, name, at))
        made = self._adopt(world, parent.settings, parent.timeline)
        made.transactions.outcomes, made.agent = parent.outcomes.fork(), parent.agent
        made.team = None if parent.team is None else Team(made, parent.team.members)
        return made

    def view(self, actor: Actor, at: int | None = None) -> World:
        """A read-only world as it was after a call; looking never disturbs the run."""
        return self.store.view(actor.world, at)

    def drop(self, name: str) -> None:
        """Forget a world and every token issued for it; one that is on disk is not started for that. Raises StoreError."""
        actor = self.actors.get(name)
        self.store.discard(actor.world if actor is not None else self.store.open(name))
        self.actors.pop(name, None)
        self.quarantined.forget(name)
        self.turns.forget(name)
        self.team_turns.forget(name)
        self.tokens.drop(name)
        self._missed.pop(name, None)

    def keep(self, name: str) -> None:
        """Write a world's name to disk before its first call if its credentials outlast the process. Raises NoRoom."""
        if self.tokens.keep is None:
            return
        try:
            self.store.keep(self.actors[name].world)
        except NO_ROOM as error:
            raise NoRoom(f"world {name} cannot be written: {error}") from error

    def _make(self, name: str, make: Callable[[], World]) -> World:
        """Make a new world. Credentials of an earlier world that was never written do not open it."""
        made = make()
        if self.tokens.of(name):
            self.tokens.drop(name)
        return made

    def _adopt(self, world: World, settings: Settings, timeline: Timeline | None, ended: str | None = None) -> Actor:
        known = self.tokens.generation_of(str(world.name))
        generation = self.tokens.generation if known is None else known
        actor = Actor(self, world, settings, timeline, generation, ended)
        self.actors[str(world.name)] = actor
        self._announce_actor(actor)
        return actor

    def _announce_actor(self, actor: Actor) -> None:
        for watch in self.actor_watchers:
            watch(actor)

    def actor(self, world: str) -> Actor:
        """The actor of a world. Raises OperationError `invalid_auth` for a dropped or foreign one, WorldQuarantined."""
        self.quarantined.check(world)
        found = self.actors.get(world)
        if found is None:
            raise OperationError("invalid_auth")
        return found

    def knows(self, world: str) -> bool:
        """Whether a world is there. One that an earlier process left is opened; one that cannot be is quarantined."""
        if world in self.actors or world in self.quarantined:
            return True
        if self.opener is None:
            return False
        with self.guard(world, "opening"):
            return self.opener(world)

    @contextmanager
    def guard(self, world: str, doing: str) -> Generator[None, None, None]:
        """Do something in a world that is open. An unforeseen error closes the world. Raises WorldQuarantined."""
        self.quarantined.check(world)
        try:
            yield
        except FORESEEN:
            raise
        except Exception as error:  # the edge of a world: whatever broke closes this one alone
            if self.strict:
                raise
            raise self.quarantine(world, doing, error) from error

    def call(self, principal: Principal, door: str, operation: str, arguments: Arguments, base_url: str = "") -> Any:
        """One call of one operation; the way every door takes. Raises OperationError for refusals, WorldQuarantined."""
        actor, meant = self.actor(principal.world), self.operation(operation)
        with self.guard(principal.world, f"{operation} ({door})"):
            try:
                return actor.call(principal, door, meant, arguments, base_url)
            finally:
                self._announce_actor(actor)

    def refuse(
        self, principal: Principal, door: str, operation: str, arguments: Arguments, refusal: OperationError
    ) -> NoReturn:
        """Put a call on record that the door itself refuses: it costs what any refused call costs. Raises the refusal."""
        actor, meant = self.actor(principal.world), self.operation(operation)
        with self.guard(principal.world, f"{operation} ({door})"):
            actor.call(principal, door, meant, arguments, refusal=refusal)
        raise refusal

    def peek(self, principal: Principal, door: str, operation: str, arguments: Arguments, base_url: str = "") -> Any:
        """The answer of a reading operation without time, call row or event. Raises WorldQuarantined."""
        self.quarantined.check(principal.world)
        try:
            return self.actor(principal.world).peek(principal, door, self.operation(operation), arguments, base_url)
        except Exception as error:  # the edge of a world: whatever broke closes this one alone
            if self.strict or not is_damage(error):
                raise  # any other error of a peek leaves the world as it was
            raise self.quarantine(principal.world, f"{operation} ({door})", error) from error

    def quarantine(self, world: str, doing: str, error: Exception) -> WorldQuarantined:
        """Close a world because of an error. Returns the exception to raise."""
        if (actor := self.actors.get(world)) is not None:
            self.store.expel(actor.world)
        return self.quarantined.close(world, doing, error)

    def record_unknown_method(self, principal: Principal, door: str, app: str, method: str) -> None:
        """Record a request for something an app does not have; it is kept beside the world, which does not change."""
        counted = self._missed.setdefault(principal.world, Counter())
        if len(counted) < MAX_MISSES or (app, method, door) in counted:
            counted[app, method, door] += 1

    def record_visit(self, world: str, exchange: Exchange) -> None:
        """Tell those who record a world of a request that reached no operation."""
        actor = self.actors.get(world)
        for visit in actor.visitors if actor is not None else ():
            visit(exchange)

    def is_recorded(self, world: str) -> bool:
        """Whether somebody wants to know of requests that reach no operation."""
        actor = self.actors.get(world)
        return actor is not None and bool(actor.visitors)

    def misses(self, world: str) -> list[dict[str, Any]]:
        """List the requests for missing things in a world, in order: app, method, door, and how often."""
        found = sorted(self._missed.get(world, Counter()).items())
        return [{"app": app, "method": method, "door": door, "times": times} for (app, method, door), times in found]

    def principal(
        self, world: str, who: str, *, app: str = "", kind: Kind = "user", scopes: Iterable[str] = ()
    ) -> Principal:
        """The principal of a person named by id, handle or address. Raises LookupError."""
        found = row(self.actor(world).bound, "SELECT id FROM person WHERE ? IN (id, handle, email)", who)
        if found is None:
            raise LookupError(f"nobody in {world} is {who!r}")
        return Principal(world, found[0], kind, app, frozenset(scopes), self.actors[world].generation)


def open_host(
    image: Path,
    worlds: Path,
    *,
    public_url: str = "http://127.0.0.1",
    secret: str | None = None,
    pool: int = 16,
    outcomes: SandboxResultSource | None = None,
    book: Path | None = None,
) -> Host:
    """A host over an image, with every installed app; what sandboxes say is kept in the user's home unless a source is
    given. `book` is the file that keeps credentials for the next process, which needs the same secret.
    """
    store = Store(worlds, Base(image), pool=pool)
    source = outcomes or HostResults(Home().path / "verdicts")
    tokens = Tokens(secret or process_secret())
    if book is not None:
        TokenBook(book, tokens)
    return Host(store, discovery.apps(), tokens, public_url=public_url, outcomes=source)
