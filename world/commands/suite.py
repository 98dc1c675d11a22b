"""`firm suite`: the group, what is installed, and many tasks run on all cores."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from world.agents.program import AgentError, VariableError, check, find_variables
from world.commands.horizon import horizon_option
from world.commands.lazy_group import LazyGroup
from world.commands.needs import refuse_unmet_suite
from world.core.lazy import Lazy
from world.run.home import Home
from world.script import catalogue

if TYPE_CHECKING:
    from world.agents.options import DoorName
    from world.grading import errors as grading_errors
    from world.script import errors as script_errors
    from world.suite import report, statistics, suite_files, suite_runner
    from world.suite import results as suite_results
else:  # missing requirements are reported before these are imported
    grading_errors, script_errors = Lazy("world.grading.errors"), Lazy("world.script.errors")
    report, statistics = Lazy("world.suite.report"), Lazy("world.suite.statistics")
    suite_files, suite_runner = Lazy("world.suite.suite_files"), Lazy("world.suite.suite_runner")
    suite_results = Lazy("world.suite.results")

OURS = ("oracle", "null", "random", "spam", "reads")


MODULES = {"attack": ("suite_attack", "Try to be rewarded without the work, on every task of a suite.")}


@click.group("suite", cls=LazyGroup, modules=MODULES)
def command() -> None:
    """Run fixed sets of tasks, report on them, attack their graders."""


@command.command("list")
def list_suites() -> None:
    """Installed suites and how many tasks each has."""
    for name, path in catalogue.suites().items():
        try:
            number, title = suite_files.count_tasks(path)
        except suite_files.SuiteError as error:
            raise click.ClickException(str(error)) from error
        click.echo(f"{name:<12} {number:>5}  {title}")


@command.command("run")
@click.argument("suite")
@click.option(
    "--agent", default="oracle", show_default=True, help=f"{', '.join(OURS)}, or MODULE:CALLABLE (called with a Task)."
)
@click.option("--door", type=click.Choice(["mcp", "rest", "ui"]), default="mcp", show_default=True)
@click.option(
    "-k", "--attempts", type=click.IntRange(1, 1000), default=1, show_default=True, help="Attempts at each task."
)
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=os.cpu_count() or 1, show_default="cores", help="Worker processes."
)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Where the results go.")
@click.option("--resume", is_flag=True, help="Go on in a folder of results: only what is missing or was lost is run.")
@click.option("--company", type=int, default=7, show_default=True, help="Seed of the company.")
@click.option("--max-calls", type=click.IntRange(1), help="End a run after this many calls of its agent.")
@horizon_option
@click.option("--wall", "wall_s", type=click.FloatRange(1), help="Seconds an agent may take.")
@click.option(
    "--env",
    multiple=True,
    help="Give MODULE:CALLABLE this variable, or those of a pattern such as OPENAI_*; may be repeated.",
)
@click.option(
    "--baselines/--no-baselines",
    "floor",
    default=True,
    show_default=True,
    help="Also run null, spam and random on every task.",
)
@click.option("--public", is_flag=True, help="Write junit.xml and report.html with nothing of the rubrics.")
def run(
    suite: str,
    agent: str,
    door: "DoorName",
    attempts: int,
    jobs: int,
    out: Path,
    resume: bool,
    company: int,
    max_calls: int | None,
    horizon: str | None,
    wall_s: float | None,
    env: tuple[str, ...],
    floor: bool,
    public: bool,
) -> None:
    """Run an agent on every task of SUITE (a name, or the path of a file). Exit code 0 when every run could be graded."""
    console = Console()
    try:
        check(agent, OURS)
        given = find_variables(env)
        refuse_unmet_suite(suite)
        plan = suite_runner.Plan(
            find_suite(suite), agent, door, attempts, jobs, company, max_calls, horizon, wall_s, floor, given
        )
        results = suite_results.Results(out, plan.manifest(), resume=resume)
        made = _run(console, plan, results)
        report.write_reports(out, results, public=public)
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
    for text in statistics.summary(results.latest(), results.manifest):
        console.print(text, highlight=False, markup=False)
    console.print(f"{made} runs made; report {out / 'report.html'}", highlight=False, markup=False, soft_wrap=True)
    raise SystemExit(1 if any(line["status"] == "crashed" for line in results.latest()) else 0)


def find_suite(name: str) -> "suite_files.Suite":
    """A suite by name or path of its file. Raises ClickException."""
    try:
        return suite_files.find_suite(name)
    except suite_files.SuiteError as error:
        raise click.ClickException(str(error)) from error


def _run(console: Console, plan: "suite_runner.Plan", results: "suite_results.Results") -> int:
    """Run with a bar when somebody looks on."""
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
