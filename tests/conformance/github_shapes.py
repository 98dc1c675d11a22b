"""Schemas of OpenAPI 3.0 as functions: an answer goes in, what is wrong with it comes out.

Strict where a vendor's reader would be: a field that is not published is wrong, also where the description leaves
`additionalProperties` out. Parts of a composition know each other's fields. Of `oneOf` one branch or more must fit: the
published branches overlap (an error of two kinds, a user of two depths). References are followed when they are met.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

Problem = tuple[str, str]  # where below the value, what
Check = Callable[[Any], list[Problem]]

TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "array": (list,),
    "object": (dict,),
}
FORMATS = {
    "date-time": re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z"),
    "date": re.compile(r"\d{4}-\d\d-\d\d"),
    "uri": re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s{}]+"),
    "uri-template": re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+"),
    "email": re.compile(r"[^@\s]+@[^@\s]+"),
}
BOUNDS: dict[str, Callable[[Any, Any], bool]] = {
    "minimum": lambda value, bound: value >= bound,
    "maximum": lambda value, bound: value <= bound,
    "minLength": lambda value, bound: len(value) >= bound,
    "maxLength": lambda value, bound: len(value) <= bound,
    "minItems": lambda value, bound: len(value) >= bound,
    "maxItems": lambda value, bound: len(value) <= bound,
    "pattern": lambda value, bound: re.search(bound, value) is not None,
}
BRANCHES = ("oneOf", "anyOf")
KEPT = {
    "$ref",
    "type",
    "format",
    "enum",
    "nullable",
    "properties",
    "required",
    "items",
    "additionalProperties",
    "allOf",
    *BRANCHES,
    *BOUNDS,
}
NOTHING: frozenset[str] = frozenset()


def compact(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema without what only people read."""
    out = {key: value for key, value in schema.items() if key in KEPT}
    for key in ("allOf", *BRANCHES):
        if key in out:
            out[key] = [compact(one) for one in out[key]]
    if "properties" in out:
        out["properties"] = {name: compact(one) for name, one in out["properties"].items()}
    for key in ("items", "additionalProperties"):
        if isinstance(out.get(key), dict):
            out[key] = compact(out[key])
    return out


class Shapes:
    """The named schemas of one description, and a check for each schema that may refer to them."""

    def __init__(self, named: Mapping[str, Mapping[str, Any]]) -> None:
        self._named = named
        self._checks: dict[tuple[str, frozenset[str]], Check] = {}

    def check(self, schema: Mapping[str, Any], beside: frozenset[str] = NOTHING) -> Check:
        """The check of a schema; `beside` are fields that its neighbours in a composition allow."""
        if "$ref" in schema:
            return self._referred(schema["$ref"].rpartition("/")[2], beside)
        parts = list(self._parts(schema, beside))
        if schema.get("nullable"):
            return lambda value: [] if value is None else _first(parts, value)
        return parts[0] if len(parts) == 1 else lambda value: _first(parts, value)

    def _referred(self, name: str, beside: frozenset[str]) -> Check:
        def late(value: Any) -> list[Problem]:
            found = self._checks.get((name, beside))
            if found is None:
                found = self._checks[(name, beside)] = self.check(self._named[name], beside)
            return found(value)

        return late

    def _parts(self, schema: Mapping[str, Any], beside: frozenset[str]) -> Iterable[Check]:
        if "enum" in schema:
            yield _enumerated(schema)
        elif "type" in schema:
            yield _typed(schema)
        if "items" in schema:
            yield self._items(self.check(schema["items"]))
        if "properties" in schema or "required" in schema or "additionalProperties" in schema:
            yield self._object(schema, beside | self._of_branches(schema))
        if "allOf" in schema:
            yield from (self.check(one, beside | self.fields(schema)) for one in schema["allOf"])
        for key in BRANCHES:
            if key in schema:
                yield self._branches(schema[key], beside | frozenset(schema.get("properties", ())))

    def fields(self, schema: Mapping[str, Any]) -> frozenset[str]:
        """Every field that a schema or a part of it names."""
        if "$ref" in schema:
            return self.fields(self._named[schema["$ref"].rpartition("/")[2]])
        return frozenset(schema.get("properties", ())) | self._of_branches(schema)

    def _of_branches(self, schema: Mapping[str, Any]) -> frozenset[str]:
        parts = [one for key in ("allOf", *BRANCHES) for one in schema.get(key, ())]
        return frozenset[str]().union(*(self.fields(one) for one in parts))

    def _items(self, check: Check) -> Check:
        def items(value: Any) -> list[Problem]:
            return [(f"[{at}]{where}", what) for at, one in enumerate(value) for where, what in check(one)]

        return items

    def _object(self, schema: Mapping[str, Any], beside: frozenset[str]) -> Check:
        fields = {name: self.check(one) for name, one in schema.get("properties", {}).items()}
        required = schema.get("required", ())
        rest = self._rest(schema, beside)

        def known(value: Any) -> list[Problem]:
            if type(value) is not dict:  # whether it must be one is for `type` to say
                return []
            problems = [(f".{name}", "is required") for name in required if name not in value]
            for name, one in value.items():
                found = fields[name](one) if name in fields else rest(name, one)
                problems += [(f".{name}{where}", what) for where, what in found]
            return problems

        return known

    def _rest(self, schema: Mapping[str, Any], beside: frozenset[str]) -> Callable[[str, Any], list[Problem]]:
        """What becomes of fields that a schema does not name."""
        more = schema.get("additionalProperties", "properties" not in schema)
        if isinstance(more, dict):
            inner = self.check(more)
            return lambda name, one: inner(one)
        if more:
            return lambda name, one: []
        return lambda name, one: [] if name in beside else [("", "is not published")]

    def _branches(self, branches: list[Mapping[str, Any]], beside: frozenset[str]) -> Check:
        checks = [self.check(one, beside) for one in branches]

        def fitting(value: Any) -> list[Problem]:
            tried: list[list[Problem]] = []
            for check in checks:
                found = check(value)
                if not found:
                    return found
                tried.append(found)
            return min(tried, key=lambda found: (any(not where for where, _ in found), len(found)))

        return fitting


def _first(parts: list[Check], value: Any) -> list[Problem]:
    """The problems of the first part that has any."""
    for part in parts:
        found = part(value)
        if found:
            return found
    return []


def _enumerated(schema: Mapping[str, Any]) -> Check:
    allowed = frozenset(schema["enum"])
    words = ", ".join(map(str, schema["enum"]))[:200]
    return lambda value: (
        [] if isinstance(value, str | int) and value in allowed else [("", f"{value!r:.60} is none of {words}")]
    )


def _typed(schema: Mapping[str, Any]) -> Check:
    name = schema["type"]
    types = TYPES[name]
    form = FORMATS.get(schema.get("format", ""))
    bounds = [(key, schema[key], BOUNDS[key]) for key in BOUNDS if key in schema]

    def typed(value: Any) -> list[Problem]:
        if type(value) not in types:
            return [("", f"{value!r:.60} is no {name}")]
        if form is not None and not form.fullmatch(value):
            return [("", f"{value!r:.60} is no {schema['format']}")]
        return [("", f"{value!r:.60}: {key} is {bound}") for key, bound, holds in bounds if not holds(value, bound)]

    return typed
