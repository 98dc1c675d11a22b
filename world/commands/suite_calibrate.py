"""`firm suite calibrate`: how hard the tasks of a suite are for an agent."""

from pathlib import Path
from typing import Any

import click
from rich.console import Console

from world.commands.suite_options import read_plan, report_errors, run_plan, suite_options
from world.suite.calibration import calibrate, describe_calibration, write_calibration
from world.suite.results import Results


@click.command("calibrate")
@suite_options
@click.option(
    "-k", "--attempts", type=click.IntRange(1, 1000), default=10, show_default=True, help="Attempts at each task."
)
def command(out: Path, *, resume: bool, **options: Any) -> None:
    """Measure the pass rate of an agent on every task of SUITE, each attempt a fork of the task's start. Writes
    `calibration.json` and names the tasks outside 2 to 70 %. Exit code 0 when every run could be graded.
    """
    console = Console()
    with report_errors(out):
        plan = read_plan(floor=False, **options)
        results = Results(out, plan.manifest(), resume=resume)
        run_plan(console, plan, results)
        found = calibrate(results.manifest, results.latest())
        path = write_calibration(out, found)
    for text in describe_calibration(found):
        console.print(text, highlight=False, markup=False, soft_wrap=True)
    console.print(f"calibration {path}", highlight=False, markup=False, soft_wrap=True)
    raise SystemExit(1 if any(line["error"] is not None for line in results.latest()) else 0)
