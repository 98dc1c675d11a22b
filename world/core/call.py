"""Context of an operation: the caller, the time, and the world's rows, ids and randomness for one call."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import orjson
from pydantic import JsonValue
from sqlmodel import Session

from world.core import event_queue
from world.core.call_session import CallSession
from world.core.directory import Directory, Person
from world.core.errors import OperationError
from world.core.ids import Ids
from world.core.principal import Principal
from world.core.rng import Rng
from world.store import Bound

Hand = Callable[["Call", str, str, Mapping[str, Any]], Any]
Recall = Callable[[str, Callable[[], dict[str, Any]]], dict[str, Any]]


_EARLIER = """SELECT count(*) FROM _call WHERE seq < :seq AND actor = :actor AND
    seq > coalesce((SELECT seq FROM _call WHERE at < :at ORDER BY seq DESC LIMIT 1), 0)"""


def _ask(key: str, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    return ask()


Rule = Callable[["Call", Any], str | None]
SiteAt = Callable[[str], str]
Involving = Callable[["Call", str, dict[str, Any]], tuple[str, dict[str, Any]]]


class QuotaCost(Protocol):
    """Interface of an operation that takes units of its app's common quota."""

    @property
    def units(self) -> int: ...


class DeclaredApp(Protocol):
    """Interface of an app as calls need it: rules, subscriptions, operations, calling people, sites."""

    @property
    def rules(self) -> Mapping[str, Rule]: ...

    @property
    def topics(self) -> Mapping[str, object]: ...

    @property
    def operations(self) -> Mapping[str, QuotaCost]: ...

    @property
    def involves(self) -> Involving | None: ...

    @property
    def site(self) -> str: ...

    @property
    def site_at(self) -> "SiteAt | None": ...


class Call:
    """One call of one operation in one world. Nothing outlives it; `now` is microseconds since the epoch, UTC.

    `degraded` is set while a fault keeps the service from computing: empty for everything, else the name of the part.
    `hand` runs operations for `act`; the kernel gives one to subscribers of world events only. `recall` returns what a
    sandbox says under a key, and asks the sandbox when the key is not known.
    """

    __slots__ = (
        "_directory",
        "_ids",
        "_session",
        "app",
        "apps",
        "base_url",
        "bound",
        "degraded",
        "door",
        "hand",
        "now",
        "principal",
        "recall",
        "rng",
        "seq",
    )

    def __init__(
        self,
        bound: Bound,
        apps: Mapping[str, DeclaredApp],
        app: str,
        principal: Principal,
        *,
        door: str,
        now: int,
        seq: int,
        seed: int,
        base_url: str = "",
    ) -> None:
        self.bound, self.apps, self.app, self.principal = bound, apps, app, principal
        self.door, self.now, self.seq, self.base_url = door, now, seq, base_url
        self.degraded: str | None = None
        self.hand: Hand | None = None
        self.recall: Recall = _ask
        self.rng = Rng(seed, ("call", principal.person, now))
        self._ids: Ids | None = None
        self._session: Session | None = None
        self._directory: Directory | None = None

    @property
    def person(self) -> str:
        """The calling person's directory id."""
        return self.principal.person

    @property
    def session(self) -> Session:
        """A session on the world's connection; opened when first asked for, flushed and closed by the kernel."""
        if self._session is None:
            self._session = CallSession(bind=self.bound.sql, expire_on_commit=False)
        return self._session

    @property
    def directory(self) -> Directory:
        """The company as it is now."""
        if self._directory is None:
            self._directory = Directory(self)
        return self._directory

    @property
    def me(self) -> Person:
        """The calling person's own row. Raises account_inactive for somebody unknown."""
        found = self.directory.person(self.person)
        if found is None:
            raise OperationError("account_inactive")
        return found

    def public_link(self, path: str, app: str = "") -> str:
        """Return the vendor's address of a page of this app, or of another, for links in a response.

        The address does not depend on the door. There is one exception, where the vendor's own software stands on a
        customer's host (`App.site_at`): a program that asked there gets links to that host. Use it for links that
        people follow. The addresses that a program asks next stay at `base_url`, where it asked.
        """
        found = self.apps.get(app or self.app)
        if self.door == "rest" and found is not None and found.site_at is not None and app in ("", self.app):
            site = found.site_at(self.base_url)
            if site:
                return site + path
        return self.get_kept_link(path, app)

    def get_kept_link(self, path: str, app: str = "") -> str:
        """Return the address of a page for stored content (mails, deliveries); the same for every caller."""
        found = self.apps.get(app or self.app)
        site = found.site if found is not None else ""
        return (site.format_map(self.directory.list_company_names()) if site else self.base_url) + path

    @property
    def ids(self) -> Ids:
        """Mints ids that depend on seed, caller, time and order only."""
        if self._ids is None:
            self._ids = Ids(self.rng.seed, self.person, self.now, self._count_earlier())
        return self._ids

    def _count_earlier(self) -> int:
        """Count the caller's calls at this time before this one."""
        return self.bound.raw.execute(_EARLIER, {"at": self.now, "actor": self.person, "seq": self.seq}).fetchall()[0][
            0
        ]

    def flush(self) -> None:
        """Write pending changes of the session to the world, inside the call's transaction."""
        if self._session is not None:
            self._session.flush()

    def execute(self, statement: Any, parameters: Any = None) -> Any:
        """Run a Core statement, or SQL with `:named` values, on the world's connection, pending session changes first.

        SQL goes straight to the connection: about a third of the cost, and its rows are plain tuples.
        """
        self.flush()
        if isinstance(statement, str):
            return self.bound.raw.execute(statement, parameters or {})
        return self.bound.sql.execute(statement, parameters)

    def all(self, statement: Any, parameters: Any = None) -> Sequence[Sequence[Any]]:
        """All rows of a select."""
        return self.execute(statement, parameters).fetchall()

    def first(self, statement: Any, parameters: Any = None) -> Sequence[Any] | None:
        """The first row of a select, or None."""
        found = (
            self.all(statement, parameters)
            if isinstance(statement, str)
            else [self.execute(statement, parameters).first()]
        )
        return found[0] if found else None

    def scalar(self, statement: Any, parameters: Any = None) -> Any:
        """The first column of the first row, or None."""
        found = self.first(statement, parameters)
        return None if found is None else found[0]

    def rule(self, name: str) -> Rule:
        """A permission rule of the operation's own app. Raises LookupError if it declares none of that name."""
        found = self.apps[self.app].rules.get(name)
        if found is None:
            raise LookupError(f"{self.app} has no rule {name!r}")
        return found

    def authorise(self, rule: str, subject: object) -> None:
        """Raise the refusal of a rule of this app for a subject; every door's permissions go through here."""
        if self.principal.kind == "system":
            return
        code = self.rule(rule)(self, subject)
        if code is not None:
            raise OperationError(code)

    def later(self, topic: str, at: int, **facts: JsonValue) -> int:
        """Queue a world event for a simulated time; returns its queue number, which `cancel` takes."""
        return event_queue.push(
            self.bound, due=at, number=event_queue.TOPIC, cause=self.seq, facts={"topic": topic, **facts}
        )

    def cancel(self, queued: int) -> bool:
        """Withdraw a queued event; False if it has fired already."""
        return event_queue.withdraw(self.bound, queued)

    def has_listeners(self, topic: str) -> bool:
        """Whether any app subscribes to a world event."""
        return any(topic in app.topics for app in self.apps.values())

    def publish(self, topic: str, **facts: JsonValue) -> None:
        """Tell subscribers of other apps that something happened; nothing is queued without subscribers.

        The journal records this call as the cause. Changes that another app makes by its own rules are the world's, and
        nobody is charged for them.
        """
        if self.has_listeners(topic):
            event_queue.push(
                self.bound, due=self.now, number=event_queue.PUBLISHED, cause=self.seq, facts={"topic": topic, **facts}
            )

    def act(self, person: str, operation: str, **arguments: Any) -> Any:
        """Run an operation in somebody's name, with their permissions, inside a world event; None if it is refused.

        Inside a published event, changes in the name of the person who caused it count as that person's own. Raises
        LookupError outside an event.
        """
        if self.hand is None:
            raise LookupError("only a subscriber of a world event acts for others")
        self.flush()
        return self.hand(self, person, operation, arguments)

    def state(self, key: str) -> JsonValue:
        """A value of the kernel's own memory (coworkers, triggers); None if unset."""
        row = self.bound.raw.execute("SELECT value FROM _state WHERE key = ?", (key,)).fetchone()
        return None if row is None else orjson.loads(row[0])

    def remember(self, key: str, value: JsonValue) -> None:
        """Set a value of the kernel's own memory."""
        self.bound.raw.execute(
            "INSERT INTO _state(key, value) VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value",
            (key, orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()),
        )

    def count_units(self, app: str, window_s: int) -> tuple[int, int]:
        """Return the units of an app's common quota that the caller used in the window up to now.

        The second value is the time (us) of the first of these calls, now without any.
        """
        units = {id: operation.units for id, operation in self.apps[app].operations.items() if operation.units}
        rows = self.bound.raw.execute(
            "SELECT operation, at FROM _call WHERE at > ? AND actor = ? AND seq < ? AND status NOT IN ('ratelimit',"
            " 'early_retry')",
            (self.now - window_s * 1_000_000, self.person, self.seq),
        ).fetchall()
        times = [int(str(at)) for operation, at in rows if operation in units]
        return sum(units.get(str(operation), 0) for operation, _ in rows), min(times, default=self.now)

    def close(self, *, keep: bool) -> None:
        """Write pending changes of the session (`keep`) or forget them; called by the kernel only."""
        if self._session is not None:
            if keep:
                self._session.flush()
            self._session.close()
            self._session = None
