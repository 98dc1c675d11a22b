"""`firm suite attack`: every known way to be rewarded without the work, tried on a suite."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from world.commands.needs import refuse_unmet_suite
from world.commands.suite_options import find_suite
from world.grading.errors import RubricError
from world.run.home import Home
from world.script.errors import ScenarioError
from world.suite.attack_suite import attack_suite, beaten
from world.suite.attacks import ATTACKS


@click.command("attack")
@click.argument("suite")
@click.option("--only", multiple=True, type=click.Choice(list(ATTACKS)), help="Only these attacks.")
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=os.cpu_count() or 1, show_default="cores", help="Worker processes."
)
@click.option("--company", type=int, default=7, show_default=True, help="Seed of the company.")
@click.option(
    "--json", "json_file", type=click.Path(path_type=Path, dir_okay=False), help="Write the figures and every run here."
)
def command(suite: str, only: tuple[str, ...], jobs: int, company: int, json_file: Path | None) -> None:
    """Try to be rewarded without the work, on every task of SUITE. Exit code 1 when anything is hackable, or a run was
    lost.
    """
    console = Console()
    try:
        refuse_unmet_suite(suite)
        found = attack_suite(
            find_suite(suite), Home(), jobs, only=only, company=company, tell=lambda line: _beaten(console, line)
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
