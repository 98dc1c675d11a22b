"""The `stance` predicate of a rubric: what the agent's messages in a place assert or deny."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from world.core.json_types import is_object
from world.core.reading.passage import Passage
from world.grading.commitment import read_commitment
from world.grading.compiler import Compiler
from world.grading.errors import unknown
from world.grading.following import list_following
from world.grading.scope import Operand, Scope
from world.grading.stance import Proposition, Stance, judge_stance, list_propositions, load_proposition, names_subject
from world.grading.tables import Row, Table
from world.grading.text import Text
from world.grading.yaml_source import Place

KEYS = ("on", "is", "not", "with")
OUTCOMES = ("asserted", "denied")
Says = Callable[[Text, Row, Scope], bool]


def compile_stance(raw: object, place: Place, c: Compiler, fields: tuple[str, ...], table: Table) -> tuple[Says, str]:
    """The test of a `stance` mapping, and what it asks for."""
    if not is_object(raw):
        raise c.error(place, f"stance takes a mapping with {', '.join(KEYS)}")
    for key in raw:
        if key not in KEYS:
            raise c.error((*place, key), unknown("key", key, KEYS))
    if raw.get("on") not in list_propositions():
        raise c.error((*place, "on"), unknown("proposition", raw.get("on"), list_propositions()))
    given = [key for key in ("is", "not") if key in raw]
    if len(given) != 1:
        raise c.error(place, "stance takes exactly one of is and not")
    if raw[given[0]] not in OUTCOMES:
        raise c.error((*place, given[0]), unknown("stance", raw[given[0]], OUTCOMES))
    bound = _compile_values(raw.get("with", {}), (*place, "with"), c)
    name, wanted, strict = str(raw["on"]), str(raw[given[0]]), given[0] == "is"

    def test(text: Text, row: Row, s: Scope) -> bool:
        proposition = _bind(name, tuple((key, str(s.value(operand))) for key, operand in bound))
        stances = _list_stances(text, row, proposition, fields, table, s)
        if strict:
            return all(stance.outcome == wanted for stance in stances)
        speaks = any(names_subject(passage, proposition) for passage in text.passages)
        return speaks and all(stance.outcome != wanted for stance in stances)

    return test, f"has {name} {wanted}" if strict else f"speaks of {name}, and does not have it {wanted}"


def _compile_values(raw: object, place: Place, c: Compiler) -> tuple[tuple[str, Operand], ...]:
    if not is_object(raw):
        raise c.error(place, "with takes a mapping of placeholders to values")
    return tuple((str(key), c.operand(value, (*place, key))) for key, value in raw.items())


@lru_cache(maxsize=256)
def _bind(name: str, values: tuple[tuple[str, str], ...]) -> Proposition:
    return load_proposition(name).bind(dict(values))


def _list_stances(
    text: Text, row: Row, proposition: Proposition, fields: tuple[str, ...], table: Table, s: Scope
) -> Sequence[Stance]:
    """The stance of a message by itself, and the one that stands after what its author added at once."""
    following = list_following(row, table, s) if text.is_own else ()
    added = [passage for other in following for passage in s.readings.passages(table, other, fields)]
    own = tuple(read_commitment(passage, added).standing() for passage in text.passages)
    alone = _judge(own, proposition)
    if not added:
        return [alone]
    return [alone, _judge((*own, *(read_commitment(one).standing() for one in added)), proposition)]


@lru_cache(maxsize=2048)
def _judge(passages: tuple[Passage, ...], proposition: Proposition) -> Stance:
    return judge_stance(passages, proposition)
