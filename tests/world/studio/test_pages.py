"""The studio's guard and pages, over run folders written by hand."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx

from tests.world.studio.visits import visit
from world.run.home import Home
from world.run.run_folder import line
from world.run.trajectory import Header
from world.studio.access import StudioAccess
from world.studio.studio_app import Studio, build_studio

STEP: dict[str, Any] = {
    "kind": "step",
    "at": 0,
    "ended_at": 1,
    "actor": "p_1",
    "door": "mcp",
    "operation": "a.b",
    "status": "ok",
    "cause": None,
    "arguments": {},
    "events": [],
    "diff": [],
}


def write_run(folder: Path, *rows: dict[str, Any], scenario: str = "s") -> None:
    """A run folder with these steps."""
    folder.mkdir()
    steps = [line({**STEP, "step": number, "seq": number, **row}) for number, row in enumerate(rows, 1)]
    (folder / "trajectory.jsonl").write_bytes(line(Header(scenario=scenario).model_dump()) + b"".join(steps))
    config = {"scenario": scenario, "agent": scenario, "door": scenario, "seed": 1}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")


def test_a_strangers_request_is_answered_alike_whatever_it_asks(home: Home, tmp_path: Path) -> None:
    async def ask() -> None:
        guard = StudioAccess(build_studio(Studio(home, tmp_path)), "secret")
        async with httpx.AsyncClient(transport=httpx.ASGITransport(guard), base_url="http://127.0.0.1:1") as http:
            answers = [await http.get(path) for path in ("/", "/runs/x", "/nothing", "/web/static/1/main.js")]
            assert {(one.status_code, one.text) for one in answers} == {(401, answers[0].text)}
            assert (await http.get("/", headers={"Host": "evil.example"})).status_code == 421
            link = guard.issue_link()
            entered = await http.get(link)
            assert entered.status_code == 303 and "HttpOnly; Path=/; SameSite=strict" in entered.headers["set-cookie"]
            assert (await http.get("/")).status_code == 200
            assert (await http.post("/runs/x/steps/1/remarks")).status_code == 403
            assert (
                await http.post("/runs/x/steps/1/remarks", headers={"Origin": "http://127.0.0.1:2"})
            ).status_code == 403
            own = await http.post("/runs/x/steps/1/remarks", headers={"Origin": "http://127.0.0.1:1"})
            assert own.status_code == 404
        async with httpx.AsyncClient(transport=httpx.ASGITransport(guard), base_url="http://127.0.0.1:1") as other:
            assert (await other.get(link)).status_code == 401  # it opens once

    asyncio.run(ask())


def test_hostile_texts_are_shown_as_texts(home: Home, tmp_path: Path) -> None:
    bad = "<script>alert(1)</script>"
    row = {
        "operation": bad,
        "status": bad,
        "door": bad,
        "actor": bad,
        "arguments": {bad: bad},
        "request": {"tool": bad, "arguments": {bad: bad}},
        "response": {"is_error": True, "code": None, "content": [{"type": "text", "text": bad}]},
        "diff": [{"id": 1, "call_seq": 1, "table": bad, "pk": [bad], "op": bad, "before": None, "after": {bad: bad}}],
    }
    write_run(tmp_path / "x", {**row, "events": [{**STEP, **row}]}, scenario=bad)
    for answer in visit(home, tmp_path, "/", "/runs/x", "/runs/x/steps/1"):
        assert answer.status_code == 200, answer.text
        assert bad not in answer.text and "&lt;script&gt;" in answer.text


def test_five_thousand_steps_come_a_page_at_a_time_and_are_searched(home: Home, tmp_path: Path) -> None:
    write_run(tmp_path / "x", *({"arguments": {"text": f"number {number}"}} for number in range(1, 5001)))
    first, later, found, last = visit(
        home, tmp_path, "/runs/x", "/runs/x?from=4901", "/runs/x?q=NUMBER+4321", "/runs/x/steps/5000"
    )
    assert "number 200" in first.text and "number 201" not in first.text and "from=201" in first.text
    assert "number 5000" in later.text and "number 4321" in found.text and "1 step" in found.text
    assert "number 5000" in last.text


def test_a_run_is_followed_while_it_grows(home: Home, tmp_path: Path) -> None:
    write_run(tmp_path / "x", {})

    async def follow() -> None:
        studio = Studio(home, tmp_path)
        assert len(studio.view("x").steps) == 1
        with (tmp_path / "x" / "trajectory.jsonl").open("ab") as file:
            text = line({**STEP, "step": 2, "seq": 2})
            file.write(text[:20])
            file.flush()
            assert len(studio.view("x").steps) == 1
            file.write(text[20:])
        assert len(studio.view("x").steps) == 2

    asyncio.run(follow())


def test_a_run_that_cannot_be_read_says_why(home: Home, tmp_path: Path) -> None:
    write_run(tmp_path / "x")
    (tmp_path / "x" / "trajectory.jsonl").write_bytes(b'{"format":"firmament-trajectory","version":9}\n')
    listed, shown = visit(home, tmp_path, "/", "/runs/x")
    assert listed.status_code == 200 and shown.status_code == 409 and "has version 9" in shown.text


def test_a_remark_is_kept_with_the_run(home: Home, tmp_path: Path) -> None:
    write_run(tmp_path / "x", {})

    async def keep() -> None:
        guard = StudioAccess(build_studio(Studio(home, tmp_path)), "secret")
        headers = {"Authorization": "Bearer secret"}
        transport = httpx.ASGITransport(guard)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers) as http:
            sent = await http.post("/runs/x/steps/1/remarks", data={"label": "wrong", "text": "too early"})
            assert sent.status_code == 303
            assert "too early" in (await http.get(sent.headers["location"])).text
            assert (await http.post("/runs/x/steps/1/remarks", data={"label": "x" * 81})).status_code == 409

    asyncio.run(keep())
    (kept,) = (tmp_path / "x" / "annotations.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(kept) == {"step": 1, "span": None, "label": "wrong", "text": "too early"}
