"""`firm import`: logs of agents that acted elsewhere, repeated as runs."""

import json
import os
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.console import Console

from world.commands.judge import judge_from
from world.commands.needs import refuse_unmet
from world.core.json_types import is_array, is_object
from world.core.lazy import Lazy
from world.run.home import Home

if TYPE_CHECKING:
    import pydantic

    from world.commands import run as run_command
    from world.grading import errors as grading_errors
    from world.script import errors as script_errors
    from world.studio import tool_lists
    from world.studio.agent_logs import call_resolver, chat_log, log_run, logged_call, mcp_log
else:
    pydantic, run_command = Lazy("pydantic"), Lazy("world.commands.run")
    grading_errors, script_errors = Lazy("world.grading.errors"), Lazy("world.script.errors")
    tool_lists, call_resolver = Lazy("world.studio.tool_lists"), Lazy("world.studio.agent_logs.call_resolver")
    chat_log, log_run = Lazy("world.studio.agent_logs.chat_log"), Lazy("world.studio.agent_logs.log_run")
    logged_call, mcp_log = Lazy("world.studio.agent_logs.logged_call"), Lazy("world.studio.agent_logs.mcp_log")

F = TypeVar("F", bound=Callable[..., Any])


@click.group("import")
def command() -> None:
    """Repeat the calls of an agent's log in a fresh world, as a run that is graded.

    Calls of tools that are not installed are listed, and refused unless --skip-unknown is given.
    """


def choose_world(function: F) -> F:
    """The arguments that say in which world a log is repeated."""
    for option in reversed(
        (
            click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path)),
            click.option("--scenario", help="Name or path; default: what the file says of its run."),
            click.option("--seed", type=int, help="Seed of the scenario; default: what the file says, or 0."),
            click.option("--agent", default="log", show_default=True, help="Name under which the run is kept."),
            click.option("--surface", multiple=True, help="Look for tools on this list only; may be repeated."),
            click.option("--skip-unknown", is_flag=True, help="Leave out the calls of tools that are not installed."),
        )
    ):
        function = option(function)
    return function


@command.command("mcp")
@choose_world
def import_mcp(file: Path, **chosen: Any) -> None:
    """Repeat FILE, the log of an MCP client: JSON-RPC messages, one a line, bare or after a prefix."""
    with report_errors():
        import_calls(lambda: mcp_log.read_mcp_log(file), {}, **chosen)


@command.command("chat")
@choose_world
def import_chat(file: Path, **chosen: Any) -> None:
    """Repeat FILE, transcripts with tool calls in OpenAI's form: one document, or one a line, such as an export of
    `firm export sft`. Each becomes a run.
    """
    with report_errors():
        for one in chat_log.read_conversations(file):
            click.echo(one.place)
            import_calls(lambda one=one: one.calls, one.metadata, **chosen)


@contextmanager
def report_errors() -> Generator[None]:
    """Errors of a log or a scenario as one sentence."""
    try:
        yield
    except (
        logged_call.LogError,
        script_errors.ScenarioError,
        grading_errors.RubricError,
        FileNotFoundError,
    ) as error:
        raise click.ClickException(str(error)) from error
    except pydantic.ValidationError as error:
        raise click.ClickException(f"the file's settings of its run: {error.errors()[0]['msg']}") from error


def import_calls(
    calls: "Callable[[], Iterable[logged_call.LoggedCall]]",
    metadata: Mapping[str, Any],
    *,
    scenario: str | None,
    seed: int | None,
    agent: str,
    surface: tuple[str, ...],
    skip_unknown: bool,
) -> None:
    """Repeat the calls and print the verdict. Raises LogError, ScenarioError, RubricError, FileNotFoundError."""
    plan = read_plan(metadata, scenario, seed, agent)
    refuse_unmet([plan.scenario])
    lists = tool_lists.open_local_tools()
    if stray := sorted({*surface} - {*lists.surfaces}):
        raise click.UsageError(f"no tool list {', '.join(stray)}; there are {', '.join(sorted(lists.surfaces))}")
    resolver = call_resolver.CallResolver(lists, surface or read_surfaces(metadata, lists))
    unknown = call_resolver.list_unknown(resolver, calls())
    for text in unknown:
        click.echo(f"unknown: {text}", err=True)
    if unknown and not skip_unknown:
        raise click.ClickException("the log has calls that cannot be repeated; leave them out with --skip-unknown")
    finished, told = log_run.repeat_log(Home(), plan, resolver, calls(), judge_from(dict(os.environ)))
    run_command.report(Console(), finished)
    click.echo(f"calls       {told.made} made, {told.skipped} left out, {told.different} answered otherwise than then")
    for text in told.places:
        click.echo(f"  differs: {text}")


def read_plan(metadata: Mapping[str, Any], scenario: str | None, seed: int | None, agent: str) -> "log_run.LogPlan":
    """The world to repeat a log in. A file may name an installed scenario, never a path. Raises LogError."""
    if scenario is not None:
        return log_run.LogPlan(scenario, seed or 0, agent)
    name, stored, image = metadata.get("scenario"), metadata.get("seed"), metadata.get("image")
    if not isinstance(name, str) or "/" in name:
        raise logged_call.LogError("the file does not say of which installed scenario it is; name one with --scenario")
    chosen = seed if seed is not None else stored if isinstance(stored, int) else 0
    return log_run.LogPlan(name, chosen, agent, read_settings(metadata), image if isinstance(image, str) else "")


def read_settings(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the run that a file tells of. Raises LogError."""
    try:
        found: object = json.loads(str(metadata.get("settings", "{}")))
    except ValueError:
        found = None
    if not is_object(found):
        raise logged_call.LogError("the file's settings of its run are no JSON object")
    return dict(found)


def read_surfaces(metadata: Mapping[str, Any], lists: "tool_lists.LocalTools") -> tuple[str, ...]:
    """The tool lists that a file tells of, if all are installed."""
    named = metadata.get("surfaces")
    found = tuple(str(one) for one in named) if is_array(named) else ()
    return found if all(one in lists.surfaces for one in found) else ()
