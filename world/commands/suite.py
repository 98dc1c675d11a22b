"""`firm suite`: the group, what is installed, and many tasks run on all cores."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console

from world.commands.lazy_group import LazyGroup
from world.commands.suite_options import find_suite, read_plan, report_errors, run_plan, suite_options
from world.core.lazy import Lazy
from world.script import catalogue

if TYPE_CHECKING:
    from world.suite import report, statistics, suite_files, suite_lock
    from world.suite import results as suite_results
else:  # missing requirements are reported before these are imported
    report, statistics = Lazy("world.suite.report"), Lazy("world.suite.statistics")
    suite_files, suite_results = Lazy("world.suite.suite_files"), Lazy("world.suite.results")
    suite_lock = Lazy("world.suite.suite_lock")

MODULES = {
    "attack": ("suite_attack", "Try to be rewarded without the work, on every task of a suite."),
    "calibrate": ("suite_calibrate", "Measure how hard the tasks of a suite are for an agent."),
    "compare": ("suite_compare", "Compare two folders of results, task by task."),
    "leaderboard": ("suite_leaderboard", "Rank several folders of results on one page."),
}


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


@command.command("lock")
@click.argument("suite")
def lock(suite: str) -> None:
    """Freeze SUITE (a name, or the path of a file): write its tasks and the revisions of its scenarios beside it."""
    try:
        path = suite_lock.write_suite_lock(find_suite(suite))
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {error.strerror}") from error
    click.echo(f"{path}")


@command.command("run")
@suite_options
@click.option(
    "-k", "--attempts", type=click.IntRange(1, 1000), default=1, show_default=True, help="Attempts at each task."
)
@click.option(
    "--baselines/--no-baselines",
    "floor",
    default=True,
    show_default=True,
    help="Also run null, spam and random on every task.",
)
@click.option("--public", is_flag=True, help="Write junit.xml and report.html with nothing of the rubrics.")
def run(out: Path, *, resume: bool, public: bool, **options: Any) -> None:
    """Run an agent on every task of SUITE (a name, or the path of a file). Exit code 0 when every run could be graded."""
    console = Console()
    with report_errors(out):
        plan = read_plan(**options)
        results = suite_results.Results(out, plan.manifest(), resume=resume)
        made = run_plan(console, plan, results)
        report.write_reports(out, results, public=public)
    for text in statistics.summary(results.latest(), results.manifest):
        console.print(text, highlight=False, markup=False)
    console.print(f"{made} runs made; report {out / 'report.html'}", highlight=False, markup=False, soft_wrap=True)
    raise SystemExit(1 if any(line["status"] == "crashed" for line in results.latest()) else 0)
