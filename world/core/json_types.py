"""Types of JSON that an app builds and sends, and tests of what was read."""

from collections.abc import Mapping, Sequence, Set
from typing import Any, TypeGuard

JsonObject = dict[str, object]
JsonMapping = Mapping[str, Any]  # a JSON object as it is read: who reads it knows its fields
SCALARS = frozenset({str, int, float, bool, type(None)})  # types of values that hold no others


def is_object(value: object) -> TypeGuard[JsonMapping]:
    """Whether a value is a JSON object."""
    return isinstance(value, dict) or isinstance(value, Mapping)  # the second is slow


def is_dict(value: object) -> TypeGuard[JsonObject]:
    """Whether a value is a JSON object that can be written to."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[Any]]:
    """Whether a value is a JSON array."""
    return isinstance(value, list)


def is_row(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether a value is an array, or a tuple, which is written as one."""
    return isinstance(value, (list, tuple))


def is_set(value: object) -> TypeGuard[Set[Any]]:
    """Whether a value is a set, which is written as a sorted array."""
    return isinstance(value, (set, frozenset))
