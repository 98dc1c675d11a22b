"""Drawn faces: the same for the same mark, varied, small, well formed."""

from xml.etree import ElementTree

from world.core.portraits import MARK, draw_portrait, portrait_mark

MARKS = [portrait_mark("tiny.example", f"p_{n}") for n in range(300)]


def test_a_person_has_one_face_and_people_of_two_companies_differ() -> None:
    assert portrait_mark("tiny.example", "p_ada") == portrait_mark("tiny.example", "p_ada")
    assert portrait_mark("tiny.example", "p_ada") != portrait_mark("other.example", "p_ada")
    assert draw_portrait(MARKS[0]) == draw_portrait.__wrapped__(MARKS[0])
    assert all(MARK.fullmatch(mark) for mark in MARKS)


def test_faces_are_small_pictures_that_differ() -> None:
    drawn = [draw_portrait(mark) for mark in MARKS]
    assert max(map(len, drawn)) <= 1500 and len(set(drawn)) > 290
    for picture in drawn[:40]:
        root = ElementTree.fromstring(picture)
        assert root.tag.endswith("svg") and "{" not in picture
    assert 40 < sum("#2b2f36" in picture for picture in drawn) < 110  # glasses
