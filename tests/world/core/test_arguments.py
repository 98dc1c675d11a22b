"""Arguments from outside: how deep they may be, and which problems are named."""

from typing import Any

import pytest
from pydantic import JsonValue

from world.core.builtin_operations import MAX_FIELD_NAME, MAX_FIELDS, FinishParams
from world.core.errors import InvalidArguments
from world.core.params import MAX_DEPTH, Params, validate_params


class Anything(Params):
    """Any value."""

    value: JsonValue = None


def nest(depth: int, kind: type) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value] if kind is list else {"x": value}
    return value


@pytest.mark.parametrize("kind", [list, dict])
def test_arguments_are_refused_beyond_a_depth(kind: type) -> None:
    assert validate_params(Anything, {"value": nest(MAX_DEPTH, kind)}).value == nest(MAX_DEPTH, kind)
    with pytest.raises(InvalidArguments, match="nested deeper"):
        validate_params(Anything, {"value": nest(MAX_DEPTH + 1, kind)})


def test_keys_come_in_one_order_at_every_level() -> None:
    given = {"value": {"b": [{"d": 1, "c": 2}], "a": 0}}
    assert str(validate_params(Anything, given).value) == "{'a': 0, 'b': [{'c': 2, 'd': 1}]}"


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ({f"f{n}": 1 for n in range(MAX_FIELDS + 1)}, f"more than {MAX_FIELDS} fields"),
        ({"x" * (MAX_FIELD_NAME + 1): 1}, "is longer than"),
        ({f"f{n}": "y" * 1_000 for n in range(MAX_FIELDS)}, "characters in all"),
        ({"f": float("nan")}, "'f'"),
    ],
)
def test_an_answer_that_cannot_be_kept_is_refused_by_what_is_wrong(answer: dict[str, JsonValue], problem: str) -> None:
    with pytest.raises(InvalidArguments, match=problem):
        validate_params(FinishParams, {"answer": answer})
    assert validate_params(FinishParams, {"answer": {"peak": 12}}).answer == {"peak": 12}
