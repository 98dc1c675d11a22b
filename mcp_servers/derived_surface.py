"""The surface every app has without declaring one: operation ids in snake case, first docstring lines, own arguments."""

from collections.abc import Collection

from mcp_servers.json_text import as_json
from mcp_servers.tools import MAX_DESCRIPTION, ArgumentForm, Surface, ToolAnswer
from world.core.app import App
from world.core.operation import Operation
from world.web.rest_door import FieldSelector, find_rest_door

NAME, FIELDS = "operations", "fields"
HOW_TO_SELECT = "Fields of the answer to return, such as kind,items(id,name); all if left out."


def derive_surface(app: App, only: Collection[str] | None = None) -> Surface:
    """All operations of an app as tools, in the order declared; with `only`, those of these ids.

    Raises LookupError for an id that the app does not declare.
    """
    if unknown := sorted(set(only or ()) - set(app.operations)):
        raise LookupError(f"{app.name} has no operation {unknown[0]}")
    surface = Surface(NAME, app=app.name, version="2")
    rest = find_rest_door(app.name)
    find_selector = rest.find_selector if rest is not None else None
    for operation in app.operations.values():
        if only is not None and operation.id not in only:
            continue
        description = operation.summary[:MAX_DESCRIPTION]
        select = find_selector(operation.id) if find_selector is not None else None
        if select is None:
            surface.tool(operation.snake, operation.id, description=description)
        else:
            _add_selecting_tool(surface, operation, description, select)
    return surface


def _add_selecting_tool(surface: Surface, operation: Operation, description: str, select: FieldSelector) -> None:
    """Add a tool that takes `fields`, and answers with these fields alone."""

    usual = {name: info.default for name, info in operation.params.model_fields.items()}

    def check(text: str) -> str:
        select({}, text)
        return text

    def render(answer: ToolAnswer) -> str:
        given = {name: value for name, value in answer.arguments.items() if name != FIELDS and value is not None}
        selected = select(given, answer.arguments.get(FIELDS) or "")
        asked = {name: given.get(name, usual.get(name)) for name in selected.arguments}
        implied = selected.arguments != asked
        return as_json(selected.keep(answer.look(operation.id, **selected.arguments) if implied else answer.result))

    form = ArgumentForm({"type": "string", "description": HOW_TO_SELECT}, check)
    surface.tool(operation.snake, operation.id, description=description, ignored={FIELDS: form}, result=render)
