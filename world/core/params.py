"""Arguments of operations: the model they are declared with, and what any door accepts."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from world.core.errors import InvalidArguments
from world.core.json_types import SCALARS, is_array, is_object, is_row
from world.core.wrong_values import describe

Arguments = Mapping[str, Any]  # of an operation, by name

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
MAX_DEPTH = 64  # nesting of a JSON value any door accepts
MAX_VALUES = 500_000  # items and fields of the arguments of one call, however they are nested
MAX_NAMES = 10_000  # arguments of one call; those that an operation does not know count too


def clean_text(value: str) -> str:
    """NFC; NUL and lone surrogates are refused."""
    if "\x00" in value:
        raise ValueError("contains a NUL character")
    if value.isascii():
        return value
    if any("\ud800" <= c <= "\udfff" for c in value):
        raise ValueError("contains a lone surrogate")
    return unicodedata.normalize("NFC", value)


def whole_number(text: object, default: int = 0, *, least: int = 0, most: int = 10**15) -> int:
    """The number that plain digits write; the default for any other text, and for a number beyond the limits."""
    digits = str(text)
    found = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 17 else None
    return default if found is None or not least <= found <= most else found


Int64 = Annotated[int, Field(ge=INT64_MIN, le=INT64_MAX)]
Text = Annotated[str, AfterValidator(clean_text)]


class Params(BaseModel):
    """Arguments of one operation: REST validation, MCP schema and form in one. Unknown names are ignored here."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True, defer_build=True)


class NoParams(Params):
    """An operation without arguments."""


ParamsModel = TypeVar("ParamsModel", bound=Params)


def validate_params(model: type[ParamsModel], arguments: Arguments) -> ParamsModel:
    """The params model of raw arguments. Raises InvalidArguments.

    An argument that is null or empty, and cannot be, counts as not given.
    """
    _check_extent(arguments)
    try:
        return model.model_validate(_sort_keys(arguments))
    except ValidationError as error:
        blank = {str(item["loc"][0]) for item in _errors(error) if item["loc"]} & _list_blank(arguments)
        if not blank:
            raise InvalidArguments(_problems(error)) from None
    return validate_params(model, {name: value for name, value in arguments.items() if name not in blank})


def _list_blank(arguments: Arguments) -> set[str]:
    return {name for name, value in arguments.items() if value is None or value == ""}


def _sort_keys(value: object) -> Any:
    """Sort the keys of objects: the order in which a caller wrote them must not show in what happens."""
    if is_array(value):
        return [item if type(item) in SCALARS else _sort_keys(item) for item in value]
    if not is_object(value):
        return value
    keys = sorted(value) if len(value) > 1 else value
    return {key: item if type(item := value[key]) in SCALARS else _sort_keys(item) for key in keys}


def _errors(error: ValidationError) -> Iterable[Any]:
    return error.errors()


def _problems(error: ValidationError) -> Iterable[tuple[str, str]]:
    yield from dict.fromkeys(describe(item) for item in _errors(error))


def _check_extent(arguments: Arguments) -> None:
    """Count levels and values before anything looks at them one by one. Raises InvalidArguments."""
    if len(arguments) > MAX_NAMES:
        raise InvalidArguments([("arguments", f"more than {MAX_NAMES:,} of them")])
    level: list[Mapping[str, Any] | Sequence[Any]] = [arguments]
    left = MAX_VALUES
    for _ in range(MAX_DEPTH + 1):
        left -= sum(map(len, level))
        if left < 0:
            raise InvalidArguments([("arguments", f"more than {MAX_VALUES:,} values")])
        level = [child for item in level for child in _values(item) if _is_nested(child)]
        if not level:
            return
    raise InvalidArguments([("arguments", f"nested deeper than {MAX_DEPTH}")])


def _values(value: Mapping[str, Any] | Sequence[Any]) -> Iterable[Any]:
    return value.values() if not is_row(value) and is_object(value) else value


def _is_nested(value: object) -> bool:
    return type(value) not in SCALARS and (is_row(value) or is_object(value))
