"""What scenarios need of the host, asked before anything starts."""

from collections.abc import Iterable

from world import sandbox
from world.run.host import Host
from world.script.loader import Scenario


class CapabilityError(RuntimeError):
    """The host lacks what a scenario needs; the message is one sentence with the mend."""


def check_needs(scenarios: Iterable[Scenario]) -> None:
    """Refuse what this host cannot do. Raises CapabilityError."""
    for scenario in scenarios:
        obstacle = sandbox.find_obstacle() if "ci" in scenario.card.needs else None
        if obstacle is not None:
            why = str(obstacle).rstrip(".")
            raise CapabilityError(f"{scenario.name} needs CI, which cannot run here ({why}): {obstacle.mend}.")


def describe_host(scenario: Scenario, host: Host) -> dict[str, str]:
    """How the host meets each need of a scenario: part of a verdict's revision."""
    return {need: host.outcomes.sandbox for need in scenario.card.needs}
