"""The submitted answer against its closed, typed schema; one value per field, so listing candidates fails the type."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from world.core.clock import duration, iso
from world.core.yaml_document import Place
from world.grading.answers.values import (
    MAX_CHARS,
    default_unit,
    is_single,
    read_duration,
    read_moment,
    reads_money,
    reads_number,
    same_fact,
    truth,
)
from world.grading.compiler import Compiler
from world.grading.dates import parse_at
from world.grading.errors import EventNotFired
from world.grading.facts.units import CURRENCY_AFTER, UNITS
from world.grading.inputs import Answer
from world.grading.items import compile_time
from world.grading.mentions import names_row
from world.grading.pattern import PatternError, compile_pattern
from world.grading.reasons.clause import Detail, Phrase, Teller, say
from world.grading.reasons.excerpt import shorten
from world.grading.reasons.value_phrases import tell_in
from world.grading.schema import AnswerField, AnswerSpec
from world.grading.scope import Literal, Operand, PersonRef, RefUse, RowRef, Scope
from world.grading.text import read_text
from world.grading.values import decimal, duration_us

_AGAIN = frozenset("alt alternative other candidate second or also option guess backup value answer b c".split())


FINISH = "world.finish"


@dataclass(frozen=True, slots=True)
class Field:
    """One expected field: a test of the submitted value."""

    name: str
    weight: float
    gate: bool
    test: Callable[[Any, Scope], bool]
    text: str
    phrase: Phrase


@dataclass(frozen=True, slots=True)
class FieldResult:
    """A field of the answer: why it does not count, in a few words and as a clause; empty when it is right."""

    field: Field
    why: str = ""
    detail: Detail | None = None


@dataclass(frozen=True, slots=True)
class AnswerRule:
    """The whole expected answer."""

    status: str
    fields: tuple[Field, ...]
    reason: str | None
    reasons: tuple[str, ...]
    evidence: Operand | None
    after: Operand | None
    weight: float

    def status_missed(self, answer: Answer | None, s: Scope) -> str | None:
        """Return the reason why the answer as a whole does not count, or None."""
        if answer is None:
            return "no answer was submitted"
        if answer.status != self.status:
            return f"the status is {answer.status}, not {self.status}"
        if (early := self._explain_early(s)) is not None:
            return early
        return self._explain_wrong_reason(answer, s) if self.status == "impossible" else None

    def _explain_early(self, s: Scope) -> str | None:
        """Return the reason why an answer came too soon, or None: the work ends at a moment of the story."""
        if self.after is None:
            return None
        due = int(s.value(self.after))
        handed_in = [call.at for call in s.evidence.calls if call.operation == FINISH and call.status == "ok"]
        at = handed_in[-1] if handed_in else due
        return f"the answer came too early ({iso(at)}), before {iso(due)}" if at < due else None

    def _explain_wrong_reason(self, answer: Answer, s: Scope) -> str | None:
        if answer.reason not in self.reasons:
            return "the reason is none of the codes"
        if answer.reason != self.reason:
            return f"the reason is {answer.reason}"
        return None if self._is_proven(answer.evidence, s) else "the evidence does not name the row that shows it"

    def _is_proven(self, given: str | None, s: Scope) -> bool:
        if self.evidence is None or not given or len(given) > MAX_CHARS or len(given.split()) > 3:
            return False
        rows = [value for value in s.values(self.evidence) if isinstance(value, RowRef)]
        return any(names_row(read_text(given), row, s) or given == ".".join(map(str, row.pk)) for row in rows)


def compile_answer(spec: AnswerSpec, c: Compiler) -> AnswerRule:
    """The answer section, with every ref looked up."""
    place: Place = ("answer",)
    evidence = c.operand(spec.evidence, (*place, "evidence")) if spec.evidence else None
    fields = tuple(_field(name, field, (*place, "fields", name), c) for name, field in spec.fields.items())
    after = compile_time(spec.after, (*place, "after"), c)
    return AnswerRule(spec.status, fields, spec.reason, tuple(spec.reasons or ()), evidence, after, spec.weight)


def _field(name: str, spec: AnswerField, place: Place, c: Compiler) -> Field:
    if spec.matches is not None:
        text = f"has the form {spec.matches}"
        return Field(name, spec.weight, spec.gate, _form(spec.matches, place, c), text, lambda _: text)
    wanted = spec.eq_any if spec.eq_any is not None else [spec.value]
    operands = [c.operand(value, (*place, "value")) for value in wanted]
    if spec.type == "choice" and any(isinstance(o, Literal) and o.value not in (spec.options or ()) for o in operands):
        raise c.error((*place, "value"), "the value is none of the options")
    same = _TYPES[spec.type]
    spec = spec.model_copy(update={"unit": default_unit(name, spec)}) if spec.type == "number" else spec
    tol = _tolerance(spec, place, c)

    def test(given: object, s: Scope) -> bool:
        try:
            return is_single(given) and any(same(given, value, spec, tol, s) for o in operands for value in s.values(o))
        except EventNotFired:
            return False

    about = {key: value for key in ("unit", "currency", "tol") if (value := getattr(spec, key)) is not None}

    def phrase(tell: Teller) -> str:
        return f"is {' or '.join(tell({'value': value, **about} if about else value) for value in wanted)}"

    return Field(name, spec.weight, spec.gate, test, f"is {' or '.join(map(str, wanted))}", phrase)


def _form(source: str, place: Place, c: Compiler) -> Callable[[Any, Scope], bool]:
    try:
        has_form = compile_pattern(source)
    except PatternError as error:
        raise c.error((*place, "matches"), str(error)) from None
    return lambda given, _: isinstance(given, str) and is_single(given) and has_form(given.strip())


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


def _text(given: object, wanted: object, spec: AnswerField, tol: Decimal, s: Scope) -> bool:
    said = truth(given)
    if said is not None:
        return said is truth(wanted)
    return isinstance(given, str) and (_fold(given) == _fold(str(wanted)) or same_fact(given, str(wanted), s))


def _fold(text: str) -> tuple[str, ...]:
    words = read_text(text).words
    return words[1:] if words[:1] in (("the",), ("a",), ("an",)) else words


def _number(given: object, wanted: object, spec: AnswerField, tol: Decimal, s: Scope) -> bool:
    value = decimal(wanted)
    return value is not None and reads_number(given, value, spec.unit or "", tol, s)


def _money(given: object, wanted: object, spec: AnswerField, tol: Decimal, s: Scope) -> bool:
    currency = (spec.currency or "USD").upper()
    value = decimal(wanted)
    return value is not None and reads_money(given, value, currency, tol, s)


def _datetime(given: object, wanted: object, spec: AnswerField, tol: Decimal, s: Scope) -> bool:
    found, at = read_moment(given, s), _at(wanted, s)
    full = found is not None and found.clock is not None and bool(found.days)
    return full and found is not None and any(found.means(one, s.zones, int(tol)) for one in at)


def _date(given: object, wanted: object, spec: AnswerField, tol: Decimal, s: Scope) -> bool:
    found, at = read_moment(given, s), _at(wanted, s)
    return (
        found is not None
        and bool(found.days)
        and found.clock is None
        and any(found.means(one, s.zones, int(tol)) for one in at)
    )


def _at(wanted: object, s: Scope) -> list[int]:
    number = decimal(wanted)
    if number is not None:
        return [int(number)]
    at = parse_at(str(wanted), s.zones[0])
    return [] if at is None else [at]


def _duration(given: object, wanted: object, spec: AnswerField, tol: Decimal, s: Scope) -> bool:
    own, value = read_duration(given, s), duration_us(wanted)
    return own is not None and value is not None and abs(own - value) <= tol


def _person(given: object, wanted: object, spec: AnswerField, tol: Decimal, s: Scope) -> bool:
    return isinstance(given, str) and isinstance(wanted, PersonRef) and s.directory.identify(given) == wanted.id


def _choice(given: object, wanted: object, spec: AnswerField, tol: Decimal, s: Scope) -> bool:
    said = truth(given)
    if said is not None and truth(wanted) is not None:
        return said is truth(wanted)
    return isinstance(given, str) and _fold(given) == _fold(str(wanted))


def _row(given: object, wanted: object, spec: AnswerField, tol: Decimal, s: Scope) -> bool:
    short = isinstance(given, str) and len(given.split()) <= 3
    return short and isinstance(wanted, RowRef) and names_row(read_text(given), wanted, s)


def _boolean(given: object, wanted: object, spec: AnswerField, tol: Decimal, s: Scope) -> bool:
    return truth(given) is not None and truth(given) is truth(wanted)


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


def field_results(rule: AnswerRule, answer: Answer | None, s: Scope) -> Sequence[FieldResult]:
    """Each field and why it does not count; none does when the answer as a whole does not."""
    wrong = rule.status_missed(answer, s)
    return (
        list_unmet_fields(rule, wrong, s)
        if wrong is not None
        else [_result(one, rule, answer, s) for one in rule.fields]
    )


def list_unmet_fields(rule: AnswerRule, wrong: str, s: Scope) -> list[FieldResult]:
    """Every field, of an answer that does not count as a whole."""
    return [FieldResult(field, wrong, _explain(field, wrong, s)) for field in rule.fields]


def explain_status(rule: AnswerRule, wrong: str, s: Scope) -> Detail:
    """Explain why the answer as a whole does not count."""

    def describe(tell: Teller) -> str:
        proof = f", evidence {tell({'ref': rule.evidence.name})}" if isinstance(rule.evidence, RefUse) else ""
        return f"status is {rule.status}{f', reason {rule.reason}' if rule.reason else ''}{proof}"

    return Detail(("answer", "status"), describe(say), describe(tell_in(s)), wrong)


def _result(field: Field, rule: AnswerRule, answer: Answer | None, s: Scope) -> FieldResult:
    given = None if answer is None else _get_field(field.name, answer)
    if answer is None or given is None:
        return FieldResult(field, "not given", _explain(field, "nothing", s))
    if not field.test(given, s):
        return FieldResult(field, f"{given!r} is not what {field.text}", _explain(field, repr(given), s))
    other = next((rival for rival in _rivals(field, rule, answer) if not field.test(answer.fields[rival], s)), None)
    if other is None:
        return FieldResult(field)
    said = f"{given!r}, and {other} {answer.fields[other]!r}"
    return FieldResult(field, f"{other!r} says otherwise", _explain(field, said, s))


def _explain(field: Field, found: str, s: Scope) -> Detail:
    place: Place = ("answer", "fields", field.name)
    asks, expected = (f"{field.name} {field.phrase(tell)}" for tell in (say, tell_in(s)))
    return Detail(place, asks, expected, shorten(found))


def _get_field(name: str, answer: Answer) -> Any:
    """The value of a field; `Root cause` is `root_cause` when that is not given."""
    if name in answer.fields:
        return answer.fields[name]
    return next((answer.fields[other] for other in sorted(answer.fields) if _plain(other) == name), None)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")


def _rivals(field: Field, rule: AnswerRule, answer: Answer) -> list[str]:
    """Unknown fields that give a field once more: `credit_2`, `alt_credit`, `credit_eur` beside `credit`."""
    words = field.name.split("_")
    found: list[str] = []
    for other in extra_fields(rule, answer):
        rest = re.findall(r"[a-z]+|[0-9]+", _plain(other))
        whole = all(word in rest for word in words)
        rest = [word for word in rest if word not in words]
        if whole and all(word.isdigit() or word in _AGAIN or word in CURRENCY_AFTER or word in UNITS for word in rest):
            found.append(other)
    return found


def list_strangers(rule: AnswerRule, answer: Answer) -> list[str]:
    """The names that are no fields and give none of them once more."""
    again = {other for field in rule.fields for other in _rivals(field, rule, answer)}
    return [name for name in extra_fields(rule, answer) if name not in again]


def extra_fields(rule: AnswerRule, answer: Answer | None) -> list[str]:
    """The names in an answer that are no fields."""
    known = {field.name for field in rule.fields}
    if answer is None:
        return []
    given = answer.fields
    return sorted(name for name in given if name not in known and (_plain(name) not in known or _plain(name) in given))
