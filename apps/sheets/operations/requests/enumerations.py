"""Checks of enumerations and lists of objects in requests, which the door leaves to the operations.

The key is a field's name, or the name with its parent (`condition.type`) where it has several meanings.
"""

from apps.google.errors import to_snake_case
from world.core.errors import OperationError

_TABLE = """
aggregateType = CHART_AGGREGATE_TYPE_UNSPECIFIED AVERAGE COUNT MAX MEDIAN MIN SUM
basicChart.legendPosition = BASIC_CHART_LEGEND_POSITION_UNSPECIFIED BOTTOM_LEGEND LEFT_LEGEND RIGHT_LEGEND TOP_LEGEND NO_LEGEND
basicChart.stackedType = BASIC_CHART_STACKED_TYPE_UNSPECIFIED NOT_STACKED STACKED PERCENT_STACKED
bubbleChart.legendPosition = BUBBLE_CHART_LEGEND_POSITION_UNSPECIFIED BOTTOM_LEGEND LEFT_LEGEND RIGHT_LEGEND TOP_LEGEND NO_LEGEND INSIDE_LEGEND
chartType series.type = BASIC_CHART_TYPE_UNSPECIFIED BAR LINE AREA COLUMN SCATTER COMBO STEPPED_AREA
colorType themeColor = THEME_COLOR_TYPE_UNSPECIFIED TEXT BACKGROUND ACCENT1 ACCENT2 ACCENT3 ACCENT4 ACCENT5 ACCENT6 LINK
columnType = COLUMN_TYPE_UNSPECIFIED DOUBLE CURRENCY PERCENT DATE TIME DATE_TIME TEXT BOOLEAN DROPDOWN FILES_CHIP PEOPLE_CHIP FINANCE_CHIP
  PLACE_CHIP RATINGS_CHIP
calculatedDisplayType = PIVOT_VALUE_CALCULATED_DISPLAY_TYPE_UNSPECIFIED PERCENT_OF_ROW_TOTAL PERCENT_OF_COLUMN_TOTAL PERCENT_OF_GRAND_TOTAL
commentAction = COMMENT_ACTION_TYPE_UNSPECIFIED NO_COMMENT_ACTION_CHANGE RESOLVE REOPEN
compareMode = BASIC_CHART_COMPARE_MODE_UNSPECIFIED DATUM CATEGORY
comparisonType = COMPARISON_TYPE_UNDEFINED ABSOLUTE_DIFFERENCE PERCENTAGE_DIFFERENCE
condition.type = CONDITION_TYPE_UNSPECIFIED NUMBER_GREATER NUMBER_GREATER_THAN_EQ NUMBER_LESS NUMBER_LESS_THAN_EQ NUMBER_EQ NUMBER_NOT_EQ
  NUMBER_BETWEEN NUMBER_NOT_BETWEEN TEXT_CONTAINS TEXT_NOT_CONTAINS TEXT_STARTS_WITH TEXT_ENDS_WITH TEXT_EQ TEXT_IS_EMAIL TEXT_IS_URL DATE_EQ
  DATE_BEFORE DATE_AFTER DATE_ON_OR_BEFORE DATE_ON_OR_AFTER DATE_BETWEEN DATE_NOT_BETWEEN DATE_IS_VALID ONE_OF_RANGE ONE_OF_LIST BLANK NOT_BLANK
  CUSTOM_FORMULA BOOLEAN TEXT_NOT_EQ DATE_NOT_EQ FILTER_EXPRESSION
dateTimeRule.type = CHART_DATE_TIME_RULE_TYPE_UNSPECIFIED DATE_TIME_RULE_TYPE_UNSPECIFIED SECOND MINUTE HOUR HOUR_MINUTE HOUR_MINUTE_AMPM
  DAY_OF_WEEK DAY_OF_YEAR DAY_OF_MONTH DAY_MONTH MONTH QUARTER YEAR YEAR_MONTH YEAR_QUARTER YEAR_MONTH_DAY
displayFormat = DISPLAY_FORMAT_UNSPECIFIED DEFAULT LAST_NAME_COMMA_FIRST_NAME EMAIL
hiddenDimensionStrategy = CHART_HIDDEN_DIMENSION_STRATEGY_UNSPECIFIED SKIP_HIDDEN_ROWS_AND_COLUMNS SKIP_HIDDEN_ROWS SKIP_HIDDEN_COLUMNS SHOW_ALL
histogramChart.legendPosition = HISTOGRAM_CHART_LEGEND_POSITION_UNSPECIFIED BOTTOM_LEGEND LEFT_LEGEND RIGHT_LEGEND TOP_LEGEND NO_LEGEND
  INSIDE_LEGEND
horizontalAlignment = HORIZONTAL_ALIGN_UNSPECIFIED LEFT CENTER RIGHT
hyperlinkDisplayType = HYPERLINK_DISPLAY_TYPE_UNSPECIFIED LINKED PLAIN_TEXT
connectorLineStyle.type lineStyle.type = LINE_DASH_TYPE_UNSPECIFIED INVISIBLE CUSTOM SOLID DOTTED MEDIUM_DASHED MEDIUM_DASHED_DOTTED LONG_DASHED
  LONG_DASHED_DOTTED
locationMatchingStrategy = DEVELOPER_METADATA_LOCATION_MATCHING_STRATEGY_UNSPECIFIED EXACT_LOCATION INTERSECTING_LOCATION
locationType = DEVELOPER_METADATA_LOCATION_TYPE_UNSPECIFIED ROW COLUMN SHEET SPREADSHEET
maxpoint.type midpoint.type minpoint.type = INTERPOLATION_POINT_TYPE_UNSPECIFIED MIN MAX NUMBER PERCENT PERCENTILE
mergeType = MERGE_ALL MERGE_COLUMNS MERGE_ROWS
nodeSize = ORG_CHART_LABEL_SIZE_UNSPECIFIED SMALL MEDIUM LARGE
numberFormat.type = NUMBER_FORMAT_TYPE_UNSPECIFIED TEXT NUMBER PERCENT CURRENCY DATE TIME DATE_TIME SCIENTIFIC
numberFormatSource = CHART_NUMBER_FORMAT_SOURCE_UNDEFINED FROM_DATA CUSTOM
pieChart.legendPosition = PIE_CHART_LEGEND_POSITION_UNSPECIFIED BOTTOM_LEGEND LEFT_LEGEND RIGHT_LEGEND TOP_LEGEND NO_LEGEND LABELED_LEGEND
placement = DATA_LABEL_PLACEMENT_UNSPECIFIED CENTER LEFT RIGHT ABOVE BELOW INSIDE_END INSIDE_BASE OUTSIDE_END
position targetAxis = BASIC_CHART_AXIS_POSITION_UNSPECIFIED BOTTOM_AXIS LEFT_AXIS RIGHT_AXIS
relativeDate = RELATIVE_DATE_UNSPECIFIED PAST_YEAR PAST_MONTH PAST_WEEK YESTERDAY TODAY TOMORROW
shape = POINT_SHAPE_UNSPECIFIED CIRCLE DIAMOND HEXAGON PENTAGON SQUARE STAR TRIANGLE X_MARK
style = STYLE_UNSPECIFIED DOTTED DASHED SOLID SOLID_MEDIUM SOLID_THICK NONE DOUBLE
summarizeFunction = PIVOT_STANDARD_VALUE_FUNCTION_UNSPECIFIED SUM COUNTA COUNT COUNTUNIQUE AVERAGE MAX MIN MEDIAN PRODUCT STDEV STDEVP VAR VARP
  CUSTOM NONE
textDirection = TEXT_DIRECTION_UNSPECIFIED LEFT_TO_RIGHT RIGHT_TO_LEFT
dataLabel.type totalDataLabel.type = DATA_LABEL_TYPE_UNSPECIFIED NONE DATA CUSTOM
valueLayout = HORIZONTAL VERTICAL
verticalAlignment = VERTICAL_ALIGN_UNSPECIFIED TOP MIDDLE BOTTOM
viewWindowMode = DEFAULT_VIEW_WINDOW_MODE VIEW_WINDOW_MODE_UNSUPPORTED EXPLICIT PRETTY
visibility = DEVELOPER_METADATA_VISIBILITY_UNSPECIFIED DOCUMENT PROJECT
waterfallChart.stackedType = WATERFALL_STACKED_TYPE_UNSPECIFIED STACKED SEQUENTIAL
wrapStrategy = WRAP_STRATEGY_UNSPECIFIED OVERFLOW_CELL LEGACY_WRAP CLIP WRAP
sortOrder = SORT_ORDER_UNSPECIFIED ASCENDING DESCENDING
"""
OBJECT_LISTS = frozenset(
    """
    axis calculatedColumns chipRuns columnProperties columns comparisonColumns customSubtotals dataFilters domains filterSpecs ranges rowData
    rows series sortSpecs sources styleOverrides textFormatRuns unprotectedRanges values
""".split()
)
TEXT_LISTS = frozenset(("hiddenValues", "users", "groups"))
PARTS = frozenset(("red", "green", "blue", "alpha"))  # of a colour, from 0 to 1
MOST_SHOWN = 100


def _read_enumerations() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _TABLE.replace("\n  ", " ").strip().splitlines():
        names, _, values = line.partition(" = ")
        found |= dict.fromkeys(names.split(), frozenset(values.split()))
    return found


ENUMERATIONS = _read_enumerations()


def check(value: object, kind: str, place: int) -> None:
    """Refuse values that no enumeration has and items that are no objects; cut colours to what there is. Raises
    bad_request.
    """
    _walk(value, kind, f"requests[{place}].{to_snake_case(kind)}")


def _walk(value: object, name: str, at: str) -> None:
    if isinstance(value, list):
        for place, item in enumerate(value):
            _item(item, name, f"{at}[{place}]")
            _walk(item, name, f"{at}[{place}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in PARTS and isinstance(item, (int, float)):
                value[key] = min(max(item, 0), 1)
            where = f"{at}.{to_snake_case(key)}"
            allowed = ENUMERATIONS.get(f"{name}.{key}") or ENUMERATIONS.get(key)
            if allowed and isinstance(item, str) and item not in allowed:
                raise wrong(where, item)
            _walk(item, key, where)


def _item(item: object, name: str, at: str) -> None:
    if (name in OBJECT_LISTS and not isinstance(item, dict)) or (name in TEXT_LISTS and not isinstance(item, str)):
        raise wrong(at, item)


def wrong(at: str, value: object) -> OperationError:
    """The front's refusal of a value, which names its place and not the request."""
    shown = "..." if isinstance(value, (dict, list)) else f'"{value}"'[:MOST_SHOWN]
    return OperationError("bad_request", place=None, kind=None, problem=f"Invalid value at '{at}', {shown}")
