"""The submitted answer against its closed, typed schema; one value per field, so listing candidates fails the type."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from world.core.clock import duration
from world.grading.compiler import Compiler
from world.grading.dates import Moment, one_moment, parse_at
from world.grading.errors import Unfired
from world.grading.inputs import Answer
from world.grading.mentions import names_row
from world.grading.pattern import PatternError, compile_pattern
from world.grading.schema import AnswerField, AnswerSpec
from world.grading.scope import Literal, Operand, PersonRef, RowRef, Scope
from world.grading.text import read_text
from world.grading.values import decimal, duration_us, money, quantity
from world.grading.yaml_source import Place

MAX_CHARS = 300  # of one answer field; a value, not an essay


@dataclass(frozen=True, slots=True)
class Field:
    """One expected field: a test of the submitted value."""

    name: str
    weight: float
    gate: bool
    test: Callable[[Any, Scope], bool]
    text: str


@dataclass(frozen=True, slots=True)
class AnswerRule:
    """The whole expected answer."""

    status: str
    fields: tuple[Field, ...]
    reason: str | None
    reasons: tuple[str, ...]
    evidence: Operand | None
    weight: float

    def status_missed(self, answer: Answer | None, s: Scope) -> str | None:
        """Why the answer as a whole does not count, or None."""
        if answer is None:
            return "no answer was submitted"
        if answer.status != self.status:
            return f"the status is {answer.status}, not {self.status}"
        unknown = sorted(set(answer.fields) - {field.name for field in self.fields})
        if unknown:
            return f"unknown fields: {', '.join(unknown)}"
        return self._unreasoned(answer, s) if self.status == "impossible" else None

    def _unreasoned(self, answer: Answer, s: Scope) -> str | None:
        if answer.reason not in self.reasons:
            return "the reason is none of the codes"
        if answer.reason != self.reason:
            return f"the reason is {answer.reason}"
        return None if self._proven(answer.evidence, s) else "the evidence does not name the row that shows it"

    def _proven(self, given: str | None, s: Scope) -> bool:
        if self.evidence is None or not given or len(given) > MAX_CHARS or len(given.split()) > 3:
            return False
        rows = [value for value in s.values(self.evidence) if isinstance(value, RowRef)]
        return any(names_row(read_text(given), row, s) or given == ".".join(map(str, row.pk)) for row in rows)


def compile_answer(spec: AnswerSpec, c: Compiler) -> AnswerRule:
    """The answer section, with every ref looked up."""
    place: Place = ("answer",)
    evidence = c.operand(spec.evidence, (*place, "evidence")) if spec.evidence else None
    fields = tuple(_field(name, field, (*place, "fields", name), c) for name, field in spec.fields.items())
    return AnswerRule(spec.status, fields, spec.reason, tuple(spec.reasons or ()), evidence, spec.weight)


def _field(name: str, spec: AnswerField, place: Place, c: Compiler) -> Field:
    if spec.matches is not None:
        return Field(name, spec.weight, spec.gate, _form(spec.matches, place, c), f"has the form {spec.matches}")
    wanted = spec.eq_any if spec.eq_any is not None else [spec.value]
    operands = [c.operand(value, (*place, "value")) for value in wanted]
    if spec.type == "choice" and any(isinstance(o, Literal) and o.value not in (spec.options or ()) for o in operands):
        raise c.error((*place, "value"), "the value is none of the options")
    same = _TYPES[spec.type]
    tol = _tolerance(spec, place, c)

    def test(given: Any, s: Scope) -> bool:
        try:
            return _single(given) and any(same(given, value, spec, tol, s) for o in operands for value in s.values(o))
        except Unfired:
            return False

    return Field(name, spec.weight, spec.gate, test, f"is {' or '.join(str(value) for value in wanted)}")


def _single(given: Any) -> bool:
    return isinstance(given, (bool, int, float)) or (isinstance(given, str) and 0 < len(given.strip()) <= MAX_CHARS)


def _form(source: str, place: Place, c: Compiler) -> Callable[[Any, Scope], bool]:
    try:
        has_form = compile_pattern(source)
    except PatternError as error:
        raise c.error((*place, "matches"), str(error)) from None
    return lambda given, _: isinstance(given, str) and _single(given) and has_form(given.strip())


def _tolerance(spec: AnswerField, place: Place, c: Compiler) -> Decimal:
    if spec.tol is None:
        return Decimal(0)
    number = decimal(spec.tol)
    if spec.type not in ("date", "datetime", "duration"):
        if number is None or number < 0:
            raise c.error((*place, "tol"), f"{spec.tol!r} is not a tolerance")
        return number
    try:
        return Decimal(duration(spec.tol))
    except (ValueError, AttributeError):
        raise c.error((*place, "tol"), f"{spec.tol!r} is not a duration") from None


# one value of each type


def _text(given: Any, wanted: Any, spec: AnswerField, tol: Decimal, s: Scope) -> bool:
    return isinstance(given, str) and _fold(given) == _fold(str(wanted))


def _fold(text: str) -> tuple[str, ...]:
    words = read_text(text).words
    return words[1:] if words[:1] in (("the",), ("a",), ("an",)) else words


def _number(given: Any, wanted: Any, spec: AnswerField, tol: Decimal, s: Scope) -> bool:
    own, value = quantity(given), decimal(wanted)
    return own is not None and value is not None and own.within(value, spec.unit or "", tol)


def _money(given: Any, wanted: Any, spec: AnswerField, tol: Decimal, s: Scope) -> bool:
    currency = (spec.currency or "USD").upper()
    own, value = money(given, currency), decimal(wanted)
    return own is not None and value is not None and own.currency == currency and abs(own.value - value) <= tol


def _datetime(given: Any, wanted: Any, spec: AnswerField, tol: Decimal, s: Scope) -> bool:
    found, at = _moment(given), _at(wanted, s)
    full = found is not None and found.clock is not None and bool(found.days)
    return full and found is not None and any(found.means(one, s.zones, int(tol)) for one in at)


def _date(given: Any, wanted: Any, spec: AnswerField, tol: Decimal, s: Scope) -> bool:
    found, at = _moment(given), _at(wanted, s)
    return (
        found is not None
        and bool(found.days)
        and found.clock is None
        and any(found.means(one, s.zones, int(tol)) for one in at)
    )


def _moment(given: Any) -> Moment | None:
    return one_moment(read_text(given).plain) if isinstance(given, str) else None


def _at(wanted: Any, s: Scope) -> list[int]:
    number = decimal(wanted)
    if number is not None:
        return [int(number)]
    at = parse_at(str(wanted), s.zones[0])
    return [] if at is None else [at]


def _duration(given: Any, wanted: Any, spec: AnswerField, tol: Decimal, s: Scope) -> bool:
    own, value = duration_us(given), duration_us(wanted)
    return own is not None and value is not None and abs(own - value) <= tol


def _person(given: Any, wanted: Any, spec: AnswerField, tol: Decimal, s: Scope) -> bool:
    return isinstance(given, str) and isinstance(wanted, PersonRef) and s.directory.identify(given) == wanted.id


def _choice(given: Any, wanted: Any, spec: AnswerField, tol: Decimal, s: Scope) -> bool:
    return isinstance(given, str) and given.strip().casefold() == str(wanted).casefold()


def _row(given: Any, wanted: Any, spec: AnswerField, tol: Decimal, s: Scope) -> bool:
    short = isinstance(given, str) and len(given.split()) <= 3
    return short and isinstance(wanted, RowRef) and names_row(read_text(given), wanted, s)


def _boolean(given: Any, wanted: Any, spec: AnswerField, tol: Decimal, s: Scope) -> bool:
    return isinstance(given, bool) and given is wanted


_TYPES: Mapping[str, Callable[[Any, Any, AnswerField, Decimal, Scope], bool]] = {
    "text": _text,
    "number": _number,
    "money": _money,
    "date": _date,
    "datetime": _datetime,
    "duration": _duration,
    "person": _person,
    "choice": _choice,
    "row": _row,
    "boolean": _boolean,
}


def field_results(rule: AnswerRule, answer: Answer | None, s: Scope) -> Sequence[tuple[Field, bool, str]]:
    """Each field with whether it is right; nothing is when the answer as a whole does not count."""
    wrong = rule.status_missed(answer, s)
    found: list[tuple[Field, bool, str]] = []
    for field in rule.fields:
        given = None if answer is None else answer.fields.get(field.name)
        ok = wrong is None and given is not None and field.test(given, s)
        found.append(
            (
                field,
                ok,
                "" if ok else wrong or ("not given" if given is None else f"{given!r} is not what {field.text}"),
            )
        )
    return found
