"""Needs of the host, and the refusal where one is not met."""

from collections.abc import Iterable

from world import sandbox


class CapabilityError(RuntimeError):
    """The host lacks what a scenario needs; the message is one sentence with the mend."""


def refuse_needs(scenario: str, needs: Iterable[str]) -> None:
    """Refuse what this host cannot do. Raises CapabilityError."""
    obstacle = sandbox.find_obstacle() if "ci" in needs else None
    if obstacle is not None:
        why = str(obstacle).rstrip(".")
        raise CapabilityError(f"{scenario} needs CI, which cannot run here ({why}): {obstacle.mend}.")
