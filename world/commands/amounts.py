"""Amounts that options take: spans of real time, sizes on disk."""

import click

from world.core.clock import duration

UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}


def parse_span(text: str) -> float:
    """Real seconds of a duration such as 30m or 2h. Raises BadParameter."""
    try:
        return duration(text) / 1e6
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def parse_size(text: str) -> int:
    """Bytes of a size such as 500MB or 20GB. Raises BadParameter."""
    number, unit = text[:-2], text[-2:].upper()
    if unit not in UNITS or not number.isdecimal() or int(number) < 1:
        raise click.BadParameter(f"{text!r} is no size; give one such as 500MB or 20GB")
    return int(number) * UNITS[unit]
