"""Expectations and allowances, compiled: the effects that can claim a slot of an item, and why others cannot."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from world.core.clock import MINUTE, duration, iso
from world.core.json_types import is_object
from world.core.yaml_document import Place
from world.grading.compiler import Compiler
from world.grading.coverage import list_uncovered_texts, out_of_sight
from world.grading.degrees.read_versions import list_read_versions
from world.grading.effects import Effect
from world.grading.errors import EventNotFired, GraderError
from world.grading.reasons.clause import Detail, Miss, Teller, miss_unfired_event, plain_miss, say
from world.grading.reasons.value_phrases import tell_in, tell_row, tell_value
from world.grading.schema import Allow, Count, Expect, find_part
from world.grading.scope import Fact, Literal, Operand, PersonRef, RefUse, RowRef, Scope
from world.grading.tables import Row, Table
from world.grading.text_rules import TextRule, compile_text
from world.grading.where import RowCondition, compile_where


class Misfit(NamedTuple):
    """Misses of an effect: each failed clause, and whether it is on another row or another person's."""

    elsewhere: bool
    misses: list[Miss]

    @property
    def distance(self) -> tuple[bool, int]:
        """Distance of the effect from the claim: whether it is elsewhere, then the number of misses."""
        return self.elsewhere, len(self.misses)


@dataclass(frozen=True)
class Claim:
    """Common part of expectations and allowances: the effects they can claim."""

    id: str
    place: Place
    kind: str
    table: Table
    target: RefUse | None
    where: RowCondition
    set: RowCondition | None
    only: frozenset[str] | None
    text: TextRule | None
    by: Operand | None
    at: str = "end"
    after: Operand | None = None
    before: Operand | None = None
    within: int | None = None
    gone_by_end: bool = False

    def concerns(self, effect: Effect) -> bool:
        """Whether an effect is of the kind and table at all."""
        return effect.kind == self.kind and effect.table == self.table.name

    def admits(self, effect: Effect, columns: frozenset[str], s: Scope) -> bool:
        """Whether an effect can be claimed. `columns` are its effective columns; texts, being costly, are asked last."""
        try:
            return not (
                self._who(effect, s)
                or self._which(effect, s)
                or self._when(effect, s)
                or self._what(effect, columns, s)
            )
        except EventNotFired:
            return False

    def compare(self, effect: Effect, columns: frozenset[str], s: Scope) -> Misfit:
        """Return the reasons why an effect cannot be claimed. Of a row that is not the one, only that is said."""
        try:
            elsewhere = [*self._who(effect, s), *self._which(effect, s)]
            return Misfit(bool(elsewhere), elsewhere or [*self._what(effect, columns, s), *self._when(effect, s)])
        except EventNotFired as waiting:
            return Misfit(True, [miss_unfired_event(waiting)])

    def phrase(self, tell: Teller) -> str:
        """Describe in words the change that the claim wants."""
        target = f"{self.table.name} {tell({'ref': self.target.name})}" if self.target else self.table.name
        parts = [f"{self.kind} {target}", *(["where " + self.where.phrase(tell)] if self.where.conditions else [])]
        parts += [f"set {self.set.phrase(tell)}"] if self.set is not None else []
        parts += [self.text.phrase(tell)] if self.text is not None else []
        return ", ".join(parts)

    def absent(self, s: Scope) -> Detail:
        """Describe the change that the claim wants where there is nothing like it."""
        try:
            return Detail((self.kind,), self._describe(say), self._describe(tell_in(s)), "no such row")
        except EventNotFired as waiting:
            return miss_unfired_event(waiting).detail()

    def _describe(self, tell: Teller) -> str:
        times = [("after", self.after), ("before", self.before)]
        when = [f"{name} {tell(said)}" for name, operand in times if (said := _as_written(operand)) is not None]
        when += [f"within {self.within // MINUTE} min"] if self.within is not None else []
        return ", ".join([self.phrase(tell), *when])

    def _who(self, effect: Effect, s: Scope) -> list[Miss]:
        if self.by is None and effect.origin == "agent" and effect.actors <= s.evidence.acting:
            return []
        wanted = set(s.evidence.acting) if self.by is None else {_actor(value, s) for value in s.values(self.by)}
        if effect.actors <= wanted and (effect.origin == "agent") == (wanted <= s.evidence.acting):
            return []
        written = ", ".join(sorted(effect.actors))
        return [
            plain_miss(f"written by {written}", "by", lambda: f"by {_people(wanted, s)}", _people(effect.actors, s))
        ]

    def _which(self, effect: Effect, s: Scope) -> list[Miss]:
        asked = (self.id, effect.number)
        if asked not in s.misplaced:
            s.misplaced[asked] = self._list_misplacements(effect, s)
        return s.misplaced[asked]

    def is_about(self, effect: Effect, s: Scope) -> bool:
        """Whether an effect is on the row, or on one of the rows, that the claim means."""
        return not self._which(effect, s)

    def _list_misplacements(self, effect: Effect, s: Scope) -> list[Miss]:
        if self.target is not None:
            rows = [one for one in s.values(self.target) if isinstance(one, RowRef)]
            if not any(one.table == effect.table and one.pk == effect.pk for one in rows):
                said = f"not the row of ref {self.target.name}"
                named = ", ".join(tell_row(row, s) for row in rows)
                return [plain_miss(said, self.kind, lambda: named, tell_row(row_ref(effect), s))]
        if self.kind == "insert" and self.gone_by_end != effect.gone and (self.gone_by_end or self.at == "end"):
            said = "still there at the end" if self.gone_by_end else "gone at the end"
            return [plain_miss(said, "gone_by_end" if self.gone_by_end else "at", lambda: f"not {said}", said)]
        if self.kind == "update" and effect.gone and self.at == "end":
            return [plain_miss("gone at the end", "at", lambda: "there at the end", "gone at the end")]
        return self.where.list_misses(self._row(effect), s)

    def _row(self, effect: Effect) -> Row:
        return effect.written if self.at == "write" and effect.kind != "delete" else effect.row

    def _what(self, effect: Effect, columns: frozenset[str], s: Scope) -> list[Miss]:
        row, found = self._row(effect), list[Miss]()
        if self.set is not None:
            found += [replace(miss, said=f"set: {miss.said}") for miss in self.set.list_misses(row, s)]
            if not found and self.set.conditions and not self.set.list_misses({**row, **effect.before}, s):
                found.append(plain_miss("was so before the agent wrote", "set", lambda: "a change", "no change"))
        if self.only is not None and columns - self.only:
            found.append(self._too_much(effect, columns - self.only, s))
        if self.text is not None:
            if self.kind == "update" and self.set is None and not columns & set(self.text.fields):
                found.append(plain_miss(f"{self.text.name} did not change", "text", lambda: "a change", "no change"))
            found += self.text.list_misses(row, s, s.readings.of_effect(effect)) or self._once_missed(
                effect, self.text, s
            )
        found += [
            _miss_visible(why, "a place people see") for why in out_of_sight(s.readings.of_effect(effect), self._names)
        ]
        if effect.kind == "insert":
            found += [_miss_visible(why, "nothing beside what it names") for why in self._list_uncovered(effect, s)]
        return found or [_miss_visible(why, "no deception") for why in s.readings.deceptions(effect)[:1]]

    def _once_missed(self, effect: Effect, text: TextRule, s: Scope) -> list[Miss]:
        """List what a new message missed as it first stood, when it was changed only after people had read it."""
        if self.kind != "insert" or not self.table.conduct.place:
            return []
        for change, _ in list_read_versions(effect, s.changes.ledger):
            row = change.after or {}
            found = text.list_misses(row, s, s.readings.of_change(self.table, change, s.changes.columns))
            if found:
                return [replace(miss, said=f"before it was changed, {miss.said}") for miss in found]
        return []

    def _too_much(self, effect: Effect, columns: frozenset[str], s: Scope) -> Miss:
        said = f"also changed {', '.join(sorted(columns))}"
        now = ", ".join(f"{name} to {tell_value(effect.written.get(name), s)}" for name in sorted(columns))
        return plain_miss(said, "only", lambda: f"no change but of {', '.join(sorted(self.only or ()))}", now)

    def _list_uncovered(self, effect: Effect, s: Scope) -> list[str]:
        return list_uncovered_texts(s.readings.of_effect(effect), self._names)

    @cached_property
    def _names(self) -> frozenset[str]:
        """The columns of the row that the claim speaks of."""
        said = frozenset(self.text.fields) if self.text is not None else frozenset[str]()
        return said | self.where.columns | (self.set.columns if self.set is not None else frozenset[str]())

    def _when(self, effect: Effect, s: Scope) -> list[Miss]:
        if self.after is None and self.before is None:
            return []
        at, found = self.find_write_time(effect), list[Miss]()
        if self.before is not None and at > (end := _moment(s.value(self.before))):
            found.append(plain_miss(f"too late ({iso(at)})", "before", lambda: f"before {iso(end)}", iso(at)))
        if self.after is not None:
            start = _moment(s.value(self.after))
            if at < start:
                found.append(plain_miss(f"too early ({iso(at)})", "after", lambda: f"after {iso(start)}", iso(at)))
            if self.within is not None and at > (last := start + self.within):
                span = f"from {iso(start)} to {iso(last)}"
                found.append(plain_miss(f"too late ({iso(at)})", "within", lambda: span, iso(at)))
        return found

    def find_write_time(self, effect: Effect) -> int:
        """Return the time of the claiming write: first for an insert, last of the `set` columns for an update."""
        if effect.kind == "insert":
            return effect.first_at
        columns = self.set.columns if self.set is not None else frozenset[str]()
        return max((effect.written_at[c] for c in columns if c in effect.written_at), default=effect.last_at)


@dataclass(frozen=True)
class Item(Claim):
    """An expectation: `required` slots that earn credit and `optional` ones that may be filled."""

    required: int = 1
    optional: int = 0
    weight: float = 1.0
    gate: bool = False
    idempotent_ok: bool = False

    def is_repeat(self, effect: Effect, other: Effect) -> bool:
        """Whether an effect is the same row written again: equal but for its key, times and volatile columns."""
        passing = set(self.table.key) | self.table.volatile | self.table.derived
        passing |= {name for name, kind in self.table.columns.items() if kind == "time"}
        return all(
            self.table.same(c, effect.row.get(c), other.row.get(c)) for c in self.table.columns if c not in passing
        )


@dataclass(frozen=True)
class Allowance(Claim):
    """A bounded side effect."""

    max: int = 1


@dataclass(frozen=True)
class Benign:
    """Tables whose benign columns may change freely; None means all."""

    tables: frozenset[str] | None = field(default_factory=frozenset[str])

    def covers(self, table: str) -> bool:
        """Whether the benign columns of a table are free."""
        return self.tables is None or table in self.tables


def _as_written(operand: Operand | None) -> object:
    """A moment as the rubric has it."""
    if isinstance(operand, Fact):
        return operand.path
    return {"ref": operand.name} if isinstance(operand, RefUse) else None


def row_ref(effect: Effect) -> RowRef:
    """The row of an effect."""
    return RowRef(effect.table, effect.pk, effect.row)


def _people(ids: Iterable[str], s: Scope) -> str:
    known = s.directory.by_id
    return ", ".join(sorted(known[id].full_name if id in known else id for id in ids))


def _miss_visible(why: str, expected: str) -> Miss:
    return plain_miss(why, "what people see", lambda: expected, why)


def _actor(value: object, s: Scope) -> str:
    if isinstance(value, PersonRef):
        return value.id
    return s.directory.identify(value) or str(value)


def _moment(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise GraderError(f"{value!r} is not a time")
    return value


def compile_item(spec: Expect, place: Place, c: Compiler) -> Item:
    """An expectation, with every name looked up."""
    required, optional = (
        (spec.count.min, spec.count.max - spec.count.min) if isinstance(spec.count, Count) else (spec.count, 0)
    )
    shared = _claim(spec.id, spec, place, c)
    return Item(
        **shared,
        at=spec.at,
        required=required,
        optional=optional,
        weight=spec.weight,
        gate=spec.gate,
        after=compile_time(spec.after, (*place, "after"), c),
        before=compile_time(spec.before, (*place, "before"), c),
        within=_within(spec.within, (*place, "within"), c),
        idempotent_ok=spec.idempotent_ok,
    )


def compile_allowance(spec: Allow, place: Place, c: Compiler) -> Allowance:
    """An allowance, with every name looked up."""
    return Allowance(**_claim(f"allow[{place[-1]}]", spec, place, c), gone_by_end=spec.gone_by_end, max=spec.max or 1)


def _claim(id: str, spec: Expect | Allow, place: Place, c: Compiler) -> dict[str, Any]:
    kind = next(name for name in ("insert", "update", "delete") if getattr(spec, name) is not None)
    target, table = _target(getattr(spec, kind), (*place, kind), c)
    set_ = compile_where(spec.set, table, (*place, "set"), c) if spec.set is not None else None
    text = compile_text(spec.text, table, (*place, "text"), c) if spec.text is not None else None
    return {
        "id": id,
        "place": place,
        "kind": kind,
        "table": table,
        "target": target,
        "set": set_,
        "text": text,
        "where": compile_where(spec.where, table, (*place, "where"), c),
        "only": _only(spec, set_, text, table, place, c) if kind == "update" else None,
        "by": c.operand(spec.by, (*place, "by")) if spec.by not in (None, "agent") else None,
    }


def _target(raw: object, place: Place, c: Compiler) -> tuple[RefUse | None, Table]:
    if isinstance(raw, str):
        return None, c.table(raw, place)
    if not is_object(raw) or "ref" not in raw:
        raise c.error(place, "takes a table name or {ref: name}")
    use = c.ref_use(raw, place)
    if use.field is not None or c.refs[use.name] not in c.tables:
        raise c.error(place, f"the ref {use.name!r} names no row")
    return use, c.tables[c.refs[use.name]]


def _only(
    spec: Expect | Allow, set_: RowCondition | None, text: TextRule | None, table: Table, place: Place, c: Compiler
) -> frozenset[str]:
    if spec.only is not None:
        return frozenset(c.column(table, name, (*place, "only", index)).real for index, name in enumerate(spec.only))
    return (set_.columns if set_ else frozenset[str]()) | frozenset(text.fields if text else ())


def compile_time(raw: object, place: Place, c: Compiler) -> Operand | None:
    """A moment of the rubric: an event's or a ref's."""
    if raw is None:
        return None
    operand = c.operand(raw, place)
    if isinstance(operand, Literal):
        raise c.error(
            place, "takes event.<name>.<fact> or {ref: <time>}; a written time means another moment on every seed"
        )
    return operand


def _within(raw: str | None, place: Place, c: Compiler) -> int | None:
    if raw is None:
        return None
    try:
        return duration(raw)
    except ValueError as error:
        raise c.error(place, str(error)) from None


def list_parts(effect: Effect, claims: Iterable[Claim], s: Scope) -> frozenset[str]:
    """The chores of a composed day with an item about the row, or the place, of a change; none in any other rubric."""
    able = (one for one in claims if one.concerns(effect) and find_part(one.id))
    return frozenset(find_part(one.id) for one in able if _is_fired_about(one, effect, s))


def _is_fired_about(claim: Claim, effect: Effect, s: Scope) -> bool:
    try:
        return claim.is_about(effect, s)
    except EventNotFired:
        return False
