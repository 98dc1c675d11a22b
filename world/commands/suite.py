"""`firm suite`: many tasks, many attempts, all cores, one report."""

import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from world.agents.program import AgentError, check
from world.agents.runner import DoorName
from world.commands.needs import refuse_unmet
from world.grading.errors import RubricError
from world.run.home import Home
from world.script.errors import ScenarioError
from world.script.loader import Scenario, find
from world.suite import suite_files
from world.suite.attack_suite import attack_suite, beaten
from world.suite.attacks import ATTACKS
from world.suite.report import write_reports
from world.suite.results import Results
from world.suite.statistics import summary
from world.suite.suite_files import SuiteError
from world.suite.suite_runner import Plan, run_suite

OURS = ("oracle", "null", "random", "spam", "reads")


@click.group("suite")
def command() -> None:
    """Run fixed sets of tasks, report on them, attack their graders."""


@command.command("list")
def listed() -> None:
    """Installed suites and how many tasks each has."""
    for name in suite_files.suites():
        found = _suite(name)
        click.echo(f"{name:<12} {len(found.tasks):>5}  {found.file.title}")


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
@click.option("--horizon", help="End a run after this much simulated time, such as 2h.")
@click.option("--wall", "wall_s", type=click.FloatRange(1), help="Seconds an agent may take.")
@click.option(
    "--floor/--no-floor", default=True, show_default=True, help="Also run null, spam and random on every task."
)
def run(
    suite: str,
    agent: str,
    door: DoorName,
    attempts: int,
    jobs: int,
    out: Path,
    resume: bool,
    company: int,
    max_calls: int | None,
    horizon: str | None,
    wall_s: float | None,
    floor: bool,
) -> None:
    """Run an agent on every task of SUITE (a name, or the path of a file). Exit code 0 when every run could be graded."""
    console = Console()
    sys.path.insert(0, os.getcwd())
    try:
        check(agent, OURS)
        refuse_unmet(_scenarios(_suite(suite)))
        plan = Plan(_suite(suite), agent, door, attempts, jobs, company, max_calls, horizon, wall_s, floor)
        results = Results(out, plan.manifest(), resume=resume)
        made = _run(console, plan, results)
        write_reports(out, results)
    except (AgentError, SuiteError, ScenarioError, RubricError, FileNotFoundError) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(
            f"{error.strerror or error}: what was finished is kept in {out}; go on with --resume"
        ) from error
    except KeyboardInterrupt:
        raise click.ClickException(f"stopped; what was finished is kept in {out}; go on with --resume") from None
    for text in summary(results.latest(), results.manifest):
        console.print(text, highlight=False, markup=False)
    console.print(f"{made} runs made; report {out / 'report.html'}", highlight=False, markup=False, soft_wrap=True)
    raise SystemExit(1 if any(line["status"] == "crashed" for line in results.latest()) else 0)


@command.command("attack")
@click.argument("suite")
@click.option("--only", multiple=True, type=click.Choice(list(ATTACKS)), help="Only these attacks.")
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=os.cpu_count() or 1, show_default="cores", help="Worker processes."
)
@click.option("--company", type=int, default=7, show_default=True, help="Seed of the company.")
@click.option(
    "--json", "json_file", type=click.Path(path_type=Path, dir_okay=False), help="Write the figures and every run here."
)
def attack(suite: str, only: tuple[str, ...], jobs: int, company: int, json_file: Path | None) -> None:
    """Try to be rewarded without the work, on every task of SUITE. Exit code 1 when anything is hackable, or a run was
    lost.
    """
    console = Console()
    try:
        refuse_unmet(_scenarios(_suite(suite)))
        found = attack_suite(
            _suite(suite), Home(), jobs, only=only, company=company, tell=lambda line: _beaten(console, line)
        )
    except (ScenarioError, RubricError) as error:
        raise click.ClickException(str(error)) from error
    table = Table("attack", "", "runs", "no occasion", "passes", "best score", "breaches")
    for id, name, runs, skipped, passes, best, breaches in found.rows():
        table.add_row(id, name, str(runs), str(skipped), str(passes), f"{best:.3f}", str(breaches))
    console.print(table)
    console.print(
        f"hackable: {len(found.hackable)}/{len(found.suite.tasks)} {' '.join(found.hackable)}".rstrip(),
        highlight=False,
        markup=False,
    )
    if json_file is not None:
        json_file.write_text(json.dumps(found.to_json(), indent=1) + "\n", encoding="utf-8")
    raise SystemExit(1 if found.hackable or found.lost else 0)


def _beaten(console: Console, line: Mapping[str, Any]) -> None:
    """Say at once what got through."""
    if line["status"] == "crashed" or line["error"]:
        console.print(
            f"LOST {line['task']} {line['agent']}: {line['why'] or line['error']}", highlight=False, markup=False
        )
    elif beaten(line):
        what = f"pass {line['pass']}, score {line['score']} {'; '.join(line['breaches'][:3])}"
        console.print(
            f"HACKABLE {line['task']} by {line['agent']} {line['attempt']}: {what}", highlight=False, markup=False
        )


def _suite(name: str) -> suite_files.Suite:
    try:
        return suite_files.find(name)
    except SuiteError as error:
        raise click.ClickException(str(error)) from error


def _scenarios(suite: suite_files.Suite) -> list[Scenario]:
    return [find(name) for name in sorted({task.scenario for task in suite.tasks})]


def _run(console: Console, plan: Plan, results: Results) -> int:
    """Run with a bar when somebody looks on."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress,
        suppress(GeneratorExit),
    ):
        orders = sum(1 for _ in plan.orders(results.folder))
        bar = progress.add_task(plan.suite.name, total=orders, completed=len(results.done()))

        def tell(line: Mapping[str, Any]) -> None:
            progress.update(bar, advance=1, description=f"{line['task']} {line['agent']} {line['score']}")

        return run_suite(plan, Home(), results, tell)
    return 0
