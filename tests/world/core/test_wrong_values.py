"""What is wrong with an argument, said in words of our own and in those of a vendor."""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from pydantic import AfterValidator, Field

from world.core.errors import EpisodeEnded, InvalidArguments, OperationError, Outage
from world.core.params import INT64_MAX, INT64_MIN, Int64, Params, Text, clean_text, validate_params, whole_number
from world.core.wrong_values import PLAIN, WrongValue, quote_given, word


def refuse_odd(value: int) -> int:
    if value % 2:
        raise ValueError("must be even")
    return value


class Colour(Enum):
    """A colour."""

    RED = "red"
    BLUE = "blue"


class Inner(Params):
    """Something inside."""

    size: int = 0


class Everything(Params):
    """One field for each way to be wrong."""

    text: Text = ""
    whole: int = 0
    number: float = 0.0
    flag: bool = False
    items: list[int] = Field(default_factory=list)
    inner: Inner = Inner()
    choice: Literal["all", "mine"] = "all"
    colour: Colour = Colour.RED
    least: Annotated[int, Field(ge=1)] = 1
    most: Annotated[int, Field(le=9)] = 1
    short: Annotated[str, Field(min_length=2)] = "ab"
    long: Annotated[str, Field(max_length=3)] = "ab"
    clean: Annotated[Text, Field(min_length=2, max_length=3)] = "ab"
    few: Annotated[list[int], Field(min_length=1)] = Field(default_factory=lambda: [1])
    many: Annotated[list[int], Field(max_length=1)] = Field(default_factory=list)
    form: Annotated[str, Field(pattern="^[a-z]+$")] = "a"
    even: Annotated[int, AfterValidator(refuse_odd)] = 0
    either: int | list[int] | None = None
    big: Int64 = 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"text": 5}, "text: must be a string"),
        ({"text": "a\0b"}, "text: contains a NUL character"),
        ({"whole": "x"}, "whole: must be a whole number"),
        ({"whole": 1.5}, "whole: must be a whole number"),
        ({"whole": [1]}, "whole: must be a whole number"),
        ({"number": "x"}, "number: must be a number"),
        ({"flag": "perhaps"}, "flag: must be true or false"),
        ({"flag": [1]}, "flag: must be true or false"),
        ({"items": 5}, "items: must be a list"),
        ({"items": [1, "x"]}, "items.1: must be a whole number"),
        ({"inner": 5}, "inner: must be an object"),
        ({"inner": {"size": "x"}}, "inner.size: must be a whole number"),
        ({"choice": "some"}, "choice: must be one of: all, mine"),
        ({"colour": "green"}, "colour: must be one of: red, blue"),
        ({"least": 0}, "least: must be at least 1"),
        ({"most": 10}, "most: must be at most 9"),
        ({"short": "a"}, "short: must have at least 2 characters"),
        ({"long": "abcd"}, "long: must have at most 3 characters"),
        ({"clean": "a"}, "clean: must have at least 2 characters"),
        ({"clean": "abcd"}, "clean: must have at most 3 characters"),
        ({"few": []}, "few: must have at least 1 items"),
        ({"many": [1, 2]}, "many: must have at most 1 items"),
        ({"form": "A"}, "form: does not have the form that is wanted"),
        ({"even": 3}, "even: must be even"),
        ({"either": "x"}, "either: must be a list; either: must be a whole number"),
        ({"either": ["x"]}, "either: must be a whole number; either.0: must be a whole number"),
        ({"big": INT64_MAX + 1}, f"big: must be at most {INT64_MAX}"),
        ({"big": INT64_MIN - 1}, f"big: must be at least {INT64_MIN}"),
        (
            {"whole": "x", "flag": "perhaps", "choice": "z"},
            "choice: must be one of: all, mine; flag: must be true or false; whole: must be a whole number",
        ),
    ],
)
def test_every_wrong_value_is_named_by_its_field_and_in_words_of_our_own(
    arguments: Mapping[str, Any], said: str
) -> None:
    with pytest.raises(InvalidArguments) as refusal:
        validate_params(Everything, arguments)
    assert refusal.value.sentence() == said
    assert refusal.value.code == "invalid_arguments" and refusal.value.detail == {"problems": refusal.value.problems}


def test_values_at_their_bounds_are_accepted() -> None:
    given = {
        "least": 1,
        "most": 9,
        "short": "ab",
        "long": "abc",
        "clean": "abc",
        "big": INT64_MIN,
    }
    assert validate_params(Everything, given).model_dump(include=set(given)) == given
    assert validate_params(Everything, {"big": INT64_MAX, "unknown": 1}).big == INT64_MAX


@pytest.mark.parametrize(
    ("value", "given"),
    [
        ("x", '"x"'),
        ("é" * 60, '"' + "é" * 60 + '"'),
        ("y" * 61, '"' + "y" * 60 + '"'),
        (5, "5"),
        (1.5, "1.5"),
        (None, "null"),
        (True, "true"),
        ({"a": 1}, "{...}"),
        ([1], "[...]"),
        ((1,), "[...]"),
        ({1}, "the value"),
        (2**70, "the value"),
        ("\ud800", "the value"),
    ],
)
def test_a_value_is_told_back_when_it_is_short_and_simple(value: object, given: str) -> None:
    assert quote_given(value) == given


def test_a_vendor_says_it_in_its_own_words() -> None:
    table = {
        "missing": "{field} can't be blank",
        "least": "{field} {given} is under {bound}",
        "choice": "{field} is not in {choices}",
        "own": "{field} {own}!",
        "wrong": "{field} is invalid",
    }
    with pytest.raises(InvalidArguments) as refusal:
        validate_params(Everything, {"least": 0, "choice": "x", "even": 3, "form": "A", "items": 5})
    assert [word(table, name, why) for name, why in refusal.value.problems] == [
        "choice is not in all, mine",
        "even must be even!",
        "form is invalid",
        "items is invalid",
        "least 0 is under 1",
    ]
    assert word(table, "until", "is no time") == "until is no time!"
    assert word({"wrong": "{field} is invalid{given}"}, "until", WrongValue("missing", {})) == "until is invalid"
    assert word({"wrong": "no", "own": "{own}"}, "until", "is no time") == "is no time"


def test_every_kind_has_a_sentence_of_ours() -> None:
    facts = {"bound": "3", "choices": "a, b", "own": "is odd"}
    assert WrongValue("least", facts) == "must be at least 3" and WrongValue("own", facts) == "is odd"
    assert all("{" not in WrongValue(kind, facts) for kind in PLAIN)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", 12),
        (12, 12),
        ("0", 0),
        ("007", 7),
        ("1000000000000000", 10**15),
        ("1000000000000001", 50),
        ("00000000000000012", 50),
        ("0000000000000012", 12),
        ("", 50),
        ("-1", 50),
        ("1.5", 50),
        (" 1", 50),
        ("１２", 50),
        (None, 50),
    ],
)
def test_plain_digits_are_a_number_and_all_else_is_the_default(text: object, number: int) -> None:
    assert whole_number(text, 50) == number


def test_a_number_beyond_its_limits_is_the_default() -> None:
    assert [whole_number(str(n), 50, least=2, most=4) for n in range(1, 6)] == [50, 2, 3, 4, 50]
    assert whole_number("x") == 0


def test_texts_are_composed_and_hold_no_lone_surrogates() -> None:
    assert clean_text("e\u0301") == "é" and clean_text("plain") == "plain" and clean_text("\ud7ff\ue000")
    for surrogate in ("\ud800", "\udfff", "a\udc00"):
        with pytest.raises(ValueError, match="lone surrogate"):
            clean_text(surrogate)
    with pytest.raises(ValueError, match="NUL"):
        clean_text("é\0")


def test_refusals_say_their_code_and_what_they_are_about() -> None:
    assert str(OperationError("not_found")) == "not_found"
    assert str(OperationError("missing_scope", needed="x")) == "missing_scope {'needed': 'x'}"
    ended = EpisodeEnded("finished", "The episode is over.")
    assert (ended.code, ended.detail, ended.sentence) == (
        "token_revoked",
        {"ended": "finished"},
        "The episode is over.",
    )
    outage = Outage("ratelimit", "slow_down", app="memo", retry_after_s=5, reason="desk")
    assert (outage.kind, outage.code, outage.app, outage.retry_after_s, outage.reason, outage.until) == (
        "ratelimit",
        "slow_down",
        "memo",
        5,
        "desk",
        None,
    )
