"""`firm scenario`: the group, and the list of what is installed."""

import click

from world.commands.lazy_group import LazyGroup
from world.script.catalogue import folders, read_title

MODULES = {
    "show": ("scenario_show", "A scenario's card and the task as its author wrote it."),
    "check": ("scenario_check", "Prove that a scenario's grader is sound, at each difficulty."),
    "lock": ("scenario_lock", "Store which items of a rubric are true when nobody acts."),
}


@click.group("scenario", cls=LazyGroup, modules=MODULES)
def command() -> None:
    """List scenarios, show one, check that its grader is sound."""


@command.command("list")
def list_scenarios() -> None:
    """Installed scenarios."""
    for name, folder in folders().items():
        click.echo(f"{name:<28} {read_title(folder) or '(its title is computed; see `firm scenario show`)'}")
