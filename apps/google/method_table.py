"""Methods and objects of a published API as rows of text: path, operation, parameters and result."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

_FIELD = re.compile(r"(\w+)((?:\{\})?)(\*?)(?::(\w+))?")
_SEGMENT = re.compile(r"\{(?P<name>\w+)(?::(?P<kind>\w+))?\}(?::(?P<verb>\w+))?")
MARKS = "=>?^@<"


@dataclass(frozen=True, slots=True)
class Kind:
    """Kind of a parameter or field: text (""), bool, bytes, a number's format, `any`, a schema.

    `keyed`: a map with free names.
    """

    name: str = ""
    many: bool = False
    keyed: bool = False


@cache
def _split_argument(segment: str) -> tuple[str, str]:
    """Split a path segment into its argument and verb, if it has one."""
    found = _SEGMENT.fullmatch(segment)
    return (found["name"], f":{found['verb']}" if found["verb"] else "") if found else ("", "")


Schemas = Mapping[str, Mapping[str, Kind]]


@dataclass(frozen=True, slots=True)
class Line:
    """One method. `body` and `answer` are schemas; without `answer` it answers 204. `most` is the largest upload, in
    bytes.

    `at` is the field of the vendor's request that the body is, as errors name it. `download`: it answers bytes,
    `always` or when asked so (`alt`).
    """

    method: str
    path: tuple[str, ...]
    operation: str
    scopes: frozenset[str] = frozenset()
    query: dict[str, Kind] = field(default_factory=dict)
    body: str = ""
    answer: str = ""
    most: int = 0
    download: str = ""
    at: str = ""

    def match(self, segments: list[str]) -> dict[str, str] | None:
        """The arguments a path holds, or None if it is another one."""
        if len(segments) != len(self.path):
            return None
        out: dict[str, str] = {}
        for mine, theirs in zip(self.path, segments, strict=True):
            name, end = _split_argument(mine)
            if not name:
                if mine != theirs:
                    return None
                continue
            if not theirs.endswith(end) or len(theirs) == len(end):
                return None
            out[name] = theirs[: len(theirs) - len(end)]
        return out

    @property
    def numbers(self) -> dict[str, str]:
        """Kinds of the path arguments that are no texts."""
        found = (_SEGMENT.fullmatch(part) for part in self.path)
        return {one["name"]: one["kind"] for one in found if one is not None and one["kind"]}

    @property
    def placed(self) -> list[str]:
        """The names of the arguments in the path."""
        return [found["name"] for part in self.path if (found := _SEGMENT.fullmatch(part)) is not None]

    @property
    def words(self) -> list[str]:
        """Literal words in the path: segments and verbs."""
        out: list[str] = []
        for part in self.path:
            found = _SEGMENT.fullmatch(part)
            out += part.split(":") if found is None else [found["verb"]] if found["verb"] else []
        return out

    def fill_path(self, given: Mapping[str, str]) -> str:
        """The path with its arguments, which are percent-encoded already."""
        return "/".join(
            _SEGMENT.sub(lambda one: given[one["name"]] + (f":{one['verb']}" if one["verb"] else ""), part)
            for part in self.path
        )


def parse_kinds(words: Iterable[str]) -> dict[str, Kind]:
    """`name`, `name*` (repeated), `name{}` (under free names), `name:type`."""
    found = [_FIELD.fullmatch(word) for word in words]
    return {one[1]: Kind(one[4] or "", bool(one[3]), bool(one[2])) for one in found if one}


def split_rows(text: str) -> list[str]:
    """Rows of a table written as text; an indented line belongs to the row before."""
    return re.sub(r"\n\s+", " ", text.strip()).splitlines()


def parse_lines(text: str, letters: Mapping[str, str] | None = None) -> tuple[Line, ...]:
    """`METHOD path operation [scopes by letter] [@scope,...] [=Body] [>Answer] [?query,...] [^bytes] [<download]`;
    marks may be repeated.
    """
    return tuple(_parse_line(row, letters or {}) for row in split_rows(text))


def _parse_line(row: str, letters: Mapping[str, str]) -> Line:
    method, path, operation, *rest = row.split()
    marked = {mark: ",".join(word[1:] for word in rest if word[0] == mark) for mark in MARKS}
    scopes = {letters[letter] for word in rest if word[0] not in MARKS for letter in word} | set(marked["@"].split(","))
    return Line(
        method,
        tuple(path.strip("/").split("/")),
        operation,
        frozenset(scopes - {""}),
        parse_kinds(marked["?"].split(",")),
        marked["="],
        marked[">"],
        int(marked["^"] or 0),
        marked["<"],
    )


def parse_objects(text: str) -> dict[str, dict[str, Kind]]:
    """Objects by name, field by field: `Name field field*:type ...`."""
    return {name: parse_kinds(fields) for name, *fields in (row.split() for row in split_rows(text))}
