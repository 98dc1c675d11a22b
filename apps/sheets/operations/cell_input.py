"""CellData read into cells, field by field."""

from apps.sheets import formats
from apps.sheets.cells import EMPTY, Entry
from apps.sheets.formats.entry import shortest_number
from apps.sheets.grid import rich_text
from apps.sheets.grid.conditions import problem
from apps.sheets.grid.stored_cells import Cell
from apps.sheets.json_columns import decode_object, encode_object
from apps.sheets.operations.field_mask import FieldMask
from apps.sheets.vendor_types import CheckedObject
from world.core.errors import OperationError


def entry_of(value: CheckedObject | None) -> Entry:
    """Convert an ExtendedValue to an entry. Raises bad_request for an error value or several."""
    if not value:
        return EMPTY
    if "formulaValue" in value:
        text = str(value["formulaValue"])
        return Entry("formula", text if text.startswith("=") else f"={text}")
    if "numberValue" in value:
        return Entry("number", shortest_number(value["numberValue"]))
    if "boolValue" in value:
        return Entry("boolean", str(bool(value["boolValue"])).upper())
    if "stringValue" in value:
        text = str(value["stringValue"])
        return Entry("text", text) if text else EMPTY
    raise OperationError("bad_request", problem="ExtendedValue must have a value to enter.")


def change_cell(cell: Cell, data: CheckedObject, fields: FieldMask) -> Cell:
    """A cell with the named fields of a CellData; named fields that are absent are cleared. Raises bad_request,
    unsupported_request.
    """
    if fields.has("dataSourceTable") and data.get("dataSourceTable") is not None:
        raise OperationError("unsupported_request")
    if fields.has("userEnteredValue"):
        cell = cell._replace(entry=entry_of(data.get("userEnteredValue")), runs=None)
    if fields.has("userEnteredFormat"):
        style = fields.at("userEnteredFormat").merge(decode_object(cell.format), data.get("userEnteredFormat") or {})
        cell = cell._replace(format=encode_object(check_format(style)))
    if fields.has("note"):
        cell = cell._replace(note=data.get("note") or None)
    if fields.has("dataValidation"):
        cell = cell._replace(validation=encode_object(_check_rule(data.get("dataValidation"))))
    if fields.has("textFormatRuns"):
        cell = cell._replace(runs=rich_text.with_text_runs(cell.runs, data.get("textFormatRuns")))
    if fields.has("chipRuns"):
        cell = cell._replace(
            runs=rich_text.with_chips(
                cell.runs, data.get("chipRuns"), (data.get("userEnteredValue") or {}).get("stringValue")
            )
        )
    return cell


def _check_rule(rule: CheckedObject | None) -> CheckedObject | None:
    """Check that a rule of data validation means something. Raises bad_request."""
    wrong = problem(rule.get("condition") or {}, "rule") if rule else None
    if wrong:
        raise OperationError("bad_request", problem=wrong)
    return rule


def check_format(style: CheckedObject) -> CheckedObject:
    """A format whose number pattern can be read. Raises bad_request."""
    try:
        formats.check((style.get("numberFormat") or {}).get("pattern") or "")
    except formats.BadPattern as bad:
        raise OperationError("bad_request", problem=str(bad)) from bad
    return style
