"""Packs: their strict schema, slots, lint, and that every item renders with hostile values."""

from dataclasses import replace

import pytest
from pydantic import ValidationError

from seeds.company import Company, Staff, create_company
from seeds.content_packs import NEEDS, SLOT, PackError, build_pack, library, parse_turn
from seeds.slots import Slots, clock_words, draw_value, money_words, person_words
from seeds.spec import Spec
from tests.seeds.lint import complaints, texts
from world.core.clock import HOUR

HEAD = {"split": "train", "licence": "CC-BY-4.0", "provenance": {"author": "x"}}
CHAT = {
    "id": "x/y",
    "in": "general",
    "roles": {"a": "any", "b": "any"},
    "turns": [{"a": "Hello {b.first}"}, {"b> work ~eyes*2": "hm"}],
}


@pytest.fixture(scope="module")
def company() -> Company:
    return create_company(Spec())


def test_a_turn_is_read_with_its_gap_thread_flags_and_reactions():
    turn = parse_turn({"b> work pin ~eyes*2 ~+1": "text"}, "x")
    assert (turn.by, turn.reply, turn.gap, turn.flags, turn.react) == (
        "b",
        True,
        "work",
        frozenset({"pin"}),
        (("eyes", 2), ("+1", 1)),
    )
    assert parse_turn({"dev started": "text"}, "x").phase == "started"


@pytest.mark.parametrize(
    "wrong", [{"a": "x", "b": "y"}, {"a soon": "x"}, {"A": "x"}, {"a": "  "}, {"a": 5}, "a: x", {True: "yes"}]
)
def test_a_turn_that_cannot_be_read_is_an_error(wrong: object):
    with pytest.raises(PackError):
        parse_turn(wrong, "x")


@pytest.mark.parametrize(
    "change",
    [
        {"colour": "red"},
        {"roles": {"a": "any"}},
        {"needs": {"n": "count"}},
        {"needs": {"n": "furlongs"}},
        {"turns": [{"a": "see {nobody.first}"}]},
    ],
)
def test_unknown_keys_silent_roles_idle_needs_and_strange_slots_do_not_load(change: dict[str, object]):
    from_pack = {**HEAD, "chats": [{**CHAT, **change}]}
    with pytest.raises((ValidationError, PackError)):
        checked(from_pack)


def checked(raw: dict[str, object]) -> object:
    """Load a pack as the library does."""
    return build_pack(raw, "test")


def test_a_sound_pack_loads():
    assert checked({**HEAD, "chats": [CHAT]})


def test_no_pack_has_anything_a_reader_would_stumble_over():
    for folder in ("shop", "tiny"):
        assert complaints(library(folder)) == []


def test_the_lint_sees_generated_prose_dashes_and_repeats():
    base = library("tiny")
    chat = base.chats[0]
    bad = replace(
        base,
        chats=(
            chat,
            chat.model_copy(
                update={
                    "id": "again",
                    "turns": (*chat.turns, parse_turn({"a": "Great question! Let us delve \u2014 now"}, "x")),
                }
            ),
        ),
    )
    said = "\n".join(complaints(bad))
    assert "great question" in said and "delve" in said and "a dash" in said and "says what" in said


def test_the_shop_pack_has_enough_distinct_authored_turns():
    turns = [turn.say for chat in library("shop").chats for turn in chat.turns]
    assert len(set(turns)) >= 850
    assert len(set(chat.id for chat in library("shop").chats)) == len(library("shop").chats)


def hostile(one: Staff, first: str) -> Staff:
    return replace(one, first=first, last="O'Brien-Łukaszewicz", full=f"{first} O'Brien-Łukaszewicz")


@pytest.mark.parametrize("first", ["Chris", "Żółć", "A" * 60, "Zoë O'"])
def test_every_item_renders_with_hostile_values(company: Company, first: str):
    one = hostile(company.staff["payments-1"], first)
    for chat in library("shop").chats:
        slots = Slots(company, {role: one for role in chat.roles})
        slots.values = {
            name: draw_value(kind, Spec().stream(chat.id, name), company, {}) for name, kind in chat.needs.items()
        }
        for turn in chat.turns:
            assert not SLOT.search(slots.fill(turn.say, one, Spec().start - 5 * HOUR)), chat.id


def test_a_slot_that_means_nothing_is_an_error(company: Company):
    with pytest.raises(PackError):
        Slots(company, {}).fill("{t.detected.clock}", company.staff["ceo"], 0)


def test_times_and_money_follow_the_speaker(company: Company):
    at = Spec().start + 5 * HOUR
    berlin, york = company.staff["ceo"], company.staff["success-head"]
    assert [clock_words(at, "clock", one) for one in (berlin, york)] == ["14:00", "8:00am"]
    assert [clock_words(at, "date", one) for one in (berlin, york)] == ["2 Mar", "Mar 2"]
    assert [money_words(124990, locale) for locale in ("de_DE", "en_US")] == ["1.249,90 €", "€1,249.90"]


def test_possessives_end_as_the_name_asks(company: Company):
    assert [person_words(hostile(company.staff["ceo"], name), ["poss"]) for name in ("Chris", "Ann")] == [
        "Chris'",
        "Ann's",
    ]


def test_numbers_drawn_are_never_round(company: Company):
    draw = Spec().stream("numbers")
    for kind in ("count", "many", "latency"):
        assert all(int(str(draw_value(kind, draw, company, {}))) % 10 for _ in range(200))
    assert set(NEEDS) >= {"count", "customer"}


def test_every_text_is_a_line_people_could_send():
    assert all(len(text) < 1500 for _, text in texts(library("shop")))
