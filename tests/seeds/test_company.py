"""The people of a company: numbers, names, voices, rotas."""

from itertools import pairwise

import pytest

from seeds.company import company_pack, create_company
from seeds.person_names import ascii_form, inflect_surname
from seeds.spec import MESS, START, Spec
from world.core.clock import DAY, to_datetime

SEEDS = range(1, 21)


def test_a_company_has_two_daniels_with_the_same_initials_in_different_teams():
    for seed in SEEDS:
        daniels = [one for one in create_company(Spec(seed=seed)).staff.values() if one.first == "Daniel"]
        assert len(daniels) == 2
        assert {one.last[0] for one in daniels} == {"K"}
        assert len({one.team for one in daniels}) == len({one.office for one in daniels}) == 2


def test_names_handles_and_addresses_are_unique_but_for_the_daniels():
    for seed in SEEDS:
        staff = list(create_company(Spec(seed=seed)).staff.values())
        firsts = [one.first for one in staff if one.first != "Daniel"]
        assert len(set(firsts)) == len(firsts)
        for part in ("full", "handle", "email", "id", "last"):
            assert len({getattr(one, part) for one in staff}) == len(staff)


def test_seeds_give_different_people():
    assert len({create_company(Spec(seed=seed)).staff["ceo"].full for seed in SEEDS}) > 12


def test_managers_form_three_levels_under_one_head():
    company = create_company(Spec())

    def depth(seat: str) -> int:
        manager = company.staff[seat].manager
        return 1 if manager is None else 1 + depth(manager)

    depths = {seat: depth(seat) for seat in company.staff}
    assert [seat for seat, level in depths.items() if level == 1] == ["ceo"]
    assert max(depths.values()) == 4


def test_one_person_has_left_and_one_is_on_leave_at_the_start():
    company = create_company(Spec())
    assert [seat for seat, one in company.staff.items() if not one.is_employed(START)] == ["checkout-3"]
    assert [seat for seat in company.staff if company.away(seat, START)] == ["payments-2"]


@pytest.mark.parametrize("rota", ["payments", "checkout", "platform", "support"])
def test_every_moment_of_a_rota_has_one_person_who_works_here_and_is_not_away(rota: str):
    company = create_company(Spec())
    shifts = company.rotas[rota].shifts
    assert all(a.end_at == b.start_at for a, b in pairwise(shifts))
    assert shifts[0].start_at < START - 60 * DAY < START + 30 * DAY < shifts[-1].end_at
    for shift in shifts:
        assert company.staff[shift.seat].is_employed(shift.start_at)
        assert not company.away(shift.seat, shift.start_at)


def test_a_shift_lasts_a_week_of_local_time_through_the_change_of_clocks():
    starts = {
        to_datetime(shift.start_at, "Europe/Berlin").hour for shift in create_company(Spec()).rotas["payments"].shifts
    }
    assert starts == {10}


def test_the_small_company_is_made_of_people_of_the_larger_one():
    small, large = create_company(Spec(size="XS", seed=5)), create_company(Spec(size="S", seed=5))
    assert len(small.staff) == 8
    for seat, one in small.staff.items():
        assert (one.id, one.full, one.style) == (large.staff[seat].id, large.staff[seat].full, large.staff[seat].style)
        assert one.manager is None or one.manager in small.staff


def test_one_more_person_moves_nobody(monkeypatch: pytest.MonkeyPatch):
    before = create_company(Spec(seed=3)).staff
    pack = company_pack("shop")
    extra = {**pack["seats"][-1], "seat": "people-2"}
    monkeypatch.setitem(pack, "seats", [*pack["seats"], extra])
    after = create_company(Spec(seed=3)).staff
    assert {seat: after[seat] for seat in before} == before
    assert after["people-2"].id == f"p_{len(before) + 1:04}"


def test_names_become_plain_letters_in_addresses():
    assert [ascii_form(name) for name in ("Müller", "Wójcik", "de Vries", "Łukasz", "Çelik", "Siobhán", "Weiß")] == [
        "mueller",
        "wojcik",
        "devries",
        "lukasz",
        "celik",
        "siobhan",
        "weiss",
    ]
    assert inflect_surname("Malinowski", "f") == "Malinowska"
    assert inflect_surname("Malinowski", "m") == "Malinowski"


def test_a_spec_that_cannot_be_built_is_refused():
    for wrong in ({"size": "XXL"}, {"mess": "tidyish"}, {"size": "bench"}):
        with pytest.raises(ValueError):
            Spec(**wrong)  # type: ignore[arg-type]
    assert set(MESS) == {"tidy", "normal", "feral"}
