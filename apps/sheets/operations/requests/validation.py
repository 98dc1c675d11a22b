"""Requests about data validation: setDataValidation."""

from apps.sheets.grid.conditions import problem
from apps.sheets.grid.stored_cells import BLANK
from apps.sheets.json_columns import encode_object
from apps.sheets.operations.requests.borders import get_editable_range
from apps.sheets.operations.requests.objects import objects_of
from apps.sheets.operations.requests.registry import RequestArguments, request
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure import formula_references
from apps.sheets.structure.dimensions import Lines, sizes
from apps.sheets.vendor_types import CheckedObject

MOST_ITEMS = 500  # of a dropdown's list; support.google.com/docs/answer/186103


@request("setDataValidation")
def set_data_validation(book: Spreadsheet, asked: RequestArguments) -> None:
    """Put a rule on every cell of a range, apart from rows a filter hides unless asked; without a rule, take rules
    away.
    """
    rule = check_rule(book, asked, asked.given["rule"]) if asked.get("rule") else None
    tab, area = get_editable_range(book, asked)
    bottom, right = area.bottom or 0, area.right or 0
    asked.claim(book, area)
    known = book.cells(tab, area)
    hidden = {at for at, (_, _, filtered) in sizes(book, Lines(tab, "ROWS", area.top, bottom)).items() if filtered}
    rows = [row for row in range(area.top, bottom) if row not in hidden or asked.get("filteredRowsIncluded")]
    if rule is None:
        book.put(
            tab,
            [
                (*at, cell._replace(validation=None))
                for at, cell in known.items()
                if cell.validation and at[0] in set(rows)
            ],
        )
        return
    fixed = None if _moves(rule) else encode_object(rule)
    new = [
        (
            row,
            column,
            known.get((row, column), BLANK)._replace(
                validation=fixed or encode_object(_shift_rule(rule, row - area.top, column - area.left))
            ),
        )
        for row in rows
        for column in range(area.left, right)
    ]
    book.put(tab, new)


def check_rule(book: Spreadsheet, asked: RequestArguments, rule: CheckedObject) -> CheckedObject:
    """Return a DataValidationRule as stored. Raises bad_request."""
    condition = objects_of(asked, rule, "condition")
    wrong = problem(condition, "rule")
    if wrong:
        raise asked.wrong(wrong)
    items = condition.get("values") or []
    if condition["type"] == "ONE_OF_LIST" and len(items) > MOST_ITEMS:
        raise asked.wrong(f"A list may have at most {MOST_ITEMS} items.")
    if condition["type"] == "ONE_OF_RANGE":
        _check_range(book, asked, str(items[0].get("userEnteredValue")))
    kept = {name: rule[name] for name in ("inputMessage", "strict", "showCustomUi") if rule.get(name)}
    return {"condition": condition, **kept}


def _check_range(book: Spreadsheet, asked: RequestArguments, formula: str) -> None:
    if len(book.engine.precedents(formula if formula.startswith("=") else f"={formula}", book.tabs[0].id)) != 1:
        raise asked.wrong(f"Invalid ConditionValue.userEnteredValue: {formula}")


def _moves(rule: CheckedObject) -> bool:
    """Whether a rule has a formula that speaks of cells about its own."""
    condition = rule["condition"]
    texts = [str(value.get("userEnteredValue") or "") for value in condition.get("values") or []]
    return condition["type"] != "ONE_OF_RANGE" and any(text.startswith("=") for text in texts)


def _shift_rule(rule: CheckedObject, rows: int, columns: int) -> CheckedObject:
    """Shift the formulas of a rule for another cell."""
    values = [
        (
            {**value, "userEnteredValue": formula_references.shift_formula(text, rows, columns)}
            if (text := str(value.get("userEnteredValue") or "")).startswith("=")
            else value
        )
        for value in rule["condition"]["values"]
    ]
    return {**rule, "condition": {**rule["condition"], "values": values}}
