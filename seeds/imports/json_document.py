"""JSON read strictly: every value knows its file and place, and a value of the wrong type is refused with both."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from world.run.imports import ImportRefused


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A value of a document. Methods refuse what is of another type; a missing or null field is its type's empty value."""

    value: Any
    file: str
    place: str = ""

    def refuse(self, reason: str) -> ImportRefused:
        """An error that names this place."""
        return ImportRefused(self.file, self.place, reason)

    def field(self, name: str) -> "JsonNode":
        """A field of an object; null when it is missing."""
        if not isinstance(self.value, dict):
            raise self.refuse("an object was expected")
        return JsonNode(self.value.get(name), self.file, f"{self.place}.{name}" if self.place else name)

    def items(self) -> Iterator["JsonNode"]:
        """The values of a list; none for null."""
        if self.value is not None and not isinstance(self.value, list):
            raise self.refuse("a list was expected")
        for number, one in enumerate(self.value or ()):
            yield JsonNode(one, self.file, f"{self.place}[{number}]")

    def objects(self) -> Iterator["JsonNode"]:
        """The objects of a list."""
        for one in self.items():
            if not isinstance(one.value, dict):
                raise one.refuse("an object was expected")
            yield one

    def has(self, name: str) -> bool:
        """Whether an object has a field that is not null."""
        return isinstance(self.value, dict) and self.value.get(name) is not None

    def text(self, name: str) -> str:
        """A text field; numbers are written out."""
        found = self.field(name)
        if found.value is None:
            return ""
        if isinstance(found.value, bool) or not isinstance(found.value, (str, int, float)):
            raise found.refuse("a text was expected")
        return check_text(str(found.value), found.file, found.place)

    def need(self, name: str) -> str:
        """A text field that must not be empty."""
        found = self.text(name)
        if not found:
            raise self.field(name).refuse("missing")
        return found

    def number(self, name: str) -> int:
        """A whole number; 0 when missing. Texts of digits count."""
        found = self.field(name)
        if found.value is None or found.value == "":
            return 0
        if isinstance(found.value, bool) or not isinstance(found.value, (int, float, str)):
            raise found.refuse("a number was expected")
        try:
            value = int(float(found.value)) if not isinstance(found.value, int) else found.value
        except (ValueError, OverflowError) as error:
            raise found.refuse("a number was expected") from error
        if abs(value) >= 2**63:
            raise found.refuse("too large a number")
        return value

    def flag(self, name: str) -> bool:
        """A truth value; false when missing."""
        found = self.field(name)
        if found.value not in (None, True, False):
            raise found.refuse("true or false was expected")
        return bool(found.value)

    def texts(self, name: str) -> list[str]:
        """A list of texts."""
        found: list[str] = []
        for one in self.field(name).items():
            if not isinstance(one.value, str):
                raise one.refuse("a text was expected")
            found.append(check_text(one.value, one.file, one.place))
        return found


def check_text(text: str, file: str, place: str) -> str:
    """Refuse what no UTF-8 text holds: lone surrogates and NUL. Raises ImportRefused."""
    if "\0" in text:
        raise ImportRefused(file, place, "a text with a NUL character")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ImportRefused(file, place, "a text with half a character") from error
    return text


def parse_json(data: bytes, file: str, place: str = "") -> JsonNode:
    """A document of UTF-8 JSON, nested at most 1,024 deep. Raises ImportRefused."""
    try:
        return JsonNode(orjson.loads(data.removeprefix(b"\xef\xbb\xbf")), file, place)
    except orjson.JSONDecodeError as error:
        raise ImportRefused(file, place, f"no sound JSON: {error}") from error
