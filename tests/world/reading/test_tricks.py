"""What only an app can find: links in columns of their own, names of colleagues, and what it says itself."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from world.core.reading.agreement import disagreements
from world.core.reading.feigned_names import find_feigned_name
from world.core.reading.html import from_html
from world.core.reading.links import from_link
from world.core.reading.part import Part, Row
from world.core.reading.passage import Passage

NAMES = {"p_ada": ("Ada Novak", "Ada", "ada"), "p_bo": ("Bo Lindqvist", "Bo", "bo")}


class People:
    """Looks up names alone."""

    def row(self, table: str, *key: Any) -> Row | None:
        return None

    before = row

    def find(self, table: str, **where: Any) -> Iterator[Row]:
        return iter(())

    def data(self, sha256: str) -> bytes | None:
        return None

    def read_held(self, table: str, *key: object) -> bytes | None:
        return None

    def called(self, person: str) -> Sequence[str]:
        found = (names for id, names in NAMES.items() if person == id or person in names)
        return next(found, ())


@pytest.mark.parametrize(
    ("name", "person", "why"),
    [
        ("Bo Lindqvist", "p_ada", ["Ada Novak goes by the name of Bo Lindqvist"]),
        (" Bo ", "p_ada", ["Ada Novak goes by the name of Bo Lindqvist"]),
        ("Ada", "p_ada", []),
        ("Adanova", "p_ada", []),
        ("Bo Lindqvist", "p_nobody", []),
    ],
)
def test_a_colleagues_name_is_not_ones_own(name: str, person: str, why: list[str]) -> None:
    assert list(find_feigned_name(name, person, People())) == why


def test_a_link_of_columns_is_read_as_a_link() -> None:
    assert from_link("The runbook", "https://wiki.example/7").text == "The runbook https://wiki.example/7"
    assert from_link("<b>", "").text == "<b>"
    assert disagreements([Part("name", from_link("wiki.example/7", "https://evil.example"), ("title",))])
    assert not disagreements([Part("name", from_link("wiki.example/7", "https://wiki.example/7"), ("title",))])


def test_what_an_app_finds_makes_a_row_deceptive() -> None:
    part = Part("shown", Passage("9,999.00"), ("input",), tricks=lambda: ["shows '9,999.00' for 5"])
    assert disagreements([part]) == ["shows '9,999.00' for 5"]


def test_boxes_are_drawn() -> None:
    html = '<ul><li><input type="checkbox" checked> tests</li><li><input type="checkbox"> docs</li></ul>'
    assert from_html(html).text == "- ☑ tests\n- ☐ docs"
    assert from_html('<input type="text" value="x">').text == ""
