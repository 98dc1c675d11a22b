"""The shape of an answer, and of the errors in it."""

from collections.abc import Sequence
from typing import Required, TypedDict

from world.core.json_types import JsonObject


class Location(TypedDict):
    """A place of the text of a query."""

    line: int
    column: int


class ErrorEntry(TypedDict, total=False):
    """One of the errors of an answer."""

    type: str
    path: Sequence[str | int]
    extensions: JsonObject
    locations: list[Location]
    message: Required[str]


class Answer(TypedDict, total=False):
    """The answer to a request."""

    data: JsonObject | None
    errors: list[ErrorEntry]
