"""Tools over HTTP with the official client, in both eras."""

import logging

import httpx2
import orjson
import pytest
from mcp.shared.exceptions import MCPError

from tests.company import as_person
from tests.mcp_servers.memo import CANARY, URL, client, known, served, text, token
from world.run.host import Host

pytestmark = pytest.mark.anyio
ERAS = ["auto", "legacy"]


def calls(firm: Host, world: str = "w") -> list[tuple[str, str, str, str]]:
    raw = firm.actors[world].bound.raw
    return raw.execute("SELECT actor, door, operation, status FROM _call ORDER BY seq").fetchall()


@pytest.mark.parametrize("mode", ERAS)
async def test_a_call_of_a_derived_tool_is_a_call_of_the_operation(firm: Host, mode: str) -> None:
    async with served(firm, known(firm)) as web, client(web, "/mcp/pad/operations", token(firm), mode) as tools:
        made = await tools.call_tool("pad_write_note", {"text": "hello", "colour": {"name": "red"}})
        listed = await tools.call_tool("pad_list", {})
    assert not made.is_error and not listed.is_error
    notes = orjson.loads(text(listed))["notes"]
    assert [(n["id"], n["author"], n["text"]) for n in notes] == [(orjson.loads(text(made))["id"], "p_ada", "hello")]
    assert calls(firm) == [("p_ada", "mcp", "pad.writeNote", "ok"), ("p_ada", "mcp", "pad.list", "ok")]


@pytest.mark.parametrize("mode", ERAS)
async def test_a_surface_maps_names_onto_the_operation(firm: Host, mode: str) -> None:
    async with served(firm, known(firm)) as web, client(web, "/mcp/pad", token(firm), mode) as tools:
        names = [tool.name for tool in (await tools.list_tools()).tools]
        made = await tools.call_tool("pad_jot", {"message": "hi", "hue": "blue", "label": "x"})
        many = await tools.call_tool("pad_many", {"text": "hi", "labels": "a,b"})
        blue = await tools.call_tool("pad_blue", {"text": "hi"})
        done = await tools.call_tool("pad_do", {"action": "write", "text": "done"})
        texts = await tools.call_tool("pad_texts", {})
    assert names == ["pad_jot", "pad_many", "pad_blue", "pad_do", "pad_texts", "pad_crash"]
    answers = [orjson.loads(text(answer)) for answer in (made, many, blue, done)]
    assert [(a["labels"], a["colour"]) for a in answers] == [
        (["x"], "blue"),
        (["a", "b"], None),
        ([], "blue"),
        ([], None),
    ]
    assert text(texts) == "hi\nhi\nhi\ndone"


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("pad_jot", {}, "message: is required"),
        ("pad_jot", {"message": "x", "mood": 1}, "mood: is not an argument of this tool"),
        ("pad_jot", {"message": 7}, "message: must be a string"),
        ("pad_jot", {"message": "x", "hue": "green"}, "hue: must be one of: red, blue"),
        ("pad_jot", {"message": "nul \x00"}, "message: contains a NUL character"),
        ("pad_many", {"text": "x", "labels": 3}, "labels: has the wrong type"),
        ("pad_do", {"action": "burn"}, "action: must be one of: read, write"),
        ("pad_jot", {"<script>": 1, "message": "x"}, "arguments: is not an argument of this tool"),
    ],
)
async def test_bad_arguments_are_told_by_the_tools_own_names(
    firm: Host, mode: str, name: str, given: dict, said: str
) -> None:
    async with served(firm, known(firm)) as web, client(web, "/mcp/pad", token(firm), mode) as tools:
        answer = await tools.call_tool(name, given)
    assert (answer.is_error, text(answer)) == (True, said)


@pytest.mark.parametrize("mode", ERAS)
async def test_a_refusal_is_a_result_and_an_unknown_tool_is_not(firm: Host, mode: str) -> None:
    async with served(firm, known(firm)) as web, client(web, "/mcp/pad/operations", token(firm), mode) as tools:
        refused = await tools.call_tool("pad_write_note", {"text": "forbidden"})
        with pytest.raises(MCPError, match="Unknown tool: pad_nothing") as unknown:
            await tools.call_tool("pad_nothing", {})
        with pytest.raises(MCPError, match=r"Unknown tool: \?"):
            await tools.call_tool("pad nothing <b>", {})
    assert refused.is_error and orjson.loads(text(refused))["error"] == "forbidden_word"
    assert unknown.value.error.code == -32602
    assert calls(firm) == [("p_ada", "mcp", "pad.writeNote", "forbidden_word")]


@pytest.mark.parametrize("mode", ERAS)
async def test_a_programming_error_says_nothing_of_itself(
    firm: Host, mode: str, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[bytes] = []

    class Spy(httpx2.AsyncBaseTransport):
        def __init__(self, inner: httpx2.ASGITransport) -> None:
            self._inner = inner

        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            answer = await self._inner.handle_async_request(request)
            seen.append(await answer.aread() + repr(answer.headers).encode())
            return answer

    async with served(firm, known(firm)) as web, client(Spy(web), "/mcp/pad", token(firm), mode) as tools:
        with caplog.at_level(logging.ERROR), pytest.raises(MCPError, match="Internal error") as failed:
            await tools.call_tool("pad_crash", {})
    assert failed.value.error.code == -32603
    assert CANARY in caplog.text
    assert seen and not any(CANARY.encode() in body or b"RuntimeError" in body for body in seen)


@pytest.mark.parametrize("mode", ERAS)
async def test_time_waiting_and_finishing_are_three_tools_of_their_own(firm: Host, mode: str) -> None:
    async with served(firm, known(firm)) as web, client(web, "/mcp/world", token(firm), mode) as tools:
        names = [tool.name for tool in (await tools.list_tools()).tools]
        before = orjson.loads(text(await tools.call_tool("now", {})))
        after = orjson.loads(text(await tools.call_tool("wait", {"seconds": 90})))
        wrong = await tools.call_tool("wait", {"until": "noon"})
        late = await tools.call_tool("finish", {"status": "done", "answer": {"x": 1}})
        closed = await tools.call_tool("now", {})
    assert names == ["now", "wait", "finish"]
    assert (before["utc"], after["utc"]) == ("2026-03-02T08:00:00+00:00", "2026-03-02T08:01:30+00:00")
    assert wrong.is_error and text(wrong).startswith("until: ")
    assert not late.is_error
    assert closed.is_error and orjson.loads(text(closed))["error"] == "token_revoked"


@pytest.mark.parametrize("mode", ERAS)
async def test_the_combined_list_prefixes_names_with_their_app(firm: Host, mode: str) -> None:
    async with served(firm, known(firm)) as web, client(web, "/mcp", token(firm), mode) as tools:
        names = [tool.name for tool in (await tools.list_tools()).tools]
        answer = await tools.call_tool("world_now", {})
        jotted = await tools.call_tool("pad_jot", {"message": "x"})
    assert names[:2] == ["pad_jot", "pad_many"] and names[-3:] == ["world_now", "world_wait", "world_finish"]
    assert not answer.is_error and not jotted.is_error


async def test_a_token_of_one_app_sees_that_app_and_the_world_only(firm: Host) -> None:
    async with served(firm, known(firm)) as web:
        async with client(web, "/mcp", token(firm, app="other")) as tools:
            assert [tool.name for tool in (await tools.list_tools()).tools] == [
                "world_now",
                "world_wait",
                "world_finish",
            ]
            with pytest.raises(MCPError, match="Unknown tool: pad_jot"):
                await tools.call_tool("pad_jot", {"message": "x"})
        async with httpx2.AsyncClient(
            transport=web, headers={"Authorization": f"Bearer {token(firm, app='other')}"}
        ) as raw:
            assert (await raw.post(f"{URL}/mcp/pad", json={})).status_code == 401
    assert calls(firm) == []


@pytest.mark.parametrize("mode", ERAS)
async def test_an_oversize_answer_is_cut_between_items_and_says_so(firm: Host, mode: str) -> None:
    firm.call(as_person(firm), "rest", "pad.writeNote", {"text": "x" * 1000, "times": 300})
    async with served(firm, known(firm)) as web, client(web, "/mcp/pad/operations", token(firm), mode) as tools:
        answer = await tools.call_tool("pad_list", {})
        notes = orjson.loads(text(answer))["notes"]
        again = await tools.call_tool("pad_list", {"limit": len(notes)})
    assert len(text(answer).encode()) <= 100_000 and 90 <= len(notes) < 100
    assert answer.content[1].text.startswith(f"[{300 - len(notes)} of 300 notes were left out")
    assert f"limit={len(notes)}" in answer.content[1].text
    assert len(again.content) == 1 and orjson.loads(text(again))["notes"] == notes


async def test_lists_carry_an_hours_lease_and_calls_none(firm: Host) -> None:
    async with served(firm, known(firm)) as web, client(web, "/mcp/pad", token(firm)) as tools:
        listed = await tools.list_tools()
    assert (listed.ttl_ms, listed.cache_scope) == (3_600_000, "private")


async def test_the_world_in_the_path_must_be_the_tokens_own(firm: Host) -> None:
    async with served(firm, known(firm)) as web:
        async with client(web, "/w/w/mcp/pad", token(firm)) as tools:
            assert not (await tools.call_tool("pad_jot", {"message": "x"})).is_error
        async with httpx2.AsyncClient(transport=web, headers={"Authorization": f"Bearer {token(firm)}"}) as raw:
            assert (await raw.post(f"{URL}/w/w2/mcp/pad", json={})).status_code == 404


async def test_unknown_addresses_and_the_conformance_fixture_are_not_there(firm: Host) -> None:
    async with served(firm) as web:
        async with httpx2.AsyncClient(transport=web, headers={"Authorization": f"Bearer {token(firm)}"}) as raw:
            for path in ("/mcp/conformance", "/mcp/pad/nothing", "/mcp/nothing"):
                assert (await raw.post(URL + path, json={})).status_code == 404
