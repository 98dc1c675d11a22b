"""Requests of a served host take turns by world, and the operator sees who holds the thread."""

import asyncio
import base64
import socket
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.conftest import Server
from tests.doors.three import tokens
from world.core.access import Tokens
from world.core.principal import Principal
from world.core.settings import Settings
from world.run.call_record import CallRecord
from world.run.turns import LONG_S, Turns
from world.server.step_queue import TurnTaking, find_by_headers
from world.web.session import COOKIE

PERSON = "p_0002"
HOSTILE, OTHERS = "loud", ("calm-1", "calm-2", "calm-3")
MANY, LONG_STEPS = 12, 6


@pytest.fixture(scope="module")
def crowd(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(company, tmp_path_factory.mktemp("crowd"))
    for world in (HOSTILE, *OTHERS):
        made.do(partial(made.up.host.create, world, Settings(limits="off")))
    yield made
    made.stop()


class Caller:
    """One kept connection of one employee: what is written to it is there when the server looks again."""

    def __init__(self, server: Server, world: str) -> None:
        bearer = server.do(lambda: tokens(server.up.host, world, PERSON, "slack", "user"))[0]
        host, _, port = server.url.removeprefix("http://").partition(":")
        self.socket = socket.create_connection((host, int(port)), timeout=60)
        head = f"POST /slack/api/auth.test HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {bearer}\r\n"
        self.request = f"{head}Content-Length: 2\r\nContent-Type: application/json\r\n\r\n{{}}".encode()

    def send(self) -> None:
        self.socket.sendall(self.request)

    def receive(self) -> bytes:
        """A whole answer: its body ends with the JSON object."""
        answer = b""
        while b"\r\n\r\n" not in answer or not answer.endswith(b"}"):
            answer += self.socket.recv(65536)
        return answer


def test_a_world_with_many_requests_lets_each_other_world_go_next(crowd: Server) -> None:
    callers = [Caller(crowd, world) for world in (*(HOSTILE,) * MANY, *OTHERS)]
    for caller in callers:
        caller.send()
        assert b'"ok":true' in caller.receive()
    served, gate, blocked = list[str](), threading.Event(), threading.Event()

    def note(world: str, _: CallRecord) -> None:
        served.append(world)

    for world in (HOSTILE, *OTHERS):
        crowd.up.host.actors[world].recorders.append(partial(note, world))

    def block() -> None:
        blocked.set()
        assert gate.wait(60)

    holding = threading.Thread(target=crowd.do, args=(block,))
    holding.start()
    assert blocked.wait(60)
    for caller in callers:  # all of the loud world's first
        caller.send()
    gate.set()
    holding.join()
    for caller in callers:
        assert b'"ok":true' in caller.receive()
        caller.socket.close()
    assert sorted(served) == sorted([*OTHERS, *(HOSTILE,) * MANY])
    assert max(served.index(world) for world in OTHERS) <= len(OTHERS) + 1, served


def test_the_operator_sees_who_holds_the_thread(crowd: Server) -> None:
    caller = Caller(crowd, OTHERS[0])
    caller.send()
    caller.receive()
    caller.socket.close()
    crowd.do(lambda: crowd.up.host.turns.queues.pop(HOSTILE, None))
    crowd.do(lambda: [crowd.up.host.turns.note(HOSTILE, 0.0, 9.5) for _ in range(LONG_STEPS)])
    secret = {"Authorization": "Bearer control secret"}
    told = {one["world"]: one for one in httpx.get(f"{crowd.control_url}/status", headers=secret, timeout=60).json()}
    assert told[HOSTILE]["slowed"] and told[HOSTILE]["longest_hold_ms"] == 9500.0
    assert not told[OTHERS[0]]["slowed"] and told[OTHERS[0]]["steps"] > 0 and told[OTHERS[0]]["long_steps"] == 0
    figures = httpx.get(f"{crowd.control_url}/metrics", headers=secret, timeout=60).text
    assert "firmament_longest_hold_seconds 9.5\n" in figures and "firmament_worlds_quarantined 0\n" in figures
    assert f'firmament_world_slowed{{world="{HOSTILE}"}} 1\n' in figures
    assert f'firmament_world_long_steps_total{{world="{HOSTILE}"}} {LONG_STEPS}\n' in figures
    assert httpx.get(f"{crowd.control_url}/metrics", timeout=60).status_code == 401
    assert httpx.get(f"{crowd.url}/metrics", headers=secret, timeout=60).status_code == 404


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("authorization", "Bearer {}"),
        ("authorization", "token {}"),
        ("authorization", "Basic {basic}"),
        ("cookie", f"a=1; {COOKIE}={{}}; b=2"),
    ],
)
def test_a_request_counts_for_the_world_of_its_token(name: str, form: str) -> None:
    known = Tokens("secret")
    token = known.issue(Principal("w1", "p", "user", ""))
    value = form.format(token, basic=base64.b64encode(f"me:{token}".encode()).decode())
    find = find_by_headers(known)
    assert find({"headers": [(name.encode(), value.encode())]}) == "w1"
    assert find({"headers": [(name.encode(), b"Basic \xff")], "client": ("10.0.0.7", 1)}) == "?10.0.0.7"
    assert find({"headers": [], "firm.world": "w2"}) == "w2"


def test_steps_are_measured_and_a_cancelled_request_ends_its_job() -> None:
    turns, ended = Turns(), list[str]()

    async def app(scope: object, receive: object, send: object) -> None:
        try:
            await asyncio.sleep(0)
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    async def cut() -> None:
        serve = TurnTaking(app, turns, lambda _: "w")({"type": "http"}, receive, send)  # type: ignore[arg-type]
        task = asyncio.create_task(serve)  # type: ignore[arg-type]
        for _ in range(5):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    async def receive() -> object: ...
    async def send(_: object) -> None: ...

    asyncio.run(cut())
    assert ended == ["cancelled"] and turns.queues["w"].steps == 3 and turns.queues["w"].longest < LONG_S


def test_a_request_that_still_waits_when_the_server_stops_is_told_so() -> None:
    turns, sent = Turns(), list[dict[str, Any]]()

    async def app(*_: object) -> None:
        raise AssertionError("nothing is done after the stop")

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def stop() -> None:
        serve = TurnTaking(app, turns, lambda _: "w")({"type": "http"}, None, send)  # type: ignore[arg-type]
        task = asyncio.create_task(serve)  # type: ignore[arg-type]
        await turns.take("w")  # so the task has to wait for the turn after this one
        await asyncio.sleep(0)
        task.cancel()
        await task

    asyncio.run(stop())
    assert [message.get("status") for message in sent] == [503, None] and b"stopping" in sent[1]["body"]


def test_what_a_request_raises_is_raised() -> None:
    async def app(*_: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(TurnTaking(app, Turns(), lambda _: "w")({"type": "http"}, None, None))  # type: ignore[arg-type]
