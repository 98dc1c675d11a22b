"""The `stance` predicate of a rubric: propositions that the agent's messages in a place assert or deny."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from world.core.json_types import is_object
from world.core.reading.passage import Passage
from world.core.yaml_document import Place, describe_unknown
from world.grading.commitment import read_commitment
from world.grading.compiler import Compiler
from world.grading.follow_ups import list_following
from world.grading.reasons.clause import Teller
from world.grading.reasons.excerpt import quote
from world.grading.scope import Operand, Scope
from world.grading.stance import (
    Proposition,
    Stance,
    can_decide,
    judge_stance,
    list_propositions,
    load_proposition,
    names_subject,
)
from world.grading.tables import Row, Table
from world.grading.text import Text
from world.grading.text_predicates.predicate import TextPredicate

KEYS = ("on", "is", "not", "with", "yes")
OUTCOMES = ("asserted", "denied", "conflicting")
_CONTRARY = {"asserted": "denied", "denied": "asserted"}
_SIGNS = {"asserted": 1, "denied": -1}


def compile_stance(raw: object, place: Place, c: Compiler, fields: tuple[str, ...], table: Table) -> TextPredicate:
    """The predicate of a `stance` mapping."""
    if not is_object(raw):
        raise c.error(place, f"stance takes a mapping with {', '.join(KEYS)}")
    name, wanted, strict = _read_spec(raw, place, c)
    bound = _compile_values(raw.get("with", {}), (*place, "with"), c)
    answer = c.operand(raw["yes"], (*place, "yes")) if "yes" in raw else None

    def bind(s: Scope) -> Proposition:
        return _bind(name, tuple((key, str(s.value(operand))) for key, operand in bound))

    def judge(text: Text, row: Row, s: Scope, proposition: Proposition) -> Sequence[Stance]:
        yes = None if answer is None else _SIGNS.get(str(s.value(answer)), 0)
        return _list_stances(text, row, proposition, fields, table, s, yes)

    def test(text: Text, row: Row, s: Scope) -> bool:
        proposition = bind(s)
        if strict and not any(_can_decide(passage, proposition, answer is not None) for passage in text.passages):
            return False
        stances = judge(text, row, s, proposition)
        if wanted == "conflicting":
            return any(stance.conflicts for stance in stances)
        if strict:
            return all(stance.outcome == wanted for stance in stances)
        speaks = any(names_subject(passage, proposition) for passage in text.passages)
        says_contrary = any(stance.outcome == _CONTRARY[wanted] for stance in stances)
        return (speaks or says_contrary) and all(stance.outcome != wanted for stance in stances)

    def show(text: Text, row: Row, s: Scope) -> str:
        stances = judge(text, row, s, bind(s))
        return _show(next((one for one in stances if (one.outcome == wanted) is not strict), stances[0]))

    def phrase(tell: Teller) -> str:
        said = quote(_fill(load_proposition(name).predicate, raw.get("with"), tell))
        return f"has {name} {wanted}: {said}" if strict else f"speaks of {name}, and does not have it {wanted}: {said}"

    return TextPredicate(test, phrase, show=show, place=place)


def _read_spec(raw: Mapping[str, Any], place: Place, c: Compiler) -> tuple[str, str, bool]:
    """The proposition, the outcome, and whether it is the one that is wanted."""
    for key in raw:
        if key not in KEYS:
            raise c.error((*place, key), describe_unknown("key", key, KEYS))
    if raw.get("on") not in list_propositions():
        raise c.error((*place, "on"), describe_unknown("proposition", raw.get("on"), list_propositions()))
    given = [key for key in ("is", "not") if key in raw]
    if len(given) != 1:
        raise c.error(place, "stance takes exactly one of is and not")
    allowed = OUTCOMES if given == ["is"] else tuple(_CONTRARY)
    if raw[given[0]] not in allowed:
        raise c.error((*place, given[0]), describe_unknown("stance", raw[given[0]], allowed))
    return str(raw["on"]), str(raw[given[0]]), given[0] == "is"


def _fill(predicate: str, values: object, tell: Teller) -> str:
    """Return a proposition's sentence with its placeholders filled."""
    for key, value in values.items() if is_object(values) else ():
        predicate = predicate.replace("{" + key + "}", tell(value))
    return predicate


def _show(stance: Stance) -> str:
    """Describe a stance, with what decided it."""
    why = f" ({stance.reason})" if stance.reason else ""
    return f"{stance.outcome}{why} in {quote(stance.sentence)}" if stance.sentence else f"{stance.outcome}{why}"


def _compile_values(raw: object, place: Place, c: Compiler) -> tuple[tuple[str, Operand], ...]:
    if not is_object(raw):
        raise c.error(place, "with takes a mapping of placeholders to values")
    return tuple((str(key), c.operand(value, (*place, key))) for key, value in raw.items())


@lru_cache(maxsize=256)
def _bind(name: str, values: tuple[tuple[str, str], ...]) -> Proposition:
    return load_proposition(name).bind(dict(values))


def _list_stances(
    text: Text, row: Row, proposition: Proposition, fields: tuple[str, ...], table: Table, s: Scope, yes: int | None
) -> Sequence[Stance]:
    """The stance of a message by itself, and the one that stands after what its author added at once."""
    following = list_following(row, table, s) if text.is_own else ()
    added = [passage for other in following for passage in s.readings.passages(table, other, fields)]
    own = tuple(read_commitment(passage, added).strike_withdrawals() for passage in text.passages)
    alone = _judge(own, proposition, yes)
    if not added:
        return [alone]
    return [alone, _judge((*own, *(read_commitment(one).strike_withdrawals() for one in added)), proposition, yes)]


@lru_cache(maxsize=4096)
def _can_decide(passage: Passage, proposition: Proposition, answers: bool) -> bool:
    return can_decide(passage, proposition, answers=answers)


@lru_cache(maxsize=2048)
def _judge(passages: tuple[Passage, ...], proposition: Proposition, yes: int | None) -> Stance:
    return judge_stance(passages, proposition, yes)
