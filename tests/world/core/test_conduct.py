"""What the short ways to declare a table's conduct come to, and what tables without one are taken for."""

import pytest
from sqlmodel import Field, SQLModel

from tests.world.reading.test_tricks import People
from world.core.app import App
from world.core.audience import COMPANY, Audience
from world.core.conduct import Conduct, bring_nothing, changes_column, grant_access, message, nothing, own, private
from world.core.reading.part import Part

ADA = Audience(frozenset({"p_ada"}))
CELLS = {"owner": "p_ada", "boss": "p_bo", "text": "x"}


class Card(SQLModel, table=True):
    """A table of an app."""

    __tablename__ = "conduct_card"
    id: str = Field(primary_key=True)


class Tray(SQLModel, table=True):
    """A second one, declared with the same facts."""

    __tablename__ = "conduct_tray"
    id: str = Field(primary_key=True)


def test_a_table_of_which_nothing_is_said_is_ordinary_and_everybodys() -> None:
    plain = Conduct()
    assert not plain.can_open and not plain.opens(CELLS) and plain.uncivil(CELLS) == ""
    assert plain.readers(CELLS, People()) == COMPANY and plain.sends(CELLS) is None
    silent = (
        plain.asides(CELLS),
        plain.shows(None, CELLS),
        plain.carries(CELLS, People()),
        plain.brings(CELLS, People()),
    )
    assert [list(one) for one in silent] == [[], [], [], []]
    assert list(nothing(CELLS, People())) == list(bring_nothing(CELLS, People())) == []


def test_rows_of_ones_own_may_be_changed_as_a_whole_or_in_some_columns() -> None:
    assert own("owner", "boss") == Conduct(owners=("owner", "boss"), harmless=frozenset({"*"}))
    assert own("owner", harmless="read starred").harmless == {"read", "starred"}


def test_private_rows_are_read_by_their_owners_alone() -> None:
    made = private("owner")
    assert (made.owners, made.harmless) == (("owner",), {"*"})
    assert made.readers(CELLS, People()) == ADA and made.readers({"owner": None}, People()) == Audience()


def test_rows_that_let_somebody_in_do_so_always_or_when_they_say_so() -> None:
    assert grant_access("owner").can_open and grant_access("owner").opens(CELLS)
    some = grant_access("owner", when=lambda cells: cells["text"] == "open")
    assert some.owners == ("owner",) and not some.opens(CELLS) and some.opens({**CELLS, "text": "open"})


def test_messages_stand_in_a_place_and_may_answer() -> None:
    made = message("channel", "author", words="text files", thread="root id", answers={"root": "{of}"})
    assert (made.place, made.owners, made.words, made.thread) == (
        "channel",
        ("author",),
        ("text", "files"),
        ("root", "id"),
    )
    assert made.acts == {"acknowledge": {"root": "{of}"}, "answer": {"root": "{of}"}}
    bare = message("channel", words="text")
    assert (bare.thread, bare.acts, bare.owners) == ((), {}, ())
    narrow = made.read_by(lambda cells, lookup: ADA)
    assert narrow.readers(CELLS, People()) == ADA and narrow.place == "channel"


def test_a_column_is_changed_by_a_change_only() -> None:
    other = {**CELLS, "text": "y"}
    assert changes_column(CELLS, other, "text") and not changes_column(CELLS, other, "boss")
    assert not changes_column(None, other, "text") and not changes_column(CELLS, None, "text")
    assert changes_column({}, CELLS, "text") and not changes_column({}, CELLS, "nothing")


def test_conduct_is_declared_of_tables_that_are_there() -> None:
    app, tables = App("conduct", "Conduct"), SQLModel.metadata.tables
    app.declare_conduct({"conduct_card": own("id"), "conduct_tray": private("id")})
    assert tables["conduct_card"].info["conduct"] == own("id")
    assert tables["conduct_tray"].info["conduct"].owners == ("id",)
    with pytest.raises(KeyError, match="conduct_nowhere"):
        app.declare_conduct({"conduct_nowhere": own("id")})


def test_a_table_is_read_or_has_a_reason_why_not() -> None:
    app = App("conduct", "Conduct")
    read = app.reads("conduct_card")(lambda row, lookup: (Part("body", lambda: pytest.fail("rendered"), ("id",)),))
    assert app.readings == {"conduct_card": read}
    with pytest.raises(ValueError, match="conduct_card has a reading or a reason already"):
        app.declare_unread({"conduct_card": "nobody looks"})
    app.declare_unread({"conduct_tray": "nobody looks"})
    assert app.unread == {"conduct_tray": "nobody looks"}
    with pytest.raises(ValueError, match="conduct_tray has a reading or a reason already"):
        app.declare_unread({"conduct_tray": "again"})
    with pytest.raises(KeyError):
        app.declare_unread({"conduct_nowhere": "it is not there"})
