"""`firm seed check`: inspect a company, write its report, and say in lines what was found."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from seeds.inspection.conversations import Shape
from seeds.inspection.inspection import Figure, Inspection, inspect, is_close
from seeds.inspection.report import write_report


def check(image: Path, folder: Path | None) -> tuple[bool, Sequence[str]]:
    """Whether a company is sound, and what was found. Raises ValueError for a file that holds none."""
    found = inspect(image)
    if folder is not None:
        write_report(found, folder)
    return found.is_sound, list(list_lines(found))


def list_lines(found: Inspection) -> Iterator[str]:
    """A line for each figure, feature and broken rule, and one that sums up."""
    yield "bands"
    yield from (_tell_figure(figure, "within", "OUT") for figure in found.bands)
    yield "facts across apps"
    yield from (_tell_figure(figure, "reached", "missed") for figure in found.aims)
    yield "conversations: distance from real ones (between two real communities)"
    yield from map(_tell_shape, found.conversations)
    yield from (f"broken rule: {problem}" for problem in found.problems)
    within = sum(figure.is_within for figure in found.bands)
    reached = sum(figure.is_within for figure in found.aims)
    close = sum(map(is_close, found.conversations))
    yield (
        f"{within} of {len(found.bands)} bands hold, {reached} of {len(found.aims)} aims are reached, "
        f"{close} of {len(found.conversations)} features are close, {len(found.problems)} rules are broken"
    )


def _tell_figure(figure: Figure, good: str, bad: str) -> str:
    told = good if figure.is_within else bad
    return f"  {figure.name:28} {figure.value:8.3g}  {figure.low:g} to {figure.high:g}  {told}"


def _tell_shape(shape: Shape) -> str:
    told = "close" if is_close(shape) else "far"
    return f"  {shape.real.feature:28} {shape.distance:8.2f}  ({shape.real.between:.2f})  {told}"
