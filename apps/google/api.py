"""One published API at a door: its methods, objects and errors, and its own rules."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from apps.google.errors import ErrorBody, invalid_error, to_snake_case
from apps.google.method_table import Kind, Line, Schemas
from world.core.app import App
from world.core.errors import OperationError, Outage
from world.core.json_types import JsonObject
from world.core.operation import Operation
from world.core.principal import Principal

Given = Mapping[str, object]
PROTOBUF = ("ListValue",)


def _no_field_error(path: str) -> ErrorBody:
    return invalid_error(f"Error expanding 'fields' parameter. Cannot find matching fields for path '{path}'.", path)


def _allow_everything(principal: Principal, line: Line, given: Given) -> OperationError | None:
    return None


@dataclass(frozen=True, slots=True)
class Media:
    """Uploads that an API accepts.

    `largest` bounds the published size; `inline`: a JSON body may hold the bytes too.
    """

    accepts: Callable[[str], bool]  # a content type
    valid: str  # the types, as errors list them
    usual: str  # the type of what is sent without one
    placed: Callable[[Line, Given, bytes, str], JsonObject]  # the arguments with the bytes and their type
    largest: int = 2**62
    inline: bool = False
    empty: bool = False  # whether no bytes at all are an upload


@dataclass(frozen=True)
class Api:
    """A published API. `root` matches what comes before a method's path, `prefix` is its canonical form."""

    app: App
    service: str  # gmail.googleapis.com
    package: str  # google.gmail.v1, as errors name types
    root: re.Pattern[str]  # its group `upload` is set for uploads
    prefix: str
    shown: str  # the prefix as it is noted: `/gmail/v1/users/{userId}`
    lines: tuple[Line, ...]
    schemas: Schemas
    render: Callable[[OperationError], ErrorBody]
    limited: Callable[[Outage, Operation | None], ErrorBody]
    torn: bytes  # what a broken answer begins with
    enums: Mapping[str, frozenset[str]] = field(
        default_factory=dict
    )  # members of the enumerations that are checked, by type
    absent: tuple[Line, ...] = ()  # methods that are published and not there
    own: str = ""  # what ids of operations begin with that only the browser client asks for
    narrowed: Callable[[Principal, Line, Given], OperationError | None] = _allow_everything
    no_field: Callable[[str], ErrorBody] = _no_field_error
    repeated: Callable[[Given, Given], ErrorBody | None] = lambda body, path: (
        None
    )  # what is wrong with what a body repeats of the path
    prepared: Callable[[Line, Given, Any], Given] = lambda line, given, mask: given
    selected: Callable[[Line], str | None] = lambda line: (
        ""
    )  # the mask of those who give none; None where one must be given
    media: Media | None = None
    most_json: int = 1024 * 1024  # bytes of a body without media
    first_form: bool = True  # whether errors list their reasons as they did first
    ignores_unknown: bool = False  # whether unknown fields and parameters are passed over
    whole_numbers: bool = False  # whether a number without a fraction is written without one

    def operation(self, line: Line) -> Operation | None:
        """The operation of a method, if the app has it."""
        return self.app.operations.get(line.operation)

    def find(self, method: str, segments: list[str]) -> tuple[Line, dict[str, str]] | None:
        """Return the line of a request below the root and its path arguments; literal segments have priority."""
        found = [
            (line, given)
            for line in (*self.lines, *self.absent)
            if line.method == method and (given := line.match(segments)) is not None
        ]
        return min(found, key=lambda one: len(one[1]), default=None)

    @cached_property
    def by_operation(self) -> dict[str, Line]:
        """The lines by operation."""
        return {line.operation: line for line in self.lines}

    @cached_property
    def words(self) -> frozenset[str]:
        """All literal words in paths."""
        return frozenset(word for line in (*self.lines, *self.absent) for word in line.words)

    @cached_property
    def spelled(self) -> dict[str, dict[str, tuple[str, Kind]]]:
        """The fields of every schema under each spelling: `threadId`, `thread_id`."""
        return {
            schema: {alias: (name, kind) for name, kind in fields.items() for alias in (name, to_snake_case(name))}
            for schema, fields in self.schemas.items()
        }

    def type_name(self, kind: str) -> str:
        """A type as errors name it."""
        if kind in PROTOBUF:
            return f"type.googleapis.com/google.protobuf.{kind}"
        return (
            f"type.googleapis.com/{self.package}.{kind}"
            if kind in self.schemas or kind in self.enums
            else f"TYPE_{(kind or 'string').upper()}"
        )

    def largest(self, line: Line) -> int:
        """The largest upload a method takes here."""
        return min(line.most, self.media.largest) if self.media else 0
