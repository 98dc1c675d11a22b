"""`firm suite compare`: two results of one suite, task by task."""

import json
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from world.suite.comparison import Comparison, compare_results, describe_comparison
from world.suite.suite_files import SuiteError

FOLDER = click.Path(path_type=Path, file_okay=False, exists=True)


@click.command("compare")
@click.argument("a", type=FOLDER)
@click.argument("b", type=FOLDER)
@click.option("--anyway", is_flag=True, help="Compare although suite, version or company differ, by names of tasks.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def command(a: Path, b: Path, *, anyway: bool, as_json: bool) -> None:
    """Compare two folders of results, task by task: B less A, with a 95 % interval."""
    try:
        found = compare_results(a, b, anyway=anyway)
    except SuiteError as error:
        raise click.ClickException(str(error)) from error
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=1))
        return
    console = Console()
    for text in describe_comparison(found):
        console.print(text, highlight=False, markup=False, soft_wrap=True)
    console.print(_table(found))


def _table(found: Comparison) -> Table:
    table = Table("family", "tasks", "A", "B", "B - A")
    for row in found.list_families():
        rates = (f"{100 * rate:.1f}" for rate in (row.before, row.after))
        table.add_row(row.family, str(row.tasks), *rates, f"{100 * row.difference:+.1f}")
    return table
