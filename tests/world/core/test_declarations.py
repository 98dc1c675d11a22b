"""What an app declares: each thing once, and written down where the doors read it."""

from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import JsonValue

from world.core.app import App
from world.core.call import Call
from world.core.params import NoParams


def do_nothing(call: Call, params: NoParams) -> None:
    """Do nothing."""


def hear_nothing(call: Call, facts: Mapping[str, JsonValue]) -> None:
    """Hear nothing."""


def test_an_operation_is_what_was_declared_and_may_be_called_directly() -> None:
    app = App("jot", "Jot", limit=9, window_s=30)
    declared = app.operation("jot.write", source="here", writes=True, raises={"too_long": "over 9", "locked": ""})
    assert declared(do_nothing) is do_nothing
    operation = app.operations["jot.write"]
    assert (operation.app, operation.writes, operation.limit, operation.window_s) == ("jot", True, 9, 30)
    assert set(operation.codes) == {"too_long", "locked"}
    assert (do_nothing.__doc__ or "").endswith("Raises: too_long (over 9), locked.")


def test_an_operation_a_topic_and_a_reading_are_declared_once() -> None:
    app = App("jot", "Jot")
    app.operation("jot.write", source="here")(do_nothing)
    with pytest.raises(ValueError, match=r"jot\.write is declared twice"):
        app.operation("jot.write", source="here")(do_nothing)
    assert app.on("note.made", delivery=True)(hear_nothing) is hear_nothing
    assert app.deliveries == {"note.made"}
    with pytest.raises(ValueError, match=r"already subscribes to note\.made"):
        app.on("note.made")(hear_nothing)
    app.reads("jot_note")(lambda row, lookup: ())
    with pytest.raises(ValueError, match="jot_note is declared twice"):
        app.reads("jot_note")(lambda row, lookup: ())


def test_an_operation_takes_a_params_model() -> None:
    def wrong(call: Call, params: int) -> None:
        """Take a number."""

    with pytest.raises(TypeError, match="Params model"):
        App("jot", "Jot").operation("jot.wrong", source="here")(wrong)


def test_what_an_app_declares_is_handed_back_and_kept_under_its_name() -> None:
    app = App("jot", "Jot")

    def rule(call: Call, subject: object) -> str | None:
        return None

    def answer(*_: object) -> int:
        return 7

    assert app.rule("may_write")(rule) is rule and app.rules == {"may_write": rule}
    assert app.predicate("jot.has_note")(answer) is answer and app.predicates == {"jot.has_note": answer}
    assert app.on("note.made")(hear_nothing) is hear_nothing and app.topics == {"note.made": hear_nothing}
    assert app.deliveries == set()
    declared: list[Any] = [app.notices, app.finds_recipients, app.involves_person, app.quiet_until, app.finds_place]
    assert all(declare(answer) is answer for declare in declared)
    assert {app.notice, app.hears, app.involves, app.quiet, app.place} == {answer}


def test_an_operation_without_arguments_and_without_refusals_says_nothing_of_them() -> None:
    app = App("jot", "Jot")

    def look(call: Call) -> None:
        """Look."""

    def silent(call: Call, params: NoParams) -> None:
        pass

    app.operation("jot.look", source="here")(look)
    app.operation("jot.silent", source="here", raises=["a", "b"])(silent)
    assert app.operations["jot.look"].params is NoParams and look.__doc__ == "Look."
    assert silent.__doc__ == "Raises: a, b." and app.operations["jot.silent"].raises == {"a": "", "b": ""}
