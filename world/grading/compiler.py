"""Names and places while a rubric is compiled: which tables, columns and refs exist, and where an error stands."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from world.core.json_types import is_array, is_object
from world.core.yaml_document import Document, Place, YamlError, describe_unknown
from world.grading.directory import Person
from world.grading.scope import Fact, Literal, Operand, RefUse
from world.grading.tables import Table

EMPLOYEES = "an employee"  # target of a ref to a person; no table has this name
FACT = re.compile(r"event(?:\.[\w-]+)+")
LITERAL_ID = re.compile(r"p_\w*\d\w*|[UCDGTW][0-9A-Z]{7,}|[A-Z][A-Z0-9]+-\d+|[0-9a-f]{16,}|[0-9a-f]{8}-[0-9a-f-]{27}")


@dataclass(frozen=True, slots=True)
class Column:
    """A cell a rubric may name: `real` is the column behind it, `target` the table its key points to."""

    table: str
    name: str
    kind: str
    real: str
    app: str
    target: str = ""
    is_key: bool = False

    @property
    def holds_ids(self) -> bool:
        """Whether a literal here would be a row id."""
        return self.is_key or (bool(self.target) and self.name == self.real)


@dataclass(slots=True)
class Compiler:
    """One rubric under compilation. `refs` maps a declared name to the table of its rows, or to a kind."""

    document: Document
    tables: Mapping[str, Table]
    refs: dict[str, str] = field(default_factory=dict[str, str])
    many: set[str] = field(default_factory=set[str])
    events: frozenset[str] | None = None
    stories: frozenset[str] | None = None

    def error(self, place: Place, message: str) -> YamlError:
        """An error at a place of the rubric."""
        return self.document.error(place, message)

    def table(self, name: object, place: Place) -> Table:
        """A table by name."""
        if not isinstance(name, str) or name not in self.tables or self.tables[name].control:
            graded = [known for known, table in self.tables.items() if not table.control]
            raise self.error(place, describe_unknown("table", name, graded))
        return self.tables[name]

    def column(self, table: Table, name: str, place: Place) -> Column:
        """A column, a readable name for one, or `recipients`."""
        alias = table.names.get(name)
        if name in table.columns:
            behind = next((n for n in table.names.values() if n.column == name), None)
            target = behind.table if behind and behind.table in self.tables else ""
            return Column(table.name, name, table.columns[name], name, table.app, target, _is_id(table, name))
        if alias is not None:
            kind = self.tables[alias.table].columns.get(alias.field, "text") if alias.table in self.tables else "text"
            return Column(table.name, name, kind, alias.column, table.app, alias.table)
        if name in table.readable:
            return Column(table.name, name, "json", name, table.app)
        raise self.error(place, describe_unknown(f"column of {table.name}", name, table.readable))

    def operand(self, raw: object, place: Place, column: Column | None = None) -> Operand:
        """Compile a value written in the rubric: a ref, a fact or a literal."""
        if is_object(raw) and "ref" in raw:
            return self.ref_use(raw, place)
        if isinstance(raw, str) and FACT.fullmatch(raw):
            return self.fact(raw, place)
        if column is not None:
            self.refuse_id(raw, column, place)
        return Literal(raw)

    def fact(self, path: str, place: Place, plus: int = 0) -> Fact:
        """A fact of an event; the event must be one the scenario can fire, where that is known."""
        name = path.split(".", 2)[1] if "." in path else path
        if self.events is not None and not any(_names(path, event) for event in self.events):
            raise self.error(place, describe_unknown("event", name, self.events))
        return Fact(path, plus)

    def ref_use(self, raw: Mapping[str, Any], place: Place) -> RefUse:
        """`{ref: name}` or `{ref: name, field: column}`."""
        for key in raw:
            if key not in ("ref", "field"):
                raise self.error((*place, key), describe_unknown("key", key, ("ref", "field")))
        name, field_ = raw["ref"], raw.get("field")
        if name not in self.refs:
            raise self.error((*place, "ref"), describe_unknown("ref", name, self.refs))
        kind = self.refs[name]
        if field_ is not None and kind in self.tables:
            self.column(self.tables[kind], str(field_), (*place, "field"))
        elif field_ is not None and kind == EMPLOYEES:
            if field_ not in Person.__dataclass_fields__:
                raise self.error(
                    (*place, "field"), describe_unknown("field of a person", field_, Person.__dataclass_fields__)
                )
        elif field_ is not None:
            raise self.error((*place, "field"), f"the ref {name!r} is a {kind}; it has no fields")
        return RefUse(name, field_)

    def refuse_id(self, raw: object, column: Column, place: Place) -> None:
        """A literal row id names another row on every seed."""
        values = raw if is_array(raw) else [raw]
        for value in values:
            if isinstance(value, bool) or value is None:
                continue
            number = column.holds_ids and (isinstance(value, int) or any(c.isdigit() for c in str(value)))
            if number or (isinstance(value, str) and LITERAL_ID.fullmatch(value)):
                raise self.error(place, f"{value!r} is a literal row id; declare it under refs and write {{ref: name}}")

    def refuse_text_id(self, raw: object, place: Place) -> None:
        """A literal vendor id inside a text predicate."""
        if isinstance(raw, str) and LITERAL_ID.fullmatch(raw) and not raw.isalpha():
            raise self.error(place, f"{raw!r} is a literal row id; declare it under refs and write {{ref: name}}")


def _names(path: str, event: str) -> bool:
    return path == f"event.{event}" or path.startswith(f"event.{event}.")


def _is_id(table: Table, name: str) -> bool:
    """Whether a column is a row's own id, or that of one it belongs to; a longer key may have names in it."""
    return name in table.key and (len(table.key) == 1 or name.endswith(("id", "_ts", "_at")))
