"""The parts of the story, drawn from the people at work."""

from collections.abc import Collection

from scenarios.office.mail import list_contacts
from world.script.errors import ScenarioError
from world.script.stage import Facts, Stage

CHIEFS = ("Chief", "Finance Lead", "Head of", "People")
PARTS = {
    "boss": CHIEFS,
    "guardian": ("Finance Lead", "People", "Chief", "Head of"),
    "press": (*CHIEFS, "Product Manager"),
    "press_deputy": (*CHIEFS, "Product Manager", "Staff Engineer", "Engineering Manager"),
    "staff": (*CHIEFS, "Engineering Manager", "Staff Engineer"),
    "staff_deputy": (*CHIEFS, "Engineering Manager", "Staff Engineer", "Senior"),
    "me": ("Product", "Customer", "Senior", "Software", "Support", "Staff", "Site", "Engineering Manager"),
    "insider": ("",),
    "outsider": ("",),
    "colleague": ("",),
    "doubter": ("",),
    "leaker": ("",),
}
"""Beginnings of titles. Who asks the agent to look after it, who keeps the circle, two who speak and their deputies,
the agent; then who is in the circle, who only says so, and three who have heard something."""


def draw_parts(w: Stage, taken: Collection[str]) -> dict[str, str]:
    """The directory id of a person for each part; nobody has two, and nobody of `taken` has one."""
    found: dict[str, str] = {}
    here = list_present(w)
    for part, titles in PARTS.items():
        fit = [one for one in here if one["title"].startswith(titles) and one["id"] not in (*found.values(), *taken)]
        if not fit:
            raise ScenarioError(f"nobody is left to play {part}")
        found[part] = w.rng("part", part).choice(fit)["id"]
    return found


def list_present(w: Stage) -> list[Facts]:
    """Employees who are not away."""
    away = {one["person_id"] for one in w.rows("absence") if one["start_at"] <= w.now < one["end_at"]}
    return [one for one in w.rows("person", kind="employee", status="active") if one["id"] not in away]


def draw_customer(w: Stage) -> Facts:
    """A contact of a customer whose account owner is at work."""
    here = {one["id"] for one in list_present(w)}
    return w.rng("customer").choice([one for one in list_contacts(w) if one["owner_id"] in here])
