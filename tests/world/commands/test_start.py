"""Commands that need no server import nothing that only a world needs; titles are read without running scenarios."""

import subprocess
import sys
from pathlib import Path

import pytest

from world.script import installed, loader

HEAVY = ("apsw", "fastapi", "httpx", "mcp", "numpy", "pydantic", "scipy", "sqlalchemy", "starlette", "yaml")
SCRIPT = """
import sys
from world.cli import main
try:
    main(sys.argv[1:])
finally:
    print("loaded:", *sorted(set(sys.modules) & {names!r}))
"""


@pytest.mark.parametrize(
    "arguments",
    ["--help", "scenario --help", "scenario list", "mcp config", "seed --help", "seed build --help", "new --help"],
)
def test_a_command_without_a_server_starts_without_the_kernel(arguments: str) -> None:
    code = SCRIPT.format(names=set(HEAVY))
    done = subprocess.run([sys.executable, "-c", code, *arguments.split()], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded:"


def test_the_title_is_that_of_the_card() -> None:
    for name, folder in installed.folders().items():
        assert installed.read_title(folder) == loader.find(name).card.title


def test_a_computed_title_is_left_to_the_loader(tmp_path: Path) -> None:
    for text in ("card = Card(title=NAME)", "card = make_card()", "def"):
        (tmp_path / "scenario.py").write_text(text)
        assert installed.read_title(tmp_path) is None
