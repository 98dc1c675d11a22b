"""What a tool says of itself is so: its own words win, and what is required is not said to be left out at will."""

import re

import pytest

from mcp_servers.catalogue import catalogue
from mcp_servers.toolset import BoundTool
from world.core import discovery
from world.core.builtin_operations import app as employee

OPTIONAL = re.compile(r"left out|unless (given|said)|by default|[Oo]ptional|yourself if empty")
CATALOGUE = catalogue([*discovery.apps(), employee])
DECLARED = [
    pytest.param(tool, id=f"{app}-{surface}-{tool.name}")
    for app, made in CATALOGUE.of_app.items()
    for surface, tools in made.items()
    if surface not in ("", "operations")
    for tool in tools.tools.values()
]


@pytest.mark.parametrize("tool", DECLARED)
def test_a_surfaces_own_words_for_an_argument_are_the_published_ones(tool: BoundTool) -> None:
    shown = {name: part["description"] for name, part in tool.wire.input_schema["properties"].items()}
    assert {name: shown[name] for name in tool.tool.describe if name in shown} == {
        name: text for name, text in tool.tool.describe.items() if name in shown
    }
    for name in tool.required:
        assert not OPTIONAL.search(shown[name]), (name, shown[name])
    for text in shown.values():
        for other in re.findall(r"instead of (text|html|body|markdown|blocks|content)\b", text):
            assert other in shown, text
