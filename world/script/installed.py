"""The installed scenarios and their titles, without running what they import."""

import ast
from pathlib import Path

from world.core.entry_points import packages


def folders() -> dict[str, Path]:
    """Every installed scenario, by name."""
    found: dict[str, Path] = {}
    for package in packages("firmament.scenarios"):
        for place in getattr(package, "__path__", ()):
            for path in sorted(Path(place).iterdir()):
                if (path / "scenario.py").is_file():
                    found[path.name] = path
    return found


def read_title(folder: Path) -> str | None:
    """The title in `card = Card(title=...)` of a scenario.py; None when it is not written there as a plain text."""
    try:
        tree = ast.parse((folder / "scenario.py").read_text(encoding="utf-8"))
    except SyntaxError:
        return None
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="card")], value=ast.Call(keywords=keywords)):
                return next((text for one in keywords if one.arg == "title" and (text := _text(one.value))), None)
            case _:
                continue
    return None


def _text(value: ast.expr) -> str | None:
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None
