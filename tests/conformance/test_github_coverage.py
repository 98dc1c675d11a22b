"""What `apps/github/coverage.toml` says is there, held against the published description."""

import re
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.conformance.operations import operations

APP = Path(__file__).parents[2] / "apps" / "github"
STATES = {"done", "partial", "refused"}


def listed() -> dict[str, Any]:
    return tomllib.loads((APP / "coverage.toml").read_text(encoding="utf-8"))


def address(method: str, path: str) -> tuple[str, str]:
    """A route whatever its arguments are called."""
    return method, re.sub(r"\{[^}]*\}", "{}", path)


def test_every_method_of_the_vendor_is_counted_and_none_is_made_up() -> None:
    assert listed()["vendor"] == "github" and listed()["total"] == len(operations("github"))
    assert set(listed()["method"]) - set(operations("github")) == set()


def test_entries_say_what_their_state_requires() -> None:
    for name, entry in listed()["method"].items():
        assert entry["state"] in STATES and entry["source"], name
        assert entry["state"] != "partial" or entry["missing"], name
        assert entry["state"] != "refused" or entry["reason"], name
        assert entry["state"] == "refused" or entry["proof"], name


def test_what_is_done_has_a_route_at_its_published_address_and_every_route_is_listed() -> None:
    lines: dict[str, set[tuple[str, str]]] = {}
    for line in import_module("apps.github.rest.routes").LINES:
        lines.setdefault(line.operation, set()).add(address(line.method, line.path))
    present = {name for name, entry in listed()["method"].items() if entry["state"] in ("done", "partial")}
    assert present - set(lines) == set()
    assert {name for name in lines if name in operations("github")} - present == set()
    assert [name for name in sorted(present) if address(*operations("github")[name]) not in lines[name]] == []
