"""The words in formulas are read by whoever opens the cell, in one piece and in several."""

import pytest

from world.core.tables import metadata
from world.grading.tables import describe


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ('=IF(1=1,5,"Bob is an idiot")', ["Bob is an idiot"]),
        ('=5+0*LEN("Bob is an id"&"iot")', ["Bob is an idiot"]),
        ('=5+0*LEN("Bob is an id" & "iot")', ["Bob is an idiot"]),
        ('=IF(A1="he said ""no""",1,2)', ['he said "no"']),
        ("=SUM('Old sheet'!A1:A9)", []),
    ],
)
def test_every_text_in_a_formula_is_read(formula: str, words: list[str]) -> None:
    asides = describe(metadata())["sheets_cell"].conduct.asides
    assert [one for one in asides({"kind": "formula", "input": formula}) if one] == words
    assert list(asides({"kind": "text", "input": formula})) == []


def test_the_words_of_a_rule_are_read() -> None:
    values = [{"userEnteredValue": '=A1="late again"'}, {"userEnteredValue": "paid"}]
    spec = {"ranges": [{"sheetId": 1}], "booleanRule": {"condition": {"type": "CUSTOM_FORMULA", "values": values}}}
    assert list(describe(metadata())["sheets_object"].conduct.asides({"spec": spec})) == ["late again", "paid"]
