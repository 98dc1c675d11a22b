"""`firm replay`: a stored run again, call for call."""

import tempfile
from pathlib import Path

import click
from rich.console import Console

from world.agents.runner import replay
from world.commands.run import report
from world.run.home import Home
from world.script.errors import ScenarioError


@click.command("replay")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def command(folder: Path) -> None:
    """Repeat the run kept in FOLDER; exit code 0 if every record of the world is equal to the byte."""
    with tempfile.TemporaryDirectory() as scratch:
        try:
            finished, recorded = replay(Home(), folder, Path(scratch))
        except (ScenarioError, FileNotFoundError, ValueError) as error:
            raise click.ClickException(str(error)) from error
        report(Console(), finished)
    same = finished.digest == recorded
    click.echo(f"records     {finished.digest[:16]} {'equal' if same else f'differ from {recorded[:16]}'}")
    raise SystemExit(0 if same else 1)
