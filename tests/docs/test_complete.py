"""Nothing without its place: commands, operations, codes, settings, variables, scenarios, faults, authoring, routes,
surfaces, figures.
"""

import dataclasses
import inspect
import re
from pathlib import Path
from typing import get_args

import pytest

from mcp_servers.catalogue import catalogue
from tests.docs.pages import PAGES, ROOT, page, script
from world.bench.measurements import targets
from world.client import Client
from world.core import builtin_operations, discovery
from world.core.settings import Settings
from world.gate.checks import CHECKS
from world.grading.verdict import Verdict
from world.run.host import Host
from world.script import loader
from world.script.chore import Chore, Draw
from world.script.coworkers import Coworker, Demand, Escalation, Rule, State
from world.script.faults import Fault, FaultKind
from world.script.loader import Card
from world.script.scenario import Script
from world.script.stage import Stage
from world.script.thanks import Thanks
from world.server.control_plane import control_plane
from world.server.control_state import Plane

CODE = ("world", "apps", "seeds", "mcp_servers", "scenarios")
VARIABLE = re.compile(r"\bFIRM_[A-Z_]*[A-Z]")
READ = re.compile(r"environ(?:\[|\.get\()\"(FIRM_[A-Z_]+)\"")
LINK = re.compile(r"\]\((?!https?://)([^)#\s]*)(?:#([^)\s]+))?\)")


def in_code(name: str) -> str:
    """Everything between backquotes on a page."""
    return " ".join(re.findall(r"`([^`\n]+)`", page(name)))


def missing(names: object, text: str) -> list[str]:
    """Names that do not stand in a text as words."""
    return [name for name in names if not re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", text)]  # type: ignore[attr-defined]


def public(kind: type) -> list[str]:
    """Methods and properties that an author may use, and attributes set at the start."""
    assigned = re.findall(r"self\.([a-z]\w*)", inspect.getsource(kind.__init__))
    return sorted({name for name in (*vars(kind), *assigned) if not name.startswith("_")})


def fields(kind: type) -> list[str]:
    return [field.name for field in dataclasses.fields(kind)]


def test_the_generated_pages_are_up_to_date() -> None:
    generate = script("generate")
    stale = [name for name, write in generate.PAGES.items() if page(name) != write()]
    assert stale == [], "run `.venv/bin/python docs/generate.py`"


def test_the_client_that_waits_is_the_one_on_an_event_loop() -> None:
    assert script("sync_client").list_stale() == [], "run `.venv/bin/python docs/sync_client.py`"


def test_every_setting_has_its_place() -> None:
    assert missing(Settings.model_fields, in_code("settings.md")) == []


def test_every_environment_variable_has_its_place() -> None:
    product = [path for folder in CODE for path in (ROOT / folder).rglob("*.py")]
    used = {
        name for path in (*product, ROOT / "Makefile") for name in VARIABLE.findall(path.read_text(encoding="utf-8"))
    }
    tests = [path for path in (ROOT / "tests").rglob("*.py") if "scripts" not in path.parts]
    used |= {name for path in tests for name in READ.findall(path.read_text(encoding="utf-8"))}
    assert sorted(used - set(VARIABLE.findall(page("settings.md")))) == []


def test_every_scenario_has_a_heading() -> None:
    assert [name for name in loader.folders() if f"\n### {name}\n" not in page("scenarios.md")] == []


def test_every_fault_kind_and_field_has_its_place() -> None:
    assert missing([*get_args(FaultKind), *fields(Fault)], in_code("faults.md")) == []


@pytest.mark.parametrize(
    "kind", [Card, Coworker, Rule, State, Demand, Escalation, Thanks], ids=lambda kind: kind.__name__
)
def test_every_field_an_author_writes_has_its_place(kind: type) -> None:
    assert missing(fields(kind), in_code("scenarios.md")) == []


def test_every_field_of_a_chore_has_its_place() -> None:
    assert missing(fields(Chore), in_code("chores.md")) == []


def test_everything_a_draw_offers_has_its_place() -> None:
    assert [name for name in public(Draw) if f"`d.{name}" not in page("chores.md")] == []


@pytest.mark.parametrize(("kind", "letter"), [(Script, "s"), (Stage, "w")], ids=["Script", "Stage"])
def test_everything_an_author_calls_has_its_place(kind: type, letter: str) -> None:
    assert [name for name in public(kind) if f"`{letter}.{name}" not in page("scenarios.md")] == []


def test_every_check_of_the_gate_has_its_place() -> None:
    rows = set(re.findall(r"^\| (V\d+) \|", page("gate.md"), re.M))
    assert set(CHECKS) <= rows


def test_every_key_of_a_verdict_has_its_place() -> None:
    assert missing(Verdict(False, 0.0, 0.0).as_json(), in_code("grading.md")) == []


def test_every_route_of_the_control_plane_has_its_place(firm: Host) -> None:
    paths = control_plane(Plane(firm, "secret")).openapi()["paths"]
    routes = [f"`{method.upper()} {path}`" for path, methods in paths.items() for method in methods]
    assert [route for route in routes if route not in page("control-plane.md")] == []


def test_every_method_of_the_client_has_its_place() -> None:
    methods = [name for name in vars(Client) if not name.startswith("_")]
    assert [name for name in methods if f"{name}(" not in page("control-plane.md")] == []


def test_every_tool_surface_has_its_place() -> None:
    found = catalogue([*discovery.apps(), builtin_operations.app]).of_app
    rows = {row[0]: row[1] for row in re.findall(r"^\| (\w+) \| (.*) \|$", page("mcp.md"), re.M)}
    assert set(found) <= set(rows)
    assert [
        f"{app}/{name}"
        for app, made in found.items()
        for name in made
        if name and app != "world" and f"`{name}`" not in rows[app]
    ] == []


def test_every_figure_has_its_place() -> None:
    assert missing(targets(), in_code("bench.md")) == []
    assert set(script("figures").NAMES) == set(targets())


def test_figures_go_between_the_markers_of_the_readme() -> None:
    filled = script("figures").replace_figures(
        page("README.md"), {"fork_us": {"5": 21.4, "500": 22.0}, "worlds_held": 100000, "machine": {"cores": 2}}
    )
    assert "| fork, bind, first query (µs, median) | 21.4 at 5 MB, 22 at 500 MB |" in filled
    assert "100,000" in filled and "Machine: cores 2." in filled and filled.count("<!-- figures -->") == 1


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings."""
    heads = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_link_leads_somewhere(path: Path) -> None:
    for target, anchor in LINK.findall(path.read_text(encoding="utf-8")):
        found = path.parent / target if target else path
        assert found.exists(), target
        assert not anchor or anchor in anchors(found), f"{target}#{anchor}"
