"""Our engine against another one (ironcalc) on a corpus; every disagreement is listed with its reason, and the list is
exact.
"""

import math
import tomllib
from pathlib import Path

import ironcalc
import pytest

from apps.sheets.cells import Entry, Fault, Value
from apps.sheets.engine import compile, engine
from tests.apps.sheets.engine.corpus import CORPUS, TABLE, entry

COLUMN = 10
LISTED = Path(__file__).with_name("disagreements.toml")


def row(index: int) -> int:
    """Where a formula of the corpus stands: apart from the table, with room for what spills."""
    return 20 + 10 * index


def ours() -> list[Value]:
    """What we compute."""
    table = [
        (down, across, entry(value))
        for down, values in enumerate(TABLE)
        for across, value in enumerate(values)
        if value is not None
    ]
    formulas = [(row(index), COLUMN, Entry("formula", formula)) for index, formula in enumerate(CORPUS)]
    book = engine(lambda spreadsheet, reference: Fault("#REF!"))
    book.load([(0, "Sheet1", [*table, *formulas])], {})
    return [book.value(0, row(index), COLUMN) for index in range(len(CORPUS))]


def theirs() -> list[Value]:
    """What the other engine computes."""
    model = ironcalc.create("model", "en", "UTC", "en")
    writers = {
        float: model.update_cell_with_number,
        str: model.update_cell_with_text,
        bool: model.update_cell_with_bool,
    }
    for down, values in enumerate(TABLE, 1):
        for across, value in enumerate(values, 1):
            if value is not None:
                writers[type(value)](0, down, across, value)
    for index, formula in enumerate(CORPUS):
        model.set_user_input(0, row(index) + 1, COLUMN + 1, formula)
    model.evaluate()
    return [read(model, row(index) + 1) for index in range(len(CORPUS))]


def read(model: ironcalc.Model, down: int) -> Value:
    """A value, errors told from texts."""
    value = model.get_cell_value(0, down, COLUMN + 1)
    return Fault(str(value)) if model.get_cell_type(0, down, COLUMN + 1) == ironcalc.CellType.ErrorValue else value


def agree(one: Value, two: Value) -> bool:
    """Whether two values are the same: numbers to nine digits, errors by code."""
    if isinstance(one, Fault) or isinstance(two, Fault):
        return isinstance(one, Fault) and isinstance(two, Fault) and one.code == two.code
    if type(one) is float and type(two) is float:
        return math.isclose(one, two, rel_tol=1e-9, abs_tol=1e-12)
    return type(one) is type(two) and one == two


def test_every_disagreement_with_another_engine_is_listed_with_its_reason():
    assert len(CORPUS) >= 1_000
    found = {formula for formula, one, two in zip(CORPUS, ours(), theirs(), strict=True) if not agree(one, two)}
    groups = tomllib.loads(LISTED.read_text(encoding="utf-8"))["disagreement"]
    listed = [formula for group in groups for formula in group["formulas"]]
    assert len(listed) == len(set(listed))
    assert all(len(group["reason"]) > 20 for group in groups)
    assert found == set(listed)


def test_what_the_native_engine_computes_we_compute_alike(monkeypatch: pytest.MonkeyPatch):
    native = ours()
    monkeypatch.setattr(compile, "render", lambda root: None)
    compile._compiler.cache_clear()
    own = ours()
    compile._compiler.cache_clear()
    assert [
        (formula, one, two) for formula, one, two in zip(CORPUS, native, own, strict=True) if not agree(one, two)
    ] == []
