"""Declaration of an app: operations, rules, subscriptions. Every door is derived from it."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import JsonValue
from sqlmodel import SQLModel

from world.core.access import Issuer
from world.core.call import Call, Involving, SiteAt
from world.core.conduct import Conduct
from world.core.journal import Change
from world.core.json_types import is_object
from world.core.operation import Operation, Pool
from world.core.params import Arguments, NoParams, Params
from world.core.principal import Principal
from world.core.probes import Probes
from world.core.reading.part import Reader
from world.core.theme import Theme

Facts = Mapping[str, JsonValue]
Credential = Callable[[Issuer, Principal, list[Principal], str], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that became visible to a person: wakes `wait` and rings the bell.

    `ids` identify it for the app's operations. `places` name its location (a channel, an issue); `wait` can wait for a
    place. A notice without a person wakes those who wait for one of its places, unless the operation and arguments of
    `seen_by` refuse them.
    """

    person: str
    text: str
    ids: Mapping[str, str] = field(default_factory=dict[str, str])
    places: tuple[str, ...] = ()
    seen_by: tuple[str, Mapping[str, Any]] | None = None


@dataclass(frozen=True, slots=True)
class HeardMessage:
    """Something a person was told: the speaker, the text, and the operation that answers in the same place.

    `emoji` is the operation that puts an emoji on it, with its arguments but `name`; None in apps without emoji.
    """

    listener: str
    speaker: str
    text: str
    place: str
    operation: str
    arguments: Arguments
    field: str = "text"
    emoji: tuple[str, Mapping[str, Any]] | None = None


@dataclass(slots=True)
class App:
    """A mock service: its operations, permission rules, subscriptions to world events, and notices.

    `limit`: calls per window, for every operation that declares none of its own.
    `units`: quota that one person's calls of all operations share.
    `window_s`: simulated seconds in which `limit` and `units` count.
    `pools`: the pool of an operation without a limit of its own, by its id and whether it writes.
    `hosts`: the vendor's own host names; `*.x` is every name below x, `x/path` a path of a host that several apps
    answer.
    `api_hosts`: those of `hosts` that show no pages.
    `outgoing`: query that finds a row in a world from which something is to be sent to programs outside.
    `site`: address of the vendor's own pages, with columns of the company's row in braces.
    `site_at`: the customer's host whose pages are linked instead, for the address a program asked at; empty for none.
    `suite`: apps of one suite accept each other's tokens.
    `vendor`: a token issued for the vendor opens all its apps, as far as its scopes reach.
    `credentials`: further kinds of credential the vendor hands out (a refresh token, a key file). Each is made from the
    person, the people it may also speak for, and the app's address.
    """

    name: str
    title: str
    limit: int | None = None
    window_s: int = 60
    units: int | None = None
    pools: Callable[[str, bool], Pool | None] = lambda id, writes: None
    hosts: tuple[str, ...] = ()
    api_hosts: tuple[str, ...] = ()
    outgoing: str = ""
    suite: str = ""
    vendor: str = ""
    site: str = ""
    site_at: SiteAt | None = None
    operations: dict[str, Operation] = field(default_factory=dict[str, Operation])
    rules: dict[str, Callable[[Call, Any], str | None]] = field(
        default_factory=dict[str, Callable[[Call, Any], str | None]]
    )
    topics: dict[str, Callable[[Call, Facts], None]] = field(default_factory=dict[str, Callable[[Call, Facts], None]])
    deliveries: set[str] = field(default_factory=set[str])
    ddl: list[str] = field(default_factory=list[str])
    fault_codes: dict[str, str] = field(default_factory=dict[str, str])
    token_forms: dict[str, str] = field(default_factory=dict[str, str])
    credentials: dict[str, Credential] = field(default_factory=dict[str, Credential])
    theme: Theme | None = None
    probes: Probes = field(default_factory=Probes)
    predicates: dict[str, Callable[..., bool]] = field(default_factory=dict[str, Callable[..., bool]])
    readings: dict[str, Reader] = field(default_factory=dict[str, Reader])
    unread: dict[str, str] = field(default_factory=dict[str, str])
    notice: Callable[[Call, Change], Iterable[Notice]] | None = None
    hears: Callable[[Call, Change], Iterable[HeardMessage]] | None = None
    involves: Involving | None = None
    quiet: Callable[[Call, str], int] | None = None
    place: Callable[[Facts], str | None] | None = None

    def declare_conduct(self, conduct: Mapping[str, Conduct]) -> None:
        """Say of tables, by name, how changes of their rows are weighed. Raises KeyError for an unknown table."""
        for name, one in conduct.items():
            table = SQLModel.metadata.tables[name]
            table.info = {**table.info, "conduct": one}  # tables may share what they were declared with

    def operation(
        self,
        id: str,
        *,
        source: str,
        writes: bool = False,
        scope: str = "",
        examples: Iterable[Mapping[str, Any]] = (),
        after: Iterable[str] = (),
        limit: int | None = None,
        cost_s: float | None = None,
        free: bool = False,
        units: int = 0,
        raises: Iterable[str] | Mapping[str, str] = (),
    ) -> Callable[[Callable[[Call, Any], Any]], Callable[[Call, Any], Any]]:
        """Declare an operation; its second parameter's annotation is the params model.

        `raises` lists the codes it refuses with, or maps them to remarks ("over 40,000 characters"). The docstring's
        `Raises:` paragraph is written from it.
        """
        codes = {code: str(raises[code]) if is_object(raises) else "" for code in raises}

        def declare(run: Callable[[Call, Any], Any]) -> Callable[[Call, Any], Any]:
            if id in self.operations:
                raise ValueError(f"{self.name}: {id} is declared twice")
            self.operations[id] = Operation(
                id,
                self.name,
                run,
                _params_of(run),
                writes,
                source,
                scope,
                tuple(examples),
                tuple(after),
                self.limit if limit is None else limit,
                self.window_s,
                cost_s,
                free,
                units,
                self.pools(id, writes) if limit is None else None,
                codes,
            )
            run.__doc__ = _document(run, codes)
            return run

        return declare

    def on(
        self, topic: str, *, delivery: bool = False
    ) -> Callable[[Callable[[Call, Facts], None]], Callable[[Call, Facts], None]]:
        """Subscribe to a world event; the handler runs in a call of its own as `system:<app>`.

        A `delivery` can be delayed, lost or repeated by a fault. When it is delayed, subscribers of `<topic>.held` are
        called.
        """

        def declare(run: Callable[[Call, Facts], None]) -> Callable[[Call, Facts], None]:
            if topic in self.topics:
                raise ValueError(f"{self.name} already subscribes to {topic}")
            self.topics[topic] = run
            if delivery:
                self.deliveries.add(topic)
            return run

        return declare

    def rule(self, name: str) -> Callable[[Callable[[Call, Any], str | None]], Callable[[Call, Any], str | None]]:
        """Declare a permission rule: None allows, a string is the refusal's code."""

        def declare(run: Callable[[Call, Any], str | None]) -> Callable[[Call, Any], str | None]:
            self.rules[name] = run
            return run

        return declare

    def predicate(self, name: str) -> Callable[[Callable[..., bool]], Callable[..., bool]]:
        """Declare what graders may ask of the rows at the end of a run: `run.holds("app.name", ...)` in a rubric's
        predicates.
        """

        def declare(run: Callable[..., bool]) -> Callable[..., bool]:
            self.predicates[name] = run
            return run

        return declare

    def reads(self, table: str) -> Callable[[Reader], Reader]:
        """Declare what a person sees of a table's rows, part by part: a pure function of the row and what it looks up."""

        def declare(run: Reader) -> Reader:
            if table in self.readings:
                raise ValueError(f"{self.name}: the reading of {table} is declared twice")
            self.readings[table] = run
            return run

        return declare

    def declare_unread(self, reasons: Mapping[str, str]) -> None:
        """Say of tables with texts, by name, why nobody reads their rows. Raises KeyError for an unknown table."""
        for table, reason in reasons.items():
            if table in self.readings or table in self.unread:
                raise ValueError(f"{self.name}: {table} has a reading or a reason already")
            self.unread[SQLModel.metadata.tables[table].name] = reason

    def notices(self, run: Callable[[Call, Change], Iterable[Notice]]) -> Callable[[Call, Change], Iterable[Notice]]:
        """Declare the notices of a row change: what becomes visible, and to whom."""
        self.notice = run
        return run

    def finds_recipients(
        self, run: Callable[[Call, Change], Iterable[HeardMessage]]
    ) -> Callable[[Call, Change], Iterable[HeardMessage]]:
        """Declare the people told something by a row change, and the operation that answers each in the same place."""
        self.hears = run
        return run

    def involves_person(self, run: Involving) -> Involving:
        """Declare how somebody is brought into a conversation: how a text calls a person, and an answer's arguments
        with them among its readers.
        """
        self.involves = run
        return run

    def quiet_until(self, run: Callable[[Call, str], int]) -> Callable[[Call, str], int]:
        """Declare the time (us) until which a person is not to be disturbed; 0 if they may be."""
        self.quiet = run
        return run

    def finds_place(self, run: Callable[[Facts], str | None]) -> Callable[[Facts], str | None]:
        """Declare the place that the facts of an event name, as in `Heard.place`; None if it is none of the app's."""
        self.place = run
        return run


def _params_of(run: Callable[..., Any]) -> type[Params]:
    hints = list(inspect.get_annotations(run, eval_str=True).items())
    names = [name for name in inspect.signature(run).parameters]
    if len(names) < 2:
        return NoParams
    model = dict(hints).get(names[1])
    if not (isinstance(model, type) and issubclass(model, Params)):
        raise TypeError(f"{run.__name__}: the second parameter must be annotated with a Params model")
    return model


def _document(run: Callable[..., Any], codes: Mapping[str, str]) -> str:
    """The docstring with its `Raises:` paragraph."""
    listed = ", ".join(f"{code} ({remark})" if remark else code for code, remark in codes.items())
    return "\n\n".join(part for part in (inspect.getdoc(run), listed and f"Raises: {listed}.") if part)
