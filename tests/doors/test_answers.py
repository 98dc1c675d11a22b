"""What cannot be an answer is refused by the name of its field at every door, and the episode goes on."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client as McpClient
from mcp.client.streamable_http import streamable_http_client

from tests.conftest import Server
from world.client import Client

BAD = {
    "beyond 64 bits": ('{"credit": 9223372036854775808}', "credit"),
    "far beyond": ('{"credit": ' + "9" * 400 + "}", "not JSON: number is infinity"),
    "negative": ('{"credit": -9223372036854775809}', "credit"),
    "inside": ('{"credit": {"value": [1, 36893488147419103232]}}', "credit"),
    "infinite": ('{"credit": 1e999}', "not JSON: number is infinity"),
    "no number": ('{"credit": NaN}', ""),
    "a huge text": ('{"note": "' + "x" * 10_001 + '"}', "note"),
    "many texts": ("{" + ", ".join(f'"n{at}": "{"x" * 5000}"' for at in range(40)) + "}", "in all"),
    "many fields": ("{" + ", ".join(f'"n{at}": 1' for at in range(200)) + "}", "fields"),
    "a long name": ('{"' + "n" * 200 + '": 1}', "longer than"),
    "deep": ('{"credit": ' + "[" * 100 + "]" * 100 + "}", ""),
    "a surrogate": ('{"note": "\\ud800"}', ""),
    "a list": ("[1]", "answer"),
}


@pytest.fixture(scope="module")
def served(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server for all of these."""
    running = Server(company, tmp_path_factory.mktemp("answers"))
    yield running
    running.stop()


@pytest.fixture
def bearer(served: Server) -> dict[str, str]:
    """The key of an employee in a fresh episode."""
    with Client(secret="control secret", url=served.control_url) as client:
        key = client.token(client.create(scenario="flapping_alert").world).token
    return {"Authorization": f"Bearer {key}"}


@pytest.mark.parametrize(("answer", "named"), BAD.values(), ids=BAD)
def test_rest_refuses_what_is_no_answer(served: Server, bearer: dict[str, str], answer: str, named: str) -> None:
    body = f'{{"status": "done", "answer": {answer}}}'
    headers = {**bearer, "Content-Type": "application/json"}
    said = httpx.post(f"{served.url}/world/finish", headers=headers, content=body.encode())
    assert said.status_code == 400 and named in said.text, said.text[:300]
    assert httpx.get(f"{served.url}/world/now", headers=bearer).status_code == 200


VALUES: list[tuple[Any, str]] = [
    (2**63, "credit"),
    (10**400, "credit"),
    ([[2**70]], "credit"),
    (float("inf"), ""),
    (float("nan"), ""),
    ("x" * 10_001, "credit"),
]


@pytest.mark.anyio
@pytest.mark.parametrize(("value", "named"), VALUES, ids=["int", "huge", "inside", "infinite", "nan", "text"])
async def test_mcp_refuses_what_is_no_answer(served: Server, bearer: dict[str, str], value: Any, named: str) -> None:
    async with httpx2.AsyncClient(headers=bearer, timeout=60) as http:
        async with McpClient(streamable_http_client(f"{served.url}/mcp/world", http_client=http)) as tools:
            answer: Any = await tools.call_tool("finish", {"status": "done", "answer": {"credit": value}})
            text = str(answer.content[0].text)
            if isinstance(value, float):  # the protocol has no such number: it arrives as null, or not at all
                return
            assert answer.is_error and named in text and "internal" not in text.lower(), text
            assert not (await tools.call_tool("now", {})).is_error
