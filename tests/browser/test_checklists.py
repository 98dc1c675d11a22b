"""Every line of an app's checklist names tests that exist."""

import ast
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LISTS = sorted(HERE.glob("checklist_*.toml"))


def functions_in(name: str) -> set[str]:
    """The test functions of a file."""
    tree = ast.parse((HERE / name).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_every_line_names_tests_that_exist(path: Path) -> None:
    lines = {
        f"{part}: {line}": names
        for part, found in tomllib.loads(path.read_text(encoding="utf-8")).items()
        for line, names in found.items()
    }
    assert len(lines) >= 20
    missing = [
        f"{line}: {name}"
        for line, names in lines.items()
        for name in names or ["nothing"]
        if "::" not in name or name.split("::")[1] not in functions_in(name.split("::")[0])
    ]
    assert missing == []
