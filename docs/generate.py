"""Writes the generated pages: operations.md, errors.md, commands.md, tables.md, chore-list.md; `--check` only says which
are out of date.
"""

import ast
import importlib
import importlib.util
import inspect
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

import click
from sqlmodel import SQLModel

from world.cli import COMMANDS, MODULES
from world.core import builtin_operations, discovery
from world.core.access import __file__ as access_file
from world.core.app import App
from world.core.operation import Operation
from world.grading.tables import Table, describe
from world.run.actor import __file__ as actor_file
from world.script.catalogue import chores
from world.script.chore import Chore

HERE = Path(__file__).parent
NOTE = "<!-- Written by docs/generate.py; change the code, not this page. -->\n"


# operations


def operations() -> str:
    """Every operation of every app, by app and name."""
    lines = ["# Operations", "", NOTE, _OPERATIONS]
    for app in _apps():
        lines += ["", f"## {app.title} (`{app.name}`)", "", *_coverage(app)]
        lines += ["| operation | | when to use it | takes | source |", "|---|---|---|---|---|"]
        lines += [_operation(app.operations[id]) for id in sorted(app.operations)]
    return "\n".join(lines) + "\n"


_OPERATIONS = """What an employee can do. Each is a REST call, a tool of the app's derived surface, and mostly a form on a page.
A read costs 1 s of simulated time, a write 3 s, unless the settings say otherwise. Required arguments come first;
optional ones follow `may:`. Types and bounds are in the input schema of its tool in the app's derived surface (`/mcp/slack/operations`)."""
MOST = 16  # optional arguments shown


def _coverage(app: App) -> list[str]:
    """How much of the vendor's API that is."""
    file = HERE.parent / "apps" / app.name / "coverage.toml"
    if not file.exists():
        return []
    listed = tomllib.loads(file.read_text(encoding="utf-8"))
    counts = Counter(entry["state"] for entry in listed["method"].values())
    told = f"{counts['done']} done, {counts['partial']} in part, {counts['refused']} left out on purpose"
    return [f"Of the vendor's {listed['total']:,} published methods {told}: `apps/{app.name}/coverage.toml`.", ""]


def _operation(operation: Operation) -> str:
    summary = operation.summary.replace("|", "\\|")
    return (
        f"| `{operation.id}` | {'writes' if operation.writes else ''} | {summary} | {_takes(operation)} |"
        f" {operation.source} |"
    )


def _takes(operation: Operation) -> str:
    """The names of its arguments, those that must be given first."""
    fields = [(field.alias or name, field.is_required()) for name, field in operation.params.model_fields.items()]
    must, may = [[name for name, required in fields if required is wanted] for wanted in (True, False)]
    more = f" and {len(may) - MOST} more" if len(may) > MOST else ""
    return "; ".join(
        part for part in (_render_code_list(must), f"may: {_render_code_list(may[:MOST])}{more}" if may else "") if part
    )


def _apps() -> list[App]:
    return [builtin_operations.app, *discovery.apps()]


# errors


def list_raised_codes(path: Path) -> Iterator[tuple[str, str]]:
    """(code, function) of every refusal with a literal code in a file: raised, or returned by a permission rule."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for code in _codes(function):
                yield code, function.name


def _codes(function: ast.FunctionDef) -> Iterator[str]:
    is_rule = any(
        isinstance(d, ast.Call) and isinstance(d.func, ast.Attribute) and d.func.attr == "rule"
        for d in function.decorator_list
    )
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "OperationError":
            yield from _literals(node.args[:1])
        elif is_rule and isinstance(node, ast.Return):
            yield from _literals([node.value] if node.value is not None else [])


def _literals(nodes: list[ast.expr]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.IfExp):
            yield from _literals([node.body, node.orelse])


def folder_of(app: App) -> Path:
    """Where an app's code is."""
    for package in discovery.app_packages():
        if package.app.name == app.name:
            return Path(str(package.__file__)).parent
    return Path(str(builtin_operations.__file__))


def codes_of(app: App) -> dict[str, list[str]]:
    """Code -> where it comes from: operations that declare it, modules that raise it."""
    found: dict[str, set[str]] = {}
    for operation in app.operations.values():
        for code in operation.codes:
            found.setdefault(code, set()).add(operation.id)
    folder = folder_of(app)
    for path in sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]:
        for code, _ in list_raised_codes(path):
            found.setdefault(code, set())
    for code in (*wire_codes(app), *statuses(app)):
        found.setdefault(code, set())
    for kind, code in app.fault_codes.items():
        found.setdefault(code, set()).add(f"fault {kind}")
    return {code: sorted(where) for code, where in sorted(found.items())}


def kernel_codes() -> dict[str, str]:
    """Codes any operation can be refused with before it runs."""
    known = {
        code: "before any operation"
        for path in (actor_file, access_file)
        for code, _ in list_raised_codes(Path(str(path)))
    }
    return known | {"invalid_arguments": "arguments that the operation's model refuses"}


def errors() -> str:
    """Every refusal code of every app."""
    lines = ["# Errors", "", NOTE, _ERRORS, "## Any app", "", "| code | when |", "|---|---|"]
    lines += [f"| `{code}` | {when} |" for code, when in sorted(kernel_codes().items())]
    for app in _apps():
        table = _statuses(app)
        lines += [
            "",
            f"## {app.title} (`{app.name}`)",
            "",
            "| code | HTTP | operations that state it |",
            "|---|---|---|",
        ]
        lines += [f"| `{code}` | {table(code)} | {_render_places(where)} |" for code, where in codes_of(app).items()]
    return "\n".join(lines) + "\n"


_ERRORS = """A refusal is a code in the vendor's vocabulary. REST renders it in the vendor's envelope, a tool answers it as an error result,
a page shows it beside what was typed. A refused call costs the same simulated time and leaves no row. The last column is empty
where a permission rule or a shared check refuses on behalf of many operations.
"""


def _render_places(where: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in where[:6]) + (f" and {len(where) - 6} more" if len(where) > 6 else "")


def _refusals(app: App) -> ModuleType | None:
    names = (f"apps.{app.name}.refusals", f"apps.{app.name}.rest")
    found = next((name for name in names if app.name != "world" and importlib.util.find_spec(name)), None)
    return importlib.import_module(found) if found else None


def wire_codes(app: App) -> list[str]:
    """Codes that the wire gives to a malformed argument in place of `invalid_arguments`."""
    module = _refusals(app)
    return sorted({code for name in ("BY_ARGUMENT", "ANYWHERE") for code in getattr(module, name, {}).values()})


def statuses(app: App) -> dict[str, int]:
    """The HTTP statuses an app's own table gives to codes."""
    module = _refusals(app)
    table: Mapping[str, int | tuple[int, str]] = (
        getattr(module, "SENTENCES", None) or getattr(module, "STATUS", None) or {}
    )
    return {code: entry[0] if isinstance(entry, tuple) else entry for code, entry in table.items()}


def _statuses(app: App) -> Callable[[str], str]:
    table = statuses(app) or ({"ratelimited": 429} if app.name == "slack" else {})
    otherwise = {"slack": 200, "world": 409}.get(app.name, 400)
    return lambda code: str(table.get(code, otherwise))


# commands


def commands() -> str:
    """Every command and option."""
    lines = ["# Commands", "", NOTE, _COMMANDS]
    for name in COMMANDS:
        lines += _command(
            importlib.import_module(f"world.commands.{MODULES.get(name, name)}").command, f"firm {name}", 2
        )
    return "\n".join(lines) + "\n"


_COMMANDS = """`firm` keeps everything in `$FIRM_HOME`, or `.firm` where it is run. `firm --version` prints the version; every command has `--help`.
"""


def _command(command: click.Command, title: str, depth: int) -> list[str]:
    lines = [f"{'#' * depth} {title}", "", inspect.cleandoc(command.help or ""), ""]
    rows = [_parameter(one) for one in command.params]
    if rows:
        lines += ["| | default | |", "|---|---|---|", *rows, ""]
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            lines += _command(_get_command(command, context, name), f"{title} {name}", depth + 1)
    return lines


def _get_command(group: click.Group, context: click.Context, name: str) -> click.Command:
    found = group.get_command(context, name)
    assert found is not None, name
    return found


def _parameter(one: click.Parameter) -> str:
    if isinstance(one, click.Argument):
        return f"| `{(one.name or '').upper()}`{'...' if one.nargs == -1 else ''} | {'required' if one.required else 'optional'} | |"
    names = " ".join(f"`{name}`" for name in (*one.opts, *one.secondary_opts))
    choice = f"One of {', '.join(map(str, one.type.choices))}." if isinstance(one.type, click.Choice) else ""
    text = one.help if isinstance(one, click.Option) and one.help else ""
    return f"| {names} | {_default(one)} | {' '.join(part for part in (text, choice) if part)} |"


def _default(one: click.Parameter) -> str:
    if one.required:
        return "required"
    if isinstance(one, click.Option) and isinstance(one.show_default, str):
        return one.show_default
    value = one.default
    if value is None or value == "" or callable(value) or type(value).__name__ == "Sentinel":
        return ""
    return (
        " ".join(map(str, value))
        if isinstance(value, (tuple, list))
        else str(value).lower()
        if isinstance(value, bool)
        else str(value)
    )


# tables


def tables() -> str:
    """Every table that a rubric, a trigger or an action can name, with its columns."""
    titles = {app.name: f"{app.title} (`{app.name}`)" for app in discovery.apps()}
    found = describe(SQLModel.metadata)
    found = {
        name: table for name, table in found.items() if _model(name).__module__.partition(".")[0] in ("apps", "world")
    }
    lines = ["# Tables", "", NOTE, _TABLES]
    for app in ("", *titles):
        ours = [
            table for table in found.values() if (table.app if table.app in titles else "") == app and not table.control
        ]
        lines += ["", f"## {titles.get(app, 'The company')}", *(line for table in ours for line in _table(table))]
    return "\n".join(lines) + "\n"


_TABLES = """What the world consists of, for rubrics (`insert: slack_message`), triggers (`row("jira_issue", "update", ...)`) and actions
(`w.find("person", handle=...)`). Columns are texts unless a kind stands behind them; a time is simulated microseconds since the epoch, UTC;
*italic* ones alone are no change that counts. *Names* may be written in a rubric in place of the column that they read, as in
`channel: incidents` for `channel_id`. Rows that follow others need no claim of their own."""


@cache
def _model(table: str) -> type:
    """The class of a table."""
    mappers = SQLModel._sa_registry.mappers  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]
    return next(mapper.class_ for mapper in mappers if mapper.class_.__tablename__ == table)


def _table(table: Table) -> list[str]:
    told = " ".join((inspect.getdoc(_model(table.name)) or "").split()).replace("&", "&amp;")
    columns = ", ".join(_column(table, name) for name in table.columns)
    lines = ["", f"### {table.name}", told, "", f"- columns: {columns}", f"- key: {_render_code_list(table.key)}"]
    if table.readable != tuple(table.columns):
        lines.append(
            "- names:"
            f" {', '.join(_reads(table, name) for name in table.readable if name not in table.columns or name in table.names)}"
        )
    for word, values in (
        ("harmless", _harmless(table)),
        ("follows", _follows(table)),
        ("gone when", _render_soft_delete(table)),
    ):
        lines += [f"- {word}: {values}"] if values else []
    return lines


def _column(table: Table, name: str) -> str:
    shown = f"*`{name}`*" if name in table.volatile | table.derived else f"`{name}`"
    return shown if table.columns[name] == "text" else f"{shown} {table.columns[name]}"


def _reads(table: Table, name: str) -> str:
    read = table.names.get(name)
    return (
        f"`{name}` (`{read.column}`: `{read.table}.{read.field}`)"
        if read is not None
        else f"`{name}` ({_render_code_list(table.sent_to)})"
    )


def _harmless(table: Table) -> str:
    return "the whole row" if set(table.columns) <= table.benign else _render_code_list(sorted(table.benign))


def _follows(table: Table) -> str:
    parts = [f"`{other}` by `{column}`" for other, column in table.part_of.items()]
    kept = [f"kept by the service where `{column}` is like `{pattern}`" for column, pattern in table.books.items()]
    return ", ".join(
        [*("the service keeps it" if one == "*" else f"`{one}`" for one in table.derived_from), *parts, *kept]
    )


def _render_soft_delete(table: Table) -> str:
    return ", ".join(
        f"`{column}` is {'set' if states is True else _render_code_list(states)}"
        for column, states in table.soft_delete.items()
    )


def _render_code_list(names: Iterable[object]) -> str:
    return ", ".join(f"`{name}`" for name in names)


# chores


def chore_list() -> str:
    """Every installed chore: its apps, calls, split and traps."""
    lines = [
        "# Installed chores",
        "",
        NOTE,
        _CHORES,
        "",
        "| chore | | apps | calls | split | traps |",
        "|---|---|---|---|---|---|",
    ]
    for name in sorted(chores()):
        chore: Chore = importlib.import_module(f"scenarios.chores.{name}").chore
        traps = "; ".join(chore.traps.values())
        calls = f"{chore.calls[0]} to {chore.calls[1]}"
        lines.append(f"| `{name}` | {chore.title} | {', '.join(chore.apps)} | {calls} | {chore.split} | {traps} |")
    return "\n".join(lines) + "\n"


_CHORES = """Families of small tasks, each drawn anew for every seed ([chores.md](chores.md)). Calls count reading. A trap is the place
where a hasty, literal or forgetful worker goes wrong; do not show this page to an agent."""

PAGES = {
    "operations.md": operations,
    "errors.md": errors,
    "commands.md": commands,
    "tables.md": tables,
    "chore-list.md": chore_list,
}


def main() -> int:
    """Write the pages; with --check, exit code 1 if one would change."""
    stale = [
        name
        for name, write in PAGES.items()
        if not (HERE / name).exists() or (HERE / name).read_text(encoding="utf-8") != write()
    ]
    if "--check" in sys.argv[1:]:
        print("out of date: " + ", ".join(stale) if stale else "up to date")
        return bool(stale)
    for name in stale:
        (HERE / name).write_text(PAGES[name](), encoding="utf-8")
        print(f"wrote docs/{name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
