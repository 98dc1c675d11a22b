"""The `refs` section: names for people, rows, times and texts, resolved against S0 and what events stated."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from world.core.clock import duration
from world.core.json_types import is_object
from world.core.yaml_document import Place, describe_unknown
from world.grading.compiler import EMPLOYEES, Compiler
from world.grading.effects import row_name
from world.grading.errors import GraderError
from world.grading.scope import Fact, Literal, Operand, PersonRef, Resolved, Resolver, RowRef, Scope
from world.grading.tables import Cells, Table
from world.grading.where import RowCondition, compile_where

KINDS = ("employee", "company", "table", "time", "text", "fact", "alias")
EMPLOYEE = ("self", "schedule", "manager_of", "lead_of", "alias", "where", "fact")
_ALLOWED = {
    "employee": ("employee",),
    "company": ("company",),
    "table": ("table", "where", "many"),
    "time": ("time", "plus"),
    "text": ("text",),
    "fact": ("fact",),
    "alias": ("alias",),
}


def compile_refs(raw: Any, c: Compiler) -> dict[str, Resolver]:
    """Declare every name first, then compile, so that refs may use each other in any order."""
    for name, spec in raw.items():
        c.refs[name] = _parse_declared_kind(spec, ("refs", name), c)
        if is_object(spec) and spec.get("many") is True:
            c.many.add(name)
    for name, spec in raw.items():
        if "alias" in spec:
            c.refs[name] = _alias_kind(raw, name, c)
    return {name: _compile(name, spec, ("refs", name), c) for name, spec in raw.items()}


def _parse_declared_kind(spec: Any, place: Place, c: Compiler) -> str:
    if not is_object(spec):
        raise c.error(place, f"a ref is a mapping with one of {', '.join(KINDS)}")
    kinds = [kind for kind in KINDS if kind in spec]
    if len(kinds) != 1:
        raise c.error(place, f"a ref has exactly one of {', '.join(KINDS)}")
    for key in spec:
        if key not in _ALLOWED[kinds[0]]:
            raise c.error((*place, key), describe_unknown("key", key, _ALLOWED[kinds[0]]))
    if kinds[0] == "table":
        return c.table(spec["table"], (*place, "table")).name
    return {"employee": EMPLOYEES, "company": "text", "fact": "text"}.get(kinds[0], kinds[0])


def _alias_kind(raw: Mapping[str, Any], name: str, c: Compiler) -> str:
    seen = [name]
    while "alias" in raw[seen[-1]]:
        following = raw[seen[-1]]["alias"]
        if following not in raw:
            raise c.error(("refs", seen[-1], "alias"), describe_unknown("ref", following, raw))
        if following in seen:
            raise c.error(("refs", name), "the aliases run in a circle")
        seen.append(following)
    return c.refs[seen[-1]]


def _compile(name: str, spec: Mapping[str, Any], place: Place, c: Compiler) -> Resolver:
    if "alias" in spec:
        return lambda s: s.ref(spec["alias"])
    if "table" in spec:
        return _rows(name, spec, place, c)
    if "employee" in spec:
        return _employee(name, spec["employee"], (*place, "employee"), c)
    if "company" in spec:
        return _company(str(spec["company"]), (*place, "company"), c)
    return _plain(spec, place, c)


def _plain(spec: Mapping[str, Any], place: Place, c: Compiler) -> Resolver:
    kind = next(k for k in ("time", "text", "fact") if k in spec)
    operand = c.operand(spec[kind], (*place, kind))
    if kind == "fact" and not isinstance(operand, Fact):
        raise c.error((*place, kind), "takes a fact like event.outage.ticket")
    plus = _plus(spec.get("plus"), (*place, "plus"), c)
    if kind == "time" and isinstance(operand, Literal):
        raise c.error(
            (*place, kind), "a time comes from an event or a ref; a written date means another day on every seed"
        )
    return lambda s: tuple(value + plus if plus else value for value in s.values(operand))


def _plus(raw: Any, place: Place, c: Compiler) -> int:
    if raw is None:
        return 0
    try:
        text = str(raw).strip()
        return -duration(text[1:]) if text.startswith("-") else duration(text)
    except ValueError as error:
        raise c.error(place, str(error)) from None


def _company(field: str, place: Place, c: Compiler) -> Resolver:
    fields = ("domain", "name", "tz")
    if field not in fields:
        raise c.error(place, describe_unknown("field of the company", field, fields))

    def resolve(s: Scope) -> tuple[Resolved, ...]:
        if field not in s.directory.company:
            raise GraderError("the seed has no company row")
        return (s.directory.company[field],)

    return resolve


# people


def _employee(name: str, raw: Any, place: Place, c: Compiler) -> Resolver:
    if raw == "self":
        return lambda s: (PersonRef(s.evidence.agent),)
    if not is_object(raw) or not raw:
        raise c.error(place, "takes self, or a mapping with one of schedule, manager_of, lead_of, alias, where, fact")
    for key in raw:
        if key not in (*EMPLOYEE, "at"):
            raise c.error((*place, key), describe_unknown("key", key, (*EMPLOYEE, "at")))
    find = _finder(raw, place, c)

    def resolve(s: Scope) -> tuple[Resolved, ...]:
        found = find(s)
        if found is None or found not in s.directory.by_id:
            raise GraderError(f"the ref {name!r} names nobody")
        return (PersonRef(found),)

    return resolve


Finder = Callable[[Scope], str | None]


def _finder(raw: Mapping[str, Any], place: Place, c: Compiler) -> Finder:
    if "schedule" in raw:
        return _on_call(raw, place, c)
    if "where" in raw:
        return _one_person(compile_where(raw["where"], c.table("person", place), (*place, "where"), c))
    if "lead_of" in raw:
        team = c.operand(raw["lead_of"], (*place, "lead_of"))
        return lambda s: s.directory.lead_of(_label(s, team))
    if "manager_of" in raw:
        of = c.operand(raw["manager_of"], (*place, "manager_of"))
        return lambda s: _manager(s, s.value(of))
    operand = c.operand(raw.get("alias", raw.get("fact")), place)
    return lambda s: s.directory.identify(s.value(operand))


def _label(s: Scope, operand: Operand) -> str:
    value = s.value(operand)
    return str(value.pk[0]) if isinstance(value, RowRef) else str(value)


def _on_call(raw: Mapping[str, Any], place: Place, c: Compiler) -> Finder:
    if "at" not in raw:
        raise c.error(place, "a schedule needs `at`: an event's time or a ref to a time")
    at = c.operand(raw["at"], (*place, "at"))
    if isinstance(at, Literal):
        raise c.error((*place, "at"), "takes an event's time or a ref to one")
    rota = c.operand(raw["schedule"], (*place, "schedule"))

    def find(s: Scope) -> str | None:
        schedule = s.directory.schedule(_label(s, rota))
        if schedule is None:
            raise GraderError(f"there is no rota {_label(s, rota)!r}")
        return s.directory.on_call(schedule, int(s.value(at)))

    return find


def _one_person(where: RowCondition) -> Finder:
    def find(s: Scope) -> str | None:
        found = [row["id"] for row in s.evidence.s0.rows("person") if where.holds(row, s)]
        if len(found) > 1:
            raise GraderError(f"{len(found)} people meet {'; '.join(condition.text for condition in where.conditions)}")
        return found[0] if found else None

    return find


def _manager(s: Scope, value: Any) -> str | None:
    person = value.id if isinstance(value, PersonRef) else s.directory.identify(value)
    return s.person(person).manager_id if person else None


# rows


def _rows(name: str, spec: Mapping[str, Any], place: Place, c: Compiler) -> Resolver:
    table = c.table(spec["table"], (*place, "table"))
    if not spec.get("where"):
        raise c.error(place, "a table ref needs a where")
    where = compile_where(spec["where"], table, (*place, "where"), c, blind=True)
    many = spec.get("many", False)
    if not isinstance(many, bool):
        raise c.error((*place, "many"), "takes true or false")

    def resolve(s: Scope) -> tuple[Resolved, ...]:
        found = [RowRef(table.name, table.key_of(row), row) for row in candidates(table, s) if where.holds(row, s)]
        if len(found) != 1 and not (many and found):
            named = ", ".join(row_name(one.table, one.pk) for one in found[:3]) or "nothing"
            raise GraderError(f"the ref {name!r} names {named} ({len(found)} rows of {table.name}, one is needed)")
        return tuple(found)

    return resolve


def candidates(table: Table, s: Scope) -> Iterator[Cells]:
    """The rows a ref may name: the seed's, and those scripted events made, as they were then; never the agent's own."""
    yield from s.evidence.s0.rows(table.name)
    for effect in s.changes.of("world", "reaction"):
        first = effect.history[0]
        if effect.table == table.name and first.before is None and first.after is not None:
            yield first.after
