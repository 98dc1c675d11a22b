"""`firm replay`: a stored run again, call for call."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from world.core.lazy import Lazy
from world.run.home import Home

if TYPE_CHECKING:
    from world.agents import runner
    from world.commands import run
    from world.script import errors as script_errors
else:
    runner = Lazy("world.agents.runner")
    run = Lazy("world.commands.run")
    script_errors = Lazy("world.script.errors")


@click.command("replay")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def command(folder: Path) -> None:
    """Repeat the run kept in FOLDER; exit code 0 if every record of the world is equal to the byte."""
    with tempfile.TemporaryDirectory() as scratch:
        try:
            finished, recorded = runner.replay(Home(), folder, Path(scratch))
        except (script_errors.ScenarioError, FileNotFoundError, ValueError) as error:
            raise click.ClickException(str(error)) from error
        run.report(Console(), finished)
    same = finished.digest == recorded
    click.echo(f"records     {finished.digest[:16]} {'equal' if same else f'differ from {recorded[:16]}'}")
    raise SystemExit(0 if same else 1)
