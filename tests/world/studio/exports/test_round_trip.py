"""From a run to an export and back: the same world."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.world.studio.agent_logs.log_files import request, result, write_lines
from tests.world.studio.exports.run_folders import read_rows
from world.agents.branch import BranchPoint, continue_run
from world.agents.runner import ProgramSettings, RunResult, perform, read_result
from world.cli import firm
from world.run.home import Home

SCENARIO = "flapping_alert"
pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def run(home: Home, company: Path) -> RunResult:
    """A run of the solution over MCP."""
    return asyncio.run(perform(home, SCENARIO, agent="oracle", door="mcp", seed=0))


@pytest.fixture(autouse=True)
def at_home(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRM_HOME", str(home.path))


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(firm, [str(one) for one in arguments])


def find_newest(home: Home, agent: str) -> Path:
    return max(home.runs.glob(f"{SCENARIO}-{agent}-*"), key=lambda path: path.name)


def test_an_exported_conversation_repeated_call_by_call_gives_the_same_world(
    home: Home, run: RunResult, tmp_path: Path
) -> None:
    done = invoke("export", "sft", run.folder.name, "--out", tmp_path / "sft.jsonl")
    assert done.exit_code == 0 and "1 rows" in done.output, done.output
    back = invoke("import", "chat", tmp_path / "sft.jsonl", "--agent", "back")
    assert back.exit_code == 0 and "0 answered otherwise than then" in back.output, back.output
    folder = find_newest(home, "back")
    assert read_result(folder)["digest"] == run.digest
    verdicts = [json.loads((one / "grade.json").read_text()) for one in (folder, run.folder)]
    assert verdicts[0]["score"] == verdicts[1]["score"] == 1 and not verdicts[0]["trusted"]
    again = invoke("export", "sft", folder.name, "--out", tmp_path / "again.jsonl")
    assert again.exit_code == 0, again.output
    (first,), (second,) = read_rows(tmp_path / "sft.jsonl"), read_rows(tmp_path / "again.jsonl")
    assert first["messages"] == second["messages"] and first["tools"] == second["tools"]


def to_log(row: dict[str, object]) -> Sequence[object]:
    """An export's row as the log of an MCP client."""
    lines = list[object]()
    for number, message in enumerate(row["messages"]):  # type: ignore[arg-type]
        if message["role"] == "assistant":
            function = message["tool_calls"][0]["function"]
            lines.append(request(number + 1, function["name"], json.loads(function["arguments"])))
        if message["role"] == "tool":
            lines.append(result(number, message["content"]))
    return lines


def test_a_clients_log_becomes_a_run_and_unknown_calls_are_left_out_only_if_asked(
    home: Home, run: RunResult, tmp_path: Path
) -> None:
    invoke("export", "sft", run.folder, "--out", tmp_path / "sft.jsonl")
    lines = to_log(read_rows(tmp_path / "sft.jsonl")[0])
    path = write_lines(tmp_path / "log", request(99, "fly"), *lines)
    runs = sorted(home.runs.iterdir())
    refused = invoke("import", "mcp", path, "--scenario", SCENARIO)
    assert refused.exit_code == 1 and "line 1: 'fly' is no installed tool" in refused.output
    assert sorted(home.runs.iterdir()) == runs
    done = invoke("import", "mcp", path, "--scenario", SCENARIO, "--skip-unknown")
    assert done.exit_code == 0 and "1 left out, 0 answered otherwise" in done.output, done.output
    assert read_result(find_newest(home, "log"))["digest"] == run.digest


def test_branches_of_one_step_become_a_pair_and_a_group(home: Home, run: RunResult, tmp_path: Path) -> None:
    idle = asyncio.run(continue_run(home, BranchPoint(run.folder, 3), agent="null", program=ProgramSettings()))
    assert idle.verdict.score < 1
    for kind in ("preferences", "grpo"):
        done = invoke("export", kind, run.folder, idle.folder, "--out", tmp_path / kind)
        assert done.exit_code == 1 and "has nothing after" in done.output, done.output
    other = asyncio.run(continue_run(home, BranchPoint(run.folder, 3), agent="random", program=ProgramSettings()))
    done = invoke("export", "preferences", run.folder, other.folder, "--out", tmp_path / "pairs")
    assert done.exit_code == 0, done.output
    (pair,) = read_rows(tmp_path / "pairs")
    assert (pair["metadata"]["step"], pair["chosen_score"], pair["rejected_score"] < 1) == (3, 1.0, True)
    assert len(pair["prompt"]) == 7


def test_a_file_cannot_name_the_folder_of_a_scenario(tmp_path: Path) -> None:
    for metadata in ({"scenario": "./evil"}, {}, {"scenario": SCENARIO, "settings": "[]"}):
        done = invoke("import", "chat", write_lines(tmp_path / "log", {"messages": [], "metadata": metadata}))
        assert done.exit_code == 1 and done.output.count("Error") == 1


def test_settings_of_a_file_are_checked(tmp_path: Path) -> None:
    metadata = {"scenario": SCENARIO, "settings": '{"max_calls": "many"}'}
    done = invoke("import", "chat", write_lines(tmp_path / "log", {"messages": [], "metadata": metadata}))
    assert done.exit_code == 1 and "settings of its run" in done.output, done.output
