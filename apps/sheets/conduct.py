"""Readers of a spreadsheet: the readers of its file.

The cells of a line are one record. A reader of a cell or a rule also reads the words in its formulas, whatever they
display.
"""

import re
from collections.abc import Iterator, Mapping

from apps.drive.public import audience
from apps.sheets.app import app
from apps.sheets.formula_values import formula_values
from apps.sheets.models import CellRow, Object, Sheet, Spreadsheet
from world.core.audience import Cells
from world.core.conduct import Conduct

_CONSTANT, _JOIN = re.compile(r'"((?:[^"]|"")*)"'), re.compile(r'"\s*&\s*"')


def words_of_formula(formula: str) -> Iterator[str]:
    """Yield the texts in a formula; texts that it joins are one."""
    yield from (text.replace('""', '"') for text in _CONSTANT.findall(_JOIN.sub("", formula)))


def _words_of_cell(cell: Cells) -> Iterator[str]:
    if cell["kind"] == "formula":
        yield from words_of_formula(str(cell["input"]))


def _words_of_rule(value: object) -> Iterator[str]:
    """Yield the texts and formulas that a rule on a range compares with."""
    if isinstance(value, list):
        for one in value:
            yield from _words_of_rule(one)
    if isinstance(value, Mapping):
        for name, one in value.items():
            if name == "userEnteredValue":
                yield from words_of_formula(str(one)) if str(one).startswith("=") else (str(one),)
            else:
                yield from _words_of_rule(one)


app.declare_conduct(
    {
        **{str(table.__tablename__): Conduct(readers=audience.of_part) for table in (Spreadsheet, Sheet)},
        str(Object.__tablename__): Conduct(
            readers=audience.of_part, asides=lambda row: tuple(_words_of_rule(row["spec"]))
        ),
        str(CellRow.__tablename__): Conduct(
            readers=audience.of_part,
            record=("sheet_id", "row"),
            comes_to=formula_values,
            asides=_words_of_cell,
            shows=lambda before, after: ("paid",),  # books are kept in sheets
        ),
    }
)
