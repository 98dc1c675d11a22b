"""`firm scenario show`, and how scenario commands find the scenario that they are asked for."""

from typing import TYPE_CHECKING

import click

from world.core.lazy import Lazy
from world.script.catalogue import find_folder, read_summary
from world.script.errors import ScenarioError

if TYPE_CHECKING:
    from world.script import loader
else:
    loader = Lazy("world.script.loader")


def find_scenario(name: str) -> "loader.Scenario":
    """A scenario by name or path. Raises ClickException."""
    try:
        return loader.find_scenario(name)
    except ScenarioError as error:
        raise click.ClickException(str(error)) from error


@click.command("show")
@click.argument("name")
def command(name: str) -> None:
    """A scenario's card and the task as its author wrote it."""
    folder = find_folder(name)
    summary = read_summary(folder) if folder else None
    if summary is None:
        found = find_scenario(name)
        summary = found.card.title, found.card.apps, found.card.horizon, found.task
    title, apps, horizon, task = summary
    click.echo(f"{title}  [{', '.join(apps)}]  horizon {horizon}\n\n{task}")
