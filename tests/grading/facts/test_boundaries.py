"""Where a number, a date or a name just counts and where it just does not: `[place] kind value unit / other reading`."""

from decimal import Decimal
from pathlib import Path

from world.core.reading.passage import Passage
from world.grading.facts import Vocabulary, extract
from world.grading.facts.fact import Fact, FactReading
from world.grading.facts.numerals import COMMA, POINT, read_numeral, words_worth

LINES = (Path(__file__).parent / "boundaries.tsv").read_text(encoding="utf-8").splitlines()
CASES = [(text, facts) for text, _, facts in (line.partition("\t") for line in LINES)]


def _describe(fact: Fact, text: str) -> str:
    return f"[{text[fact.start : fact.end]}] {' / '.join(map(_show, fact.readings))}"


def _show(one: FactReading) -> str:
    value = one.value if isinstance(one.value, str) else f"{one.value:f}"
    return " ".join(part for part in (one.kind, value, one.unit, one.habit and f"({one.habit})") if part)


def test_each_text_has_its_facts_at_their_places(vocabulary: Vocabulary) -> None:
    found = [
        (text, "; ".join(_describe(one, text) for one in extract(Passage(text), vocabulary)) or "-")
        for text, _ in CASES
    ]
    assert found == CASES


NUMERALS: list[tuple[str, list[tuple[str, str]]]] = [
    ("12", [("12", "")]),
    ("1.5", [("1.5", "")]),
    ("1,5", [("1.5", "")]),
    ("1,500", [("1500", POINT), ("1.500", COMMA)]),
    ("1.500", [("1.500", POINT), ("1500", COMMA)]),
    ("0,500", [("0.500", "")]),
    ("123,500", [("123500", POINT), ("123.500", COMMA)]),
    ("1234,500", [("1234.500", "")]),
    ("1,2345", [("1.2345", "")]),
    ("1,234,567", [("1234567", "")]),
    ("1.234.567", [("1234567", "")]),
    ("1,23,456", [("123456", "")]),
    ("1.23.456", []),
    ("1,1,1", []),
    ("1,234.5", [("1234.5", "")]),
    ("1.234,5", [("1234.5", "")]),
    ("1,23,456.7", [("123456.7", "")]),
    ("12,34.5", []),
    ("1,234.5.6", []),
    ("1'234", [("1234", "")]),
    ("1 234,5", [("1234.5", "")]),
    ("1'234.5", [("1234.5", "")]),
    ("1'234.5.6", []),
    ("1" * 40, [("1" * 40, "")]),
    ("1" * 41, []),
]
WORDS = [
    ("one", "1"),
    ("twenty", "20"),
    ("twenty-one", "21"),
    ("twenty ten", None),
    ("twenty nine", "29"),
    ("ten five", None),
    ("one two", None),
    ("one, two", None),
    ("twenty  one", None),
    ("hundred", "100"),
    ("two hundred", "200"),
    ("hundred and five", "105"),
    ("one hundred five", "105"),
    ("hundred and", None),
    ("and one", None),
    ("ninety nine hundred", "9900"),
    ("one hundred hundred", None),
    ("hundred hundred", None),
    ("dozen", "12"),
    ("two dozen", "24"),
    ("hundred dozen", None),
    ("one thousand dozen", None),
    ("thousand", "1000"),
    ("two thousand five hundred", "2500"),
    ("hundred thousand", "100000"),
    ("seventeen thousand and twelve", "17012"),
    ("three crore", "30000000"),
    ("one and a half", "1.5"),
    ("two million and a half", "2000000.5"),
    ("one and a", None),
    ("zero", None),
    ("a dozen", None),
    ("eins", "1"),
    ("ein", None),
    ("elf", "11"),
    ("neunzehn", "19"),
    ("einundzwanzig", "21"),
    ("neunzig", "90"),
    ("hundert", "100"),
    ("zweihundert", "200"),
    ("neunhundertneunundneunzig", "999"),
    ("tausend", "1000"),
    ("zweitausend", "2000"),
    ("anderthalb", "1.5"),
    ("zweieinhalb", "2.5"),
    ("", None),
]


def test_a_numeral_has_every_worth_its_marks_allow() -> None:
    found = [(text, [(str(worth), habit) for worth, habit in read_numeral(text)]) for text, _ in NUMERALS]
    assert found == NUMERALS


def test_words_are_a_number_only_as_a_whole() -> None:
    found = [(text, words_worth(text)) for text, _ in WORDS]
    assert found == [(text, None if worth is None else Decimal(worth)) for text, worth in WORDS]
