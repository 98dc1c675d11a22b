"""Ends a command with exit code 2 when the host lacks what a scenario needs."""

from collections.abc import Iterable, Iterator

import click

from world.run.needs import CapabilityError, refuse_needs
from world.script.catalogue import DAY, find_folder, list_day, list_suite_scenarios, read_needs, split_injected
from world.script.errors import ScenarioError


class HostLacks(click.ClickException):
    """The host cannot do what is asked of it."""

    exit_code = 2


def refuse_unmet(scenarios: Iterable[str]) -> None:
    """Raise HostLacks for scenarios by name or path, before anything is imported, built or started."""
    try:
        for folder in filter(None, map(find_folder, _list_parts(scenarios))):
            refuse_needs(folder.name, read_needs(folder))
    except CapabilityError as why:
        raise HostLacks(str(why)) from why


def _list_parts(scenarios: Iterable[str]) -> Iterator[str]:
    """The scenarios without what is injected into them, and instead of a composed day its chores."""
    for name in (split_injected(one)[1] for one in scenarios):
        try:
            yield from list_day(name) if name.startswith(DAY) else [name]
        except ScenarioError as error:
            raise click.ClickException(str(error)) from error


def refuse_unmet_suite(suite: str) -> None:
    """The same for the scenarios of a suite."""
    refuse_unmet(dict.fromkeys(list_suite_scenarios(suite)))
