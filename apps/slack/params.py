"""Parameter types that several operations share; strings from forms and queries are parsed."""

import math
from collections.abc import Mapping
from typing import Annotated, Any

import orjson
from pydantic import BeforeValidator, Field, JsonValue

from world.core.params import INT64_MAX, INT64_MIN, MAX_DEPTH, Params, Text, clean_text

TS_PATTERN = r"^\d{1,12}(\.\d{1,6})?$"


def _ts_to_text(value: object) -> object:
    return f"{value:.6f}" if isinstance(value, float) else str(value) if isinstance(value, int) else value


def _split_names(value: object) -> object:
    """`U1,U2`, a JSON list in a string, or a list."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text.startswith("["):
        return _parse_json(text)
    return [part.strip() for part in text.split(",") if part.strip()]


def _parse_json(value: object) -> object:
    if not isinstance(value, str):
        return value
    if not value.strip():
        return None
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError as error:
        raise ValueError("is not valid JSON") from error


def check_storable(value: object) -> object:
    """Refuse unstorable values: deep nesting, huge or infinite numbers, invalid text."""
    level: list[object] = [value]
    for _ in range(MAX_DEPTH + 1):
        below: list[object] = []
        for item in level:
            if isinstance(item, Mapping):
                below += [*item.keys(), *item.values()]
            elif isinstance(item, list):
                below += item
            else:
                _check_scalar(item)
        if not below:
            return value
        level = below
    raise ValueError(f"is nested deeper than {MAX_DEPTH}")


def _check_scalar(item: object) -> None:
    if isinstance(item, str):
        clean_text(item)
    elif isinstance(item, int) and not INT64_MIN <= item <= INT64_MAX:
        raise ValueError("holds a number that is too large")
    elif isinstance(item, float) and not math.isfinite(item):
        raise ValueError("holds a number without end")


def _parse_object(value: object) -> object:
    return check_storable(_parse_json(value))


def _parse_objects(value: object) -> object:
    """A list of objects; a single object counts as a list of one."""
    loaded = _parse_object(value)
    return [loaded] if isinstance(loaded, Mapping) else loaded


def _blank_to_none(value: object) -> object:
    return None if value == "" else value


Ts = Annotated[str, BeforeValidator(_ts_to_text), Field(max_length=20, pattern=TS_PATTERN)]
OptionalTs = Annotated[
    Annotated[str, Field(max_length=20, pattern=TS_PATTERN)] | None,
    BeforeValidator(lambda v: _blank_to_none(_ts_to_text(v))),
]
Ident = Annotated[Text, Field(min_length=1, max_length=120)]
Line = Annotated[Text, Field(max_length=1000)]
Body = Annotated[Text, Field(max_length=200_000)]
Names = Annotated[list[Ident], BeforeValidator(_split_names), Field(max_length=1000)]
Json = Annotated[dict[str, JsonValue] | None, BeforeValidator(_parse_object)]
JsonList = Annotated[list[dict[str, JsonValue]] | None, BeforeValidator(_parse_objects)]
Count = Annotated[int, BeforeValidator(lambda v: 0 if v in ("", None) else v), Field(ge=-(2**31), le=2**31)]
EpochSeconds = Annotated[int, Field(ge=0, le=4_102_444_800)]  # to the year 2100

CHANNEL = Field(description="Conversation id: C… for a channel, D… for a direct message.", examples=["C024BE91L"])
USER = Field(description="User id, U….", examples=["U061F7AUR"])
Cursor = Annotated[
    Text,
    Field(max_length=400, description="Where to go on: next_cursor of the previous answer; empty for the first page."),
]
TIMESTAMP = Field(
    description="ts of the message: seconds since the epoch with 6 decimals.", examples=["1700000000.000100"]
)


class InChannel(Params):
    """One conversation."""

    channel: Ident = CHANNEL


def limit_field(default: int, top: int) -> Any:
    """The field of a page size."""
    return Field(
        default=default, description=f"Most items to return at once, at most {top}.", examples=[min(default, 20)]
    )
