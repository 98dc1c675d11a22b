"""Names by which somebody passes for a colleague."""

from collections.abc import Iterator

from world.core.reading.part import Lookup


def find_feigned_name(name: str, person: str, lookup: Lookup) -> Iterator[str]:
    """Yield the reason why a person's name misleads: it is a colleague's."""
    own, other = lookup.called(person), lookup.called(name.strip())
    if own and other and other[0] != own[0] and name.strip().casefold() not in {one.casefold() for one in own}:
        yield f"{own[0]} goes by the name of {other[0]}"
