"""Addresses of tools: the aliases below apps, lists narrowed by the query, and sessions that end while they are used."""

import asyncio
import logging
import re
from typing import Any

import httpx2
import pytest

from mcp_servers.catalogue import catalogue
from tests.mcp_servers.memo import URL, client, known, served, token
from tests.security.test_mcp_sessions import HEADERS, LEGACY, OPEN
from world.core import discovery
from world.run.host import Host

pytestmark = pytest.mark.anyio
NOW: dict[str, Any] = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "world_now", "arguments": {}}}


async def test_a_surface_is_below_its_app_too(firm: Host) -> None:
    async with served(firm, known(firm)) as web:
        for path in ("/mcp/pad", "/pad/mcp", "/pad/mcp/operations", "/w/w/pad/mcp"):
            async with client(web, path, token(firm)) as tools:
                assert "pad" in (await tools.list_tools()).tools[0].name


async def test_the_query_narrows_a_list_and_what_can_be_called(firm: Host) -> None:
    async with served(firm, known(firm)) as web:
        async with client(web, "/mcp?apps=pad", token(firm)) as tools:
            names = {tool.name for tool in (await tools.list_tools()).tools}
        async with client(web, "/mcp?tools=pad_texts,world_now", token(firm)) as tools:
            chosen = {tool.name for tool in (await tools.list_tools()).tools}
            assert not (await tools.call_tool("pad_texts", {})).is_error
            with pytest.raises(Exception, match="Unknown tool: pad_jot"):
                await tools.call_tool("pad_jot", {"message": "x"})
    assert {"pad_jot", "world_finish"} <= names and chosen == {"pad_texts", "world_now"}


@pytest.mark.parametrize("query", ["?apps=slak", "?tools=pad_nothing"])
async def test_a_word_that_names_nothing_is_refused_and_not_passed_over(firm: Host, query: str) -> None:
    async with (
        served(firm, known(firm)) as web,
        httpx2.AsyncClient(transport=web, base_url=URL, headers=HEADERS) as raw,
    ):
        answer = await raw.post(f"/mcp{query}", json=OPEN, headers={"Authorization": f"Bearer {token(firm)}"})
    assert answer.status_code == 404 and "is no app and no tool" in answer.text


async def test_a_session_that_ends_answers_the_calls_under_way(firm: Host, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    told: list[int] = []
    async with (
        served(firm, known(firm)) as web,
        httpx2.AsyncClient(transport=web, base_url=URL, headers=HEADERS) as raw,
    ):
        raw.headers["Authorization"] = f"Bearer {token(firm)}"
        for pause in range(6):
            opened = await raw.post("/mcp", json=OPEN)
            mine = {"Mcp-Session-Id": opened.headers["mcp-session-id"], "MCP-Protocol-Version": LEGACY}
            asked = [asyncio.create_task(raw.post("/mcp", json={**NOW, "id": n + 1}, headers=mine)) for n in range(12)]
            for _ in range(2 * pause):
                await asyncio.sleep(0)
            assert (await raw.delete("/mcp", headers=mine)).status_code == 200
            told += [answer.status_code for answer in await asyncio.gather(*asked)]
            assert (await raw.post("/mcp", json={**NOW, "id": 99}, headers=mine)).status_code == 404
    assert set(told) <= {200, 404} and 200 in told and not caplog.records


def test_no_published_schema_has_bounds_in_words_of_the_validator() -> None:
    found = catalogue(discovery.apps())
    for tools in (*(one for made in found.of_app.values() for one in made.values()), found.combined):
        assert not re.search(r'"(ge|le|gt|lt|multiple_of)":', repr(tools.wire).replace("'", '"')), tools.name


def test_hosts_are_told_which_tools_only_read_only_add_or_write_over_what_is_there() -> None:
    tools = catalogue(discovery.apps()).combined.tools
    said = {
        name: (tool.wire.annotations.read_only_hint, tool.wire.annotations.destructive_hint)
        for name, tool in tools.items()
        if tool.wire.annotations is not None
    }
    assert said["slack_send_message"] == (False, False) and said["slack_read_channel"] == (True, None)
    assert said["github_merge_pull_request"] == (False, True) and said["sheets_update_cells"] == (False, True)
    assert all(destroys is None if reads else destroys is not None for reads, destroys in said.values())
