"""The answer that ends an episode: what it may hold, to the last character and number."""

from typing import Any

import pytest

from world.core.builtin_operations import (
    MAX_ANSWER,
    MAX_FIELD_NAME,
    MAX_FIELDS,
    MAX_PLACES,
    MAX_VALUE,
    MAX_WAIT_S,
    FinishParams,
    WaitParams,
)
from world.core.errors import InvalidArguments
from world.core.params import INT64_MAX, INT64_MIN, validate_params

LONGEST = {f"f{n:02}": "y" * 9_989 for n in range(10)}  # with names and quotes exactly as long as an answer may be


def problem_of(model: Any, **arguments: Any) -> str:
    """Why arguments are refused; empty if they are not."""
    try:
        validate_params(model, arguments)
    except InvalidArguments as refusal:
        return refusal.sentence()
    return ""


def test_the_longest_answer_is_what_it_is_meant_to_be() -> None:
    assert len(str(LONGEST)) == MAX_ANSWER


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {f"f{n}": n for n in range(MAX_FIELDS)},
        {"x" * MAX_FIELD_NAME: 1},
        {"f": "y" * MAX_VALUE},
        {"f": INT64_MAX, "g": INT64_MIN, "h": -9.2e18, "i": 9.2e18},
        {"f": None, "g": True, "h": [], "i": {}, "j": ""},
        {"f": ["a", {"b": ["c", 1.5]}]},
        LONGEST,
    ],
)
def test_an_answer_within_its_bounds_is_kept_as_it_is(answer: dict[str, Any]) -> None:
    assert validate_params(FinishParams, {"answer": answer}).answer == answer


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ({f"f{n}": n for n in range(MAX_FIELDS + 1)}, "answer: more than 100 fields"),
        ({"x" * 101: 1}, f"answer: '{'x' * 40}'... is longer than 100 characters"),
        ({"f": "y" * 10_001}, "answer: 'f' is longer than 10000 characters"),
        ({"f": INT64_MAX + 1}, "answer: 'f' is beyond 64 bits; write it as a text"),
        ({"f": INT64_MIN - 1}, "answer: 'f' is beyond 64 bits; write it as a text"),
        ({"f": 2.0**63}, "answer: 'f' is no finite number of 64 bits; write it as a text"),
        ({"f": -(2.0**63)}, "answer: 'f' is no finite number of 64 bits; write it as a text"),
        ({"f": float("inf")}, "answer: 'f' is no finite number of 64 bits; write it as a text"),
        ({"f": float("nan")}, "answer: 'f' is no finite number of 64 bits; write it as a text"),
        ({"f": "a\0"}, "answer: 'f' contains a NUL character"),
        ({"f": ["a", {"b": [1, 2**70]}]}, "answer: 'f' is beyond 64 bits; write it as a text"),
        ({"f": {"a\0": 1}}, "answer: 'f' contains a NUL character"),
        ({"good": 1, "f": {"x": "\ud800"}}, "answer: 'f' contains a lone surrogate"),
        ({**LONGEST, "f00": "y" * 9_990}, "answer: longer than 100000 characters in all"),
    ],
)
def test_an_answer_beyond_its_bounds_is_refused_by_the_name_of_its_field(answer: dict[str, Any], problem: str) -> None:
    assert problem_of(FinishParams, answer=answer) == problem


def test_a_wait_is_at_least_a_second_and_at_most_a_week_and_looks_at_fifty_places() -> None:
    assert not any(problem_of(WaitParams, seconds=seconds) for seconds in (1, MAX_WAIT_S))
    assert MAX_WAIT_S == 604_800 and problem_of(WaitParams, seconds=0) == "seconds: must be at least 1"
    assert problem_of(WaitParams, seconds=MAX_WAIT_S + 1) == "seconds: must be at most 604800"
    assert problem_of(WaitParams, on=["#a"] * MAX_PLACES) == "" != problem_of(WaitParams, on=["#a"] * (MAX_PLACES + 1))
    assert problem_of(WaitParams, on=["#a", "x" * 201]) == "on.1: must have at most 200 characters"
