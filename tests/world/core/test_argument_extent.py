"""How much the arguments of one call may hold: counted before any value is looked at."""

import pytest

from world.core.errors import InvalidArguments
from world.core.params import MAX_NAMES, MAX_VALUES, NoParams, validate_params


@pytest.mark.parametrize(
    "arguments",
    [
        {"a": [0] * MAX_VALUES},
        {"a": [[0] * 1_000] * (MAX_VALUES // 1_000)},
        {"a": {str(n): n for n in range(MAX_VALUES)}},
    ],
    ids=["a list", "lists", "an object"],
)
def test_arguments_of_too_many_values_are_refused(arguments: dict[str, object]) -> None:
    with pytest.raises(InvalidArguments, match="more than 500,000 values"):
        validate_params(NoParams, arguments)


def test_too_many_arguments_are_refused_and_many_are_taken() -> None:
    with pytest.raises(InvalidArguments, match="more than 10,000 of them"):
        validate_params(NoParams, {str(number): 1 for number in range(MAX_NAMES + 1)})
    validate_params(NoParams, {str(number): 1 for number in range(MAX_NAMES)})
    validate_params(NoParams, {"a": [0] * (MAX_VALUES - 1)})
