"""Ids: of the vendors' shapes, different within a call, and the same again for the same call."""

import re
import uuid

import pytest

from world.core.ids import Ids


def mint(number: int = 0) -> Ids:
    return Ids(7, "p_ada", 1_000_000 + number)


def test_a_call_mints_the_ids_it_minted_in_every_version() -> None:
    """A run that was kept is repeated to the byte, so these values stay."""
    ids = mint()
    assert [ids.token("C"), ids.base62(8), ids.hex(8), ids.digits(6)] == [
        "C64SEV70IZ0",
        "opxMoedt",
        "7064309a",
        "383819",
    ]
    assert ids.uuid() == "03b32369-3b47-4407-beae-c558a75e289a"


def test_ids_depend_on_seed_caller_and_time_and_are_never_twice_the_same() -> None:
    whose = (
        Ids(7, "p_ada", 1),
        Ids(8, "p_ada", 1),
        Ids(7, "p_bo", 1),
        Ids(7, "p_ada", 2),
        Ids(7, "p_ada", 1, 1),
        Ids(7, "p_ada", 1, 2),
    )
    made = [ids.token() for ids in whose for _ in range(3)]
    assert len(set(made)) == len(made) == 18


@pytest.mark.parametrize(
    ("make", "form"),
    [
        (lambda ids: ids.token(), r"[A-Z0-9]{10}"),
        (lambda ids: ids.token("U", 4), r"U[A-Z0-9]{4}"),
        (lambda ids: ids.base62(22), r"[A-Za-z0-9]{22}"),
        (lambda ids: ids.hex(12), r"[0-9a-f]{12}"),
        (lambda ids: ids.digits(3), r"[1-9][0-9]{2}"),
        (lambda ids: ids.digits(1), r"[1-9]"),
        (lambda ids: ids.uuid(), r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"),
    ],
)
def test_an_id_has_its_form(make, form: str) -> None:  # type: ignore[no-untyped-def]
    made = {make(mint(number)) for number in range(60)}
    assert all(re.fullmatch(form, one) for one in made) and len(made) > 5


def test_a_uuid_is_one_of_version_four() -> None:
    made = [uuid.UUID(mint(number).uuid()) for number in range(40)]
    assert {(one.version, one.variant) for one in made} == {(4, uuid.RFC_4122)}
    assert {str(one)[19] for one in made} == set("89ab")
