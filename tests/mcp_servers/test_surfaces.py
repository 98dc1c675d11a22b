"""All surfaces: names as the originals have them, flat schemas, every change of a list visible in review."""

import json
import os
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from mcp_servers.catalogue import Catalogue, catalogue, surfaces
from mcp_servers.tools import MAX_DESCRIPTION, MAX_NAME
from mcp_servers.toolset import Toolset
from world.core import discovery
from world.core.builtin_operations import app as employee

HERE = Path(__file__).parent
ORIGINALS: dict[str, dict[str, dict[str, dict[str, Any]]]] = json.loads(
    (HERE / "surfaces.json").read_text(encoding="utf-8")
)
PARTIAL = {  # the core of 63 tools; the daily ones, and those there is something behind here, of 117
    ("jira", "community"),
    ("github", "vendor"),
    ("github", "vendor-full"),
}
DECLARED = [(surface.app, surface.name) for surface in surfaces()]
NESTED = ("$ref", "$defs", "oneOf", "allOf", "discriminator")


@pytest.fixture(scope="module")
def known() -> Catalogue:
    return catalogue([*discovery.apps(), employee])


def everything(known: Catalogue) -> list[Toolset]:
    return [tools for made in known.of_app.values() for tools in made.values()]


def test_the_surfaces_asked_for_are_there() -> None:
    wanted = {
        "slack": ("vendor", "reference", "community"),
        "jira": ("vendor", "community"),
        "gmail": ("community", "vendor", "workspace"),
        "github": ("vendor", "vendor-full", "reference"),
        "sheets": ("community", "vendor", "workspace"),
    }
    assert {(app, name) for app, names in wanted.items() for name in names} <= set(DECLARED)


@pytest.mark.parametrize(("app", "name"), [key for key in DECLARED if key[0] in ORIGINALS])
def test_names_parameters_and_required_flags_equal_the_originals(known: Catalogue, app: str, name: str) -> None:
    ours, theirs = known.of_app[app][name].tools, ORIGINALS[app][name.removesuffix("-full")]
    assert set(ours) <= set(theirs)
    assert (app, name) in PARTIAL or set(ours) == set(theirs)
    for tool, made in ours.items():
        schema, original = made.wire.input_schema, theirs[tool]
        if original["required"] is None:
            assert set(original["params"] or ()) <= set(schema["properties"]), tool
        else:
            assert set(schema["properties"]) == set(original["params"] or ()), tool
            assert set(schema["required"]) == set(original["required"]), tool


@pytest.mark.full
def test_schemas_are_flat_closed_and_valid(known: Catalogue) -> None:
    for tools in everything(known):
        for tool in tools.wire:
            schema = tool["inputSchema"]
            jsonschema.Draft202012Validator.check_schema(schema)
            assert schema["additionalProperties"] is False
            text = json.dumps(schema)
            assert not any(f'"{word}"' in text for word in NESTED), tool["name"]
            assert '"null"' not in text or re.search(r"\bnull\b", text.replace('"null"', "")), tool["name"]
            assert all("description" in part for part in schema["properties"].values()), tool["name"]


def test_every_parameter_is_described_in_words(known: Catalogue) -> None:
    silent = {
        f"{tools.name} {tool['name']}.{name}"
        for tools in everything(known)
        for tool in tools.wire
        for name, part in tool["inputSchema"]["properties"].items()
        if not part["description"]
    }
    assert silent == set()


def test_names_and_descriptions_stay_within_what_hosts_take(known: Catalogue) -> None:
    for tools in [*everything(known), known.combined]:
        for tool in tools.wire:
            assert len(tool["name"]) <= MAX_NAME and 0 < len(tool["description"]) <= MAX_DESCRIPTION, tool["name"]


def test_default_surfaces_of_declared_apps_stay_small(known: Catalogue) -> None:
    for app in {app for app, _ in DECLARED}:
        tools = known.find(app)
        assert len(tools.tools) <= 25 and len(json.dumps(tools.wire)) <= 40_000


@pytest.mark.parametrize(("app", "name"), DECLARED)
def test_tool_lists_are_the_reviewed_ones(known: Catalogue, app: str, name: str) -> None:
    """With FIRM_GOLDEN=1 the reviewed lists are written anew."""
    tools = known.of_app[app][name]
    path = HERE / "golden" / f"{app}-{name}.json"
    listed = {"version": tools.version, "digest": tools.digest, "tools": tools.wire}
    text = json.dumps(listed, indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("FIRM_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_a_list_built_again_has_the_same_digest(known: Catalogue) -> None:
    again = catalogue([*discovery.apps(), employee])
    assert {t.name: t.digest for t in everything(known)} == {t.name: t.digest for t in everything(again)}
    assert len({t.digest for t in everything(known)}) == len({t.name for t in everything(known)})


def test_examples_survive_the_way_to_a_derived_tool_and_back(known: Catalogue) -> None:
    for app in [*discovery.apps(), employee]:
        tools = known.of_app[app.name]["operations"]
        for operation in app.operations.values():
            for example in operation.examples:
                asked = tools.arguments_for(operation.id, example)
                assert asked is not None and asked[0] == operation.snake, (operation.id, example)
                assert tools.tools[asked[0]].arguments(asked[1]) == dict(example)
