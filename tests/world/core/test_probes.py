"""What the gate tries against an app: texts that are dressed, and the values of acts in a world where somebody worked."""

from collections.abc import Mapping
from typing import Any

import pytest

from world.core.journal import Change
from world.core.json_types import is_array, is_dict, is_object, is_row, is_set
from world.core.probes import Probes, Speech, Surroundings
from world.core.renderings import in_markdown


@pytest.mark.parametrize(
    ("name", "said", "against", "text"),
    [
        ("struck", "one", "", "~~one~~"),
        ("struck", "one\n\ntwo", "no", "~~one~~\n\n~~two~~\n\nno"),
        ("quoted", "one\n\ntwo", "", "> one\n> \n> two"),
        ("quoted", "one", "no", "> one\n\nno"),
        ("code", "one\ntwo", "no", "```\none\ntwo\n```\n\nno"),
        ("code", "one", "", "```\none\n```"),
    ],
)
def test_a_text_is_dressed_in_markdown(name: str, said: str, against: str, text: str) -> None:
    assert in_markdown("body")[name]({"id": 1, "body": "old"}, said, against) == {"id": 1, "body": text}


def test_each_dress_is_known_by_name_and_strikes_as_the_app_does() -> None:
    assert set(in_markdown("body")) == {"struck", "quoted", "code"}
    assert in_markdown("text", strike="~")["struck"]({}, "a", "") == {"text": "~a~"}


class Rows:
    """A world of two accounts."""

    me = "p_ada"

    def rows(self, table: str, **where: object) -> list[dict[str, Any]]:
        known = {("slack", "p_bo"): "U0BO", ("jira", "p_bo"): 5}
        found = known.get((str(where["app"]), str(where["person_id"])))
        return [] if found is None or table != "account" else [{"external_id": found}]


def surround(*changes: Change) -> Surroundings:
    def attempt(operation: str, arguments: Mapping[str, Any]) -> Any:
        return None

    return Surroundings(Rows(), changes, 0, attempt, lambda who: attempt, "p_bo", "p_cy", "Acme")


def change(id: int, table: str, key: int, after: dict[str, Any] | None) -> Change:
    return Change(id, id, table, (key,), "update", None, after)


def test_rows_are_listed_as_they_were_left_and_the_latest_first() -> None:
    world = surround(
        change(1, "note", 1, {"n": "a"}),
        change(2, "note", 2, {"n": "b"}),
        change(3, "card", 3, {"n": "c"}),
        change(4, "note", 3, {"n": "d"}),
        change(5, "note", 1, {"n": "e"}),
        change(6, "note", 3, None),
    )
    assert world.list_left_rows("note") == [{"n": "e"}, {"n": "b"}]
    assert world.list_left_rows("card") == [{"n": "c"}] and world.list_left_rows("none") == []
    accounts = [world.account(app, who) for app, who in (("slack", "p_bo"), ("jira", "p_bo"), ("slack", "p_cy"))]
    assert accounts == ["U0BO", "5", ""]


def test_an_app_that_declares_no_probes_has_none() -> None:
    plain, world = Probes(), surround()
    assert [*plain.reads(Rows()), *plain.close_items(Rows(), world.ask), *plain.forged(Rows())] == []
    assert plain.slots(world) == {} and plain.speech is None
    speech = Speech("chat.post", "channel", "text", lambda rows: [], lambda ask, who: "", lambda rows, ask, name: "")
    assert speech.arguments("C1", "hi") == {"channel": "C1", "text": "hi"}


@pytest.mark.parametrize(
    ("value", "kinds"),
    [
        ({}, {"object", "dict"}),
        ([], {"array", "row"}),
        ((), {"row"}),
        (set(), {"set"}),
        (frozenset(), {"set"}),
        ("", set()),
        (None, set()),
        (5, set()),
    ],
)
def test_what_was_read_of_json_is_told_by_its_kind(value: object, kinds: set[str]) -> None:
    tests = {"object": is_object, "dict": is_dict, "array": is_array, "row": is_row, "set": is_set}
    assert {name for name, test in tests.items() if test(value)} == kinds
