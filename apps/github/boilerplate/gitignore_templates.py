"""The .gitignore templates: copies of files of github.com/github/gitignore, which are in the public domain (CC0-1.0)."""

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "gitignore"


@cache
def read_gitignore_templates() -> dict[str, str]:
    """Return the text of each template by its name, in the order of names."""
    files = sorted(FOLDER.glob("*.gitignore"), key=lambda one: one.stem.lower())
    return {one.stem: one.read_text(encoding="utf-8") for one in files}
