"""Form input of labels: a parent and a name, a colour of the palette."""

from apps.gmail.pages.ui import pages
from world.core.json_types import JsonObject
from world.web import View

# ground, ink, name: a few of the vendor's palette (`apps.gmail.labels.PALETTE`) that read well
COLOURS = (
    ("#fb4c2f", "#ffffff", "Red"),
    ("#ffad47", "#594c05", "Orange"),
    ("#fad165", "#594c05", "Yellow"),
    ("#16a766", "#ffffff", "Green"),
    ("#43d692", "#04502e", "Mint"),
    ("#4a86e8", "#ffffff", "Blue"),
    ("#a479e2", "#ffffff", "Purple"),
    ("#f691b3", "#711a36", "Pink"),
    ("#f6c5be", "#8a1c0a", "Light red"),
    ("#ffe6c7", "#7a4706", "Light orange"),
    ("#fef1d1", "#684e07", "Light yellow"),
    ("#b9e4d0", "#0b4f30", "Light green"),
    ("#c9daf8", "#0d3472", "Light blue"),
    ("#e4d7f5", "#3d188e", "Light purple"),
    ("#fcdee8", "#711a36", "Light pink"),
    ("#efefef", "#434343", "Light grey"),
    ("#999999", "#ffffff", "Grey"),
    ("#434343", "#ffffff", "Dark grey"),
)


@pages.compose("users.labels.create")
def build_nested_name_arguments(view: View, arguments: JsonObject) -> JsonObject:
    """Return the arguments for a name below another label's."""
    given = dict(arguments)
    parent = str(given.pop("parent", "") or "")
    return {**given, "name": f"{parent}/{given.get('name', '')}"} if parent else given


@pages.compose("users.labels.patch")
def colour_arguments(view: View, arguments: JsonObject) -> JsonObject:
    """Return the arguments for a choice of colours: background and text."""
    given = dict(arguments)
    ground, _, ink = str(given.pop("paint", "") or "").partition(" ")
    return {**given, "color": {"backgroundColor": ground, "textColor": ink}} if ground else given
