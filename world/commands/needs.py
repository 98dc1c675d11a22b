"""Ends a command with exit code 2 when the host lacks what a scenario needs."""

from collections.abc import Iterable

import click

from world.run.capabilities import CapabilityError, check_needs
from world.script.loader import Scenario


class HostLacks(click.ClickException):
    """The host cannot do what is asked of it."""

    exit_code = 2


def refuse_unmet(scenarios: Iterable[Scenario]) -> None:
    """Raise HostLacks, before anything is built or started."""
    try:
        check_needs(scenarios)
    except CapabilityError as why:
        raise HostLacks(str(why)) from why
