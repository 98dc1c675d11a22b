"""The data card of one company: `card.html` for people and `card.json` for programs."""

import json
from dataclasses import asdict
from functools import cache
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from seeds.inspection.conversations import Shape
from seeds.inspection.inspection import Figure, Inspection, is_close

WIDTH = 200  # of a plot, in pixels
MARGIN = 0.25  # of the band, drawn on both sides of it


def write_report(found: Inspection, folder: Path) -> None:
    """Write both files; the folder is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(to_json(found), indent=1, ensure_ascii=False)
    (folder / "card.json").write_text(text + "\n", encoding="utf-8")
    (folder / "card.html").write_text(_templates().get_template("card.html").render(found=found), encoding="utf-8")


def to_json(found: Inspection) -> dict[str, object]:
    """The whole inspection, without the values of single conversations."""
    return {
        "image": found.image,
        "sound": found.is_sound,
        "bands": [{**asdict(figure), "within": figure.is_within} for figure in found.bands],
        "aims": [{**asdict(figure), "within": figure.is_within} for figure in found.aims],
        "conversations": [
            {
                "group": shape.real.group,
                "feature": shape.real.feature,
                "conversations": len(shape.values),
                "distance": round(shape.distance, 3),
                "between_real_communities": shape.real.between,
                "close": is_close(shape),
            }
            for shape in found.conversations
        ],
        "problems": list(found.problems),
    }


@cache
def _templates() -> Environment:
    found = Environment(
        loader=PackageLoader("seeds.inspection"),
        autoescape=select_autoescape(("html",)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals.update(place=place_on_plot, quantile=find_quantile, close=is_close, width=WIDTH)
    return found


def place_on_plot(figure: Figure, value: float) -> float:
    """Where a value stands on the plot of a figure, in pixels; what lies far outside stands at the edge."""
    span = (figure.high - figure.low) or 1.0
    share = (value - figure.low + MARGIN * span) / (span * (1 + 2 * MARGIN))
    return round(WIDTH * min(max(share, 0.0), 1.0), 1)


def find_quantile(shape: Shape, share: float) -> float | None:
    """The value below which a share of the company's conversations lie; none where no conversation has the feature."""
    return shape.values[min(int(share * len(shape.values)), len(shape.values) - 1)] if shape.values else None
