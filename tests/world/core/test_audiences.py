"""Who reads a row, and whether others read no more than they."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.world.reading.test_tricks import People
from world.core.audience import (
    COMPANY,
    NOBODY,
    Audience,
    among,
    anybody,
    as_readers_of,
    everybody,
    owner,
)
from world.core.reading.part import Row
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


def test_a_row_is_only_ones_own_if_nobody_else_reads_it() -> None:
    assert [one.is_only("p_ada") for one in (ADA, FIRM, ALL, ZOE)] == [True, False, False, False]
    assert Audience().is_only("p_ada") and not ADA.is_only("p_bo")
    assert not Audience(frozenset({"p_ada", "p_bo"})).is_only("p_ada")


PEOPLE = st.frozensets(st.sampled_from("ab"))
AUDIENCES = st.builds(Audience, PEOPLE, PEOPLE, st.booleans(), st.booleans())
ADDRESSES, EMPLOYEES = "abz", "abz"  # z is somebody whom no audience names


@settings(max_examples=examples(400), database=None)
@given(AUDIENCES, AUDIENCES)
def test_audiences_are_joined_and_compared_as_the_sets_of_their_readers(one: Audience, other: Audience) -> None:
    def readers(audience: Audience) -> set[tuple[str, str]]:
        inside = {("employee", id) for id in EMPLOYEES if audience.includes(id)}
        return inside | {("outsider", id) for id in ADDRESSES if audience.reaches(id)}

    assert readers(one | other) == readers(one) | readers(other)
    assert one.covers(other) == (readers(one) >= readers(other))
    assert one.is_only("a") == (readers(one) <= {("employee", "a")})


def test_readers_are_found_from_the_cells_of_a_row() -> None:
    cells = {"owner": "p_ada", "boss": None, "file": "f1"}
    assert owner("owner", "boss", "nobody")(cells, People()) == ADA
    assert everybody(cells, People()) == COMPANY == FIRM and anybody(cells, People()).covers(ALL)
    assert among(["p_ada"]) == ADA
    of_files = as_readers_of("file", "file", owner("owner"))
    assert of_files(cells, Files()) == ADA and of_files({"file": "f2"}, Files()) == NOBODY == Audience()


class Files(People):
    """Knows one file."""

    def row(self, table: str, *key: Any) -> Row | None:
        return {"owner": "p_ada"} if (table, key) == ("file", ("f1",)) else None
