"""Tools over stdio: bridged to a server, embedded in the process, and the configuration of hosts."""

import json
import sys
from pathlib import Path

import httpx2
import orjson
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from mcp_servers import in_process
from mcp_servers.host_config import render_config
from tests.company import as_person
from tests.mcp_servers.loopback import listening
from tests.mcp_servers.memo import known, text, token
from world.run.host import Host

pytestmark = pytest.mark.anyio
ERAS = ["auto", "legacy"]
ROOT = Path(__file__).parents[2]


def launched(*arguments: str) -> StdioServerParameters:
    """The bridge in a process of its own."""
    code = f"from mcp_servers.stdio import run_bridge; run_bridge(*{arguments!r})"
    return StdioServerParameters(command=sys.executable, args=["-c", code], cwd=ROOT)


@pytest.mark.parametrize("mode", ERAS)
async def test_the_bridge_hands_on_lists_calls_and_errors(firm: Host, mode: str) -> None:
    async with listening(firm, known(firm)) as url:
        parameters = launched("pad", "operations", url, token(firm))
        async with Client(stdio_client(parameters), mode=mode) as tools:
            names = [tool.name for tool in (await tools.list_tools()).tools]
            made = await tools.call_tool("pad_write_note", {"text": "over stdio"})
            refused = await tools.call_tool("pad_write_note", {"text": "forbidden"})
            wrong = await tools.call_tool("pad_write_note", {"texts": "x"})
            with pytest.raises(MCPError, match="Unknown tool: nothing") as unknown:
                await tools.call_tool("nothing", {})
    assert names == ["pad_write_note", "pad_list", "pad_crash"]
    assert not made.is_error
    assert refused.is_error and orjson.loads(text(refused))["error"] == "forbidden_word"
    assert text(wrong) == "text: is required; texts: is not an argument of this tool"
    assert unknown.value.error.code == -32602
    assert [n["text"] for n in firm.peek(as_person(firm), "rest", "pad.list", {})["notes"]] == ["over stdio"]


@pytest.mark.parametrize("mode", ERAS)
async def test_the_official_client_over_a_real_socket(firm: Host, mode: str) -> None:
    async with listening(firm, known(firm)) as url:
        async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token(firm)}"}, timeout=30) as web:
            async with Client(streamable_http_client(f"{url}/mcp/pad", http_client=web), mode=mode) as tools:
                answer = await tools.call_tool("pad_jot", {"message": "over TCP"})
    assert not answer.is_error
    assert firm.peek(as_person(firm), "rest", "pad.list", {})["notes"][0]["text"] == "over TCP"


@pytest.mark.parametrize("mode", ERAS)
async def test_an_embedded_world_serves_one_employee_and_tells_the_task(firm: Host, mode: str) -> None:
    server = in_process.server(firm, as_person(firm), "all", None, "Tidy the pad.")
    async with Client(server, mode=mode) as tools:
        names = [tool.name for tool in (await tools.list_tools()).tools]
        answer = await tools.call_tool("pad_write_note", {"text": "mine"})
        instructions = tools.instructions
    assert {"pad_write_note", "world_finish"} <= set(names)
    assert instructions == "Tidy the pad."
    assert not answer.is_error
    assert firm.peek(as_person(firm), "rest", "pad.list", {})["notes"][0]["author"] == "p_ada"


def test_an_unknown_surface_is_named(firm: Host) -> None:
    with pytest.raises(LookupError, match="no tool surface pad/nothing"):
        in_process.server(firm, as_person(firm), "pad", "nothing")


@pytest.mark.parametrize("client", ["cursor", "vscode"])
def test_configurations_are_json_with_an_address_or_a_command(client: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FIRM_URL", raising=False)
    key = "servers" if client == "vscode" else "mcpServers"
    over_http = json.loads(render_config(client, url="http://h:1", token="T"))[key]["firmament"]
    launcher = json.loads(render_config(client, token="T"))[key]["firmament"]
    assert (over_http["url"], over_http["headers"]) == ("http://h:1/mcp", {"Authorization": "Bearer T"})
    assert [launcher["command"], *launcher["args"]] == ["firm", "mcp", "all"]
    assert launcher["env"] == {"FIRM_URL": "http://127.0.0.1:8400", "FIRM_TOKEN": "T"}


def test_the_command_line_host_gets_a_command_that_survives_a_shell() -> None:
    added = render_config("claude-code", url="http://h:1", token="T", app="slack", surface="reference")
    assert added.endswith("firmament http://h:1/mcp/slack/reference --header 'Authorization: Bearer T'")
    assert render_config("claude-code", token="T").endswith("FIRM_TOKEN=T -- firm mcp all")
