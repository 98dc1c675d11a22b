"""Pairs of names and values, as queries and forms have them, by name."""

from collections.abc import Iterable


def group_values(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The values of each name, in the order they came. Takes time in proportion to the pairs."""
    found: dict[str, list[str]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return found
