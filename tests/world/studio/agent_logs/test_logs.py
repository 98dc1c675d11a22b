"""Reading logs: both forms, results found for their calls, and what is refused."""

from pathlib import Path

import pytest

from tests.world.studio.agent_logs.log_files import answer, ask, request, result, write_lines
from world.studio.agent_logs.call_resolver import CallResolver, UnknownCall, list_unknown
from world.studio.agent_logs.chat_log import read_conversations
from world.studio.agent_logs.logged_call import LogError, LoggedCall, read_bounded_lines
from world.studio.agent_logs.mcp_log import MAX_OPEN, read_mcp_log
from world.studio.tool_lists import open_local_tools


def test_a_clients_log_gives_calls_in_order_with_their_results(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "log",
        "2026-03-02T13:30:00Z [slack] [info] Server started {not json}",
        {"jsonrpc": "2.0", "id": 0, "method": "initialize"},
        request(1, "a", {"x": 1}),
        [request(2, "b"), result(1, "one", "two")],
        {"direction": "in", "message": {"jsonrpc": "2.0", "id": 2, "error": {"code": -1, "message": "no"}}},
        '2026-03-02T13:30:01Z [slack] [info] Message from client: {"jsonrpc":"2.0","id":1,"method":"tools/call",'
        '"params":{"name":"c"}}',
        request(3, "d"),
        {"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": 5}},
    )
    calls = list(read_mcp_log(path))
    assert [(one.tool, one.seen) for one in calls] == [
        ("a", "one\ntwo"),
        ("b", "no"),
        ("c", None),
        ("d", None),
        ("?", None),
    ]
    assert calls[0].arguments == {"x": 1} and calls[0].place == "line 3" and calls[2].server == "slack"
    assert "no call" in calls[4].problem


def test_calls_that_are_never_answered_do_not_pile_up(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "log", *(request(number, "a") for number in range(MAX_OPEN + 5)))
    found = read_mcp_log(path)
    assert next(found).seen is None and sum(1 for _ in found) == MAX_OPEN + 4


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"jsonrpc":"2.0","id":1,"method":"tools/ca', "cut off"),
        ("nothing here", "holds no tools/call request"),
        ("", "holds no tools/call request"),
    ],
)
def test_a_log_that_is_none_is_refused_in_one_sentence(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(LogError, match=why) as caught:
        list(read_mcp_log(write_lines(tmp_path / "log", text)))
    assert "\n" not in str(caught.value)


def test_a_line_beyond_the_limit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="more than 10 bytes"):
        list(read_bounded_lines(write_lines(tmp_path / "log", "x" * 10_000), 10))


def test_transcripts_of_chat_completions_and_responses_are_read(tmp_path: Path) -> None:
    items = [
        {"type": "function_call", "call_id": "c", "name": "e", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c", "output": "five"},
    ]
    old = [
        {"role": "assistant", "function_call": {"name": "f", "arguments": ""}},
        {"role": "function", "name": "f", "content": "six"},
    ]
    both = [ask("x", "a", '{"k":1}'), ask("y", "b", {"k": 2}), answer("y", "two"), answer("x", "one")]
    blocks = {
        "role": "tool",
        "tool_call_id": "z",
        "content": [{"type": "text", "text": "p"}, {"type": "text", "text": "q"}],
    }
    path = write_lines(
        tmp_path / "log",
        {"messages": [{"role": "user", "content": "hi"}, *both], "metadata": {"scenario": "s"}},
        {"input": items},
        old,
        [ask("z", "c", "[1]"), blocks, ask("z", "d", "{"), {"role": "assistant", "tool_calls": [3]}],
    )
    one, two, three, four = read_conversations(path)
    assert [(call.tool, dict(call.arguments), call.seen) for call in one.calls] == [
        ("a", {"k": 1}, "one"),
        ("b", {"k": 2}, "two"),
    ]
    assert one.metadata == {"scenario": "s"} and one.place.endswith("log:1")
    assert [(call.tool, call.seen) for call in (*two.calls, *three.calls)] == [("e", "five"), ("f", "six")]
    assert [(call.seen, bool(call.problem)) for call in four.calls] == [("p\nq", True), (None, True), (None, True)]


def test_one_document_over_several_lines_is_one_transcript(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text('{\n "messages": [\n  {"role": "user", "content": "x"}\n ]\n}\n')
    (one,) = read_conversations(path)
    assert one.calls == [] and one.place == str(path)


@pytest.mark.parametrize("text", ['{"messages": 3}', '{"messages": [3]}', "3", '{"messages": [', "no"])
def test_a_transcript_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(LogError):
        list(read_conversations(write_lines(tmp_path / "log", text)))


def test_calls_are_resolved_by_name_server_and_arguments() -> None:
    resolver = CallResolver(open_local_tools())
    assert resolver.resolve(LoggedCall("1", "wait", {"seconds": 1})) == ("world-employee", "wait")
    assert resolver.resolve(LoggedCall("1", "mcp__World__wait", {"seconds": 1})) == ("world-employee", "wait")
    assert resolver.resolve(LoggedCall("1", "world-employee__wait", {"seconds": 1})) == ("world-employee", "wait")
    assert resolver.resolve(LoggedCall("1", "world_wait", {"no": 1}))[1] == "world_wait"
    only = CallResolver(open_local_tools(), ("world-employee",))
    with pytest.raises(UnknownCall):
        only.resolve(LoggedCall("1", "world_wait", {"seconds": 1}))


def test_unknown_calls_are_listed_once_with_their_first_place() -> None:
    calls = [
        LoggedCall("line 1", "fly"),
        LoggedCall("line 2", "now"),
        LoggedCall("line 3", "fly"),
        LoggedCall("4", "?", problem="is odd"),
    ]
    told = list_unknown(CallResolver(open_local_tools()), calls)
    assert told == ["line 1: 'fly' is no installed tool, 2 times", "4: '?' is odd"]
