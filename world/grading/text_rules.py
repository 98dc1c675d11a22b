"""The `text` predicates of a rubric: what a field must and must not say."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Any

from world.core.clock import duration
from world.core.json_types import is_array, is_object
from world.core.reading.part import Part
from world.core.reading.passage import Mark, Passage
from world.grading.claims.assertions import asserts
from world.grading.commitment import Disavowal, read_commitment
from world.grading.compiler import Compiler
from world.grading.coverage import fuller_texts, hidden_texts, other_texts
from world.grading.dates import moments, one_moment, parse_at
from world.grading.errors import unknown
from world.grading.facts.rules import compile_facts
from world.grading.following import list_following
from world.grading.mentions import (
    entities,
    names_day,
    names_number,
    names_person,
    names_row,
    names_time,
    numbers,
    row_labels,
)
from world.grading.operators import combine_tests, expand_short_form, say
from world.grading.passages import join_passages, to_passage
from world.grading.scope import Literal, Operand, PersonRef, RefUse, RowRef, Scope
from world.grading.stance.rules import compile_stance
from world.grading.tables import Row, Table
from world.grading.text import MAX_CHARS, Text, read_text
from world.grading.values import decimal, moneys
from world.grading.yaml_source import Place

DEFAULT_CHARS, DEFAULT_ENTITIES = 2_000, 20
QUOTE_TOKENS = 8
MAX_SHOWN = 80  # characters of a sentence in a finding
_LONG_AGO = 10**14  # a fact at least this large is a time in us

Test = Callable[[Text, Row, Scope], bool]


@dataclass(frozen=True, slots=True)
class TextPredicate:
    """A test of a text; the row is given for predicates that need the untouched cell. `words`: all it asks for is that
    these stand there. `forbids`: the parts of it that say what must not stand there. `bounds`: it is about the whole
    text, whether its author stands by it or not. `quotes`: others' words are what it asks for.
    """

    test: Test
    text: str
    words: Text | None = None
    forbids: tuple["TextPredicate", ...] = ()
    bounds: bool = False
    quotes: bool = False


@dataclass(frozen=True, slots=True)
class TextRule:
    """What the text in some fields of a row must say."""

    table: Table
    fields: tuple[str, ...]
    parts: tuple[TextPredicate, ...]

    def read(self, row: Row) -> Text:
        """The normalised text of the fields."""
        cells = [self.table.cell(row, field) for field in self.fields]
        parts, passages = [read_text(cell) for cell in cells], tuple(to_passage(cell) for cell in cells)
        plain = "\n".join(part.plain for part in parts)
        return Text(plain, cut=any(part.cut for part in parts), passages=passages)

    def missed(self, row: Row, s: Scope, seen: Sequence[Part] = ()) -> list[str]:
        """The predicates a row's text does not meet, in words; `seen` is all that people see of the row.

        What must not stand there stands in none of the parts; a body of which the text is a summary says all it must.
        """
        text = self.read(row)
        if text.cut:
            return [f"{'/'.join(self.fields)} is longer than {MAX_CHARS} characters"]
        name = "/".join(self.fields)
        void = self._find_void(text, row, s)
        if void is not None:
            return [f"the author does not stand by {name}, {void.reason}: {void.sentence[:MAX_SHOWN]!r}"]
        found = [f"{name} {part.text}" for part in self.parts if not self._meets(part, text, row, s)]
        for body in map(read_text, fuller_texts(seen, self.fields)):
            found += [f"what {name} sums up {part.text}" for part in self.parts if not self._meets(part, body, row, s)]
        return found + self._forbidden(row, s, seen)

    def _meets(self, part: TextPredicate, text: Text, row: Row, s: Scope) -> bool:
        """Whether a text meets a predicate: by what its author stands by, and in the whole by what must not stand there."""
        if (part.bounds or part.forbids) and not part.test(text, row, s):
            return False
        return part.bounds or part.test(self._standing(text, row, s), row, s)

    def _find_void(self, text: Text, row: Row, s: Scope) -> Disavowal | None:
        """What takes the whole text back, if anything does."""
        if any(part.quotes for part in self.parts):
            return None
        return read_commitment(join_passages(text.passages), self._added(row, s)).whole

    def _added(self, row: Row, s: Scope) -> tuple[Passage, ...]:
        return tuple(one for other in list_following(row, self.table, s) for one in self.read(other).passages)

    def _standing(self, text: Text, row: Row, s: Scope) -> Text:
        """A text without what its author denies or takes back, here or at once in a further message."""
        return _leave_standing(text.passages, self._added(row, s)) if text.is_own else text

    def _forbidden(self, row: Row, s: Scope, seen: Sequence[Part]) -> list[str]:
        forbidding = [inner for part in self.parts for inner in part.forbids]
        if not forbidding:
            return []
        texts = [read_text(text, quoted=True) for text in self.elsewhere(seen)]
        bad = (part for part in forbidding if not all(part.test(text, row, s) for text in texts))
        return [f"another part of the row {part.text}" for part in bad]

    def elsewhere(self, seen: Sequence[Part]) -> list[str]:
        """What stands in the other parts of a row, and hidden in its own."""
        return [*other_texts(seen, self.fields), *hidden_texts(seen, self.fields)] if seen else []

    def holds_anywhere(self, row: Row, s: Scope, seen: Sequence[Part]) -> bool:
        """Whether some part of a row, or all of them together, says it all."""
        own = self.read(row)
        if all(part.test(own, row, s) for part in self.parts):
            return True
        others = [read_text(text, quoted=True) for text in self.elsewhere(seen)]
        whole = [Text("\n".join(text.plain for text in (own, *others)))] if others else []
        return any(all(part.test(text, row, s) for part in self.parts) for text in (*others, *whole))

    def holds(self, row: Row, s: Scope) -> bool:
        """Whether a row's text says it all."""
        text = self.read(row)
        return all(part.test(text, row, s) for part in self.parts)


@lru_cache(maxsize=2048)
def _leave_standing(passages: tuple[Passage, ...], added: tuple[Passage, ...]) -> Text:
    text = join_passages(passages)
    reading = read_commitment(text, added)
    voids = [Mark(one.start, one.end, "struck") for one in reading.voids if not one.asked]
    standing = Passage(text.text, (*text.marks, *voids)).without("struck", "quoted", "hidden")
    return Text(standing, passages=passages)


def compile_text(raw: Any, table: Table, place: Place, c: Compiler, *, bounded: bool = True) -> TextRule:
    """The rule of a `text` mapping; `mentions` without a bound gets the default bounds if it is to be `bounded`."""
    if not is_object(raw) or "field" not in raw:
        raise c.error(place, "text takes a mapping with `field` and at least one predicate")
    fields = raw["field"] if is_array(raw["field"]) else [raw["field"]]
    columns = [c.column(table, str(name), (*place, "field")) for name in fields]
    if any(column.name not in table.columns for column in columns):
        raise c.error((*place, "field"), "a text field is a column of the table itself")
    spec = {key: value for key, value in raw.items() if key != "field"}
    if not spec:
        raise c.error(place, f"no predicate; known: {', '.join(PREDICATES)}")
    if bounded and _mentions(spec) and not {"max_chars", "max_entities"} & set(spec):
        spec |= {"max_chars": DEFAULT_CHARS, "max_entities": DEFAULT_ENTITIES}
    names = tuple(column.name for column in columns)
    return TextRule(table, names, tuple(_compile(spec, place, c, names, table)))


def _mentions(raw: Any) -> bool:
    if is_object(raw):
        stated = isinstance(raw.get("facts"), Mapping) and "must" in raw["facts"]
        return (
            stated
            or "mentions" in raw
            or any(_mentions(value) for key, value in raw.items() if key in ("all_of", "any_of"))
        )
    return is_array(raw) and any(_mentions(item) for item in raw)


def _compile(raw: Any, place: Place, c: Compiler, fields: tuple[str, ...], table: Table) -> list[TextPredicate]:
    if not is_object(raw) or not raw:
        raise c.error(place, f"takes a mapping with one of {', '.join(PREDICATES)}")
    parts: list[TextPredicate] = []
    for key, value in raw.items():
        here = (*place, key)
        if key in ("all_of", "any_of", "none_of"):
            parts.append(_combined(key, value, here, c, fields, table))
        elif key == "quotes":
            parts.append(_quotes(value, here, c, fields, table))
        elif key == "facts":
            parts += [TextPredicate(test, words) for test, words in compile_facts(value, here, c, fields, table)]
        elif key == "stance":
            parts += [TextPredicate(*compile_stance(one, here, c, fields, table)) for one in _as_list(value)]
        elif key in PREDICATES:
            parts.append(PREDICATES[key](value, here, c))
        else:
            raise c.error(
                here,
                unknown(
                    "text predicate", key, [*PREDICATES, "quotes", "facts", "stance", "all_of", "any_of", "none_of"]
                ),
            )
    return parts


def _as_list(value: Any) -> list[Any]:
    return value if is_array(value) else [value]


def _combined(how: str, raw: Any, place: Place, c: Compiler, fields: tuple[str, ...], table: Table) -> TextPredicate:
    if not is_array(raw) or not raw:
        raise c.error(place, f"{how} takes a list of at least one predicate")
    groups = [_compile(item, (*place, index), c, fields, table) for index, item in enumerate(raw)]
    decide, tests = combine_tests(how), [_together(group) for group in groups]
    begins = _begins(groups)

    def test(text: Text, row: Row, s: Scope) -> bool:
        if begins is not None and text.places.keys().isdisjoint(begins):
            return decide([False])
        return decide([one(text, row, s) for one in tests])

    said = {"all_of": " and ", "any_of": " or ", "none_of": " nor "}[how]
    words = said.join(" and ".join(part.text for part in group) for group in groups)
    inner = tuple(part for group in groups for single in group for part in single.forbids) if how == "all_of" else ()
    made = TextPredicate(test, f"must neither {words}" if how == "none_of" else words, forbids=inner)
    return replace(made, forbids=(made,)) if how == "none_of" else made


def _begins(groups: Sequence[Sequence[TextPredicate]]) -> frozenset[str] | None:
    """The first words of alternatives that are all plain phrases; a text with none of them needs no further look."""
    phrases = [group[0].words for group in groups if len(group) == 1]
    found = [phrase.words[0] for phrase in phrases if phrase is not None and phrase.words]
    return frozenset(found) if len(found) == len(groups) else None


def _together(group: Sequence[TextPredicate]) -> Test:
    if len(group) == 1:
        return group[0].test
    return lambda text, row, s: all([part.test(text, row, s) for part in group])


# mentions


def _mention(raw: Any, place: Place, c: Compiler) -> TextPredicate:
    if is_array(raw):
        parts = [_mention(item, (*place, index), c) for index, item in enumerate(raw)]
        return TextPredicate(lambda t, r, s: all(p.test(t, r, s) for p in parts), " and ".join(p.text for p in parts))
    if is_object(raw) and "ref" not in raw:
        return _mention_typed(raw, place, c)
    operand = c.operand(raw, place)
    if isinstance(operand, Literal):
        if isinstance(operand.value, bool) or operand.value in (None, ""):
            raise c.error(place, "mentions takes a text, a number, a ref or a fact")
        c.refuse_text_id(operand.value, place)
        words = _words(operand.value) if isinstance(operand.value, str) else None
        if words is not None:
            return TextPredicate(lambda text, _row, _s: text.has(words), f"mentions {say(raw)}", words)
    return TextPredicate(
        lambda text, _, s: any(_names(text, value, s) for value in s.values(operand)), f"mentions {say(raw)}"
    )


def _mention_typed(raw: Mapping[str, Any], place: Place, c: Compiler) -> TextPredicate:
    kinds = [kind for kind in ("number", "date", "time", "money") if kind in raw]
    if len(kinds) != 1 or set(raw) - {kinds[0], "tol", "unit", "currency"}:
        raise c.error(place, "mentions takes a text, a ref, or one of number, date, time, money with tol")
    more = {key: value for key, value in raw.items() if key != kinds[0]}
    kind = kinds[0]
    spec = {"value": raw[kind], **more} if not is_object(raw[kind]) or "ref" in raw[kind] else {**raw[kind], **more}
    return PREDICATES[kind](spec, (*place, kind), c)


def _names(text: Text, value: Any, s: Scope) -> bool:
    words = _words(value) if isinstance(value, str) else None
    if words is not None:
        return text.has(words)
    if isinstance(value, PersonRef):
        return names_person(text, value.id, s)
    if isinstance(value, RowRef):
        return _names_row(text, value, s)
    number = decimal(value)
    if number is not None and number >= _LONG_AGO:
        return names_time(text, int(number), s)
    if number is not None:
        return names_number(text, number)
    return _names_phrase(text, str(value), s)


@lru_cache(maxsize=2048)
def _words(phrase: str) -> Text | None:
    """A phrase that is looked for word by word; None for one that is a number or a time."""
    return read_text(phrase) if decimal(phrase) is None and one_moment(phrase) is None else None


def _names_row(text: Text, value: RowRef, s: Scope) -> bool:
    if value.table == "person":
        return names_person(text, str(value.pk[0]), s)
    return names_row(text, value, s)


def _names_phrase(text: Text, phrase: str, s: Scope) -> bool:
    wanted = one_moment(phrase)
    if wanted is not None and wanted.clock and not wanted.days:
        return any(found.clock and found.clock[:2] == wanted.clock[:2] for found in moments(text.plain))
    at = parse_at(phrase, s.zones[0]) if wanted is not None else None
    if at is not None and wanted is not None:
        return names_time(text, at, s) if wanted.clock else names_day(text, at, s)
    return text.has(read_text(phrase))


# claims and quotes


def _claims(raw: Any, place: Place, c: Compiler) -> TextPredicate:
    if not is_object(raw) or set(raw) != {"subject", "state"} or not isinstance(raw["state"], str):
        raise c.error(place, "claims takes {subject: ..., state: ...}")
    operand = c.operand(raw["subject"], (*place, "subject"))
    state = raw["state"]

    def test(text: Text, _: Row, s: Scope) -> bool:
        return asserts(text, subjects(operand, s), state)

    return TextPredicate(test, f"claims that {say(raw['subject'])} is {state}")


def subjects(operand: Operand, s: Scope) -> list[str]:
    """What the subject of a claim may be called."""
    found: list[str] = []
    for value in s.values(operand):
        if isinstance(value, PersonRef):
            found += s.directory.spoken(value.id)
        elif isinstance(value, RowRef):
            found += row_labels(value, s.table(value.table))
        else:
            found.append(str(value))
    return found


def _quotes(raw: Any, place: Place, c: Compiler, fields: tuple[str, ...], table: Table) -> TextPredicate:
    operand = c.operand(raw, place)
    if not isinstance(operand, RefUse):
        raise c.error(place, "quotes takes a ref to the source row")

    def test(_: Text, row: Row, s: Scope) -> bool:
        own = _runs(read_text(table.cell(row, field), quoted=True) for field in fields)
        return any(own & _runs(_sources(value, s)) for value in s.values(operand))

    return TextPredicate(test, f"quotes {say(raw)}", quotes=True)


def _sources(value: Any, s: Scope) -> list[Text]:
    if not isinstance(value, RowRef):
        return [read_text(value, quoted=True)]
    table = s.table(value.table)
    columns = [name for name, kind in table.columns.items() if kind in ("text", "json")]
    return [read_text(table.cell(value.row, name), quoted=True) for name in columns]


def _runs(texts: Any) -> set[tuple[str, ...]]:
    return {text.words[at : at + QUOTE_TOKENS] for text in texts for at in range(len(text.words) - QUOTE_TOKENS + 1)}


# typed values and bounds


def _number(raw: Any, place: Place, c: Compiler) -> TextPredicate:
    spec = expand_short_form(raw, ("value", "tol", "unit"), place, c)
    operand, tol, unit = (
        c.operand(spec["value"], place),
        decimal(spec.get("tol", 0)) or Decimal(0),
        str(spec.get("unit", "")),
    )

    def test(text: Text, _: Row, s: Scope) -> bool:
        wanted = decimal(s.value(operand))
        return wanted is not None and _holds_number(text, wanted, unit, tol)

    return TextPredicate(test, f"states the number {say(raw)}")


def _holds_number(text: Text, wanted: Decimal, unit: str, tol: Decimal) -> bool:
    return (
        any(q.unit and q.within(wanted, unit, tol) for q in numbers(text))
        if unit
        else names_number(text, wanted, "", tol)
    )


def _money(raw: Any, place: Place, c: Compiler) -> TextPredicate:
    spec = expand_short_form(raw, ("value", "tol", "currency"), place, c)
    operand, tol, currency = (
        c.operand(spec["value"], place),
        decimal(spec.get("tol", 0)) or Decimal(0),
        str(spec.get("currency", "USD")),
    )

    def test(text: Text, _: Row, s: Scope) -> bool:
        wanted = decimal(s.value(operand))
        found = moneys(text.plain)
        return wanted is not None and any(
            m.currency == currency.upper() and abs(m.value - wanted) <= tol for m in found
        )

    return TextPredicate(test, f"states the amount {say(raw)}")


def _moment(kind: str) -> Callable[[Any, Place, Compiler], TextPredicate]:
    names = names_day if kind == "date" else names_time

    def build(raw: Any, place: Place, c: Compiler) -> TextPredicate:
        spec = expand_short_form(raw, ("value", "tol"), place, c)
        operand = c.operand(spec["value"], place)
        try:
            tol = duration(spec.get("tol", 0))
        except (ValueError, AttributeError):
            raise c.error((*place, "tol"), f"{spec.get('tol')!r} is not a duration") from None
        if isinstance(operand, Literal) and parse_at(str(operand.value)) is None:
            raise c.error(place, f"{operand.value!r} is not a {kind} (write 2025-10-20T06:48Z, event.x.start or a ref)")
        return TextPredicate(
            lambda text, _, s: _at(s.value(operand), s, lambda at: names(text, at, s, tol)),
            f"states the {kind} {say(raw)}",
        )

    return build


def _at(value: Any, s: Scope, test: Callable[[int], bool]) -> bool:
    number = decimal(value)
    at = int(number) if number is not None else parse_at(str(value), s.zones[0])
    return at is not None and test(at)


def _bound(name: str) -> Callable[[Any, Place, Compiler], TextPredicate]:
    def build(raw: Any, place: Place, c: Compiler) -> TextPredicate:
        if isinstance(raw, bool) or not isinstance(raw, int) or raw < 0:
            raise c.error(place, f"{name} takes a whole number")
        tests: Mapping[str, Test] = {
            "max_chars": lambda text, _, s: len(text.plain) <= raw,
            "min_chars": lambda text, _, s: len(text.plain) >= raw,
            "max_entities": lambda text, _, s: entities(text, s.directory).count <= raw,
        }
        words = {
            "max_chars": "has at most {} characters",
            "min_chars": "has at least {} characters",
            "max_entities": "names at most {} people, ids and amounts",
        }
        return TextPredicate(tests[name], words[name].format(raw), bounds=True)

    return build


PREDICATES: Mapping[str, Callable[[Any, Place, Compiler], TextPredicate]] = {
    "mentions": _mention,
    "claims": _claims,
    "number": _number,
    "money": _money,
    "date": _moment("date"),
    "time": _moment("time"),
    **{name: _bound(name) for name in ("max_chars", "min_chars", "max_entities")},
}
