"""Operation arguments from query and body, with the vendor's checks: unknown names and wrong types are refused."""

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import parse_qsl

import orjson

from apps.google.api import Api
from apps.google.errors import ErrorBody, invalid_error, to_snake_case
from apps.google.method_table import Kind, Line
from world.core.json_types import JsonObject

GLOBAL = frozenset(
    {
        "$.xgafv",
        "access_token",
        "alt",
        "fields",
        "key",
        "oauth_token",
        "prettyPrint",
        "quotaUser",
        "uploadType",
        "upload_protocol",
        "upload_id",
    }
)
MAX_DEPTH, MAX_SHOWN, CONTEXT = 32, 200, 20
OTHERS: dict[str, type] = {"bool": bool, "ListValue": list}
RANGES = {
    "int32": (-(2**31), 2**31 - 1),
    "uint32": (0, 2**32 - 1),
    "int64": (-(2**63), 2**63 - 1),
    "uint64": (0, 2**64 - 1),
}
INVALID = "Invalid JSON payload received. "
UNBOUND = (
    INVALID + "Unknown name \"{0}\": Cannot bind query parameter. Field '{0}' could not be found in request message."
)

Query = list[tuple[str, str]]
At: TypeAlias = "tuple[At, str | int | Key] | None"  # a place in a body: what it is in, and its name there


class Key(NamedTuple):
    """A free name."""

    name: str


class Unreadable(Exception):
    """Error for a request that never reaches its method; `body` is the response."""

    def __init__(self, body: ErrorBody) -> None:
        super().__init__(body.message)
        self.body = body


def parse_query(query: str) -> Query:
    """The pairs of a query string."""
    return parse_qsl(query, keep_blank_values=True)


def parse_global_parameters(query: Query) -> dict[str, str]:
    """The parameters every method takes. Raises Unreadable for a form of answer that is not JSON."""
    found = {name.removeprefix("$") if name != "$.xgafv" else name: value for name, value in query}
    if found.get("alt", "json") not in ("json", "media"):
        raise Unreadable(invalid_error(f"Invalid value at 'alt', {_shorten_value(found['alt'])}"))
    return {name: value for name, value in found.items() if name in GLOBAL}


def read_query_arguments(api: Api, line: Line, query: Query) -> JsonObject:
    """Read arguments from the query. Raises Unreadable."""
    known = {alias: name for name in line.query for alias in (name, to_snake_case(name))}
    out: dict[str, Any] = {}
    for name, value in query:
        if name in GLOBAL or name.removeprefix("$") in GLOBAL:
            continue
        if name not in known and api.ignores_unknown:
            continue
        if name not in known:
            raise Unreadable(invalid_error(UNBOUND.format(name[:MAX_SHOWN])))
        own = known[name]
        kind = line.query[own]
        taken = _read_query_value(api, own, kind, value)
        if kind.many:
            out.setdefault(own, []).append(taken)
        else:
            out[own] = taken
    return out


def _read_query_value(api: Api, name: str, kind: Kind, text: str) -> object:
    if kind.name == "bool":
        if text.lower() not in ("true", "false", "1", "0"):
            raise Unreadable(_wrong_value(api, (None, name), "bool", text))
        return text.lower() in ("true", "1")
    if kind.name in api.enums and text not in api.enums[kind.name]:
        raise Unreadable(_wrong_value(api, (None, name), kind.name, text))
    return _read_number(api, (None, name), kind.name, text) if kind.name in RANGES else text


def read_path_arguments(api: Api, line: Line, given: Mapping[str, str]) -> JsonObject:
    """Read arguments from the path. Raises Unreadable."""
    numbers = line.numbers
    return {
        name: _read_number(api, (None, name), numbers[name], text) if name in numbers else text
        for name, text in given.items()
    }


def read_body_arguments(api: Api, line: Line, content: bytes) -> JsonObject:
    """Read arguments from a JSON body, by the schema of the method's request. Raises Unreadable."""
    if not content.strip():
        return {}
    value = _parse_json(content)
    if not isinstance(value, dict):
        raise Unreadable(invalid_error(INVALID + 'Unknown name "": Root element must be a message.'))
    return _read_object(api, line.body, value, (None, line.at) if line.at else None, 0)


def read_free_body(content: bytes) -> JsonObject:
    """A JSON object of any shape. Raises Unreadable."""
    value = _parse_json(content) if content.strip() else {}
    if not isinstance(value, dict):
        raise Unreadable(invalid_error(INVALID + 'Unknown name "": Root element must be a message.'))
    return value


def _parse_json(content: bytes) -> object:
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as problem:
        raise Unreadable(invalid_error(_describe_unexpected(content, problem))) from None


def _describe_unexpected(content: bytes, problem: orjson.JSONDecodeError) -> str:
    text = content.decode(errors="replace")
    at = min(problem.pos, len(text))
    before = text[max(0, at - CONTEXT) : at].rpartition("\n")[2]
    after = text[at : at + CONTEXT].partition("\n")[0]
    what = "Unexpected end of string." if at >= len(text.rstrip()) else "Unexpected token."
    return f"{INVALID}{what}\n{before}{after}\n{' ' * len(before)}^"


def _read_object(api: Api, schema: str, value: Mapping[str, object], at: At, depth: int) -> JsonObject:
    """An object with the names and types of its schema; null is absent, snake case is another spelling."""
    known = api.spelled.get(schema, {})
    out: JsonObject = {}
    for name, item in value.items():
        found = known.get(name)
        if found is None:
            if api.ignores_unknown:
                continue
            raise _refuse_unknown_name(name, format_place(at))
        if depth > MAX_DEPTH:
            raise Unreadable(invalid_error(f"{INVALID}Message too deep. Max recursion depth reached for key '{name}'"))
        if item is not None:
            own, kind = found
            out[own] = _read_field(api, kind, item, (at, own), depth)
    return out


def _refuse_unknown_name(name: str, path: str) -> Unreadable:
    where = f" at '{to_snake_case(path)}'" if path else ""
    return Unreadable(
        invalid_error(f'{INVALID}Unknown name "{name[:MAX_SHOWN]}"{where}: Cannot find field.', to_snake_case(path))
    )


def format_place(at: At) -> str:
    """A place in a body as errors name it: `requests[0].addSheet`."""
    parts: list[str] = []
    while at is not None:
        at, part = at
        parts.append(f".{part}" if isinstance(part, str) else f"[{part.name if isinstance(part, Key) else part}]")
    return "".join(reversed(parts)).removeprefix(".")


def _read_field(api: Api, kind: Kind, value: object, at: At, depth: int) -> object:
    if kind.keyed:
        if not isinstance(value, dict):
            raise Unreadable(_wrong_value(api, at, kind.name, value))
        each = Kind(kind.name, kind.many)
        return {
            str(key): None if item is None else _read_field(api, each, item, (at, Key(key)), depth)
            for key, item in value.items()
        }
    if not kind.many:
        return _read_single(api, kind.name, value, at, depth)
    if not isinstance(value, list):
        raise Unreadable(_wrong_value(api, at, kind.name, value))
    return [_read_single(api, kind.name, item, (at, place), depth) for place, item in enumerate(value)]


def _read_single(api: Api, kind: str, value: Any, at: At, depth: int) -> object:
    if kind in api.schemas:
        if not isinstance(value, dict):
            raise Unreadable(_wrong_value(api, at, kind, value))
        return _read_object(api, kind, value, at, depth + 1)
    if kind == "any":
        return value
    if kind in RANGES:
        return _read_number(api, at, kind, value)
    if kind in ("double", "float"):
        return _read_fraction(api, at, kind, value)
    if not isinstance(value, OTHERS.get(kind, str)) or (kind in api.enums and value not in api.enums[kind]):
        raise Unreadable(_wrong_value(api, at, kind, value))
    return _normalise_base64(value) if kind == "bytes" else value


def _read_fraction(api: Api, at: At, kind: str, value: object) -> float | int:
    """A number with or without a fraction, written as one or as a text."""
    try:
        number = float(value) if isinstance(value, str) else value
    except ValueError:
        number = None
    if isinstance(number, bool) or not isinstance(number, (int, float)) or not isfinite(number):
        raise Unreadable(_wrong_value(api, at, kind, value))
    return number


def _read_number(api: Api, at: At, kind: str, value: object) -> int | str:
    """A number, written as one or as a text; 64 bits travel as a text."""
    try:
        number = (
            int(value)
            if isinstance(value, (int, str)) and not isinstance(value, bool) and len(str(value)) < 25
            else None
        )
    except ValueError:
        number = None
    if number is None and isinstance(value, float) and value.is_integer():
        number = int(value)
    low, high = RANGES[kind]
    if number is None or not low <= number <= high:
        raise Unreadable(_wrong_value(api, at, kind, value))
    return str(number) if kind.endswith("64") else number


def _normalise_base64(text: str) -> str:
    """Return base64 of either alphabet as base64url; the method checks its validity."""
    return text.replace("+", "-").replace("/", "_")


def _wrong_value(api: Api, at: At, kind: str, value: object) -> ErrorBody:
    path = to_snake_case(format_place(at))
    return invalid_error(f"Invalid value at '{path}' ({api.type_name(kind)}), {_shorten_value(value)}", path)


def _shorten_value(value: object) -> str:
    """A value as errors quote it, cut short."""
    text = orjson.dumps(value, default=str).decode(errors="replace") if not isinstance(value, (dict, list)) else "..."
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "..."


def find_first(values: Iterable[tuple[str, str]], name: str) -> str:
    """The first value of a name, or nothing."""
    return next((value for key, value in values if key == name), "")
