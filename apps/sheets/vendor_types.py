"""Objects of the Sheets API that more than one place reads; every field may be absent.

developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets
"""

from collections.abc import Sequence
from typing import Any, TypedDict

CheckedObject = dict[str, Any]  # of a request or of a stored object: `requests.shapes` has checked its fields
Color = dict[str, float]  # red, green, blue, each 0 to 1; what is absent is 0
Scalar = str | float | bool | None  # a value of a ValueRange


class ColorStyle(TypedDict, total=False):
    """A colour, or the name of one in the theme."""

    rgbColor: Color
    themeColor: str


class NumberFormat(TypedDict, total=False):
    """Number format of a cell."""

    type: str
    pattern: str


class Link(TypedDict, total=False):
    """Link of a text."""

    uri: str


class TextFormat(TypedDict, total=False):
    """Format of a text."""

    foregroundColor: Color
    foregroundColorStyle: ColorStyle
    fontFamily: str
    fontSize: float
    bold: bool
    italic: bool
    strikethrough: bool
    underline: bool
    link: Link


class TextRotation(TypedDict, total=False):
    """Rotation of a text."""

    angle: int
    vertical: bool


class Border(TypedDict, total=False):
    """A line at one side of a cell."""

    style: str
    width: int
    color: Color
    colorStyle: ColorStyle


class Borders(TypedDict, total=False):
    """The lines about a cell."""

    top: Border
    bottom: Border
    left: Border
    right: Border


class Padding(TypedDict, total=False):
    """Pixels between a cell's text and its sides."""

    top: int
    right: int
    bottom: int
    left: int


class CellFormat(TypedDict, total=False):
    """Format of a cell."""

    numberFormat: NumberFormat
    backgroundColor: Color
    backgroundColorStyle: ColorStyle
    borders: Borders
    padding: Padding
    horizontalAlignment: str
    verticalAlignment: str
    wrapStrategy: str
    textDirection: str
    textFormat: TextFormat
    textRotation: TextRotation
    hyperlinkDisplayType: str


class GridRange(TypedDict, total=False):
    """Cells of a sheet; sides that are absent are open."""

    sheetId: int
    startRowIndex: int
    endRowIndex: int
    startColumnIndex: int
    endColumnIndex: int


class ConditionValue(TypedDict, total=False):
    """Operand of a condition."""

    relativeDate: str
    userEnteredValue: str


class BooleanCondition(TypedDict, total=False):
    """A condition on a cell."""

    type: str
    values: list[ConditionValue]


class ValidationRule(TypedDict, total=False):
    """A DataValidationRule."""

    condition: BooleanCondition
    inputMessage: str
    strict: bool
    showCustomUi: bool


class BooleanRule(TypedDict, total=False):
    """Format of cells where a condition holds."""

    condition: BooleanCondition
    format: CellFormat


class InterpolationPoint(TypedDict, total=False):
    """A point of a colour scale."""

    type: str
    value: str
    color: Color
    colorStyle: ColorStyle


class GradientRule(TypedDict, total=False):
    """A colour scale."""

    minpoint: InterpolationPoint
    midpoint: InterpolationPoint
    maxpoint: InterpolationPoint


class ConditionalFormatRule(TypedDict, total=False):
    """A rule of conditional formats."""

    ranges: Sequence[GridRange]
    booleanRule: BooleanRule
    gradientRule: GradientRule


class FilterCriteria(TypedDict, total=False):
    """Criteria of a filter for one column."""

    hiddenValues: list[str]
    condition: BooleanCondition
    visibleBackgroundColor: Color
    visibleBackgroundColorStyle: ColorStyle
    visibleForegroundColor: Color
    visibleForegroundColorStyle: ColorStyle


class FilterSpec(TypedDict, total=False):
    """The criteria of one column."""

    columnIndex: int
    filterCriteria: FilterCriteria


class SortSpec(TypedDict, total=False):
    """The order of rows by one column."""

    dimensionIndex: int
    sortOrder: str
    foregroundColor: Color
    foregroundColorStyle: ColorStyle
    backgroundColor: Color
    backgroundColorStyle: ColorStyle


class Filter(TypedDict, total=False):
    """Fields common to a basic filter and a filter view."""

    range: GridRange
    criteria: dict[str, FilterCriteria]
    filterSpecs: list[FilterSpec]
    sortSpecs: list[SortSpec]
    namedRangeId: str
    tableId: str


class Editors(TypedDict, total=False):
    """Editors of a protected range."""

    users: list[str]
    groups: list[str]
    domainUsersCanEdit: bool


class Protection(TypedDict, total=False):
    """A ProtectedRange as stored, without its range."""

    description: str
    warningOnly: bool
    namedRangeId: str
    tableId: str
    unprotectedRanges: list[GridRange]
    editors: Editors
