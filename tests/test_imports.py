"""Modules are imported by statement; by name only where apps and surfaces are found, and where a start must be quick."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("apps", "mcp_servers", "scenarios", "seeds", "world")
ALLOWED = {
    "world/agents/program.py": "the user names the agent",
    "world/commands/lazy_group.py": "a command is imported when it is run",
    "world/core/entry_points.py": "apps, surfaces, scenarios and image builders are found by entry point",
    "world/core/lazy.py": "a module is imported when something of it is first used",
    "world/grading/predicates.py": "what predicates of an author may import is decided there",
    "world/store/dialect.py": "SQLAlchemy loads what its dialects share by name",
}


def importers() -> Iterator[str]:
    """Files that import a module by name."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            names = {
                node.attr if isinstance(node, ast.Attribute) else node.id
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                if isinstance(node, ast.Attribute | ast.Name)
            }
            if names & {"import_module", "__import__"}:
                yield path.relative_to(ROOT).as_posix()


def test_modules_are_imported_by_name_only_where_a_reason_is_given() -> None:
    assert sorted(importers()) == sorted(ALLOWED)


def test_no_vendor_has_a_theme_in_the_kernel() -> None:
    text = (ROOT / "world/web/theme.py").read_text(encoding="utf-8") + (ROOT / "world/core/theme.py").read_text()
    assert not [name for name in ("slack", "gmail", "jira", "github", "sheets", "drive") if name in text.lower()]
