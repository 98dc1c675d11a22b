"""Who reads a row, and whether others read no more than they."""

from world.core.audience import Audience
from world.core.reading.passage import Mark, Passage

ADA, FIRM, ALL = Audience(frozenset({"p_ada"})), Audience(company=True), Audience(public=True)
ZOE = Audience(frozenset({"p_ada"}), frozenset({"zoe@acme.example"}))


def test_readers_are_people_a_company_or_anybody() -> None:
    assert [one.includes("p_bo") for one in (ADA, FIRM, ALL, ZOE)] == [False, True, True, False]
    assert [one.includes("p_ada") for one in (ADA, FIRM, ALL, ZOE)] == [True] * 4
    assert [one.reaches("zoe@acme.example") for one in (ADA, FIRM, ALL, ZOE)] == [False, False, True, True]
    assert not ZOE.reaches("max@else.example")


def test_readers_cover_others_who_are_all_among_them() -> None:
    assert all(ALL.covers(one) for one in (ADA, FIRM, ALL, ZOE))
    assert [FIRM.covers(one) for one in (ADA, FIRM, ALL, ZOE)] == [True, True, False, False]
    assert [ADA.covers(one) for one in (ADA, FIRM, ALL, ZOE)] == [True, False, False, False]
    assert (ADA | FIRM).covers(FIRM) and (ZOE | FIRM).covers(ZOE)


def test_a_mark_holds_from_its_first_letter_to_its_last() -> None:
    passage = Passage("a secret b", (Mark(2, 8, "hidden"),))
    assert [at for at in range(len(passage.text)) if passage.is_marked(at, "hidden")] == [2, 3, 4, 5, 6, 7]
    assert not passage.is_marked(3, "quoted") and passage.without("hidden") == "a        b"
