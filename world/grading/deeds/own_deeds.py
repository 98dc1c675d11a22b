"""What the agent has done beyond doubt in a run: kinds of deeds, their objects, and whether the task wanted them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from world.core.conduct import nothing
from world.grading.effects import Effect
from world.grading.errors import EventNotFired, GraderError
from world.grading.grading_context import GradingContext
from world.grading.items import Item, list_parts
from world.grading.readings import decode
from world.grading.schema import find_part
from world.grading.sources.statement import FEW
from world.grading.tables import Row, Table

TITLES = ("title", "summary", "name")
SHORTEST_TITLE = 6  # letters
QUALITIES = frozenset({"status", "resolution", "priority", "issue_type"})  # what points at these lies in no other place


@dataclass(frozen=True)
class OwnDeed:
    """A deed of the agent.

    `names` are those of its object: keys, ids, titles in small letters. `rows` are its object and what it is a part of.
    `ask` says whether the task wanted an effect; few deeds are asked.
    """

    kind: str
    effect: Effect
    names: frozenset[str]
    titles: frozenset[str]
    rows: frozenset[str]
    ask: Callable[[Effect], bool]
    is_message: bool

    @cached_property
    def is_wanted(self) -> bool:
        """Whether an item admits it, or a predicate looks for work in its table."""
        return self.ask(self.effect)


class OwnDeeds:
    """The deeds of one run; each is found on first use."""

    def __init__(self, context: GradingContext) -> None:
        self._context, self._scope = context, context.scope
        self._tables, self._agent = context.evidence.tables, context.evidence.agent
        self._parts = dict[int, frozenset[str]]()

    def list_before(self, effect: Effect) -> list[OwnDeed]:
        """The deeds before a change was last written; on a composed day, those for the chore that the change is about."""
        parts = self._list_parts(effect)
        return [one for one in self._list_earlier(effect) if not parts or self._is_for(one, parts)]

    def list_elsewhere(self, effect: Effect) -> list[OwnDeed]:
        """The deeds before it for other chores of the day."""
        parts = self._list_parts(effect)
        return [one for one in self._list_earlier(effect) if parts and not self._is_for(one, parts)]

    def _list_earlier(self, effect: Effect) -> Iterator[OwnDeed]:
        return (one for one in self._all if one.effect is not effect and one.effect.calls[0] < effect.calls[-1])

    def _is_for(self, deed: OwnDeed, parts: frozenset[str]) -> bool:
        """Whether a deed is for one of some chores of a day, or for none."""
        own = self._list_parts(deed.effect)
        own = own or frozenset(
            find_part(one.id) for one in self._context.rubric.python if deed.effect.table in one.claims
        )
        return not own or not own.isdisjoint(parts)

    def _list_parts(self, effect: Effect) -> frozenset[str]:
        if effect.number not in self._parts:
            self._parts[effect.number] = list_parts(effect, self._items, self._scope)
        return self._parts[effect.number]

    def list_worked_on(self, effect: Effect, table: Table) -> list[OwnDeed]:
        """The wanted deeds on the row that a text stands in, or that it is a comment on, at any time.

        The message of a commit is about all of them.
        """
        if table.conduct.signed is not nothing and not table.conduct.place:
            return [one for one in self._all if one.is_wanted and not one.is_message]
        places = self.list_containers(table, effect.row) | {name_row(table, effect.row)}
        near = (one for one in self._all if not one.is_message and not one.rows.isdisjoint(places))
        return [one for one in near if one.is_wanted]

    def count_wanted(self, deed: OwnDeed) -> int:
        """How many rows like that of a deed the items want in all."""
        return sum(one.required for one in self._items if one.concerns(deed.effect))

    def list_containers(self, table: Table, row: Row) -> frozenset[str]:
        """The row in which a message stands, as it is written in `OwnDeed.rows`."""
        return frozenset(
            f"{name.table}:{row[name.column]}"
            for name in table.names.values()
            if name.column == table.conduct.place and row.get(name.column) is not None
        )

    @property
    def _items(self) -> Sequence[Item]:
        return self._context.rubric.items

    @cached_property
    def _proved(self) -> frozenset[str]:
        """The tables in which predicates look for work."""
        return frozenset(table for one in self._context.rubric.python for table in one.claims)

    @cached_property
    def _all(self) -> list[OwnDeed]:
        return [
            deed
            for effect in self._context.changes.effects
            if effect.origin == "agent"
            for deed in self._read_effect(effect)
        ]

    def _read_effect(self, effect: Effect) -> Iterator[OwnDeed]:
        table = self._tables[effect.table]
        kinds = frozenset(self._list_kinds(effect, table))
        if not kinds:
            return
        found = self._read_names(table, {**effect.row, **effect.written})
        for kind in sorted(kinds):
            yield OwnDeed(
                kind,
                effect,
                frozenset(found.names),
                frozenset(found.titles),
                frozenset(found.rows),
                self._is_wanted,
                kind == "told",
            )

    def _list_kinds(self, effect: Effect, table: Table) -> Iterator[str]:
        before = None if effect.kind == "insert" else decode(table, {**effect.row, **effect.before})
        after = None if effect.kind == "delete" else decode(table, effect.written)
        yield from table.conduct.proves(before, after)
        follows = effect.number in self._context.follows
        if table.control or table.derived_from or follows or "*" in table.conduct.harmless:
            if table.conduct.presence and effect.kind == "insert" and self._is_about_another(effect, table):
                yield "admitted"
            return
        if table.conduct.place:
            if effect.kind == "insert":
                yield "booked" if table.conduct.effort else "told"
        elif effect.kind == "delete":
            yield "deleted"
        elif after is not None and table.conduct.opens(after):
            yield "admitted"
        else:
            yield "changed" if effect.kind == "update" or table.conduct.record else "made"
            if table.conduct.record:
                yield "entered"
            yield from self._list_special_changes(effect, table)

    def _list_special_changes(self, effect: Effect, table: Table) -> Iterator[str]:
        """Whether a row was put elsewhere, by a column that points at another, and whether it got other labels."""
        if effect.kind == "update":
            pointing = {
                one.column for name, one in table.names.items() if one.table != "person" and name not in QUALITIES
            }
            if any(name in pointing or name.endswith("_ids") for name in effect.columns):
                yield "moved"
            if table.conduct.tags in effect.columns:
                yield "labelled"

    def _is_about_another(self, effect: Effect, table: Table) -> bool:
        """Whether a row is about somebody else: the agent put them where they are."""
        return all(effect.row.get(name) != self._agent for name in table.conduct.owners)

    def _is_wanted(self, effect: Effect) -> bool:
        return effect.table in self._proved or any(self._is_admitted(item, effect) for item in self._items)

    def _is_admitted(self, item: Item, effect: Effect) -> bool:
        columns = self._context.columns.get(effect.number, effect.columns)
        try:
            return item.concerns(effect) and item.admits(effect, columns, self._scope)
        except (EventNotFired, GraderError):
            return False

    # names

    def _read_names(self, table: Table, row: Row) -> "_Names":
        """The names of a row, and of what it is a part of if it has no title itself."""
        found = _Names(rows={name_row(table, row)})
        found.names |= {str(value) for value in row.values() if value in self._context.evidence.directory.by_id}
        found.add(table, row)
        if table.conduct.place and not found.titles:
            readers = table.conduct.readers(decode(table, row), self._scope.world)
            found.names |= readers.people - {self._agent} if len(readers.people) <= FEW else frozenset[str]()
        if any(name in table.columns for name in TITLES):
            return found
        for name in table.names.values():
            whole, key = self._tables.get(name.table), row.get(name.column)
            if whole is not None and key is not None and name.table != "person" and len(whole.key) == 1:
                found.rows.add(f"{name.table}:{key}")
                found.names.add(str(key))
                found.add(whole, self._context.changes.final.row(name.table, (key,)) or {})
        return found


@dataclass
class _Names:
    """The titles, all names, and the rows of an object."""

    titles: set[str] = field(default_factory=set[str])
    names: set[str] = field(default_factory=set[str])
    rows: set[str] = field(default_factory=set[str])

    def add(self, table: Table, row: Row) -> None:
        """Take in what people call a row: its key or number, its title."""
        if row.get("key"):
            self.names.add(str(row["key"]))
        elif "body" in table.columns and row.get("number"):
            self.names.add(f"#{row['number']}")
        said = (" ".join(str(row[name]).lower().split()) for name in TITLES if row.get(name))
        self.titles |= {title for title in said if len(title) >= SHORTEST_TITLE and " " in title}
        self.names |= self.titles


def name_row(table: Table, row: Row) -> str:
    """A row as `OwnDeed.rows` has it."""
    return f"{table.name}:{'.'.join(str(row.get(part)) for part in table.key)}"
