"""`--horizon` of `firm run` and `firm suite run`: how much simulated time a run may take."""

import click

from world.core.clock import duration


def check_duration(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """The value as it was given. Raises BadParameter when it is no duration such as 2h."""
    try:
        duration(value or "0s")
    except ValueError as error:
        raise click.BadParameter(str(error), context, parameter) from None
    return value


horizon_option = click.option(
    "--horizon", callback=check_duration, help="End a run after this much simulated time, such as 2h."
)
