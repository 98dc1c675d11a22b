"""The types of the fields of requests, by their names: one name means one type nearly everywhere in the published
description.
"""

from typing import Any

from apps.sheets.vendor_types import CheckedObject
from world.core.errors import OperationError
from world.core.params import clean_text

WHOLE = frozenset(
    """
    angle applyOrder bandedRangeId bubbleMaxRadiusSize bubbleMinRadiusSize chartId columnCount columnIndex columnOffsetIndex countLimit depth
    destinationIndex dimensionIndex endColumnIndex endIndex endRowIndex fillLength filterId filterViewId fontSize frozenColumnCount
    frozenRowCount headerCount heightPixels hintedLevels index insertSheetIndex length levels maxIterations metadataId newIndex newSheetId
    objectId offsetXPixels offsetYPixels pixelSize protectedRangeId rowCount rowIndex rowLimit slicerId sourceColumnOffset sourceSheetId
    startColumn startColumnIndex startIndex startRow startRowIndex subtotalIndex valuesIndex width widthPixels
""".split()
)
NUMBERS = frozenset(
    """
    alpha blue bubbleOpacity bucketSize convergenceThreshold end green interval intervalSize maxValue minValue numberValue outlierPercentile
    pieHole red scaleFactor size viewWindowMax viewWindowMin
""".split()
)
FLAGS = frozenset(
    """
    allSheets anonymous applyToPivotTables bold boolValue collapsed columnGroupControlAfter dataIsSubtotal deleted domainUsersCanEdit
    filteredRowsIncluded firstValueIsTotal force fromCopiedSpreadsheet fromImportedSpreadsheet hidden hiddenByFilter hiddenByUser
    hideConnectorLines hideGridlines hideTooltips hideTrailingSubtotal html importFunctionsExternalUrlAccessAllowed includeFormulas
    inheritFromBefore interpolateNulls isAll italic lineSmoothing matchCase matchEntireCell maximized me newSheet repeatHeadings
    requestingUserCanEdit reversed rightToLeft rowGroupControlAfter searchByRegex showCustomUi showItemDividers showTotals spreadsheet strict
    strikethrough threeDimensional underline useAlternateSeries vertical visibleByDefault warningOnly
""".split()
)
TEXTS = frozenset(
    """
    a1Range aggregateType altText anchorId assigneeEmail assigneeEmailAddress autoRecalc bandedRangeReference calculatedDisplayType chartType
    colorType columnName columnSelectionType columnType commentAction commentId compareMode comparisonType content contentHtml createTime
    dataSourceId datasetId delimiter delimiterType description dimension displayFormat displayName email errorCode errorMessage explore fields
    find fontFamily fontName formattedValue formula formulaValue hiddenDimensionStrategy horizontalAlignment hyperlink hyperlinkDisplayType
    inputMessage instanceUri label lastRefreshTime legendPosition locale locationMatchingStrategy locationType mergeType message metadataKey
    metadataValue mimeType model name namedRangeId newSheetName nodeSize note numberFormatSource pasteOrientation pasteType pattern placement
    postId prefix primaryFontFamily projectId rawQuery relativeDate replacement shape sheetType shiftDimension sortOrder stackedType state
    stringValue style subtitle suffix summarizeFunction tableId tableProjectId targetAxis textDirection themeColor timeZone title type updateTime
    uri user valueLayout verticalAlignment viewWindowMode visibility wrapStrategy
""".split()
)
LISTS = frozenset(
    """
    axis bandedRanges buckets calculatedColumns charts chipRuns columnGroups columnMetadata columnReferences columns commentAnchors
    comparisonColumns conditionalFormats customSubtotals dataFilters domains filterSpecs filterViews groups hiddenValues items merges parameters
    protectedRanges ranges rowData rowGroups rowMetadata rows slicers sortSpecs sources styleOverrides tables textFormatRuns themeColors
    unprotectedRanges users valueMetadata values visibleValues
""".split()
)
OBJECTS = frozenset(
    """
    anchorCell author backgroundColor backgroundColorStyle bandedRange barColor barColorStyle baselineValueData baselineValueFormat basicChart
    basicFilter bigQuery booleanRule border borders bubbleBorderColor bubbleBorderColorStyle bubbleChart bubbleLabels bubbleSizes bubbleTextStyle
    candlestickChart cell chart chip closeSeries color colorData colorScale colorStyle columnReference condition connectorLineStyle coordinate
    criteria customFormatOptions customLabelData dataExecutionStatus dataFilter dataLabel dataRange dataSource dataSourceChartProperties
    dataSourceColumnReference dataSourceFormula dataSourceFormulaCell dataSourcePivotTableAnchorCell dataSourceSheetDimensions
    dataSourceSheetProperties dataSourceSheetRange dataSourceTable dataSourceTableAnchorCell dataValidation dataValidationRule dateTimeRule
    defaultFormat destination developerMetadataLookup dimensionGroup dimensionRange dimensions domain editors effectiveFormat effectiveValue
    errorValue filter filterCriteria firstBandColor firstBandColorStyle footerColor footerColorStyle foregroundColor foregroundColorStyle format
    gradientRule gridProperties gridRange groupIds groupLimit groupName groupRule headerColor headerColorStyle highSeries histogramChart
    histogramRule innerHorizontal innerVertical iterativeCalculationSettings keyValueData keyValueFormat labels lineStyle link location looker
    lowSeries manualRule maxValueColor maxValueColorStyle maxpoint metadataLocation midValueColor midValueColorStyle midpoint minValueColor
    minValueColorStyle minpoint namedRange negativeColor negativeColorStyle negativeColumnsStyle newPosition noDataColor noDataColorStyle
    nodeColor nodeColorStyle numberFormat openSeries orgChart overlayPosition padding parentLabels personProperties pieChart pivotTable
    pointStyle positiveColor positiveColorStyle positiveColumnsStyle post properties protectedRange querySpec range reference rgbColor
    richLinkProperties rowProperties rowsProperties rule scorecardChart secondBandColor secondBandColorStyle selectedNodeColor
    selectedNodeColorStyle sizeData slicer source sourceAndDestination sourceRange spec spreadsheetTheme subtitleTextFormat subtitleTextPosition
    subtotalColumnsStyle tabColor tabColorStyle table tableSpec textFormat textRotation titleTextFormat titleTextPosition tooltips totalDataLabel
    treemapChart userEnteredFormat valueBucket viewWindowOptions visibleBackgroundColor visibleBackgroundColorStyle visibleForegroundColor
    visibleForegroundColorStyle waterfallChart
""".split()
)
SEVERAL = frozenset(
    """
    bottom left right top columnProperties developerMetadata references series data position userEnteredValue value sheetId start
""".split()
)
PLAIN = ("values", "hiddenValues", "visibleValues", "users", "groups")  # lists of texts or numbers
FREE = ("criteria",)  # objects under names of the caller's
INT32 = (-(2**31), 2**31 - 1)
MOST_NAME = 100  # characters of a name that are quoted


def check_object(value: CheckedObject, at: str) -> CheckedObject:
    """An object with fields of the right types, nulls left out, whole numbers as such. Raises bad_request."""
    return {
        name: _field(name, item, f"{at}.{name}")
        for name, item in value.items()
        if _is_known(name, at) and item is not None
    }


def is_known(name: str) -> bool:
    """Whether any object has a field of that name."""
    return any(name in names for names in (WHOLE, NUMBERS, FLAGS, TEXTS, LISTS, OBJECTS, SEVERAL))


def _is_known(name: str, at: str) -> bool:
    if not is_known(name):
        raise OperationError(
            "bad_request", problem=f"Unknown name \"{name[:MOST_NAME]}\" at '{at}': Cannot find field."
        )
    return True


def _field(name: str, value: Any, at: str) -> object:
    if name in WHOLE or name == "sheetId":
        return _whole(value, at)
    if name in NUMBERS:
        return _is(not isinstance(value, bool) and isinstance(value, (int, float)), value, at)
    if name in FLAGS:
        return _is(isinstance(value, bool), value, at)
    if name in TEXTS:
        return _text(_is(isinstance(value, str), value, at), at)
    if name in LISTS:
        return _list(name, _is(isinstance(value, list), value, at), at)
    return _several(name, value, at)


def _list(name: str, values: list[object], at: str) -> list[object]:
    """A list, of objects unless its name is among the few others."""
    wrong = next((place for place, item in enumerate(values) if not isinstance(item, dict) and name not in PLAIN), None)
    if wrong is not None:
        _is(False, values[wrong], f"{at}[{wrong}]")
    return [_item(item, f"{at}[{place}]") for place, item in enumerate(values)]


def _several(name: str, value: object, at: str) -> object:
    """An object, or for a few names something else too."""
    if name in OBJECTS:
        _is(isinstance(value, dict), value, at)
    if name in FREE and isinstance(value, dict):
        return {
            key: check_object(_is(isinstance(item, dict), item, at), at)
            for key, item in value.items()
            if item is not None
        }
    return _item(value, at)


def _item(value: object, at: str) -> object:
    if isinstance(value, dict):
        return check_object(value, at)
    if isinstance(value, str):
        return _text(value, at)
    return [_item(item, at) for item in value] if isinstance(value, list) else value


def _whole(value: Any, at: str) -> int:
    """A number of 32 bits without a fraction."""
    is_whole = not isinstance(value, bool) and (
        isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    )
    return int(_is(is_whole and INT32[0] <= value <= INT32[1], value, at))


def _text(value: str, at: str) -> str:
    try:
        return clean_text(value)
    except ValueError as problem:
        raise OperationError("bad_request", problem=f"Invalid value at '{at}', {problem}") from None


def _is(right: bool, value: Any, at: str) -> Any:
    if not right:
        shown = "..." if isinstance(value, (dict, list)) else f'"{value}"'[:MOST_NAME]
        raise OperationError("bad_request", problem=f"Invalid value at '{at}', {shown}")
    return value
