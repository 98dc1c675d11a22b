"""`firm scenario show`, and how scenario commands find the scenario that they are asked for."""

import click

from world.script import loader
from world.script.errors import ScenarioError
from world.script.loader import Scenario


def find_scenario(name: str) -> Scenario:
    """A scenario by name or path. Raises ClickException."""
    try:
        return loader.find_scenario(name)
    except ScenarioError as error:
        raise click.ClickException(str(error)) from error


@click.command("show")
@click.argument("name")
def command(name: str) -> None:
    """A scenario's card and the task as its author wrote it."""
    found = find_scenario(name)
    click.echo(f"{found.card.title}  [{', '.join(found.card.apps)}]  horizon {found.card.horizon}\n\n{found.task}")
