"""Dotted paths into an operation's arguments: `fields.project.key`, `update.comment[].add.body`."""

from collections.abc import Iterable, Mapping
from typing import Any

Path = tuple[str, ...]


def parse(text: str) -> Path:
    """The steps of a path; `[]` stands for the only item of a list."""
    return tuple(step for part in text.split(".") for step in _steps(part))


def _steps(part: str) -> Iterable[str]:
    name, brackets, _ = part.partition("[]")
    yield name
    if brackets:
        yield "[]"


def set_at(arguments: Mapping[str, object], path: Path, value: object) -> None:
    """Set the value at a path, making what leads to it."""
    place: Any = arguments
    for step, following in zip(path, (*path[1:], None), strict=True):
        fresh: object = value if following is None else [] if following == "[]" else {}
        if step == "[]":
            if not place or following is None:
                place.append(fresh)
            place = place[0]
        else:
            if following is None or step not in place:
                place[step] = fresh
            place = place[step]


def take(arguments: Any, path: Path) -> tuple[bool, object]:
    """Remove and return the value at a path: (found, value). A list must have exactly one item."""
    place = arguments
    for step in path[:-1]:
        found, place = _look(place, step)
        if not found:
            return False, None
    found, value = _look(place, path[-1])
    if found:
        place.pop(0 if path[-1] == "[]" else path[-1])
    return found, value


def _look(place: object, step: str) -> tuple[bool, Any]:
    if step == "[]":
        return (True, place[0]) if isinstance(place, list) and len(place) == 1 else (False, None)
    return (True, place[step]) if isinstance(place, dict) and step in place else (False, None)


def is_empty(value: object) -> bool:
    """Whether nothing is left but empty containers."""
    if isinstance(value, dict):
        return all(is_empty(part) for part in value.values())
    if isinstance(value, list):
        return all(is_empty(part) for part in value)
    return False


def render_path(path: Path) -> str:
    """Return a path as validation problems name it; `[]` becomes position 0."""
    return ".".join("0" if step == "[]" else step for step in path)
