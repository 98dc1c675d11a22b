"""Trajectories: the header, what the agent asked and saw, long texts, growing files, and what is refused."""

from pathlib import Path

import httpx
import pytest

from tests.conftest import Server, first
from world.run.exchange import ToolRequest, ToolResponse, enter_exchange, leave_exchange
from world.run.host import Host
from world.run.run_folder import MAX_INLINE, Contents
from world.run.trajectory import Header, Opening, Trajectory
from world.run.trajectory_reader import TrajectoryError, read_header, read_step_lines, read_steps
from world.server.exchange_capture import hide_tokens

SOMEBODY = "SELECT handle FROM person WHERE kind = 'employee' AND status = 'active' AND manager_id IS NOT NULL ORDER BY id LIMIT 1"
ASKED: ToolRequest = {"surface": "slack-vendor", "tool": "slack_search", "arguments": {}}
SEEN: ToolResponse = {"is_error": False, "code": None, "content": [{"type": "text", "text": "nothing"}]}


def start(firm: Host, folder: Path) -> Trajectory:
    folder.mkdir(exist_ok=True)
    return Trajectory(firm.create("w"), folder / "trajectory.jsonl", lambda bound, contents: Opening(Header(seed=4)))


def call(firm: Host, text: str = "hello") -> None:
    handle = first(firm, "w", SOMEBODY)
    firm.call(firm.principal("w", handle, app="slack"), "mcp", "chat.postMessage", {"channel": "#random", "text": text})


def test_a_step_keeps_what_was_asked_and_seen_and_what_changed(firm: Host, tmp_path: Path) -> None:
    writer = start(firm, tmp_path)
    exchange, token = enter_exchange()
    call(firm)
    leave_exchange(token)
    assert list(read_steps(tmp_path)) == []  # the answer is under way
    exchange.close(ASKED, SEEN)
    (line,) = read_steps(tmp_path)
    assert line.row["request"] == ASKED and line.row["response"] == SEEN
    assert line.row["operation"] == "chat.postMessage" and line.row["diff"] and "result" not in line.row
    assert read_header(tmp_path).seed == 4
    writer.close()


def test_a_call_without_a_door_of_its_own_keeps_its_result(firm: Host, tmp_path: Path) -> None:
    writer = start(firm, tmp_path)
    call(firm)
    (line,) = read_steps(tmp_path)
    assert line.row["step"] == 1 and line.row["result"]["message"]["text"] == "hello" and "request" not in line.row
    writer.close()


def test_steps_are_written_in_the_order_of_their_calls(firm: Host, tmp_path: Path) -> None:
    writer = start(firm, tmp_path)
    early, token = enter_exchange()
    call(firm, "one")
    call(firm, "two")
    leave_exchange(token)
    second, token = enter_exchange()
    call(firm, "three")
    leave_exchange(token)
    second.close(ASKED, SEEN)
    assert list(read_steps(tmp_path)) == []
    early.close(ASKED, SEEN)
    rows = [line.row for line in read_steps(tmp_path)]
    assert [row["arguments"]["text"] for row in rows] == ["one", "two", "three"]
    assert [row["step"] for row in rows] == [1, 2, 3]
    assert rows[1]["within"] == 1 and "request" not in rows[1] and rows[2]["request"] == ASKED
    writer.close()


def test_a_long_text_is_a_file_and_comes_back(firm: Host, tmp_path: Path) -> None:
    writer = start(firm, tmp_path)
    text = "ä" * (MAX_INLINE + 1)
    call(firm, text)
    writer.close()
    assert (tmp_path / "trajectory.jsonl").stat().st_size < MAX_INLINE
    (line,) = read_steps(tmp_path)
    contents = Contents(tmp_path / "content")
    assert contents.restore(line.row["arguments"])["text"] == text
    assert (
        contents.restore(contents.shorten({"a": [b"\xff".hex(), "x" * MAX_INLINE * 2]}))["a"][1] == "x" * MAX_INLINE * 2
    )
    with pytest.raises(FileNotFoundError, match="is not a SHA-256"):
        contents.get("../config.json")
    (tmp_path / "content" / ("0" * 64)).symlink_to(tmp_path / "trajectory.jsonl")
    with pytest.raises(FileNotFoundError, match="does not hold the bytes of its name"):
        contents.get("0" * 64)


def test_the_lines_of_the_first_steps_are_those_of_the_file(firm: Host, tmp_path: Path) -> None:
    writer = start(firm, tmp_path)
    for text in ("one", "two", "three"):
        call(firm, text)
    writer.close()
    lines = (tmp_path / "trajectory.jsonl").read_bytes().splitlines(keepends=True)
    assert read_step_lines(tmp_path, 2) == lines[1:3]
    (one, *_) = read_steps(tmp_path)
    assert [line.row["step"] for line in read_steps(tmp_path, one.offset + one.size, 1)] == [2, 3]


def test_a_run_from_before_there_was_a_header_is_read(tmp_path: Path) -> None:
    row = b'{"seq":7,"operation":"a.b","door":"mcp","arguments":{},"diff":[],"events":[]}\n'
    (tmp_path / "trajectory.jsonl").write_bytes(row + row)
    assert read_header(tmp_path).version == 0
    assert [line.row["step"] for line in read_steps(tmp_path)] == [1, 2]


HEADER = b'{"format":"firmament-trajectory","version":1}\n'


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"{}\n", "is not a trajectory of firmament"),
        (b"[1]\n", "holds a line that is not an object"),
        (b"\x00\xff\n", "holds a line that is not JSON"),
        (HEADER.replace(b"1}", b"9}"), "has version 9; this reads 1 and older ones"),
        (HEADER.replace(b"1}", b'1,"seed":"x"}'), "has a header with 1 wrong fields"),
        (HEADER + b'{"kind":"st', "is cut off: its last line has no end"),
    ],
)
def test_what_is_no_trajectory_is_refused_in_one_sentence(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "trajectory.jsonl").write_bytes(content)
    (tmp_path / "result.json").write_text("{}")
    with pytest.raises(TrajectoryError, match=said) as refused:
        list(read_steps(tmp_path))
    assert "\n" not in str(refused.value)


def test_a_folder_without_a_trajectory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TrajectoryError, match=r"is not a run folder: it has no trajectory\.jsonl"):
        read_header(tmp_path)


def test_the_unfinished_line_of_a_growing_run_is_left_for_later(tmp_path: Path) -> None:
    (tmp_path / "trajectory.jsonl").write_bytes(HEADER + b'{"kind":"st')
    assert list(read_steps(tmp_path)) == []


def test_a_rest_call_is_kept_with_its_path_its_body_and_its_answer(server: Server, tmp_path: Path) -> None:
    def begin() -> tuple[Trajectory, str]:
        host = server.up.host
        actor = host.create("w")
        person = first(host, "w", SOMEBODY)
        token = host.tokens.issue(host.principal("w", person, app="slack"), "xoxp-{}")
        return Trajectory(actor, tmp_path / "trajectory.jsonl"), token

    writer, token = server.do(begin)
    form = {"token": token, "channel": "#random", "text": "hi"}
    answer = httpx.post(f"{server.url}/slack/api/chat.postMessage", data=form)
    assert answer.json()["ok"]
    server.do(writer.close)
    (line,) = read_steps(tmp_path)
    request, response = line.row["request"], line.row["response"]
    assert (request["method"], request["path"]) == ("POST", "/slack/api/chat.postMessage")
    assert request["body"] == "token=***&channel=%23random&text=hi"
    assert (response["status"], response["body"], response["cut"]) == (200, answer.text, False)
    assert token.encode() not in (tmp_path / "trajectory.jsonl").read_bytes()


def test_tokens_of_a_query_are_hidden_and_nothing_else() -> None:
    assert hide_tokens("a=1&token=xoxp-1&b=token=2") == "a=1&token=***&b=token=2"
    assert hide_tokens("page_token=5") == "page_token=5"
