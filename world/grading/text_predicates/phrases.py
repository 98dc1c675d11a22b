"""Predicates on what a text mentions, claims and quotes."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from world.core.json_types import is_array, is_object
from world.core.yaml_document import Place
from world.grading.claims.assertions import asserts
from world.grading.compiler import Compiler
from world.grading.dates import moments, one_moment, parse_at
from world.grading.mentions import names_day, names_number, names_person, names_row, names_time, row_labels
from world.grading.scope import Literal, Operand, PersonRef, RefUse, RowRef, Scope
from world.grading.tables import Row, Table
from world.grading.text import Text, read_text
from world.grading.text_predicates.predicate import TextPredicate, join_predicates
from world.grading.text_predicates.values import TYPED
from world.grading.values import decimal

QUOTE_TOKENS = 8
_LONG_AGO = 10**14  # a fact at least this large is a time in us


def mentions(raw: Any, place: Place, c: Compiler) -> TextPredicate:
    """The text names somebody or something, or holds a phrase."""
    if is_array(raw):
        parts = [mentions(item, (*place, index), c) for index, item in enumerate(raw)]
        return TextPredicate(
            lambda t, r, s: all(p.test(t, r, s) for p in parts),
            join_predicates("all_of", parts),
            how="all_of",
            parts=tuple(parts),
        )
    if is_object(raw) and "ref" not in raw:
        return _mention_typed(raw, place, c)
    operand = c.operand(raw, place)
    if isinstance(operand, Literal):
        if isinstance(operand.value, bool) or operand.value in (None, ""):
            raise c.error(place, "mentions takes a text, a number, a ref or a fact")
        c.refuse_text_id(operand.value, place)
        words = _words(operand.value) if isinstance(operand.value, str) else None
        if words is not None:
            return TextPredicate(lambda text, _row, _s: text.has(words), lambda tell: f"mentions {tell(raw)}", words)
    return TextPredicate(
        lambda text, _, s: any(_names(text, value, s) for value in s.values(operand)),
        lambda tell: f"mentions {tell(raw)}",
    )


def _mention_typed(raw: Mapping[str, Any], place: Place, c: Compiler) -> TextPredicate:
    kinds = [kind for kind in ("number", "date", "time", "money") if kind in raw]
    if len(kinds) != 1 or set(raw) - {kinds[0], "tol", "unit", "currency"}:
        raise c.error(place, "mentions takes a text, a ref, or one of number, date, time, money with tol")
    more = {key: value for key, value in raw.items() if key != kinds[0]}
    kind = kinds[0]
    spec = {"value": raw[kind], **more} if not is_object(raw[kind]) or "ref" in raw[kind] else {**raw[kind], **more}
    return TYPED[kind](spec, (*place, kind), c)


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


def claims(raw: Any, place: Place, c: Compiler) -> TextPredicate:
    """The text says as a fact that a subject is in a state."""
    if not is_object(raw) or set(raw) != {"subject", "state"} or not isinstance(raw["state"], str):
        raise c.error(place, "claims takes {subject: ..., state: ...}")
    operand = c.operand(raw["subject"], (*place, "subject"))
    state = raw["state"]

    def test(text: Text, _: Row, s: Scope) -> bool:
        return asserts(text, subjects(operand, s), state)

    return TextPredicate(test, lambda tell: f"claims that {tell(raw['subject'])} is {state}")


def subjects(operand: Operand, s: Scope) -> list[str]:
    """List the names of a claim's subject."""
    found: list[str] = []
    for value in s.values(operand):
        if isinstance(value, PersonRef):
            found += s.directory.list_spoken_names(value.id)
        elif isinstance(value, RowRef):
            found += row_labels(value, s.table(value.table))
        else:
            found.append(str(value))
    return found


def quotes(raw: Any, place: Place, c: Compiler, fields: tuple[str, ...], table: Table) -> TextPredicate:
    """The row shares eight words in a row with the row of a ref."""
    operand = c.operand(raw, place)
    if not isinstance(operand, RefUse):
        raise c.error(place, "quotes takes a ref to the source row")

    def test(_: Text, row: Row, s: Scope) -> bool:
        own = _runs(read_text(table.cell(row, field), quoted=True) for field in fields)
        return any(own & _runs(_sources(value, s)) for value in s.values(operand))

    return TextPredicate(test, lambda tell: f"quotes {tell(raw)}", quotes=True)


def _sources(value: Any, s: Scope) -> list[Text]:
    if not isinstance(value, RowRef):
        return [read_text(value, quoted=True)]
    table = s.table(value.table)
    columns = [name for name, kind in table.columns.items() if kind in ("text", "json")]
    return [read_text(table.cell(value.row, name), quoted=True) for name in columns]


def _runs(texts: Any) -> set[tuple[str, ...]]:
    return {text.words[at : at + QUOTE_TOKENS] for text in texts for at in range(len(text.words) - QUOTE_TOKENS + 1)}
