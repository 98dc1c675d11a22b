"""Tools over plain HTTP: the same lists, answers and records as over the protocol."""

import httpx2
import orjson
import pytest

from tests.mcp_servers.memo import URL, client, known, served, text, token
from world.run.host import Host

pytestmark = pytest.mark.anyio


def bearer(firm: Host) -> dict[str, str]:
    return {"Authorization": f"Bearer {token(firm)}"}


async def test_a_list_and_a_call_are_those_of_the_protocol(firm: Host) -> None:
    async with (
        served(firm, known(firm)) as transport,
        client(transport, "/mcp/pad", token(firm), "auto") as tools,
        httpx2.AsyncClient(transport=transport, base_url=URL) as web,
    ):
        over_protocol = [one.model_dump(by_alias=True, exclude_none=True) for one in (await tools.list_tools()).tools]
        listed = (await web.get("/tools/pad", headers=bearer(firm))).json()
        assert [(one["name"], one["inputSchema"]) for one in listed] == [
            (one["name"], one["inputSchema"]) for one in over_protocol
        ]
        made = await tools.call_tool("pad_jot", {"message": "hi"})
        plain = await web.post(
            "/tools/pad", headers=bearer(firm), json={"name": "pad_jot", "arguments": {"message": "hi"}}
        )
    told = orjson.loads(plain.json()["content"][0]["text"])
    assert plain.status_code == 200 and not plain.json()["isError"]
    assert {**told, "id": 0, "at": 0} == {**orjson.loads(text(made)), "id": 0, "at": 0}
    raw = firm.actors["w"].bound.raw
    assert raw.execute("SELECT door, operation FROM _call ORDER BY seq").fetchall() == [("mcp", "pad.writeNote")] * 2


async def test_a_refusal_is_a_result_and_names_the_mend(firm: Host) -> None:
    async with served(firm, known(firm)) as transport, httpx2.AsyncClient(transport=transport, base_url=URL) as web:
        answer = await web.post("/tools/pad", headers=bearer(firm), json={"name": "pad_jot", "arguments": {}})
    assert answer.status_code == 200 and answer.json()["isError"]
    assert "message: is required" in answer.json()["content"][0]["text"]


@pytest.mark.parametrize(
    ("path", "body", "status", "error"),
    [
        ("/tools/pad", b"{", 400, "invalid_json"),
        ("/tools/pad", b"[]", 400, "invalid_call"),
        ("/tools/pad", b'{"name": 7}', 400, "invalid_call"),
        ("/tools/pad", b'{"name": "pad_jot", "arguments": []}', 400, "invalid_call"),
        ("/tools/pad", b'{"name": "pad_nothing"}', 404, "unknown_tool"),
        ("/tools/pad", b'{"name": "pad_crash"}', 500, "internal_error"),
        ("/tools/pad?tools=pad_texts", b'{"name": "pad_jot", "arguments": {"message": "x"}}', 404, "unknown_tool"),
        ("/tools/pad?apps=nothing", b"{}", 404, "not_found"),
        ("/w/other/tools/pad", b"{}", 404, "not_found"),
    ],
)
async def test_what_is_wrong_is_said(firm: Host, path: str, body: bytes, status: int, error: str) -> None:
    async with served(firm, known(firm)) as transport, httpx2.AsyncClient(transport=transport, base_url=URL) as web:
        answer = await web.post(path, headers=bearer(firm), content=body)
    assert (answer.status_code, answer.json()["error"]) == (status, error)


async def test_nobody_is_let_in_without_a_token(firm: Host) -> None:
    async with served(firm, known(firm)) as transport, httpx2.AsyncClient(transport=transport, base_url=URL) as web:
        assert (await web.get("/tools")).status_code == 401
        assert (await web.get("/tools", headers={"Authorization": "Bearer x"})).status_code == 401
        refused = await web.delete("/tools", headers=bearer(firm))
        assert (refused.status_code, refused.headers["allow"]) == (405, "GET, POST")
