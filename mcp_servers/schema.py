"""Flat JSON schemas of params models: no references, no unions for optionals, nothing an agent does not need.

Null is a value of an argument only where the description says what it does, as in `null for nobody`; it is a value
inside a map wherever the model takes it.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from world.core.params import INT64_MAX, INT64_MIN, Params

Schema = dict[str, Any]

DROPPED = frozenset({"title", "examples", "maxLength", "minLength", "discriminator", "$defs", "additionalProperties"})
SCALARS = frozenset({"string", "integer", "number", "boolean", "null"})
RENAMED = {
    "ge": "minimum",
    "le": "maximum",
    "gt": "exclusiveMinimum",
    "lt": "exclusiveMaximum",
}  # as JSON schema says it
UNBOUND = frozenset({INT64_MIN, INT64_MAX, -(2**31), 2**31, 2**31 - 1})
BOUNDS = {"minimum": INT64_MIN, "maximum": INT64_MAX}
NULL: Schema = {"type": "null"}
_SAYS_WHAT_NULL_DOES = re.compile(r"(?:^|[;,] )null\b")


@cache
def flat(model: type[Params]) -> Schema:
    """The schema of a params model as an object with `properties` and `required`; made once, so not to be changed."""
    raw = model.model_json_schema(by_alias=True)
    made = _flat(raw, raw.get("$defs", {}), ())
    made.setdefault("properties", {})
    made.setdefault("required", [])
    return made


def at(schema: Schema, path: Sequence[str]) -> Schema | None:
    """The part of a flat schema that a path leads to (`[]` enters a list's items); None where it is open."""
    found: Schema | None = schema
    for step in path:
        if found is None:
            return None
        found = found.get("items") if step == "[]" else found.get("properties", {}).get(step)
    return found


def takes_null(part: Schema) -> bool:
    """Whether null is a value of its own here; elsewhere an argument that is null is not given."""
    kinds = part.get("type", "")
    return "null" in kinds if isinstance(kinds, list) else NULL in part.get("anyOf", ())


def _flat(node: Mapping[str, object], defs: Mapping[str, object], open_refs: tuple[str, ...]) -> Schema:
    if "$ref" in node:
        return _reference(node, defs, open_refs)
    if "anyOf" in node or "oneOf" in node:
        return _union(node, defs, open_refs, null=_says_what_null_does(node))
    out: Schema = {}
    for key, value in node.items():
        key = RENAMED.get(key, key)
        if key in DROPPED or _says_nothing(key, value):
            continue
        out[key] = _value(key, value, defs, open_refs)
    others = node.get("additionalProperties")
    if isinstance(others, Mapping) and (values := _map_values(others, defs, open_refs)):
        out["additionalProperties"] = values
    if "const" in out:
        out["enum"] = [out.pop("const")]
    return out


def _map_values(node: Mapping[str, object], defs: Mapping[str, object], open_refs: tuple[str, ...]) -> Schema:
    return _union(node, defs, open_refs, null=True) if "anyOf" in node else _flat(node, defs, open_refs)


def _says_what_null_does(node: Mapping[str, object]) -> bool:
    return _SAYS_WHAT_NULL_DOES.search(str(node.get("description", ""))) is not None


def _says_nothing(key: str, value: object) -> bool:
    return (key in BOUNDS and value in UNBOUND) or (key == "default" and value in (None, "", [], {}))


def _value(key: str, value: Any, defs: Mapping[str, object], open_refs: tuple[str, ...]) -> object:
    if key == "properties":
        return {name: _flat(part, defs, open_refs) for name, part in value.items()}
    if key == "items":
        return _flat(value, defs, open_refs)
    return value


def _reference(node: Mapping[str, object], defs: Mapping[str, Any], open_refs: tuple[str, ...]) -> Schema:
    name = str(node["$ref"]).rsplit("/", 1)[-1]
    rest = {k: v for k, v in node.items() if k != "$ref"}
    if name in open_refs or name not in defs:
        return {"type": "object", **_flat(rest, defs, open_refs)}
    inner = _flat(defs[name], defs, (*open_refs, name))
    return {**inner, **_flat(rest, defs, open_refs)}


def _union(node: Mapping[str, Any], defs: Mapping[str, object], open_refs: tuple[str, ...], *, null: bool) -> Schema:
    parts = [_flat(part, defs, open_refs) for part in node.get("anyOf") or node.get("oneOf") or []]
    rest = _flat({k: v for k, v in node.items() if k not in ("anyOf", "oneOf")}, defs, open_refs)
    if not null:
        parts = [part for part in parts if part != NULL]
    if len(parts) == 1:
        return {**parts[0], **rest}
    kinds = [part.get("type") for part in parts]
    if all(part.keys() == {"type"} and kind in SCALARS for part, kind in zip(parts, kinds, strict=True)):
        return {"type": sorted(set(map(str, kinds))), **rest}
    return {"anyOf": [{k: v for k, v in part.items() if k != "description"} for part in parts], **rest}
