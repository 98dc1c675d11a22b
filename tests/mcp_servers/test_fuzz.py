"""Whatever is sent to any tool of any surface, the answer is a result, never a programming error."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import apps.drive
import apps.github
import apps.gmail
import apps.jira
import apps.sheets
import apps.slack
from mcp_servers.catalogue import Catalogue, catalogue
from mcp_servers.error_bodies import bodies
from mcp_servers.serve import ToolServer
from mcp_servers.toolset import BoundTool
from tests.apps.github.conftest import rows as hub_rows
from tests.apps.gmail.conftest import mail_rows
from tests.apps.jira.tracker import rows as tracker_rows
from tests.apps.sheets.conftest import BUDGET, NOTES, sheet_rows
from tests.apps.slack.rows import CORE, IM, workspace_rows
from tests.company import as_person, image
from tests.examples import examples
from world.core.access import Tokens
from world.core.settings import Settings
from world.run.host import Host
from world.store import Base, Store

WORDS = [
    "",
    "x",
    CORE,
    IM,
    "#core",
    "@bo",
    "U0BO",
    "SHOP-1",
    "10000",
    "1",
    "1d",
    "2026-03-01",
    "{}",
    "[]",
    '{"a": 1}',
    "\x00",
    "é",
    "\ud800",
    "ari:cloud:jira:x:issue/1",
    "project = SHOP",
    'text ~ "',
    "1772352660.000011",
    "bo@tiny.example",
    "💥" * 50,
    "INBOX",
    "STARRED",
    "Label_1",
    "0" * 16,
    "from:(bo {is:unread",
    "Bo <bo@tiny.example>, a@b",
    "\r\nBcc: x@y.example",
    "tiny",
    "tiny",
    "app",
    "app",
    "site",
    "main",
    "feature",
    "src/count.py",
    "README.md",
    "bo",
    "tiny/core",
    "PRRT_kwDOAAAB9c4AAAAB",
    "Y3Vyc29yOnYyOlsxLDFd",
    "repo:tiny/app is:open",
    "heads/main",
    "../x",
    BUDGET,
    BUDGET,
    BUDGET,
    NOTES,
    "Sheet1",
    "Sheet1",
    "A1:C3",
    "Sheet1!B2",
    "B:C",
    "#FF0000",
    "=A1",
    "root",
]
LEAF = st.one_of(
    st.sampled_from(WORDS),
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False),
    st.text(max_size=8),
)
VALUE = st.recursive(
    LEAF,
    lambda part: st.one_of(st.lists(part, max_size=3), st.dictionaries(st.text(max_size=6), part, max_size=3)),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Host:
    listed, folder = (
        [apps.slack.app, apps.jira.app, apps.gmail.app, apps.github.app, apps.drive.app, apps.sheets.app],
        tmp_path_factory.mktemp("fuzz"),
    )
    sealed: Path = image(
        folder, listed, lambda: [*workspace_rows(), *tracker_rows(), *mail_rows(), *hub_rows(), *sheet_rows()]
    )
    made = Host(Store(folder / "worlds", Base(sealed)), listed, Tokens("test secret"))
    made.create("w", Settings(limits="off"))
    return made


@pytest.fixture(scope="module")
def known(host: Host) -> Catalogue:
    return catalogue(host.apps.values())


def drawn(data: st.DataObject, tool: BoundTool) -> dict[str, Any]:
    """Arguments of about the right shape."""
    given: dict[str, Any] = {}
    for name, schema in tool.wire.input_schema["properties"].items():
        likely = name in tool.required
        if data.draw(st.integers(0, 9)) < (9 if likely else 4):
            given[name] = data.draw(fitting(schema) if data.draw(st.integers(0, 9)) < 7 else VALUE)
    return given


def fitting(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values of a schema's type."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kinds = {
        "string": st.one_of(st.sampled_from(WORDS), st.text(max_size=20)),
        "integer": st.integers(-5, 10**10),
        "boolean": st.booleans(),
        "number": st.floats(allow_nan=False),
        "array": st.lists(VALUE, max_size=3),
        "object": st.dictionaries(st.text(max_size=6), VALUE, max_size=3),
    }
    kind = schema.get("type")
    return kinds.get(kind, VALUE) if isinstance(kind, str) else VALUE


@settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck))
@pytest.mark.parametrize(
    ("app", "surface"),
    [
        ("slack", "vendor"),
        ("slack", "reference"),
        ("slack", "community"),
        ("jira", "vendor"),
        ("jira", "community"),
        ("gmail", "vendor"),
        ("gmail", "community"),
        ("gmail", "workspace"),
        ("world", ""),
        ("github", "vendor-full"),
        ("github", "reference"),
        ("sheets", "community"),
        ("sheets", "vendor"),
        ("sheets", "workspace"),
    ],
)
@given(data=st.data())
def test_no_arguments_are_a_programming_error(
    host: Host, known: Catalogue, app: str, surface: str, data: st.DataObject
) -> None:
    tools = known.find(app, surface)
    server = ToolServer(host, tools, bodies(host.apps), lambda _: as_person(host))
    tool = data.draw(st.sampled_from([one for one in tools.tools.values() if one.name != "finish"]))
    answer = server.call(as_person(host), tool.name, drawn(data, tool))
    for part in answer.content:
        part.text.encode()
