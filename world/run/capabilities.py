"""Needs of scenarios, checked against the host before anything starts."""

from collections.abc import Iterable

from world.run.host import Host
from world.run.needs import refuse_needs
from world.script.loader import Scenario


def check_needs(scenarios: Iterable[Scenario]) -> None:
    """Refuse what this host cannot do. Raises CapabilityError."""
    for scenario in scenarios:
        refuse_needs(scenario.name, scenario.card.needs)


def describe_host(scenario: Scenario, host: Host) -> dict[str, str]:
    """Describe how the host meets each need of a scenario: part of a verdict's revision."""
    return {need: host.outcomes.sandbox for need in scenario.card.needs}
