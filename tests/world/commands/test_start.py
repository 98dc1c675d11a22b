"""Commands that need no server import nothing that only a world needs; titles are read without running scenarios."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from world.agents import chromium
from world.commands.doctor import command as doctor
from world.script import catalogue, loader
from world.suite import suite_files

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
    [
        "--help",
        "scenario --help",
        "scenario list",
        "scenario show flapping_alert",
        "scenario check --help",
        "bench --help",
        "serve --help",
        "mcp config",
        "seed --help",
        "seed build --help",
        "new --help",
    ],
)
def test_a_command_without_a_server_starts_without_the_kernel(arguments: str) -> None:
    code = SCRIPT.format(names=set(HEAVY))
    done = subprocess.run([sys.executable, "-c", code, *arguments.split()], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded:"


@pytest.mark.full
def test_suites_are_listed_without_loading_their_scenarios() -> None:
    code = SCRIPT.format(names=set(HEAVY) - {"yaml", "pydantic"})
    done = subprocess.run([sys.executable, "-c", code, "suite", "list"], capture_output=True, text=True, check=True)
    *lines, loaded = done.stdout.splitlines()
    assert loaded == "loaded:"
    told = {line.split()[0]: int(line.split()[1]) for line in lines}
    assert told == {name: len(suite_files.find_suite(name).tasks) for name in catalogue.suites()}


def test_the_title_is_that_of_the_card() -> None:
    for name, folder in catalogue.folders().items():
        found = loader.find_scenario(name)
        assert catalogue.read_title(folder) == found.card.title
        assert catalogue.read_summary(folder) == (found.card.title, found.card.apps, found.card.horizon, found.task)


@pytest.mark.full
def test_needs_are_those_of_the_card_and_scenarios_those_of_the_suite() -> None:
    for name, folder in catalogue.folders().items():
        assert catalogue.find_folder(name) == catalogue.find_folder(str(folder)) == folder
        assert catalogue.read_needs(folder) == loader.find_scenario(name).card.needs
    for name, path in catalogue.suites().items():
        named = {catalogue.split_injected(task.scenario)[1] for task in suite_files.find_suite(name).tasks}
        assert set(catalogue.list_suite_scenarios(name)) == set(catalogue.list_suite_scenarios(str(path))) == named
    assert catalogue.list_suite_scenarios("none") == [] and catalogue.find_folder("none") is None


def test_doctor_starts_a_browser_only_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[bool] = []
    monkeypatch.setattr(chromium, "available", lambda: started.append(True) or True)
    said = CliRunner().invoke(doctor, [])
    assert ("ok   Chromium /" in said.output or "BAD  Chromium" in said.output) and started == []
    assert "ok   Chromium starts" in CliRunner().invoke(doctor, ["--browser"]).output and started == [True]


def test_a_computed_title_is_left_to_the_loader(tmp_path: Path) -> None:
    for text in ("card = Card(title=NAME)", "card = make_card()", "def"):
        (tmp_path / "scenario.py").write_text(text)
        assert catalogue.read_title(tmp_path) is catalogue.read_summary(tmp_path) is None
