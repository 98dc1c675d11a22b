"""What counts as asserting something: one row of claims.tsv for every way people say, deny, ask, doubt or foresee it."""

import csv
from collections import Counter
from pathlib import Path

from world.grading.claims.assertions import asserts
from world.grading.text import read_text

TABLE = Path(__file__).with_name("claims.tsv")
ROWS = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))


def is_read_rightly(row: dict[str, str]) -> bool:
    return asserts(read_text(row["text"]), [row["subject"]], row["state"]) is (row["asserted"] == "yes")


def test_a_sentence_asserts_or_not() -> None:
    wrong = [f"line {number}: {row}" for number, row in enumerate(ROWS, 2) if not is_read_rightly(row)]
    assert wrong == []


def test_the_table_is_large_and_has_no_repeats() -> None:
    assert len(ROWS) >= 300
    assert len({(row["subject"], row["state"], row["text"]) for row in ROWS}) == len(ROWS)
    kinds = Counter(row["kind"] for row in ROWS if row["asserted"] == "no")
    assert all(kinds[kind] >= 10 for kind in ("negation", "question", "hedge", "future", "condition", "quotation"))
