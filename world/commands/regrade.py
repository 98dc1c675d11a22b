"""`firm regrade`: stored runs graded again with the rubric as it is now."""

import os
import tempfile
from pathlib import Path

import click

from world.agents.runner import regrade
from world.commands.judge import judge_from
from world.grading.explain import explain
from world.grading.reasons.public import explain_public, to_public
from world.run.home import Home
from world.script.errors import ScenarioError


@click.command("regrade")
@click.argument("folders", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--write", is_flag=True, help="Replace grade.json of each run.")
@click.option("--public", is_flag=True, help="Show only what tells nothing of the rubric.")
def command(folders: tuple[Path, ...], write: bool, public: bool) -> None:
    """Grade the runs kept in FOLDERS again, from their journals alone."""
    for folder in folders:
        with tempfile.TemporaryDirectory() as scratch:
            try:
                verdict = regrade(Home(), folder, Path(scratch), judge_from(dict(os.environ)))
            except (ScenarioError, FileNotFoundError, ValueError) as error:
                raise click.ClickException(str(error)) from error
        click.echo(f"{folder}")
        for text in explain_public(to_public(verdict.as_json())) if public else explain(verdict):
            click.echo(text)
        if write:
            (folder / "grade.json").write_bytes(verdict.to_json())
