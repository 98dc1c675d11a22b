"""The solution in another order: what later calls say of earlier results is kept true, and nothing else changes."""

from world.gate.replay import find_new_names, replace_names


def test_a_later_call_speaks_of_the_new_result() -> None:
    names = find_new_names({"ok": True, "ts": "1.000001", "id": "F1"}, {"ok": True, "ts": "2.000001", "id": "F1"}, ())
    assert replace_names({"thread_ts": "1.000001", "files": ["F1"]}, names) == {
        "thread_ts": "2.000001",
        "files": ["F1"],
    }


def test_what_an_event_has_stated_is_no_earlier_result() -> None:
    names = find_new_names({"ts": "1.000001", "key": "A-1"}, {"ts": "2.000001", "key": "A-2"}, {"1.000001"})
    assert replace_names({"thread_ts": "1.000001", "key": "A-1"}, names) == {"thread_ts": "1.000001", "key": "A-2"}
