"""The `stance` predicate of a rubric: what the agent's messages in a place assert or deny."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from world.core.clock import MINUTE
from world.core.json_types import is_object
from world.core.reading.passage import Passage
from world.grading.compiler import Compiler
from world.grading.errors import unknown
from world.grading.scope import Operand, Scope
from world.grading.stance import Proposition, Stance, judge_stance, list_propositions, load_proposition
from world.grading.tables import Row, Table
from world.grading.yaml_source import Place

KEYS = ("on", "is", "with")
OUTCOMES = ("asserted", "denied")
AT_ONCE = 15 * MINUTE  # what the author adds within this time is read together with a message
Says = Callable[[Row, Scope], bool]


def compile_stance(raw: object, place: Place, c: Compiler, fields: tuple[str, ...], table: Table) -> tuple[Says, str]:
    """The test of a `stance` mapping, and what it asks for."""
    if not is_object(raw):
        raise c.error(place, f"stance takes a mapping with {', '.join(KEYS)}")
    for key in raw:
        if key not in KEYS:
            raise c.error((*place, key), unknown("key", key, KEYS))
    if raw.get("on") not in list_propositions():
        raise c.error((*place, "on"), unknown("proposition", raw.get("on"), list_propositions()))
    if raw.get("is") not in OUTCOMES:
        raise c.error((*place, "is"), unknown("stance", raw.get("is"), OUTCOMES))
    bound = _compile_values(raw.get("with", {}), (*place, "with"), c)
    name, wanted = str(raw["on"]), str(raw["is"])

    def test(row: Row, s: Scope) -> bool:
        proposition = _bind(name, tuple((key, str(s.value(operand))) for key, operand in bound))
        return all(stance.outcome == wanted for stance in _list_stances(row, proposition, fields, table, s))

    return test, f"has {name} {wanted}"


def _compile_values(raw: object, place: Place, c: Compiler) -> tuple[tuple[str, Operand], ...]:
    if not is_object(raw):
        raise c.error(place, "with takes a mapping of placeholders to values")
    return tuple((str(key), c.operand(value, (*place, key))) for key, value in raw.items())


@lru_cache(maxsize=256)
def _bind(name: str, values: tuple[tuple[str, str], ...]) -> Proposition:
    return load_proposition(name).bind(dict(values))


def _list_stances(
    row: Row, proposition: Proposition, fields: tuple[str, ...], table: Table, s: Scope
) -> Sequence[Stance]:
    """The stance of a message by itself, and the one that stands after what its author added at once."""
    own = s.readings.passages(table, row, fields)
    added = [s.readings.passages(table, other, fields) for other in _list_added(row, table, s)]
    alone = _judge(own, proposition)
    return [alone, _judge((*own, *(one for more in added for one in more)), proposition)] if added else [alone]


def _list_added(row: Row, table: Table, s: Scope) -> Sequence[Row]:
    """What the agent said in the same place in the quarter of an hour after a message."""
    place = table.conduct.place
    if not place:
        return ()
    mine = [one for one in s.changes.of("agent") if one.table == table.name and one.kind == "insert"]
    at = next((one.first_at for one in mine if table.key_of(one.row) == table.key_of(row)), None)
    if at is None:
        return ()
    return [one.row for one in mine if at < one.first_at <= at + AT_ONCE and _is_same_place(one.row, row, table)]


def _is_same_place(one: Row, other: Row, table: Table) -> bool:
    return table.same(table.conduct.place, one.get(table.conduct.place), other.get(table.conduct.place))


@lru_cache(maxsize=2048)
def _judge(passages: tuple[Passage, ...], proposition: Proposition) -> Stance:
    return judge_stance(passages, proposition)
