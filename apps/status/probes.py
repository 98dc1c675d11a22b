"""Probes of the gate against status pages."""

from apps.status.app import app
from world.core.probes import Probes, Surroundings


def find_vendor_slots(world: Surroundings) -> dict[str, str]:
    """The first vendor."""
    pages = world.lookup.rows("status_page")
    return {"vendor": str(pages[0]["id"])} if pages else {}


app.probes = Probes(slots=find_vendor_slots)
