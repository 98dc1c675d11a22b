"""The vendor's conditions on cells, as data validation, conditional formats and filters have them.

developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets/other#ConditionType
"""

import calendar
import datetime
import re
from collections.abc import Callable
from functools import cached_property

from apps.sheets import formats
from apps.sheets.cells import DAY_ZERO, Area, Fault, Value
from apps.sheets.engine.condition_eval import Trial
from apps.sheets.engine.evaluation_time import Moment
from apps.sheets.engine.pivots.filters import COMPARISONS, TEXTS
from apps.sheets.formats import entry as typing_
from apps.sheets.json_columns import read_rule
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import BooleanCondition, CellFormat, ConditionValue, NumberFormat, ValidationRule

Test = Callable[[int, int], bool]
Cells = tuple[int, int]
RULES, FILTERS, LOOKS = frozenset(("rule",)), frozenset(("filter",)), frozenset(("format", "filter"))
EVERYWHERE = RULES | LOOKS
_ONE, _TWO, _NONE, _ANY = (1, 1), (2, 2), (0, 0), (1, 10_000)
# how many values each takes, and where it may stand
KINDS: dict[str, tuple[tuple[int, int], frozenset[str]]] = {
    **dict.fromkeys(
        (
            "NUMBER_GREATER",
            "NUMBER_GREATER_THAN_EQ",
            "NUMBER_LESS",
            "NUMBER_LESS_THAN_EQ",
            "NUMBER_EQ",
            "NUMBER_NOT_EQ",
        ),
        (_ONE, EVERYWHERE),
    ),
    **dict.fromkeys(("NUMBER_BETWEEN", "NUMBER_NOT_BETWEEN"), (_TWO, EVERYWHERE)),
    **dict.fromkeys(
        ("TEXT_CONTAINS", "TEXT_NOT_CONTAINS", "TEXT_EQ", "DATE_EQ", "DATE_BEFORE", "DATE_AFTER", "CUSTOM_FORMULA"),
        (_ONE, EVERYWHERE),
    ),
    **dict.fromkeys(("TEXT_STARTS_WITH", "TEXT_ENDS_WITH"), (_ONE, LOOKS)),
    **dict.fromkeys(("BLANK", "NOT_BLANK"), (_NONE, LOOKS)),
    **dict.fromkeys(("TEXT_IS_EMAIL", "TEXT_IS_URL", "DATE_IS_VALID"), (_NONE, RULES)),
    **dict.fromkeys(("DATE_ON_OR_BEFORE", "DATE_ON_OR_AFTER", "ONE_OF_RANGE"), (_ONE, RULES)),
    **dict.fromkeys(("DATE_BETWEEN", "DATE_NOT_BETWEEN"), (_TWO, RULES)),
    "ONE_OF_LIST": (_ANY, RULES),
    "BOOLEAN": ((0, 2), RULES),
    **dict.fromkeys(("TEXT_NOT_EQ", "DATE_NOT_EQ"), (_ANY, FILTERS)),
}
RELATIVE = ("DATE_EQ", "DATE_BEFORE", "DATE_AFTER", "DATE_ON_OR_BEFORE", "DATE_ON_OR_AFTER")
SOME = {
    _ONE: "exactly one ConditionValue",
    _TWO: "exactly two ConditionValues",
    _NONE: "no ConditionValues",
    _ANY: "at least one ConditionValue",
}
_EMAIL = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w-]{1,63}(\.[\w-]{1,63}){1,8}", re.ASCII)
_URL = re.compile(r"(https?://|ftp://|www\.)?[\w-]{1,63}(\.[\w-]{1,63}){1,8}(:\d{1,5})?([/?#]\S*)?", re.IGNORECASE)
_DATES = ("DATE", "DATE_TIME")


def problem(condition: BooleanCondition, where: str) -> str | None:
    """Return the error of a condition in a `rule`, `format` or `filter`; None for a valid one."""
    kind, values = condition.get("type"), condition.get("values") or []
    if kind not in KINDS:
        return (
            "A condition type must be specified."
            if not kind or kind.endswith("_UNSPECIFIED")
            else f"ConditionType '{kind}' is not supported."
        )
    (least, most), places = KINDS[kind]
    if where not in places:
        what = {"rule": "data validation", "format": "conditional formatting", "filter": "filters"}[where]
        return f"ConditionType '{kind}' is not supported by {what}."
    if not least <= len(values) <= most:
        said = SOME.get((least, most), "zero, one or two ConditionValues")
        return f"ConditionType '{kind}' requires {said}, but {len(values)} values were supplied."
    return next((said for value in values if (said := _value_problem(kind, value))), None)


def _value_problem(kind: str, value: ConditionValue) -> str | None:
    relative, text = value.get("relativeDate"), value.get("userEnteredValue")
    if (relative is None) == (text is None):
        return "Exactly one of relativeDate and userEnteredValue must be set in a ConditionValue."
    if relative is not None:
        return None if kind in RELATIVE else f"ConditionType '{kind}' does not support relative dates."
    if kind in ("CUSTOM_FORMULA", "ONE_OF_RANGE") and not str(text).startswith("="):
        return f"Invalid ConditionValue.userEnteredValue: {text}" if kind == "CUSTOM_FORMULA" else None
    return None


class AreaValues:
    """The cells of an area: their values, how these are displayed, and whether they are dates."""

    def __init__(self, book: Spreadsheet, tab: Tab, area: Area, *, shown: bool = False) -> None:
        self.book, self.tab, self.area = book, tab, area.within(tab.rows, tab.columns)
        self._read = book.read_values if shown else book.values

    @cached_property
    def values(self) -> list[list[Value]]:
        """Row by row."""
        return self._read(self.tab, self.area)

    @cached_property
    def styles(self) -> dict[Cells, CellFormat]:
        """The formats of cells that have one."""
        return self.book.formats(self.tab, self.area)

    def value(self, row: int, column: int) -> Value:
        """Return the computed value of a cell."""
        return self.values[row - self.area.top][column - self.area.left]

    def _number_format(self, row: int, column: int) -> tuple[NumberFormat | None, str]:
        number = self.styles.get((row, column), {}).get("numberFormat")
        return number, "" if number else self.book.engine.hint(self.tab.id, row, column)

    def text(self, row: int, column: int) -> str:
        """Return the displayed text of a cell."""
        number, hint = self._number_format(row, column)
        return formats.format_value(self.value(row, column), number, self.book.locale, hint)

    def is_date(self, row: int, column: int) -> bool:
        """Whether a cell shows a date."""
        value = self.value(row, column)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return False
        number, hint = self._number_format(row, column)
        return (number or {}).get("type", hint.partition(":")[0]) in _DATES


class Conditions:
    """Conditions of one spreadsheet, at this moment, within one budget of work."""

    def __init__(self, book: Spreadsheet) -> None:
        self.book = book
        call = book.call
        self.today = int(Moment(call.now, book.zone, call.rng.seed, book.locale).serial())

    @cached_property
    def trial(self) -> Trial:
        """Evaluator of the conditions' formulas."""
        return Trial(self.book.engine)  # type: ignore[arg-type]

    def test(self, seen: AreaValues, condition: BooleanCondition, origin: Cells) -> Test:
        """Return a test of cells against a condition; an invalid condition holds nowhere.

        Its formulas were written for the cell `origin`.
        """
        kind = condition.get("type", "")
        values = [value for value in condition.get("values") or [] if isinstance(value, dict)]
        if kind in ("BLANK", "NOT_BLANK"):
            return lambda row, column: (seen.value(row, column) in (None, "")) is (kind == "BLANK")
        if kind == "CUSTOM_FORMULA":
            return self._formula(seen, values, origin)
        if kind in ("ONE_OF_LIST", "ONE_OF_RANGE", "BOOLEAN"):
            return self._allows_listed(seen, kind, values)
        if kind.startswith("NUMBER_"):
            return self._number(seen, kind, values, origin)
        return (
            self._date(seen, kind, values, origin)
            if kind.startswith("DATE_")
            else self._text(seen, kind, values, origin)
        )

    # values of conditions

    def resolve_value(self, seen: AreaValues, given: ConditionValue, origin: Cells, at: Cells) -> Value:
        """Return the value of a ConditionValue for a cell."""
        text = str(given.get("userEnteredValue") or "")
        if text.startswith("=") and len(text) > 1:
            return self.trial.value(text, seen.tab.id, origin, at)
        found = typing_.parse_entry(text, self.book.locale, self.book.call.now, self.book.zone).entry
        if found.kind == "number":
            return float(found.input)
        return found.input == "TRUE" if found.kind == "boolean" else text

    def _numbers(
        self, seen: AreaValues, values: list[ConditionValue], origin: Cells
    ) -> Callable[[Cells], list[float] | None]:
        """The numbers of a condition for a cell; None when one is none."""

        def read(at: Cells) -> list[float] | None:
            found = [self.resolve_value(seen, value, origin, at) for value in values]
            return [float(one) for one in found if is_number(one)] if found and all(map(is_number, found)) else None  # type: ignore[arg-type]

        if any(str(value.get("userEnteredValue", "")).startswith("=") for value in values):
            return read
        fixed = read(origin)
        return lambda _: fixed

    # numbers

    def _number(self, seen: AreaValues, kind: str, values: list[ConditionValue], origin: Cells) -> Test:
        compare, numbers = COMPARISONS.get(kind.removeprefix("NUMBER_")), self._numbers(seen, values, origin)

        def holds(row: int, column: int) -> bool:
            value = seen.value(row, column)
            told = numbers((row, column)) if is_number(value) else None
            return bool(compare and told) and compare(value, told)  # type: ignore[arg-type,misc]

        return holds

    # texts

    def _text(self, seen: AreaValues, kind: str, values: list[ConditionValue], origin: Cells) -> Test:
        check = _TEXTS.get(kind)

        def compute_expected_text(at: Cells) -> str:
            given = str(values[0].get("userEnteredValue") or "") if values else ""
            found = (
                self.trial.value(given, seen.tab.id, origin, at) if given.startswith("=") and len(given) > 1 else given
            )
            return found if isinstance(found, str) else formats.format_value(found, None, self.book.locale)

        def holds(row: int, column: int) -> bool:
            if isinstance(seen.value(row, column), Fault):
                return False
            return check is not None and check(
                seen.text(row, column).casefold(), compute_expected_text((row, column)).casefold()
            )

        return holds

    # dates

    def _date(self, seen: AreaValues, kind: str, values: list[ConditionValue], origin: Cells) -> Test:
        if kind == "DATE_IS_VALID":
            return seen.is_date
        relative = values[0].get("relativeDate") if values else None
        if relative:
            low, high = self.days(str(relative))
            return self._relative(seen, kind, low, high)
        compare, numbers = COMPARISONS.get(_OF_DATES.get(kind, "")), self._numbers(seen, values, origin)

        def holds(row: int, column: int) -> bool:
            told = numbers((row, column)) if seen.is_date(row, column) else None
            day = seen.value(row, column)
            return bool(compare and told) and compare(float(day // 1), [one // 1 for one in told])  # type: ignore[operator,misc,union-attr]

        return holds

    def _relative(self, seen: AreaValues, kind: str, low: int, high: int) -> Test:
        """A relative date; `on` a past week means any day of it."""

        def holds(row: int, column: int) -> bool:
            if not seen.is_date(row, column):
                return False
            day = float(seen.value(row, column)) // 1  # type: ignore[arg-type]
            if kind in ("DATE_EQ", "DATE_NOT_EQ"):
                return (low <= day <= high) is (kind == "DATE_EQ")
            return COMPARISONS[_OF_DATES[kind]](day, [float(low)])

        return holds

    def days(self, relative: str) -> tuple[int, int]:
        """The first and last day of a relative date."""
        single = {"TODAY": 0, "TOMORROW": 1, "YESTERDAY": -1}
        if relative in single:
            return self.today + single[relative], self.today + single[relative]
        if relative == "PAST_WEEK":
            return self.today - 7, self.today
        months = 12 if relative == "PAST_YEAR" else 1
        day = datetime.date.fromordinal(self.today + DAY_ZERO)
        year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
        last = calendar.monthrange(year, month + 1)[1]
        return datetime.date(year, month + 1, min(day.day, last)).toordinal() - DAY_ZERO, self.today

    # lists and formulas

    def choices(self, tab: Tab, condition: BooleanCondition) -> list[str]:
        """The texts a cell with ONE_OF_LIST, ONE_OF_RANGE or BOOLEAN may show, in order, each once."""
        texts = [
            str(value.get("userEnteredValue") or "")
            for value in condition.get("values") or []
            if isinstance(value, dict)
        ]
        if condition.get("type") == "BOOLEAN":
            return texts or ["TRUE", "FALSE"]
        if condition.get("type") != "ONE_OF_RANGE":
            return list(dict.fromkeys(texts))
        return list(dict.fromkeys(text for formula in texts for text in self._range(tab, formula)))

    def _range(self, tab: Tab, formula: str) -> list[str]:
        tabs = {one.id: one for one in self.book.tabs}
        written = formula if formula.startswith("=") else f"={formula}"
        shown: list[str] = []
        for sheet, area in self.book.engine.precedents(written, tab.id)[:1]:
            last = self.book.last(tabs[sheet])[0]
            seen = AreaValues(self.book, tabs[sheet], area.within(last + 1, tabs[sheet].columns))
            places = [
                (row, column)
                for row in range(seen.area.top, seen.area.bottom or 0)
                for column in range(seen.area.left, seen.area.right or 0)
            ]
            shown += [text for at in places if (text := seen.text(*at))]
        return shown

    def _allows_listed(self, seen: AreaValues, kind: str, values: list[ConditionValue]) -> Test:
        allowed = set(self.choices(seen.tab, {"type": kind, "values": values}))

        def holds(row: int, column: int) -> bool:
            value = seen.value(row, column)
            if kind == "BOOLEAN" and not values:
                return isinstance(value, bool)
            return seen.text(row, column) in allowed or formats.format_value(value, None, "en_US") in allowed

        return holds

    def _formula(self, seen: AreaValues, values: list[ConditionValue], origin: Cells) -> Test:
        text = str(values[0].get("userEnteredValue") or "") if values else ""
        if not text.startswith("="):
            return lambda *_: False

        def holds(row: int, column: int) -> bool:
            value = self.trial.value(text, seen.tab.id, origin, (row, column))
            return value is True or (is_number(value) and value != 0)

        return holds


def is_number(value: Value) -> bool:
    """Whether a value is a number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_OF_DATES = {
    "DATE_EQ": "EQ",
    "DATE_NOT_EQ": "NOT_EQ",
    "DATE_BEFORE": "LESS",
    "DATE_AFTER": "GREATER",
    "DATE_ON_OR_BEFORE": "LESS_THAN_EQ",
    "DATE_ON_OR_AFTER": "GREATER_THAN_EQ",
    "DATE_BETWEEN": "BETWEEN",
    "DATE_NOT_BETWEEN": "NOT_BETWEEN",
}


_TEXTS: dict[str, Callable[[str, str], bool]] = {
    **TEXTS,
    "TEXT_IS_EMAIL": lambda text, _: _EMAIL.fullmatch(text) is not None,
    "TEXT_IS_URL": lambda text, _: _URL.fullmatch(text) is not None,
}


def rule_of(text: str | None) -> ValidationRule | None:
    """A cell's validation as an object."""
    return read_rule(text) if text else None
