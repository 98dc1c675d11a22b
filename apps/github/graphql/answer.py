"""Shape of a GraphQL response and of its errors."""

from collections.abc import Sequence
from typing import Required, TypedDict

from world.core.json_types import JsonObject


class Location(TypedDict):
    """Position in the text of a query."""

    line: int
    column: int


class ErrorEntry(TypedDict, total=False):
    """One error of a response."""

    type: str
    path: Sequence[str | int]
    extensions: JsonObject
    locations: list[Location]
    message: Required[str]


class Answer(TypedDict, total=False):
    """The response to a request."""

    data: JsonObject | None
    errors: list[ErrorEntry]
