"""Pivot tables, which requests write as a field of a cell."""

from apps.sheets.cells import Area
from apps.sheets.engine.pivots.filters import CONDITIONS
from apps.sheets.engine.pivots.groups import MOMENTS
from apps.sheets.engine.pivots.summaries import FUNCTIONS
from apps.sheets.grid.conditions import problem
from apps.sheets.operations.requests.objects import objects_of
from apps.sheets.operations.requests.registry import RequestArguments
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure import pivots
from apps.sheets.structure.grid_ranges import grid_range
from apps.sheets.structure.objects import delete_object, list_objects
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject
from world.core.errors import OperationError

LISTS = ("rows", "columns", "values", "filterSpecs")
RULES = ("manualRule", "histogramRule", "dateTimeRule")
MOST = 50  # pivot tables of a spreadsheet; ours, each is computed anew when its source changes


def write(
    book: Spreadsheet,
    asked: RequestArguments,
    tab: Tab,
    given: dict[tuple[int, int], CheckedObject | None],
    area: Area | None = None,
) -> None:
    """Put pivot tables on cells, and remove those of cells without one. Raises the errors of `check_pivot`."""
    specs = {at: check_pivot(book, asked, spec) for at, spec in given.items() if spec is not None}
    for thing in list_objects(book, pivots.KIND, tab):
        at = (thing.area.top, thing.area.left)
        if at in given or (area is not None and area.holds(*at)):
            delete_object(book, thing)
    if len(list_objects(book, pivots.KIND)) + len(specs) > MOST:
        raise asked.wrong(f"You cannot have more than {MOST} pivot tables.")
    for at, spec in specs.items():
        book.add_object(pivots.KIND, tab, Area(*at, at[0] + 1, at[1] + 1), spec)


def clear(book: Spreadsheet, tab: Tab, area: Area) -> None:
    """Take away the pivot tables whose cells are emptied."""
    for thing in list_objects(book, pivots.KIND, tab):
        if area.holds(thing.area.top, thing.area.left):
            delete_object(book, thing)


def check_pivot(book: Spreadsheet, asked: RequestArguments, given: CheckedObject) -> CheckedObject:
    """Return a definition as stored. Raises bad_request, no_sheet, range_beyond_sheet, unsupported_request."""
    if "dataSourceId" in given:
        raise OperationError("unsupported_request", place=asked.place, kind=asked.kind)
    tab, area = asked.range_of(book, objects_of(asked, given, "source"))
    if any(not isinstance(given.get(name, []), list) for name in LISTS):
        raise asked.wrong("rows, columns, values and filterSpecs of a PivotTable must be lists.")
    whole = area.within(tab.rows, tab.columns)
    spec = {name: item for name, item in given.items() if name not in ("dataExecutionStatus", "criteria")}
    spec |= {"source": grid_range(tab, area), **_filters(given)}
    width = (whole.right or 0) - whole.left
    for name in ("rows", "columns"):
        for group in spec.get(name) or []:
            _check_group(asked, group, width, len(spec.get("values") or []))
    for value in spec.get("values") or []:
        _check_value(asked, value, width)
    for one in spec.get("filterSpecs") or []:
        _check_filter(asked, one, width)
    _check_rules(asked, [*(spec.get("rows") or []), *(spec.get("columns") or [])])
    if len(str(spec)) > pivots.MOST_TEXT:
        raise asked.wrong("The pivot table is too large.")
    return spec


def _filters(given: CheckedObject) -> CheckedObject:
    """The filters in their newer form."""
    if any(not key.isdecimal() for key in given.get("criteria") or {}):
        return {"filterSpecs": [{"columnOffsetIndex": -1}]}
    found = pivots.filter_specs(given)
    return {"filterSpecs": found} if found else {}


def _column(asked: RequestArguments, offset: object, width: int) -> None:
    if not isinstance(offset, int) or not 0 <= offset < width:
        raise asked.wrong(f"Source column offset {offset} is not in the source range of the pivot table.")


def _check_group(asked: RequestArguments, group: CheckedObject, width: int, values: int) -> None:
    if "dataSourceColumnReference" in group:
        raise OperationError("unsupported_request", place=asked.place, kind=asked.kind)
    _column(asked, group.get("sourceColumnOffset") or 0, width)
    bucket = group.get("valueBucket")
    if bucket and not 0 <= (bucket.get("valuesIndex") or 0) < values:
        raise asked.wrong(f"valuesIndex {bucket.get('valuesIndex') or 0} is not in the values of the pivot table.")
    limit = group.get("groupLimit")
    if limit and (limit.get("countLimit") or 0) < 1:
        raise asked.wrong("countLimit must be greater than 0.")
    rule = group.get("groupRule")
    if rule is None:
        return
    if len([name for name in RULES if rule.get(name) is not None]) != 1:
        raise asked.wrong("Exactly one of manualRule, histogramRule and dateTimeRule must be set in PivotGroupRule.")
    _check_rule(asked, rule)


def _check_rule(asked: RequestArguments, rule: CheckedObject) -> None:
    numbers = rule.get("histogramRule") or {"interval": 1}
    start, end = numbers.get("start"), numbers.get("end")
    if (numbers.get("interval") or 0) <= 0:
        raise asked.wrong("HistogramRule.interval must be positive.")
    if start is not None and end is not None and start >= end:
        raise asked.wrong("HistogramRule.start must be less than HistogramRule.end.")
    if "dateTimeRule" in rule and rule["dateTimeRule"].get("type") not in MOMENTS:
        raise asked.wrong("DateTimeRule.type is required.")
    groups = (rule.get("manualRule") or {}).get("groups") or []
    names = [(group.get("groupName") or {}).get("stringValue") for group in groups]
    if None in names or len(set(names)) < len(names):
        raise asked.wrong("Each group of a ManualRule must have a name of its own, which must be a string.")
    items = [str(item) for group in groups for item in group.get("items") or []]
    if len(set(items)) < len(items):
        raise asked.wrong("Items may appear in at most one group of a ManualRule.")


def _check_rules(asked: RequestArguments, groups: list[CheckedObject]) -> None:
    """One group with a rule a column. Raises bad_request."""
    ruled = [group.get("sourceColumnOffset") or 0 for group in groups if group.get("groupRule")]
    if len(set(ruled)) < len(ruled):
        raise asked.wrong("Only one PivotGroup with a group rule may be added for each column in the source data.")


def _check_value(asked: RequestArguments, value: CheckedObject, width: int) -> None:
    if "dataSourceColumnReference" in value:
        raise OperationError("unsupported_request", place=asked.place, kind=asked.kind)
    how, formula = value.get("summarizeFunction"), value.get("formula")
    if formula is not None:
        if "sourceColumnOffset" in value:
            raise asked.wrong("Exactly one of formula and sourceColumnOffset must be set in PivotValue.")
        if not formula.startswith("=") or how not in ("SUM", "CUSTOM"):
            raise asked.wrong(
                "The formula of a PivotValue must start with an = character, and be summarized by SUM or CUSTOM."
            )
        return
    if how not in FUNCTIONS:
        raise asked.wrong(f"summarizeFunction {how} is not supported." if how else "summarizeFunction is required.")
    _column(asked, value.get("sourceColumnOffset") or 0, width)


def _check_filter(asked: RequestArguments, spec: CheckedObject, width: int) -> None:
    if "dataSourceColumnReference" in spec:
        raise OperationError("unsupported_request", place=asked.place, kind=asked.kind)
    _column(asked, spec.get("columnOffsetIndex") or 0, width)
    condition = (spec.get("filterCriteria") or {}).get("condition")
    if condition is None:
        return
    wrong = problem(condition, "filter")
    values = condition.get("values") or []
    if not wrong and (
        condition["type"] not in CONDITIONS
        or any(str(one.get("userEnteredValue", "=")).startswith("=") for one in values)
    ):
        wrong = "Formulas and relative dates are not supported in the conditions of pivot tables."
    if wrong:
        raise asked.wrong(wrong)
