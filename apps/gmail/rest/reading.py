"""From query and body to an operation's arguments, refusing what the vendor's front refuses: unknown names and wrong types."""

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import parse_qsl

import orjson

from apps.gmail.refusals import ErrorBody, invalid, snake
from apps.gmail.rest.schemas import SCHEMAS
from apps.gmail.rest.table import Kind, Line

GLOBAL = frozenset({
    "$.xgafv", "access_token", "alt", "fields", "key", "oauth_token", "prettyPrint", "quotaUser", "uploadType", "upload_protocol", "upload_id",
})  # fmt: skip
MAX_DEPTH, MAX_SHOWN, CONTEXT = 32, 200, 20
RANGES = {
    "int32": (-(2**31), 2**31 - 1), "uint32": (0, 2**32 - 1), "int64": (-(2**63), 2**63 - 1), "uint64": (0, 2**64 - 1),
}  # fmt: skip
INVALID = "Invalid JSON payload received. "
UNBOUND = INVALID + "Unknown name \"{0}\": Cannot bind query parameter. Field '{0}' could not be found in request message."

Query = list[tuple[str, str]]


class Unreadable(Exception):
    """A request the method never sees; `body` is what the caller is told."""

    def __init__(self, body: ErrorBody) -> None:
        super().__init__(body.message)
        self.body = body


def parsed(query: str) -> Query:
    """The pairs of a query string."""
    return parse_qsl(query, keep_blank_values=True)


def globals_of(query: Query) -> dict[str, str]:
    """The parameters every method takes. Raises Unreadable for a form of answer that is not JSON."""
    found = {name.removeprefix("$") if name != "$.xgafv" else name: value for name, value in query}
    if found.get("alt", "json") not in ("json", "media"):
        raise Unreadable(invalid(f"Invalid value at 'alt', {_shown(found['alt'])}"))
    return {name: value for name, value in found.items() if name in GLOBAL}


def query_arguments(line: Line, query: Query) -> dict[str, Any]:
    """What the query says. Raises Unreadable."""
    known = {alias: name for name in line.query for alias in (name, snake(name))}
    out: dict[str, Any] = {}
    for name, value in query:
        if name in GLOBAL or name.removeprefix("$") in GLOBAL:
            continue
        if name not in known:
            raise Unreadable(invalid(UNBOUND.format(name[:MAX_SHOWN])))
        own = known[name]
        kind = line.query[own]
        taken = _query_value(own, kind, value)
        if kind.many:
            out.setdefault(own, []).append(taken)
        else:
            out[own] = taken
    return out


def _query_value(name: str, kind: Kind, text: str) -> Any:
    if kind.name == "bool":
        if text.lower() not in ("true", "false", "1", "0"):
            raise Unreadable(_wrong(name, "bool", text))
        return text.lower() in ("true", "1")
    return _number(name, kind.name, text) if kind.name in RANGES else text


def body_arguments(line: Line, content: bytes) -> dict[str, Any]:
    """What a JSON body says, by the schema of the method's request. Raises Unreadable."""
    if not content.strip():
        return {}
    value = _json(content)
    if not isinstance(value, dict):
        raise Unreadable(invalid(INVALID + 'Unknown name "": Root element must be a message.'))
    return _object(SCHEMAS.get(line.body, {}), value, "", 0)


def free_body(content: bytes) -> dict[str, Any]:
    """A JSON object of any shape. Raises Unreadable."""
    value = _json(content) if content.strip() else {}
    if not isinstance(value, dict):
        raise Unreadable(invalid(INVALID + 'Unknown name "": Root element must be a message.'))
    return value


def _json(content: bytes) -> Any:
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as problem:
        raise Unreadable(invalid(_unexpected(content, problem))) from None


def _unexpected(content: bytes, problem: orjson.JSONDecodeError) -> str:
    text = content.decode(errors="replace")
    at = min(problem.pos, len(text))
    before = text[max(0, at - CONTEXT) : at].rpartition("\n")[2]
    after = text[at : at + CONTEXT].partition("\n")[0]
    what = "Unexpected end of string." if at >= len(text.rstrip()) else "Unexpected token."
    return f"{INVALID}{what}\n{before}{after}\n{' ' * len(before)}^"


def _object(schema: Mapping[str, Kind], value: Mapping[str, Any], path: str, depth: int) -> dict[str, Any]:
    """An object with the names and types of its schema; null is absent, snake case is another spelling."""
    known = {alias: name for name in schema for alias in (name, snake(name))}
    out: dict[str, Any] = {}
    for name, item in value.items():
        own = known.get(name)
        if own is None:
            at = f" at '{snake(path)}'" if path else ""
            raise Unreadable(invalid(f'{INVALID}Unknown name "{name[:MAX_SHOWN]}"{at}: Cannot find field.', snake(path)))
        if depth > MAX_DEPTH:
            raise Unreadable(invalid(f"{INVALID}Message too deep. Max recursion depth reached for key '{name}'"))
        if item is not None:
            out[own] = _field(schema[own], item, f"{path}.{own}" if path else own, depth)
    return out


def _field(kind: Kind, value: Any, path: str, depth: int) -> Any:
    if not kind.many:
        return _single(kind, value, path, depth)
    if not isinstance(value, list):
        raise Unreadable(_wrong(path, kind.name, value))
    return [_single(kind, item, f"{path}[{place}]", depth) for place, item in enumerate(value)]


def _single(kind: Kind, value: Any, path: str, depth: int) -> Any:
    if kind.name in SCHEMAS:
        if not isinstance(value, dict):
            raise Unreadable(_wrong(path, kind.name, value))
        return _object(SCHEMAS[kind.name], value, path, depth + 1)
    if kind.name == "bool":
        if not isinstance(value, bool):
            raise Unreadable(_wrong(path, kind.name, value))
        return value
    if kind.name in RANGES:
        return _number(path, kind.name, value)
    if not isinstance(value, str):
        raise Unreadable(_wrong(path, kind.name, value))
    return _bytes(value) if kind.name == "bytes" else value


def _number(path: str, kind: str, value: Any) -> int | str:
    """A number, written as one or as a text; 64 bits travel as a text."""
    try:
        number = int(value) if isinstance(value, (int, str)) and not isinstance(value, bool) and len(str(value)) < 25 else None
    except ValueError:
        number = None
    if number is None and isinstance(value, float) and value.is_integer():
        number = int(value)
    low, high = RANGES[kind]
    if number is None or not low <= number <= high:
        raise Unreadable(_wrong(path, kind, value))
    return str(number) if kind.endswith("64") else number


def _bytes(text: str) -> str:
    """Base64 of either alphabet as base64url; whether it is any, the method says."""
    return text.replace("+", "-").replace("/", "_")


def _wrong(path: str, kind: str, value: Any) -> ErrorBody:
    named = f"type.googleapis.com/google.gmail.v1.{kind}" if kind in SCHEMAS else f"TYPE_{(kind or 'string').upper()}"
    return invalid(f"Invalid value at '{snake(path)}' ({named}), {_shown(value)}", snake(path))


def _shown(value: Any) -> str:
    """A value as errors quote it, cut short."""
    text = orjson.dumps(value, default=str).decode(errors="replace") if not isinstance(value, (dict, list)) else "..."
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "..."


def first(values: Iterable[tuple[str, str]], name: str) -> str:
    """The first value of a name, or nothing."""
    return next((value for key, value in values if key == name), "")
