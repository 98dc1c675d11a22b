"""T22: an employee posts actions; no route and no argument sets a row by table and column."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from sqlmodel import SQLModel
from starlette.routing import BaseRoute, Mount, Route

from apps.gmail.rest.table import LINES as METHODS
from apps.jira.rest.routes import LINES
from tests.conftest import Server
from tests.security.reach import Employee
from world.core import discovery
from world.core.errors import OperationError
from world.core.journal import changes
from world.core.operation import Operation
from world.core.settings import Settings
from world.server.agent_plane import agent_plane
from world.server.serve import surfaces_module

MARK = "qzpushedzq"
PLAIN = {  # what takes something else than an operation's arguments, and what it is for
    "/login": "signing in",
    "/logout": "signing out",
    "/slack/upload/v1/{token}/{secret}": "files.uploadContent",
    "/slack/upload/v1/{secret}": "files.uploadContent",
    **dict.fromkeys(
        [f"/{app}/{path}" for app in ("gmail", "sheets") for path in ("token", "oauth2/v4/token", "o/oauth2/token")],
        "signing in",
    ),
    **dict.fromkeys(("/gmail/batch", "/gmail/batch/gmail/v1"), "several requests of the API in one"),
    **dict.fromkeys(
        ("/sheets/batch", "/sheets/batch/sheets/v4", "/sheets/batch/drive/v3"), "several requests of the APIs in one"
    ),
}
MAIL = {
    f"/gmail/{path}/{{rest:path}}" for path in ("gmail/v1", "v1", "sync", "upload", "resumable/upload")
}  # method by method below
FILES = {
    f"/sheets/{path}/{{rest:path}}" for path in ("v4", "drive/v3", "sync", "upload", "resumable/upload")
}  # only methods with an operation
OPERATIONS = [operation for app in discovery.apps() for operation in app.operations.values()]
WRITES = [operation for operation in OPERATIONS if operation.writes]
TABLES = {
    name for name in SQLModel.metadata.tables if name.startswith(tuple(f"{app.name}_" for app in discovery.apps()))
}
NEVER = {
    "table",
    "tables",
    "sql",
    "row",
    "rows",
    "column",
    "columns",
    "pk",
    "state_hash",
    "world",
    "world_id",
    "now",
    "seed",
}

CELLS = {"row", "column"}  # of a grid


def taking(routes: Iterable[BaseRoute], under: str = "") -> Iterator[str]:
    """Addresses that take a body."""
    for route in routes:
        if isinstance(route, Mount):
            yield from taking(route.routes, under + route.path)
        elif isinstance(route, Route) and (route.methods is None or route.methods - {"GET", "HEAD"}):
            yield under + route.path


def test_every_route_that_takes_a_body_leads_to_an_operation(served: Server) -> None:
    routes = agent_plane(served.up.host, discovery.app_packages(), surfaces=surfaces_module).routes
    tracker = {f"/jira{line.path}" for line in LINES} | {"/jira/rest/{rest:path}"}
    known = {*PLAIN, *tracker, *MAIL, *FILES, "/world/{name:str}", "/slack/api/{method}", "/slack/api/"}
    rest = {path for path in taking(routes) if path not in known}
    rest = {
        path
        for path in rest
        if not path.endswith("/do/{operation}")
        and not path.startswith(("/mcp", "/w/{world}/mcp", "/tools", "/w/{world}/tools", "/status/"))
        and not re.fullmatch(r"(/w/\{world\})?/\w+/mcp(/\{surface\})?", path)
    }
    assert not rest, rest
    assert {line.operation for line in (*LINES, *METHODS)} <= set(served.up.host.operations)


def test_no_argument_names_a_table() -> None:
    found = {operation.id: _arguments(operation) & (TABLES | NEVER) for operation in OPERATIONS}
    assert {id: names for id, names in found.items() if names} == {}


def _arguments(operation: Operation) -> set[str]:
    names = {name.lower() for name in _names(operation.params.model_json_schema())}
    return names - (CELLS if operation.app == "sheets" else set())


def _names(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for part in schema.values():
            yield from _names(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _names(part)


@pytest.mark.full
def test_columns_sent_along_with_any_write_change_nothing(served: Server) -> None:
    served.do(lambda: served.up.host.create("t22", Settings(limits="off")))
    with Employee(served, "t22", "p_0002") as employee:
        examples = {
            operation.id: (operation, arguments)
            for operation, arguments in reversed(employee.examples(writes=True))
            if operation.writes
        }
    tried, written = served.do(lambda: _pushed(served, list(examples.values())))
    assert tried > 80 and len(written) > 60
    assert not [text for text in written if MARK in text]


def _pushed(served: Server, examples: list[tuple[Operation, dict[str, Any]]]) -> tuple[int, list[str]]:
    host = served.up.host
    before, me = host.actors["t22"].version, host.principal("t22", "p_0002")
    for operation, arguments in examples:
        try:
            host.call(me, "rest", operation.id, {**_columns(operation), **arguments})
        except OperationError:
            continue
    return len(examples), [f"{change.table} {change.after}" for change in changes(host.actors["t22"].bound, before)]


def _columns(operation: Operation) -> dict[str, Any]:
    """Every column of the app's tables that is no argument of the operation."""
    fields = operation.params.model_fields
    taken = {
        *fields,
        *(info.alias for info in fields.values() if info.alias),
        *_names(operation.params.model_json_schema()),
    }
    tables = [table for name, table in SQLModel.metadata.tables.items() if name.startswith(f"{operation.app}_")]
    return {column.name: MARK for table in tables for column in table.columns if column.name not in taken}
