"""The reference agent against a stand-in for a model and a real world: good runs, mended mistakes, busy endpoints,
ends.
"""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.agents.stub import HANGS, HANGS_UP, TRICKLES, Answer, Script, Stub, model, says
from tests.conftest import Server
from world.agents import reference
from world.agents.reference import ModelError, Outcome, Settings, settings_from, work
from world.agents.task import Task
from world.client import Client
from world.commands.world import task_for

NOW, FINISH = ("world_now", "{}"), ("world_finish", json.dumps({"status": "done"}))


@pytest.fixture(scope="module")
def server(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all of these."""
    running = Server(company, tmp_path_factory.mktemp("server"))
    yield running
    running.stop()


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[Client]:
    with Client(secret="control secret", url=server.control_url) as made:
        yield made


@pytest.fixture
def world(client: Client) -> str:
    """A fresh world."""
    return client.create(scenario="flapping_alert").world


@pytest.fixture
def task(client: Client, world: str) -> Task:
    """Its task."""
    return task_for(client, world)


@pytest.fixture(scope="module")
def lasting(client: Client) -> Task:
    """The task of a world in which nobody writes or finishes."""
    return task_for(client, client.create(scenario="flapping_alert").world)


def in_turn(*answers: Answer) -> Script:
    """One answer after the other."""
    left = list(answers)
    return lambda messages: left.pop(0)


def run(task: Task, script: Script, **settings: Any) -> tuple[Outcome, Stub, list[float]]:
    """Work on the task with a scripted model; what came of it, what the model was asked, and how long the agent paused."""
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    with model(script) as stub:
        given = replace(Settings(stub.url, "stub", "key"), **settings)
        outcome = asyncio.run(work(task, given, pause=pause))
    assert stub.wrong == []
    return outcome, stub, pauses


def test_it_reads_writes_and_finishes(task: Task, client: Client, world: str) -> None:
    said = ("slack_send_message", json.dumps({"channel_id": _channel(client, world), "message": "hello"}))
    outcome, stub, pauses = run(task, in_turn(says("First the time.", NOW), says(None, said), says(None, FINISH)))
    assert (outcome.why, outcome.calls, outcome.turns, outcome.tokens, pauses) == ("it has finished", 3, 3, 30, [])
    assert stub.asked[0]["messages"][1] == {"role": "user", "content": task.text}
    assert client.describe(world).ended == "finished"
    assert [
        row["after"]["text"]
        for row in client.diff(world)
        if row["table"] == "slack_message" and row["after"]["text"] == "hello"
    ] == ["hello"]
    names = {one["function"]["name"] for one in stub.asked[0]["tools"]}
    assert {"world_now", "world_finish"} < names and len({name.partition("_")[0] for name in names}) > 5


def test_only_the_wanted_apps_tools_are_offered(task: Task) -> None:
    _, stub, _ = run(task, in_turn(says(None, FINISH)), apps=("slack",))
    assert {one["function"]["name"].partition("_")[0] for one in stub.asked[0]["tools"]} == {"slack", "world"}


def test_mistakes_are_told_to_the_model_which_goes_on(task: Task) -> None:
    wrong = says(
        None,
        ("world_wait", "{not json"),
        ("world_wait", "[1]"),
        ("no_such_tool", "{}"),
        ("world_wait", '{"until": "yesterday"}'),
    )
    outcome, stub, _ = run(task, in_turn(wrong, says(None, FINISH)))
    told = stub.told()
    assert (outcome.why, outcome.calls, len(told)) == ("it has finished", 5, 4)
    assert all(text.startswith("Error: ") for text in told), told
    assert "no JSON:" in told[0] and "no JSON object" in told[1] and "no_such_tool" in told[2]


def test_a_busy_endpoint_is_asked_again_after_the_time_it_names(task: Task) -> None:
    busy = [
        (429, {"Retry-After": "7"}, {"error": {"message": "slow down"}}),
        (503, {}, "away"),
        (429, {"Retry-After": "99999"}, {}),
    ]
    outcome, stub, pauses = run(task, in_turn(*busy, says(None, FINISH)))
    assert (outcome.why, outcome.turns, pauses, len(stub.asked)) == ("it has finished", 1, [7.0, 2.0, 60.0], 4)


@pytest.mark.parametrize(
    ("answer", "said", "times"),
    [
        ((401, {}, {"error": {"message": "bad key"}}), "401: .*bad key", 1),
        ((500, {}, "broken"), "no answer after 6 tries; 500: broken", 6),
        ((200, {}, "<html>"), "no JSON: <html>", 1),
        ((200, {}, "[" * 200_000), "no JSON: ", 1),
        ((200, {}, "[1]"), "no object: ", 1),
        ((200, {}, {"choices": []}), "no message in", 1),
        ((200, {}, {"choices": [{"message": "hello"}]}), "no message in", 1),
        ((200, {}, {"choices": [{"message": {"tool_calls": 7}}]}), "no message in", 1),
        ((200, {}, {"choices": [{"message": {"tool_calls": [None]}}]}), "no message in", 1),
        ((200, {}, {"choices": [{"message": {"tool_calls": [{"id": "1", "function": None}]}}]}), "no tool calls in", 1),
        ((200, {"Content-Encoding": "gzip"}, "no gzip"), "no answer after 6 tries; DecodingError", 6),
        ((HANGS_UP, {}, ""), "no answer after 6 tries; RemoteProtocolError", 6),
    ],
)
def test_an_endpoint_that_cannot_be_used_ends_it(lasting: Task, answer: Answer, said: str, times: int) -> None:
    asked: list[int] = []

    def script(messages: list[dict[str, Any]]) -> Answer:
        asked.append(len(messages))
        return answer

    with pytest.raises(ModelError, match=said):
        run(lasting, script)
    assert len(asked) == times


@pytest.mark.parametrize("how", [HANGS, TRICKLES])
def test_an_endpoint_that_hangs_is_asked_again_and_then_given_up(lasting: Task, how: int) -> None:
    with pytest.raises(ModelError, match=r"no answer after 6 tries; (nothing whole within|ReadTimeout)"):
        run(lasting, lambda messages: (how, {}, ""), answer_s=0.1)


def test_an_endless_answer_ends_it(lasting: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "MODEL_BYTES", 1 << 20)
    with pytest.raises(ModelError, match="an answer of more than 1 MB"):
        run(lasting, lambda messages: (200, {}, "x" * (2 << 20)))


def test_a_tools_long_answer_is_cut(lasting: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "ANSWER_CHARACTERS", 20)
    _, stub, _ = run(lasting, in_turn(says(None, NOW), *[says("done")] * 3))
    assert stub.told()[0].startswith('{"utc":') and stub.told()[0].endswith("\n[cut]") and len(stub.told()[0]) == 26


def test_arguments_that_are_an_object_already_and_odd_counts_are_taken(task: Task) -> None:
    status, headers, answer = says(None, FINISH)
    answer["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] = {"status": "done"}
    outcome, _, _ = run(task, in_turn((status, headers, {**answer, "usage": ["many"]})))
    assert outcome.why == "it has finished" and outcome.tokens > 100


def test_an_endless_loop_ends_with_its_budget_of_calls(lasting: Task) -> None:
    outcome, _, _ = run(lasting, lambda messages: says(None, NOW, NOW, NOW), calls=7)
    assert (outcome.why, outcome.calls, outcome.turns) == ("its budget of 7 calls is used up", 7, 3)


def test_an_endless_loop_ends_with_its_budget_of_tokens(lasting: Task) -> None:
    outcome, _, _ = run(lasting, lambda messages: says(None, NOW, tokens=400), tokens=1_000)
    assert (outcome.why, outcome.tokens) == ("its budget of 1000 tokens is used up", 1_200)


def test_a_model_that_only_talks_is_reminded_twice(lasting: Task) -> None:
    outcome, stub, _ = run(lasting, lambda messages: says("I am done."))
    assert (outcome.why, outcome.turns) == ("it calls no tools any more", 3)
    assert "world_finish" in stub.asked[-1]["messages"][-1]["content"]


def test_what_is_missing_is_named() -> None:
    with pytest.raises(ValueError, match="set OPENAI_BASE_URL and OPENAI_MODEL"):
        settings_from({})
    given = {
        "OPENAI_BASE_URL": "http://127.0.0.1:1/v1/",
        "OPENAI_MODEL": "m",
        "AGENT_CALLS": "5",
        "AGENT_APPS": "slack, jira",
        "AGENT_ANSWER_S": "1.5",
    }
    assert settings_from(given) == Settings("http://127.0.0.1:1/v1", "m", calls=5, apps=("slack", "jira"), answer_s=1.5)


def _channel(client: Client, world: str) -> str:
    listed = client.inject(world, "sweber", "conversations.list", limit=200)
    return next(one["id"] for one in listed["channels"] if one["name"] == "random")
