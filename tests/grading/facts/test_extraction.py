"""A value written in any locale is read back; what is quoted, struck out, hidden or disguised is told."""

from datetime import date, time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world.core.reading.passage import Mark, Passage
from world.grading.facts import Fact, Vocabulary, extract
from world.grading.facts.agreement import RequiredFact, find_surplus
from world.grading.facts.vocabulary import short_names
from world.grading.folding import fold

CENTS = st.integers(min_value=1, max_value=10**11)
MONTHS = "January February March April May June July August September October November December".split()
MONATE = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()
LOCALES = {
    "en_US": (",", "."),
    "de_DE": (".", ","),
    "de_CH": ("'", "."),
    "fr_FR": ("\u202f", ","),
    "pl_PL": ("\u00a0", ","),
    "es_ES": (".", ","),
}
TOGETHER = ("{} EUR", "EUR {}", "{} €", "€{}", "{} euros", "a credit of {} EUR.", "({}€)")


def grouped(cents: int, group: str, point: str) -> str:
    """An amount as a locale writes it."""
    return f"{cents // 100:,}".replace(",", group) + f"{point}{cents % 100:02}"


def indian(cents: int) -> str:
    """An amount in lakhs and crores: 12,34,567.50."""
    whole = str(cents // 100)
    head, tail = whole[:-3], whole[-3:]
    pairs = [head[max(0, at - 2) : at] for at in range(len(head), 0, -2)][::-1]
    return ",".join([*pairs, tail]) + f".{cents % 100:02}"


def one(text: str) -> Fact:
    """The single fact of a text."""
    (fact,) = extract(Passage(text))
    return fact


@given(cents=CENTS, locale=st.sampled_from(sorted(LOCALES)), frame=st.sampled_from(TOGETHER))
def test_an_amount_is_the_same_in_every_locale(cents: int, locale: str, frame: str) -> None:
    fact = one(frame.format(grouped(cents, *LOCALES[locale])))
    assert (fact.kind, fact.value, fact.unit, fact.others) == ("amount", Decimal(cents) / 100, "EUR", ())


@given(cents=CENTS)
def test_an_amount_in_lakhs_is_the_same(cents: int) -> None:
    assert one(f"₹{indian(cents)}") == one(f"INR {cents / 100:.2f}") == Fact("amount", Decimal(cents) / 100, "INR")


DAYS = st.dates(date(2000, 1, 1), date(2099, 12, 31))


@given(day=DAYS)
def test_a_date_is_the_same_in_every_locale(day: date) -> None:
    month, monat = MONTHS[day.month - 1], MONATE[day.month - 1]
    for text in (
        day.isoformat(),
        f"{day:%d.%m.%Y}",
        f"{day.day}.{day.month}.{day.year}",
        f"{month} {day.day}, {day.year}",
        f"{day.day} {month} {day.year}",
        f"{day.day}. {monat} {day.year}",
        f"{month[:3]} {day.day}, {day.year}",
        f"{day:%Y/%m/%d}",
    ):
        assert (text, one(text).value) == (text, day.isoformat())


@given(day=DAYS)
def test_a_date_with_slashes_has_a_reading_for_every_order(day: date) -> None:
    values = {reading.value for text in (f"{day:%d/%m/%Y}", f"{day:%m/%d/%Y}") for reading in one(text).readings}
    assert day.isoformat() in values
    assert len(one(f"{day:%d/%m/%Y}").readings) == (1 if day.day > 12 or day.day == day.month else 2)


@given(at=st.times())
def test_a_time_is_the_same_in_every_locale(at: time) -> None:
    half = f"{at.hour % 12 or 12}:{at.minute:02}"
    writings = [
        f"{at:%H:%M}",
        f"{half} {'AM' if at.hour < 12 else 'PM'}",
        f"{half}{'am' if at.hour < 12 else 'pm'}",
        f"{at:%H.%M} Uhr",
    ]
    assert {one(text).value for text in writings} == {f"{at:%H:%M}"}


@given(minutes=st.integers(min_value=1, max_value=5000))
def test_a_duration_is_the_same_in_every_unit(minutes: int) -> None:
    hours, rest = divmod(minutes, 60)
    writings = [
        f"{minutes} min",
        f"{minutes} minutes",
        f"{minutes} Minuten",
        f"{minutes * 60} seconds",
        f"PT{minutes}M",
    ]
    writings += (
        [f"{hours}h {rest}m", f"{hours} hours and {rest} minutes", f"{hours} Std. {rest} Min."]
        if hours and rest
        else []
    )
    for text in writings:
        (fact,) = extract(Passage(text))
        assert (text, fact.value, fact.unit) == (text, Decimal(minutes * 60_000_000), "us")


@given(text=st.text(max_size=300))
def test_any_text_has_facts_within_it(text: str) -> None:
    for fact in extract(Passage(text), vocabulary_of_nobody()):
        assert 0 <= fact.start < fact.end <= len(text)


def vocabulary_of_nobody() -> Vocabulary:
    """Regions alone."""
    return Vocabulary()


@pytest.mark.parametrize(
    "piece",
    [
        "1.",
        "1,",
        "1'234",
        "a@",
        "a-1 ",
        "1h ",
        "one hundred ",
        "half a ",
        "1:",
        "12/",
        "€",
        "p1d",
        "#1 ",
        "a\u200b",
        "-",
    ],
)
def test_hostile_texts_are_read_to_their_end(piece: str) -> None:
    text = piece * (20_000 // len(piece)) + " and 44 EUR"
    assert Fact("amount", Decimal(44), "EUR") in extract(Passage(text))


def test_marks_of_the_passage_reach_the_facts() -> None:
    text = "5 EUR 6 EUR 7 EUR 8 EUR"
    marks = (Mark(6, 11, "struck"), Mark(12, 17, "quoted"), Mark(18, 23, "hidden"))
    facts = extract(Passage(text, marks))
    assert [(int(f.value), f.struck, f.quoted, f.hidden, f.stated) for f in facts] == [
        (5, False, False, False, True),
        (6, True, False, False, False),
        (7, False, True, False, False),
        (8, False, False, True, False),
    ]


@pytest.mark.parametrize(
    ("text", "disguised"),
    [
        ("Mira", False),
        ("Мira", True),
        ("Mi\u200bra", True),
        ("Ｍira", True),
        ("𝐌ira", True),
        ("Míra", False),
        ("Öztürk", False),
        ("ＭＩＲＡ", True),
    ],
)
def test_a_name_in_disguise_is_the_name_and_is_told(vocabulary: Vocabulary, text: str, disguised: bool) -> None:
    (fact,) = extract(Passage(f"ask {text} now"), vocabulary)
    assert (fact.kind, fact.value, fact.disguised) == ("person", "p_1", disguised)
    assert f"ask {text} now"[fact.start : fact.end] == text


def test_a_name_that_two_share_has_a_reading_for_each(vocabulary: Vocabulary) -> None:
    (fact,) = extract(Passage("Joan knows"), vocabulary)
    assert {reading.value for reading in fact.readings} == {"p_5", "p_6"}
    assert [f.value for f in extract(Passage("Joan Reyes knows"), vocabulary)] == ["p_5"]


def test_what_looks_alike_is_read_one_way_throughout() -> None:
    facts = extract(Passage("1.234 EUR for 2.500 EUR"))
    both = [RequiredFact("a", (one("1234 EUR"),)), RequiredFact("b", (one("2500 EUR"),))]
    assert find_surplus(facts, both, frozenset({"amount"})) == []
    mixed = [RequiredFact("a", (one("1234 EUR"),)), RequiredFact("b", (one("EUR 2.50"),))]
    assert [str(fact.value) for fact in find_surplus(facts, mixed, frozenset({"amount"}))] != []


def test_short_names_leave_out_what_names_nobody() -> None:
    names = {name for name, _ in short_names("Pacific Crest Dental GmbH", "pcdental.example", {})}
    assert {"Pacific Crest Dental GmbH", "Pacific Crest Dental", "Pacific Crest", "PCD", "pcdental"} <= names
    assert not {"Pacific", "Dental", "Crest"} & names


def test_folding_keeps_the_place_of_every_letter() -> None:
    text = "Straße Kra\u0301ków 2½ \u200bh ﬁn"
    folded = fold(text)
    assert folded.plain == "Strasse Krakow 2.5 h fin"
    assert text[slice(*folded.place(folded.plain.index("Krakow"), folded.plain.index("Krakow") + 6))] == "Kra\u0301ków"


@pytest.mark.parametrize(
    ("one_text", "other"),
    [("4f3a9c1", "4f3a9c1d2e5b"), ("SHOP-1", "shop-1"), ("€5", "5 EUR"), ("v26.4", "release 26.4")],
)
def test_facts_fit_however_they_are_written(vocabulary: Vocabulary, one_text: str, other: str) -> None:
    (first,), (second,) = extract(Passage(one_text), vocabulary), extract(Passage(other), vocabulary)
    assert first.fits(second) and second.fits(first)
    assert not first.fits(extract(Passage("7 EUR"), vocabulary)[0])
