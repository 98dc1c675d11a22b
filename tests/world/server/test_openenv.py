"""OpenEnv's wire contract, message by message; its own client speaks it in tests/clients/test_frameworks.py."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.conftest import Server
from world.client import Client

SECRET = "control secret"
BASIC = "Basic " + base64.b64encode(f"any:{SECRET}".encode()).decode()
TASK = {"scenario": "flapping_alert", "seed": 1}
NOW = {"tool_name": "world_now", "arguments": {}}
FINISH = {"tool_name": "world_finish", "arguments": {"status": "done"}}


@contextmanager
def session(server: Server, query: str = "", authorization: str = BASIC) -> Iterator[ClientConnection]:
    address = server.control_url.replace("http", "ws") + "/openenv/ws" + query
    with connect(address, additional_headers={"Authorization": authorization}) as socket:
        yield socket


def say(socket: ClientConnection, kind: str, data: Any = None) -> dict[str, Any]:
    """The answer to one message."""
    socket.send(json.dumps({"type": kind, "data": data} if data is not None else {"type": kind}))
    return json.loads(socket.recv())


def rpc(server: Server, method: str, **params: Any) -> dict[str, Any]:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    with http(server) as client:
        return client.post("/openenv/mcp", json=body).json()


def http(server: Server) -> httpx.Client:
    return httpx.Client(base_url=server.control_url, headers={"Authorization": BASIC}, timeout=60)


def worlds(server: Server) -> list[str]:
    with Client(secret=SECRET, url=server.control_url) as client:
        return client.worlds()


def test_a_connection_is_an_episode_and_its_end_is_the_worlds(server: Server) -> None:
    with session(server) as socket:
        begun = say(socket, "reset", {**TASK, "episode_id": "mine"})["data"]
        assert begun["observation"]["prompt"].startswith("You are") and begun["reward"] is None
        assert begun["observation"]["episode_id"] == "mine" and "slack_send_message" in str(begun["observation"])
        step = say(socket, "step", NOW)["data"]
        assert (step["reward"], step["done"], step["observation"]["error"]) == (0.0, False, None)
        assert step["observation"]["result"]["is_error"] is False
        state = say(socket, "state")["data"]
        assert (state["episode_id"], state["step_count"], state["ended"]) == ("mine", 1, None)
        assert worlds(server) == ["mine"]
        again = say(socket, "reset", {**TASK, "episode_id": "other"})["data"]
        assert again["done"] is False and worlds(server) == ["other"]
        socket.send(json.dumps({"type": "close"}))
        with pytest.raises(ConnectionClosed):
            socket.recv()
    assert worlds(server) == []


def test_a_failed_call_is_never_a_successful_step(server: Server) -> None:
    with session(server) as socket:
        assert say(socket, "step", NOW)["data"]["code"] == "EXECUTION_ERROR"
        assert say(socket, "step", {"type": "list_tools"})["data"]["observation"]["tools"]
        say(socket, "reset", TASK)
        unknown = say(socket, "step", {"tool_name": "nothing"})["data"]["observation"]
        assert unknown["error"]["error_type"] == "tool_not_found" and unknown["result"] is None
        refused = say(socket, "step", {"tool_name": "slack_read_channel", "arguments": {"channel_id": "C0"}})["data"]
        assert refused["observation"]["error"]["error_type"] == "execution_error"
        assert refused["observation"]["result"]["is_error"] is True


@pytest.mark.parametrize(
    ("kind", "data", "code"),
    [
        ("reset", {"speed": 2}, "VALIDATION_ERROR"),
        ("reset", {"episode_id": "No such name!"}, "VALIDATION_ERROR"),
        ("reset", {"scenario": "nothing_of_the_kind"}, "EXECUTION_ERROR"),
        ("step", {"tool": "world_now"}, "VALIDATION_ERROR"),
        ("dance", {}, "UNKNOWN_TYPE"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_code(server: Server, kind: str, data: dict[str, Any], code: str) -> None:
    with session(server) as socket:
        assert say(socket, kind, data)["data"]["code"] == code
        socket.send("{")
        assert json.loads(socket.recv())["data"]["code"] == "INVALID_JSON"


@pytest.mark.full
@pytest.mark.parametrize("dense", [True, False])
def test_rewards_add_up_to_the_score_and_the_end_is_done(server: Server, *, dense: bool) -> None:
    with session(server) as socket:
        say(socket, "reset", {**TASK, "dense": dense})
        steps = [say(socket, "step", one)["data"] for one in (NOW, NOW, FINISH)]
    assert sum(one["reward"] for one in steps) == 0.0
    assert [one["done"] for one in steps] == [False, False, True]


def test_a_seed_alone_chooses_a_family_of_the_training_split(server: Server) -> None:
    with session(server) as socket:
        first, same, other = (say(socket, "reset", {"seed": seed})["data"]["observation"] for seed in (3, 3, 4))
    assert first["scenario"] == same["scenario"] != other["scenario"]
    assert first["prompt"] == same["prompt"]


def test_nobody_comes_in_without_the_secret(server: Server) -> None:
    for wrong in ("Basic " + base64.b64encode(b"any:wrong").decode(), "Bearer wrong", "Basic ?"):
        with pytest.raises(InvalidStatus), session(server, authorization=wrong):
            pass
        assert httpx.get(f"{server.control_url}/openenv/health", headers={"Authorization": wrong}).status_code == 401


def test_requests_over_http_name_their_episode(server: Server) -> None:
    with http(server) as client:
        assert client.get("/openenv/health").json() == {"status": "healthy"}
        assert client.get("/openenv/metadata").json()["name"] == "firmament"
        assert set(client.get("/openenv/schema").json()) == {"action", "observation", "state"}
        begun = client.post("/openenv/reset", json=TASK).json()
        episode = begun["observation"]["episode_id"]
        step = client.post("/openenv/step", json={"action": NOW, "episode_id": episode}).json()
        assert (step["reward"], step["done"]) == (0.0, False)
        assert client.get("/openenv/state", params={"episode_id": episode}).json()["step_count"] == 1
        assert client.post("/openenv/step", json={"action": NOW, "episode_id": "other"}).status_code == 404
        assert client.post("/openenv/reset", json={"speed": 2}).status_code == 422
    assert worlds(server) == [episode]


def test_a_session_of_remote_calls_is_shared_with_a_connection(server: Server) -> None:
    opened = rpc(server, "openenv/session/create")["result"]["session_id"]
    assert rpc(server, "tools/call", name="world_now", session_id=opened)["error"]["message"].startswith("there is no")
    with session(server, f"?session_id={opened}") as socket:
        say(socket, "reset", {**TASK, "episode_id": "shared"})
        assert say(socket, "mcp", {"id": 7, "method": "tools/list"})["data"]["result"]["tools"]
    tools = rpc(server, "tools/list", session_id=opened)["result"]["tools"]
    assert len(tools) > 100 and {"name", "inputSchema"} <= set(tools[0])
    called = rpc(server, "tools/call", name="world_now", arguments={}, session_id=opened)
    assert called["result"]["is_error"] is False and called["result"]["data"]
    assert "Unknown tool" in rpc(server, "tools/call", name="nothing", session_id=opened)["error"]["message"]
    assert rpc(server, "dance")["error"]["code"] == -32601
    assert rpc(server, "openenv/session/close", session_id=opened)["result"]["closed"] is True
    assert worlds(server) == [] and "error" in rpc(server, "tools/call", name="world_now", session_id=opened)


def test_tasks_are_listed_by_split(server: Server) -> None:
    with http(server) as client:
        assert client.get("/openenv/list_environments").json() == ["firmament"]
        names = {one["name"]: one["type"] for one in client.get("/openenv/firmament/splits").json()}
        assert names == {"train": "train", "dev": "validation", "test": "test"}
        number = client.post("/openenv/firmament/num_tasks", json={"split": "train"}).json()["num_tasks"]
        every = client.post("/openenv/firmament/tasks", json={"split": "train"}).json()["tasks"]
        one = client.post("/openenv/firmament/task", json={"split": "train", "index": 1}).json()["task"]
        some = client.post("/openenv/firmament/task_range", json={"split": "train", "start": 1, "stop": 3}).json()
        assert number == len(every) > 20 and one == every[1] and some["tasks"] == every[1:3]
        for path, body, status in (
            ("firmament/task", {"split": "train", "index": number}, 400),
            ("firmament/tasks", {"split": "nothing"}, 404),
            ("firmament/tasks", {}, 422),
            ("other/tasks", {"split": "train"}, 404),
        ):
            assert client.post(f"/openenv/{path}", json=body).status_code == status
