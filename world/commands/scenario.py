"""`firm scenario`: the group, and the lists of what is installed."""

from collections.abc import Mapping
from pathlib import Path

import click

from world.commands.lazy_group import LazyGroup
from world.script.catalogue import chores, folders, read_title

MODULES = {
    "show": ("scenario_show", "A scenario's card and the task as its author wrote it."),
    "check": ("scenario_check", "Prove that a scenario's grader is sound, at each difficulty."),
    "lock": ("scenario_lock", "Store which items of a rubric are true when nobody acts."),
}
DAYS = (
    "working days of several chores: day:<chore>+<chore>+..., or day:train-5~3 for five chores of the split train,"
    " drawn by the number 3 (all, train, dev, test; 2 to 45); see docs/days.md"
)


@click.group("scenario", cls=LazyGroup, modules=MODULES)
def command() -> None:
    """List scenarios, show one, check that its grader is sound."""


@command.command("list")
def list_scenarios() -> None:
    """Installed scenarios; the last line says how a working day of chores is named."""
    _print_titles(folders())
    click.echo("chores: firm scenario chores", err=True)
    click.echo(DAYS, err=True)


@command.command("chores")
def list_chores() -> None:
    """Installed chores: small scenarios in one file each; the last line says how a working day of them is named."""
    _print_titles(chores())
    click.echo(DAYS, err=True)


def _print_titles(found: Mapping[str, Path]) -> None:
    for name, path in found.items():
        click.echo(f"{name:<28} {read_title(path) or '(its title is computed; see `firm scenario show`)'}")
