"""Ends a command with exit code 2 when the host lacks what a scenario needs."""

from collections.abc import Iterable

import click

from world.run.needs import CapabilityError, refuse_needs
from world.script.catalogue import find_folder, list_suite_scenarios, read_needs


class HostLacks(click.ClickException):
    """The host cannot do what is asked of it."""

    exit_code = 2


def refuse_unmet(scenarios: Iterable[str]) -> None:
    """Raise HostLacks for scenarios by name or path, before anything is imported, built or started."""
    try:
        for folder in filter(None, map(find_folder, scenarios)):
            refuse_needs(folder.name, read_needs(folder))
    except CapabilityError as why:
        raise HostLacks(str(why)) from why


def refuse_unmet_suite(suite: str) -> None:
    """The same for the scenarios of a suite."""
    refuse_unmet(dict.fromkeys(list_suite_scenarios(suite)))
