"""What a claim must account for, part by part."""

import pytest

from world.core.reading.part import Kind, Part, Role
from world.core.reading.passage import Mark, Passage
from world.grading.coverage import fuller_passages, fuller_texts, list_uncovered_texts, out_of_sight


def _part(kind: Kind, text: str, column: str, role: Role = "whole", *marks: Mark) -> Part:
    return Part(kind, Passage(text, marks), (column,), role)


TITLE = _part("heading", "Payments fail", "title")
BODY = _part("body", "They have failed since 06:48.", "body")


@pytest.mark.parametrize(
    ("parts", "named", "why"),
    [
        ((TITLE, BODY), {"body"}, ""),
        ((TITLE, BODY), {"title"}, "body is not asked for"),
        ((TITLE, BODY), {"title", "body"}, ""),
        ((TITLE, BODY), {"repo"}, ""),
        ((TITLE, _part("body", "Payments fail", "body")), {"title"}, ""),
        ((BODY, _part("body", "They have failed since 06:48.", "text", "derived")), {"text"}, ""),
        ((BODY, _part("name", "auth\non-call", "labels")), {"body"}, ""),
        ((BODY, _part("name", "not-an-incident", "labels")), {"body"}, "labels adds the denial"),
        ((BODY, _part("name", "EUR 300", "labels")), {"body"}, "labels adds the amount"),
        ((BODY, _part("name", "prices.csv", "file", "supplement")), {"body"}, "file is not asked for"),
        ((BODY, _part("aside", "Members only", "visibility", "supplement")), {"body"}, "visibility is not asked for"),
        ((BODY, _part("aside", "", "visibility", "supplement")), {"body"}, ""),
    ],
)
def test_parts_that_add_something_are_named(parts: tuple[Part, ...], named: set[str], why: str) -> None:
    found = list_uncovered_texts(parts, frozenset(named))
    assert why in " ".join(found) if why else found == []


def test_what_lies_where_nobody_looks_meets_no_claim() -> None:
    note, aside = _part("aside", "From Mia", "note", "supplement"), _part("aside", "5", "input")
    assert out_of_sight((aside, note), frozenset({"input", "row"})) == ["input lies where nobody sees it"]
    assert out_of_sight((aside, note), frozenset({"row"})) == []
    assert out_of_sight((_part("shown", "5", "input"), note), frozenset({"input", "note"})) == []


def test_a_body_stands_for_what_is_derived_from_it() -> None:
    marks = (Mark(0, 4, "struck"), Mark(5, 10, "quoted"), Mark(11, 17, "hidden"))
    body = _part("body", "Gone quote hidden here", "body", "whole", *marks)
    text = _part("body", "Gone quote hidden here", "body_text", "derived")
    assert fuller_passages((body, text), ("body_text",)) == [body.passage]
    assert fuller_texts((body, text), ("body_text",))[0].split() == ["here"]
    assert fuller_passages((body, text), ("body",)) == []
    assert fuller_passages((TITLE, body, text), ("title",)) == []
    html = _part("body", "said", "html")
    assert fuller_passages((_part("body", "said", "text"), html), ("text",)) == []
