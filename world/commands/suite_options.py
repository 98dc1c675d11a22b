"""Options of the commands that run an agent on the tasks of a suite, and the plan and errors they share."""

import os
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from world.agents.program import AgentError, VariableError, check, find_variables
from world.commands.horizon import horizon_option
from world.commands.needs import refuse_unmet_suite
from world.core.lazy import Lazy
from world.run.home import Home

if TYPE_CHECKING:
    from world.grading import errors as grading_errors
    from world.script import errors as script_errors
    from world.suite import results as suite_results
    from world.suite import suite_files, suite_lock, suite_runner
else:  # missing requirements are reported before these are imported
    grading_errors, script_errors = Lazy("world.grading.errors"), Lazy("world.script.errors")
    suite_files, suite_runner = Lazy("world.suite.suite_files"), Lazy("world.suite.suite_runner")
    suite_results, suite_lock = Lazy("world.suite.results"), Lazy("world.suite.suite_lock")

OURS = ("oracle", "null", "random", "spam", "reads", "forgetful", "hasty", "literal", "careful", "slips")
F = TypeVar("F", bound=Callable[..., Any])

PARAMETERS = (
    click.argument("suite"),
    click.option(
        "--agent",
        default="oracle",
        show_default=True,
        help=f"{', '.join(OURS)}, or MODULE:CALLABLE (called with a Task).",
    ),
    click.option("--door", type=click.Choice(["mcp", "rest", "ui"]), default="mcp", show_default=True),
    click.option("--split", type=click.Choice(["train", "dev", "test"]), help="Only the tasks of this split."),
    click.option("--unlocked", is_flag=True, help="Run the suite although its lock names other tasks or revisions."),
    click.option(
        "--jobs",
        type=click.IntRange(1, 256),
        default=os.cpu_count() or 1,
        show_default="cores",
        help="Worker processes.",
    ),
    click.option(
        "--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Where the results go."
    ),
    click.option(
        "--resume", is_flag=True, help="Go on in a folder of results: only what is missing or was lost is run."
    ),
    click.option("--company", type=int, default=7, show_default=True, help="Seed of the company."),
    click.option("--max-calls", "calls", type=click.IntRange(1), help="End a run after this many calls of its agent."),
    horizon_option,
    click.option("--wall", "wall_s", type=click.FloatRange(1), help="Seconds an agent may take."),
    click.option(
        "--env",
        multiple=True,
        help="Give MODULE:CALLABLE this variable, or those of a pattern such as OPENAI_*; may be repeated.",
    ),
)


def suite_options(function: F) -> F:
    """Add the options of a suite run; the command receives them by the names of `read_plan`."""
    for add in reversed(PARAMETERS):
        function = add(function)
    return function


def find_suite(name: str) -> "suite_files.Suite":
    """A suite by name or path of its file. Raises ClickException."""
    try:
        return suite_files.find_suite(name)
    except suite_files.SuiteError as error:
        raise click.ClickException(str(error)) from error


def read_plan(
    suite: str, agent: str, split: Any, env: tuple[str, ...], *, unlocked: bool, **more: Any
) -> "suite_runner.Plan":
    """Return the plan that the options ask for. Raises ClickException, AgentError, VariableError, SuiteError."""
    check(agent, OURS)
    given = find_variables(env)
    refuse_unmet_suite(suite)
    whole = find_suite(suite)
    if not unlocked:
        suite_lock.check_lock(whole)
    return suite_runner.Plan(whole.select(split), agent, env=given, **more)


@contextmanager
def report_errors(out: Path) -> Generator[None]:
    """Turn what stops a suite run into a message; `out` is where its results are."""
    try:
        yield
    except (
        AgentError,
        suite_files.SuiteError,
        script_errors.ScenarioError,
        grading_errors.RubricError,
        FileNotFoundError,
        VariableError,
    ) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(
            f"{error.strerror or error}: what was finished is kept in {out}; go on with --resume"
        ) from error
    except KeyboardInterrupt:
        raise click.ClickException(f"stopped; what was finished is kept in {out}; go on with --resume") from None


def run_plan(console: Console, plan: "suite_runner.Plan", results: "suite_results.Results") -> int:
    """Run with a bar when somebody looks on; returns how many runs were made."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress,
        suppress(GeneratorExit),
    ):
        orders = sum(1 for _ in plan.orders(results.folder))
        bar = progress.add_task(plan.suite.name, total=orders, completed=len(results.list_finished_runs()))

        def tell(line: Mapping[str, Any]) -> None:
            progress.update(bar, advance=1, description=f"{line['task']} {line['agent']} {line['score']}")

        return suite_runner.run_suite(plan, Home(), results, tell)
    return 0
