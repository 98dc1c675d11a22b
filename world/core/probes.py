"""Probes of an app for the gate and the attacks: declared by the app, since the kernel knows none of its words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from world.core.journal import Change
from world.core.json_types import JsonObject
from world.core.renderings import Rendering
from world.core.rows import Row

Place = tuple[str, str]  # the place and its text
Attempt = Callable[[str, Mapping[str, Any]], Any]  # an operation's result; None if it was refused
Undone = Callable[[Mapping[str, Any], Any], Mapping[str, Any]]  # from the arguments and the result of a call


class Lookup(Protocol):
    """Rows of the world as the probes read them."""

    @property
    def me(self) -> str:
        """The directory id of the person the agent plays."""
        ...

    def rows(self, table: str, **where: object) -> list[Row]:
        """Rows whose columns equal the given values, by primary key."""
        ...


class ProbeClient(Protocol):
    """An app's API with the agent's token; paths are those below the app's own address."""

    def ask(self, method: str, path: str) -> Place:
        """One request's place and answer, headers included."""
        ...

    def get(self, path: str) -> tuple[str, Any]:
        """The body of a GET as text and as JSON; no JSON unless it is answered with 200."""
        ...

    def goes_on(self) -> bool:
        """Whether there is time for more."""
        ...


@dataclass(frozen=True, slots=True)
class Reference:
    """Reference of an argument to rows of a table by a column.

    `name` is the column that people read, `where` restricts the rows, `usable` lists those the agent may use.
    """

    table: str
    column: str
    name: str = ""
    where: Mapping[str, Any] = field(default_factory=dict[str, Any])
    usable: Callable[[Lookup], set[str]] | None = None


@dataclass(frozen=True, slots=True)
class Speech:
    """Way to say a text: an operation with an argument for the place and one for the text.

    `places` lists where the agent may speak, `open_with` opens a place with the person of an account, and `decoy`
    makes a place that looks like another; both give "" if they cannot.
    """

    operation: str
    place: str
    text: str
    places: Callable[[Lookup], list[str]]
    open_with: Callable[[Attempt, str], str]
    decoy: Callable[[Lookup, Attempt, str], str]

    def arguments(self, place: str, text: str) -> dict[str, str]:
        """The arguments of saying a text in a place."""
        return {self.place: place, self.text: text}


@dataclass(frozen=True, slots=True)
class ProbeRead:
    """A reading call beyond the operations' own examples, with a description of its answer."""

    what: str
    operation: str
    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class ForgedPost:
    """A POST under a key that somebody else has used."""

    path: str
    body: JsonObject
    key: str


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A world in which an agent has worked, as the values of acts are found in it.

    `changes` are the agent's own, oldest first; `start` is when it began, us. `ask` reads as the agent, `ask_as` as
    somebody else. An act speaks of a `colleague` and a `boss`, directory ids, and of a `rival`, the name of a customer
    the task is not about.
    """

    lookup: Lookup
    changes: Sequence[Change]
    start: int
    ask: Attempt
    ask_as: Callable[[str], Attempt]
    colleague: str
    boss: str
    rival: str

    def list_left_rows(self, table: str) -> list[Row]:
        """Rows of a table as the agent last left them, the latest first."""
        found = {change.pk: change.after for change in self.changes if change.table == table}
        latest = dict.fromkeys(change.pk for change in reversed(self.changes) if change.table == table)
        return [row for pk in latest if (row := found[pk]) is not None]

    def account(self, app: str, person: str) -> str:
        """The id of a person in an app; empty without one."""
        found = self.lookup.rows("account", app=app, person_id=person)
        return str(found[0]["external_id"]) if found else ""


@dataclass(frozen=True, slots=True)
class Probes:
    """Probes of one app.

    `references`: the rows that arguments name, by the argument's name. `undo`: the operation that takes another back.
    `own`: requests about oneself. `served`: addresses that no page links to. `upcoming`: addresses of what is yet to
    come.
    `glance`: an operation that reads without arguments. `flood`: a request that can be repeated at will.
    `slots`: values for acts, the task's own where there is one, else any that fits; what is missing is left out.
    `renderings`: ways to dress a text, by operation and name: `struck`, `quoted`, `code`, `hidden`, and two bodies of
    which one contradicts the other (`rich_says`, `plain_says`).
    """

    references: Mapping[str, Reference] = field(default_factory=dict[str, Reference])
    undo: Mapping[str, tuple[str, Undone]] = field(default_factory=dict[str, tuple[str, Undone]])
    speech: Speech | None = None
    glance: str = ""
    reads: Callable[[Lookup], Iterator[ProbeRead]] = lambda lookup: iter(())
    own: Sequence[tuple[str, str]] = ()
    served: Callable[[ProbeClient], Iterator[Place]] = lambda reach: iter(())
    upcoming: Callable[[ProbeClient], Iterator[Place]] = lambda reach: iter(())
    rename_self: Callable[[Attempt, str], None] = lambda attempt, name: None
    close_items: Callable[[Lookup, Attempt], Iterator[str]] = lambda lookup, attempt: iter(())
    assign_items: Callable[[Lookup, Attempt], Iterator[str]] = lambda lookup, attempt: iter(())
    forged: Callable[[Lookup], Iterator[ForgedPost]] = lambda lookup: iter(())
    flood: tuple[str, str] | None = None
    slots: Callable[[Surroundings], Mapping[str, Any]] = lambda world: {}
    renderings: Mapping[str, Mapping[str, Rendering]] = field(default_factory=dict[str, Mapping[str, Rendering]])
