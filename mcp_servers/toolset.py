"""Tools fitted to the operations of a host: flat schemas, argument checks, the mapping there and back."""

import copy
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

import mcp_types as types
import orjson

from mcp_servers import paths, schema
from mcp_servers.paths import Path
from mcp_servers.tools import ArgumentForm, Surface, Tool
from world.core.errors import InvalidArguments
from world.core.json_types import JsonMapping, JsonObject
from world.core.operation import Operation

_SHOWN = re.compile(r"[A-Za-z0-9_.-]{1,64}")
WORLD = "world"
KINDS: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "boolean": bool,
    "integer": int,
    "object": dict,
    "array": list,
}


@dataclass(frozen=True, slots=True)
class BoundTool:
    """A tool with the operations it stands for. `name` may differ from the tool's own on a combined list.

    `vendor` is the vendor of its app, whose tokens see it too; empty if the app has none.
    """

    name: str
    app: str
    tool: Tool
    operations: Mapping[str, Operation]
    paths: Mapping[str, Path]
    accepted: Mapping[str, str]
    wire: types.Tool
    vendor: str = ""

    @property
    def required(self) -> list[str]:
        """Names of the arguments that must be given."""
        return self.wire.input_schema["required"]

    def operation(self, given: Mapping[str, object]) -> Operation:
        """The operation these arguments ask for. Raises InvalidArguments."""
        if self.tool.pick is not None:
            key = self.tool.pick(given)
        else:
            key = str(given.get(self.tool.by)) if self.tool.by else ""
        found = self.operations.get(key)
        if found is None:
            raise InvalidArguments([(self.tool.by or "arguments", f"must be one of: {', '.join(self.operations)}")])
        return found

    def operation_of(self, given: Mapping[str, object]) -> Operation:
        """The operation a call counts as, even one that names none."""
        try:
            return self.operation(given)
        except InvalidArguments:
            return next(iter(self.operations.values()))

    def arguments(self, given: Mapping[str, object]) -> dict[str, Any]:
        """The operation's arguments for the tool's. Raises InvalidArguments, by the tool's own names."""
        problems = [
            (quote_known_name(name), "is not an argument of this tool") for name in given if name not in self.accepted
        ]
        problems += [(name, "is required") for name in self.required if self._is_missing(name, given)]
        out: JsonObject = {}
        problems += [(name, why) for name, value in given.items() if (why := self._misfit(name, value))]
        for path, value in self.tool.fixed.items():
            paths.set_at(out, paths.parse(path), copy.deepcopy(value))
        for name, value in {**self.tool.defaults, **given}.items():
            own = self.accepted.get(name, "")
            if own in self.paths and not self._is_missing(own, {own: value}):
                problems += self._place(out, own, value)
        if problems:
            raise InvalidArguments(dict.fromkeys(problems))
        return out if len(self.operations) == 1 else _select_arguments(self.operation(given), out)

    def _is_missing(self, name: str, given: Mapping[str, object]) -> bool:
        """Whether an argument is not given; null says so too, unless it is a value of this argument."""
        part = self.wire.input_schema["properties"].get(name, {})
        return name not in given or (given[name] is None and not schema.takes_null(part))

    def _misfit(self, name: str, value: object) -> str:
        """Return the problem of an argument that the operation's own model does not check; empty if there is none."""
        form = self.tool.ignored.get(name) or self.tool.forms.get(name)
        if self.tool.prepare is not None and value is not None and self._is_no_list(name, value):
            return "must be a list"
        if form is None or value is None:
            return ""
        if "enum" in form.schema and value not in form.schema["enum"]:
            return f"must be one of: {', '.join(form.schema['enum'])}"
        kind = KINDS.get(str(form.schema.get("type")))
        if name not in self.tool.ignored or kind is None:
            return ""
        return _find_fault(form, value) if isinstance(value, kind) else "has the wrong type"

    def _is_no_list(self, name: str, value: object) -> bool:
        """Whether an argument must be a list and is neither a list nor the text of one.

        `prepare` reads such arguments unchecked.
        """
        asked = self.wire.input_schema["properties"].get(name, {}).get("type")
        written = isinstance(value, str) and value.lstrip().startswith("[")
        return asked == "array" and not (isinstance(value, list) or written)

    def _place(self, out: JsonObject, name: str, value: object) -> list[tuple[str, str]]:
        form = self.tool.forms.get(name)
        try:
            read = form.read(value) if form is not None else value
        except (ValueError, TypeError, AttributeError) as error:
            return [(name, str(error) if isinstance(error, ValueError) else "has the wrong type")]
        paths.set_at(out, self.paths[name], read)
        return []

    def sentence(self, refusal: InvalidArguments) -> str:
        """Return the problems of a refusal as one sentence, by the tool's own argument names."""
        named = {paths.render_path(path): name for name, path in self.paths.items()}
        listed = sorted((_rename_field(field, named), message) for field, message in refusal.problems)
        return "; ".join(f"{name}: {message}" for name, message in listed)

    def find_arguments_for(self, operation: str, arguments: Mapping[str, object]) -> JsonObject | None:
        """The tool's arguments that ask for exactly this, or None when it cannot be asked of this tool."""
        if (
            self.tool.prepare is not None
            or self.tool.pick is not None
            or not any(o.id == operation for o in self.operations.values())
        ):
            return None
        rest: JsonObject = copy.deepcopy(dict(arguments))
        if not all(paths.take(rest, paths.parse(p)) == (True, value) for p, value in self.tool.fixed.items()):
            return None
        given: JsonObject = {}
        for name, path in self.paths.items():
            found, value = paths.take(rest, path)
            form = self.tool.forms.get(name)
            if found and form is not None and form.write is None:
                return None
            if found:
                given[name] = form.write(value) if form is not None and form.write is not None else value
        if self.tool.by:
            given[self.tool.by] = next(key for key, o in self.operations.items() if o.id == operation)
        missing = [name for name in self.required if name not in given]
        return None if missing or not paths.is_empty(rest) else given


def _find_fault(form: ArgumentForm, value: object) -> str:
    """Return what the form of an argument says against a value; empty if nothing."""
    try:
        form.read(value)
    except ValueError as error:
        return str(error)
    return ""


def quote_known_name(name: object) -> str:
    """An argument or tool name that may be repeated to its sender."""
    return name if isinstance(name, str) and _SHOWN.fullmatch(name) else "arguments"


def _select_arguments(operation: Operation, arguments: Mapping[str, object]) -> JsonObject:
    """Select the arguments of a tool that an operation takes; the others belong to other operations of the tool."""
    names = {name for field, info in operation.params.model_fields.items() for name in (field, info.alias)}
    return {name: value for name, value in arguments.items() if name in names}


def _rename_field(field: str, named: Mapping[str, str]) -> str:
    for path in sorted(named, key=len, reverse=True):
        if field == path or field.startswith(f"{path}."):
            return named[path] + field[len(path) :]
    return field


@dataclass(frozen=True, slots=True)
class ToolFilter:
    """Selection of tools that a client asks for: by app, with the world's own, or by name.

    An empty selection takes every tool.
    """

    apps: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()

    def takes(self, tool: BoundTool) -> bool:
        """Whether a tool is among them."""
        if self.tools and tool.name not in self.tools:
            return False
        return not self.apps or tool.app in self.apps or tool.app == WORLD


class Toolset:
    """The tools of one address. `version` and the digest of the list go into a run's manifest."""

    def __init__(self, name: str, version: str, fitted: Iterable[BoundTool]) -> None:
        self.name, self.version, self._fitted = name, version, fitted
        self._lists: dict[str, types.ListToolsResult] = {}

    @cached_property
    def tools(self) -> dict[str, BoundTool]:
        """By name. Made when first asked for: the schemas of hundreds of tools would be most of a server's start."""
        return {one.name: one for one in self._fitted}

    def find(self, name: str, app: str) -> BoundTool | None:
        """A tool that a token of `app` (or of its vendor, or "" for all apps) may see."""
        found = self.tools.get(name)
        seen = found is not None and (app in ("", found.app, found.vendor) or found.app == WORLD)
        return found if seen else None

    def narrow_list(self, app: str, narrowing: "ToolFilter") -> types.ListToolsResult:
        """Select the tools of the list for a token of `app` that a client asks for."""
        return types.ListToolsResult(
            tools=[one for one in self.list_tools(app).tools if narrowing.takes(self.tools[one.name])]
        )

    def list_tools(self, app: str) -> types.ListToolsResult:
        """The list for a token of `app`, built once."""
        if app not in self._lists:
            seen = [one.wire for one in self.tools.values() if self.find(one.name, app) is not None]
            self._lists[app] = types.ListToolsResult(tools=seen)
        return self._lists[app]

    def schema(self, name: str) -> JsonMapping | None:
        """A tool's input schema."""
        found = self.tools.get(name)
        return found.wire.input_schema if found else None

    @cached_property
    def wire(self) -> list[JsonObject]:
        """The whole list as it is sent."""
        return [one.wire.model_dump(by_alias=True, mode="json", exclude_none=True) for one in self.tools.values()]

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the list."""
        return sha256(orjson.dumps(self.wire)).hexdigest()

    def arguments_for(self, operation: str, arguments: Mapping[str, object]) -> tuple[str, JsonObject] | None:
        """The first tool, with its arguments, that asks for exactly this operation; None if none can."""
        for one in self.tools.values():
            given = one.find_arguments_for(operation, arguments)
            if given is not None:
                return one.name, given
        return None


def fit(surface: Surface, operations: Mapping[str, Operation], vendor: str = "") -> Toolset:
    """A surface over the operations of a host; `vendor` is that of its app. Raises LookupError for an operation nobody declares, its tools for a
    stray argument.
    """
    for tool in surface.tools:
        _operations(tool, operations)
    fitted = (fit_tool(tool, surface.app, operations, vendor) for tool in surface.tools)
    return Toolset(f"{surface.app}-{surface.name}", surface.version, fitted)


def fit_tool(tool: Tool, app: str, operations: Mapping[str, Operation], vendor: str) -> BoundTool:
    """One tool over the operations of a host."""
    chosen = _operations(tool, operations)
    first = next(iter(chosen.values()))
    flat = [schema.flat(operation.params) for operation in chosen.values()]
    routes = _paths(tool, flat[0] if len(flat) == 1 else _merge_properties(flat))
    properties = {name: _property(tool, name, routes, flat) for name in _list_published_names(tool, routes)}
    needed = _list_required_names(tool, routes, flat[0]) if not tool.by else list(tool.required or (tool.by,))
    wire = types.Tool(
        name=tool.name,
        description=tool.description or first.summary,
        input_schema={
            "type": "object",
            "properties": properties,
            "required": [name for name in properties if name in needed],
            "additionalProperties": False,
        },
        annotations=_annotate(chosen.values()),
    )
    accepted = _map_accepted_names(properties, routes, chosen)
    return BoundTool(tool.name, app, tool, chosen, routes, accepted, wire, vendor)


def _operations(tool: Tool, operations: Mapping[str, Operation]) -> dict[str, Operation]:
    wanted = {"": tool.operation} if isinstance(tool.operation, str) else dict(tool.operation)
    missing = sorted({id for id in wanted.values() if id not in operations})
    if missing:
        raise LookupError(f"tool {tool.name}: no operation {', '.join(missing)}")
    return {key: operations[id] for key, id in wanted.items()}


def _merge_properties(flat: list[schema.Schema]) -> schema.Schema:
    return {"properties": {name: part for one in flat for name, part in one["properties"].items()}}


def _paths(tool: Tool, flat: schema.Schema) -> dict[str, Path]:
    """Every argument that goes somewhere, in the order published."""
    renamed = {name: paths.parse(path) for name, path in tool.rename.items()}
    taken = {path[0] for path in (*renamed.values(), *map(paths.parse, tool.fixed))}
    own = {name: (name,) for name in flat["properties"] if name not in taken}
    found = {**renamed, **own}
    if tool.only is not None:
        found = {name: found.get(name, (name,)) for name in tool.only if name not in tool.ignored and name != tool.by}
    return found


def _annotate(chosen: Iterable[Operation]) -> types.ToolAnnotations:
    """Return the hints for a host that asks a person first: whether a tool writes, and whether it only adds."""
    operations = list(chosen)
    writes = any(one.writes for one in operations)
    destroys = any(one.destroys for one in operations) if writes else None
    return types.ToolAnnotations(read_only_hint=not writes, destructive_hint=destroys)


def _list_published_names(tool: Tool, routes: Mapping[str, Path]) -> list[str]:
    if tool.only is not None:
        return list(tool.only)
    return [*([tool.by] if tool.by else []), *tool.ignored, *routes]


def _property(tool: Tool, name: str, routes: Mapping[str, Path], flat: list[schema.Schema]) -> schema.Schema:
    if name == tool.by:
        made: schema.Schema = {
            "type": "string",
            "enum": list(tool.operation) if not isinstance(tool.operation, str) else [],
        }
    elif name in tool.ignored or name in tool.forms:
        made = dict((tool.ignored.get(name) or tool.forms[name]).schema)
    else:
        found = _first(flat, routes[name])
        if found is None:
            raise LookupError(f"tool {tool.name}: {name} leads nowhere ({'.'.join(routes[name])})")
        made = dict(found)
    inner = _first(flat, routes.get(name, (name,))) or {}
    usual = made.pop("description", "")
    text = tool.describe.get(name) or usual or inner.get("description", "")
    if name in tool.defaults:
        made["default"] = tool.defaults[name]
    return {"type": made.pop("type"), "description": text, **made} if "type" in made else {"description": text, **made}


def _first(flat: list[schema.Schema], path: Path) -> schema.Schema | None:
    return next((part for one in flat if (part := schema.at(one, path)) is not None), None)


def _list_required_names(tool: Tool, routes: Mapping[str, Path], flat: schema.Schema) -> list[str]:
    if tool.required is not None:
        return list(tool.required)
    return [name for name, path in routes.items() if _is_required(flat, path)]


def _is_required(flat: schema.Schema, path: Path) -> bool:
    """Whether every step of a path is required."""
    place: schema.Schema | None = flat
    for step in path:
        if place is None or (step != "[]" and step not in place.get("required", ())):
            return False
        place = schema.at(place, (step,))
    return True


def _map_accepted_names(
    properties: Iterable[str], routes: Mapping[str, Path], chosen: Mapping[str, Operation]
) -> dict[str, str]:
    """Names that may be sent, to the name published; a params field may be sent by its Python name too."""
    found = {name: name for name in properties}
    for operation in chosen.values():
        for field, info in operation.params.model_fields.items():
            if info.alias and routes.get(info.alias) == (info.alias,):
                found.setdefault(field, info.alias)
    return found
