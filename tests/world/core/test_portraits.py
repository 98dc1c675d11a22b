"""Drawn faces: the same for the same mark, varied, small, well formed."""

import tomllib
from pathlib import Path
from xml.etree import ElementTree

import seeds
from world.core.first_names import customary_gender
from world.core.portraits import BEARDS, MARK, STYLES, draw_portrait, portrait_mark

NAMES = ("Anna", "Stefan", "Quux")
MARKS = [portrait_mark("tiny.example", f"p_{n}", NAMES[n % 3]) for n in range(300)]


def test_a_person_has_one_face_and_people_of_two_companies_differ() -> None:
    assert portrait_mark("tiny.example", "p_ada") == portrait_mark("tiny.example", "p_ada")
    assert portrait_mark("tiny.example", "p_ada") != portrait_mark("other.example", "p_ada")
    assert draw_portrait(MARKS[0]) == draw_portrait.__wrapped__(MARKS[0])
    assert all(MARK.fullmatch(mark) for mark in MARKS)


def test_faces_are_small_pictures_that_differ() -> None:
    drawn = [draw_portrait(mark) for mark in MARKS]
    assert max(map(len, drawn)) <= 1600 and len(set(drawn)) > 290
    for picture in drawn[:40]:
        root = ElementTree.fromstring(picture)
        assert root.tag.endswith("svg") and "{" not in picture
    assert 40 < sum("#2b2f36" in picture for picture in drawn) < 110  # glasses


def test_faces_suit_the_first_name_and_pronouns_come_before_it() -> None:
    worn = {name: {draw_portrait(mark) for mark in MARKS[at::3]} for at, name in enumerate(NAMES)}
    for name, gender, other in (("Anna", "f", "m"), ("Stefan", "m", "f")):
        fronts = {front for _, front in STYLES[other]} - {front for _, front in STYLES[gender]} - {""}
        assert not [face for face in worn[name] if any(front in face for front in fronts)]
    assert not [face for face in worn["Anna"] if any(beard in face for beard in BEARDS)]
    assert [
        customary_gender(*one) for one in (("Anna",), ("Anna", "he/him"), ("Quux", "she/they"), ("Quux", "they"))
    ] == [
        "f",
        "m",
        "f",
        "",
    ]


def test_every_first_name_of_the_seeds_is_known() -> None:
    for path in sorted((Path(seeds.__file__).parent / "names").glob("*.toml")):
        listed = tomllib.loads(path.read_text(encoding="utf-8"))
        for key, gender in (("female", "f"), ("male", "m")):
            assert [name for name in listed[key] if customary_gender(name) != gender] == [], path.name
