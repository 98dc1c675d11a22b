"""The solution in another order: what later calls say of earlier results is kept true, and nothing else changes."""

from typing import Any

from world.agents.steps import Step
from world.gate.replay import TimedWrite, find_new_names, list_coined_texts, replace_names


def write(seq: int, result: dict[str, Any], **arguments: Any) -> TimedWrite:
    return TimedWrite(Step(f"s{seq}", "op", arguments), seq, seq, result, 0)


def test_a_later_call_speaks_of_the_new_result() -> None:
    coined = list_coined_texts([write(1, {"ok": True, "ts": "1.000001", "id": "F1"})], ())
    names = find_new_names({"ts": "1.000001", "id": "F1"}, {"ts": "2.000001", "id": "F1"}, coined[1])
    assert replace_names({"thread_ts": "1.000001", "files": ["F1"]}, names) == {
        "thread_ts": "2.000001",
        "files": ["F1"],
    }


def test_what_an_event_has_stated_is_no_earlier_result() -> None:
    coined = list_coined_texts([write(1, {"ts": "1.000001", "key": "A-1"})], {"1.000001"})
    names = find_new_names({"ts": "1.000001", "key": "A-1"}, {"ts": "2.000001", "key": "A-2"}, coined[1])
    assert replace_names({"thread_ts": "1.000001", "key": "A-1"}, names) == {"thread_ts": "1.000001", "key": "A-2"}


def test_what_another_call_was_told_is_not_taken_from_a_result() -> None:
    renamed, described = write(1, {"name": "wg-new"}, name="wg-new"), write(2, {"name": "wg-new", "at": "9"}, text="x")
    coined = list_coined_texts([described, renamed], ())
    assert coined == {1: set(), 2: {"9"}}
    names = find_new_names({"name": "wg-new", "at": "9"}, {"name": "wg-old", "at": "8"}, coined[2])
    assert replace_names({"name": "wg-new"}, names) == {"name": "wg-new"}
