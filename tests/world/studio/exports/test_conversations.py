"""Conversations: what the agent saw, which runs count, what is left out and why."""

import json
import tracemalloc
from pathlib import Path

import pytest

from tests.world.studio.exports.run_folders import ask, open_source, read_rows, visit, write_run
from world.run import trajectory_reader
from world.run.home import Home
from world.run.trajectory import Origin
from world.run.trajectory_reader import TrajectoryError
from world.studio.exports.chat import SEPARATOR, ChatWriter, name_tools
from world.studio.exports.sft import export_conversations


def test_a_row_is_the_conversation_as_the_agent_saw_it(home: Home, tmp_path: Path, writer: ChatWriter) -> None:
    long = "x" * 20_000
    write_run(tmp_path / "a", ask(5, "five"), ask(6, long), origin=Origin(run="b", step=1, seq=1), task="Wait.")
    (tmp_path / "a" / "harness.jsonl").write_text(
        json.dumps({"kind": "harness", "step": 2, "messages": [{"role": "assistant", "content": "Once more."}]}) + "\n"
    )
    source, told = open_source(home, tmp_path)
    assert export_conversations(source, writer, tmp_path / "out") == 1 and told == []
    (row,) = read_rows(tmp_path / "out")
    assert row["messages"][0] == {"role": "user", "content": "Wait."}
    first = {"id": "call_1", "type": "function", "function": {"name": "wait", "arguments": '{"seconds":5}'}}
    assert row["messages"][1] == {"role": "assistant", "content": "", "tool_calls": [first]}
    assert row["messages"][2] == {"role": "tool", "content": "five", "tool_call_id": "call_1"}
    assert [one["content"] for one in row["messages"][3:]] == ["Once more.", long]
    assert [one["function"]["name"] for one in json.loads(row["tools"])] == ["now", "wait", "finish"]
    kept = row["metadata"]
    assert (kept["scenario"], kept["seed"], kept["score"], kept["digest"]) == ("tidy", 3, 1.0, "a")
    assert (kept["origin"], kept["surfaces"]) == ("b@1", ["world-employee"])
    assert json.loads(kept["settings"]) == {"difficulty": "hard"}


def test_filters_take_runs_by_score_scenario_and_agent(home: Home, tmp_path: Path, writer: ChatWriter) -> None:
    write_run(tmp_path / "runs" / "good", ask(1), score=1.0, agent="m:one")
    write_run(tmp_path / "runs" / "half", ask(1), score=0.5, agent="m:two")
    write_run(tmp_path / "runs" / "open", ask(1), score=None)

    def chosen(**selection: object) -> list[str]:
        source, _ = open_source(home, tmp_path / "runs", **selection)
        export_conversations(source, writer, tmp_path / "out")
        return [row["metadata"]["run"] for row in read_rows(tmp_path / "out")]

    assert chosen() == ["good", "half"]
    assert chosen(min_score=0.6) == chosen(passed=True) == chosen(agents=("*one",)) == ["good"]
    assert chosen(scenarios=("tidy",), min_score=0.5) == ["good", "half"]
    assert chosen(scenarios=("other",)) == []


def test_what_cannot_be_told_is_left_out_with_its_reason(home: Home, tmp_path: Path, writer: ChatWriter) -> None:
    runs = tmp_path / "runs"
    write_run(runs / "rest", visit("/x"))
    write_run(runs / "gone", ask(1, request={"surface": "world-employee", "tool": "fly", "arguments": {}}))
    cut = write_run(runs / "cut", ask(1), ask(2)) / "trajectory.jsonl"
    cut.write_bytes(cut.read_bytes()[:-9])
    other = write_run(runs / "foreign", ask(1)) / "trajectory.jsonl"
    other.write_bytes(b'{"format":"other","version":1}\n')
    newer = write_run(runs / "newer", ask(1)) / "trajectory.jsonl"
    newer.write_bytes(newer.read_bytes().replace(b'"version":1', b'"version":7'))
    write_run(runs / "lost", ask(1, {"$content": "0" * 64, "size": 9}))  # type: ignore[arg-type]
    write_run(runs / "odd", ask(1, operation=None))
    config = write_run(runs / "shapeless", ask(1)) / "config.json"
    config.write_text("[]")
    changed = write_run(runs / "changed", ask(1)) / "config.json"
    changed.write_text(json.dumps({**json.loads(changed.read_text()), "tools": {"all": "1 abc"}}))
    write_run(runs / "sound", ask(1))
    source, told = open_source(home, runs)
    assert export_conversations(source, writer, tmp_path / "out") == 1
    assert [row["metadata"]["run"] for row in read_rows(tmp_path / "out")] == ["sound"]
    found = dict(text.split(": ", 1) for text in told)
    assert sorted(found) == sorted({path.name for path in runs.iterdir()} - {"sound"}) and source.skipped == 9
    reasons = {
        "rest": "step 1 is no tool call",
        "gone": "which is on no installed tool list",
        "cut": "is cut off",
        "foreign": "is not a trajectory",
        "newer": "has version 7",
        "lost": "lacks a text",
        "odd": "has a step without",
        "shapeless": "does not describe a run",
        "changed": "no longer those that the agent saw",
    }
    assert {name for name, text in reasons.items() if text not in found[name]} == set()
    assert all("\n" not in text for text in told)


def test_a_path_that_is_no_run_is_refused_and_no_file_is_left(home: Home, tmp_path: Path, writer: ChatWriter) -> None:
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "empty", tmp_path / "none"):
        source, _ = open_source(home, path)
        with pytest.raises(TrajectoryError):
            export_conversations(source, writer, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]


def test_hostile_texts_stay_texts_in_one_line(home: Home, tmp_path: Path, writer: ChatWriter) -> None:
    bad = '"}\n{"messages":[]}\u2028\x00</script>'
    write_run(tmp_path / "a", ask(1, f"{bad}\ud800"), task=bad, agent=bad)
    source, _ = open_source(home, tmp_path / "a")
    export_conversations(source, writer, tmp_path / "out")
    (text,) = (tmp_path / "out").read_bytes().splitlines()
    row = json.loads(text)
    assert row["messages"][0]["content"] == row["metadata"]["agent"] == bad
    assert row["messages"][2]["content"] == f"{bad}\ud800"


def test_a_long_run_is_written_without_holding_it(home: Home, tmp_path: Path, writer: ChatWriter) -> None:
    long = "x" * 200_000
    write_run(tmp_path / "a", *(ask(number, f"{number} {long}") for number in range(100)))
    source, _ = open_source(home, tmp_path / "a")
    tracemalloc.start()
    export_conversations(source, writer, tmp_path / "out")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (tmp_path / "out").stat().st_size > 20_000_000 > 4 * peak


def test_a_line_without_an_end_is_refused_before_it_fills_the_memory(
    home: Home, tmp_path: Path, writer: ChatWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trajectory_reader, "MAX_LINE", 1000)
    with (write_run(tmp_path / "runs" / "a", ask(1)) / "trajectory.jsonl").open("ab") as file:
        file.write(b'{"x":"' + b"x" * 2000)
    (write_run(tmp_path / "runs" / "b", ask(1)) / "harness.jsonl").write_text('{"messages":"' + "x" * 2000)
    source, told = open_source(home, tmp_path / "runs")
    assert export_conversations(source, writer, tmp_path / "out") == 0
    assert ["a line of more than 1000 bytes" in text for text in told] == [True, True]


def test_tools_of_one_name_on_two_lists_are_told_with_their_lists() -> None:
    tool = {"name": "search", "description": "d", "inputSchema": {"type": "object"}}
    found = name_tools({"a-x": [tool], "b-y": [tool, {**tool, "name": "get"}]})
    assert list(found.functions) == [f"a-x{SEPARATOR}search", f"b-y{SEPARATOR}search", "get"]
    assert found.names["b-y", "search"] == f"b-y{SEPARATOR}search" and found.names["b-y", "get"] == "get"
