"""Requests about conditional formats: add, update and delete rules, in the order in which they count."""

from apps.sheets.grid import protection
from apps.sheets.grid.conditions import problem
from apps.sheets.operations.cell_input import check_format
from apps.sheets.operations.requests.objects import objects_of
from apps.sheets.operations.requests.registry import RequestArguments, request
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure import formula_references
from apps.sheets.structure.grid_ranges import bounds, grid_range
from apps.sheets.structure.objects import StoredObject, delete_object, list_objects, save_object
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject

KIND = "conditional_format"
POINTS = ("minpoint", "midpoint", "maxpoint")
# the parts of a format that a rule may set
LOOKS = ("backgroundColor", "backgroundColorStyle", "textFormat")
TEXTS = ("bold", "italic", "strikethrough", "underline", "foregroundColor", "foregroundColorStyle")
MOST_RANGES = 1000


def rules(book: Spreadsheet, tab: Tab) -> list[StoredObject]:
    """The rules of a sheet, the first that counts first."""
    return list_objects(book, KIND, tab)


def parse_rule(book: Spreadsheet, asked: RequestArguments, rule: CheckedObject) -> tuple[Tab, CheckedObject]:
    """Return a ConditionalFormatRule as stored, and its sheet. Raises bad_request, no_sheet, range_beyond_sheet."""
    given = rule.get("ranges") or []
    if not given:
        raise asked.wrong("At least one range must be specified.")
    if len(given) > MOST_RANGES:
        raise asked.wrong(f"At most {MOST_RANGES} ranges may be specified.")
    places = [asked.range_of(book, one) for one in given]
    tab = places[0][0]
    if any(other.id != tab.id for other, _ in places):
        raise asked.wrong("All ranges must be on the same sheet.")
    for _, area in places:
        protection.check_area(book, tab, area)
    ranges = [grid_range(tab, area.within(tab.rows, tab.columns)) for _, area in places]
    if ("booleanRule" in rule) == ("gradientRule" in rule):
        raise asked.wrong("Exactly one of booleanRule and gradientRule must be set.")
    if "booleanRule" in rule:
        return tab, {"ranges": ranges, "booleanRule": _boolean(asked, tab, rule["booleanRule"])}
    return tab, {"ranges": ranges, "gradientRule": _gradient(asked, rule["gradientRule"])}


def _boolean(asked: RequestArguments, tab: Tab, rule: CheckedObject) -> CheckedObject:
    condition = objects_of(asked, rule, "condition")
    wrong = problem(condition, "format")
    if wrong:
        raise asked.wrong(wrong)
    texts = [str(value.get("userEnteredValue") or "") for value in condition.get("values") or []]
    if any(
        each.sheet not in (None, tab.title)
        for text in texts
        if text.startswith("=")
        for each in formula_references.find_references(text)
    ):
        raise asked.wrong("Conditional format rule cannot reference a different sheet.")
    look = check_format(objects_of(asked, rule, "format") if "format" in rule else {})
    if set(look) - set(LOOKS) or set(look.get("textFormat") or {}) - set(TEXTS):
        raise asked.wrong(
            "Only bold, italic, strikethrough, underline, foreground color and background color are supported in a"
            " rule's format."
        )
    return {"condition": condition, "format": look}


def _gradient(asked: RequestArguments, rule: CheckedObject) -> CheckedObject:
    for name in POINTS:
        point = rule.get(name)
        if point is None and name != "midpoint":
            raise asked.wrong(f"gradientRule.{name} is required.")
        if point is not None:
            _check_point(asked, name, point)
    return {name: rule[name] for name in POINTS if name in rule}


def _check_point(asked: RequestArguments, name: str, point: CheckedObject) -> None:
    kind = point.get("type", "")
    if not kind or kind.endswith("_UNSPECIFIED"):
        raise asked.wrong(f"gradientRule.{name}.type is required.")
    if kind == {"minpoint": "MAX", "maxpoint": "MIN"}.get(name) or (name == "midpoint" and kind in ("MIN", "MAX")):
        raise asked.wrong(f"gradientRule.{name} cannot be of type {kind}.")
    if (kind in ("MIN", "MAX")) == bool(point.get("value")):
        raise asked.wrong(
            f"gradientRule.{name}.value must {'not ' if kind in ('MIN', 'MAX') else ''}be set for type {kind}."
        )
    if "color" not in point and "colorStyle" not in point:
        raise asked.wrong(f"gradientRule.{name}.color is required.")


def _save_positions(book: Spreadsheet, things: list[StoredObject]) -> None:
    for position, thing in enumerate(things):
        if thing.position != position:
            thing.position = position
            save_object(book, thing)


def at(book: Spreadsheet, asked: RequestArguments, tab: Tab, index: int) -> StoredObject:
    """The rule at a place. Raises bad_request."""
    found = rules(book, tab)
    if not 0 <= index < len(found):
        raise asked.wrong(f"No conditional format on sheet: {tab.gid} at index: {index}")
    return found[index]


def _open(book: Spreadsheet, tab: Tab, thing: StoredObject) -> StoredObject:
    """A rule whose cells are all the caller's to change. Raises protected."""
    for one in thing.spec["ranges"]:
        protection.check_area(book, tab, bounds(one))
    return thing


@request("addConditionalFormatRule")
def add_rule(book: Spreadsheet, asked: RequestArguments) -> None:
    """Add a rule before the one at an index; without an index before all others."""
    tab, spec = parse_rule(book, asked, asked.need("rule"))
    index, known = asked.get("index", 0), rules(book, tab)
    if not 0 <= index <= len(known):
        raise asked.wrong(f"Invalid index: {index}. There are {len(known)} rules on the sheet.")
    for position, thing in enumerate(known):
        thing.position = position + (position >= index)
        save_object(book, thing)
    book.add_object(KIND, tab, None, spec, position=index)


@request("updateConditionalFormatRule")
def update_rule(book: Spreadsheet, asked: RequestArguments) -> CheckedObject:
    """Replace the rule at an index, or move it to another."""
    index = asked.get("index", 0)
    if asked.get("rule") is not None and asked.get("newIndex") is not None:
        raise asked.wrong("Only one of rule and newIndex may be set.")
    if asked.get("rule") is not None:
        return _replace_rule(book, asked, index)
    if asked.get("newIndex") is None:
        raise asked.wrong("One of rule and newIndex must be set.")
    tab = book.tab(asked.need("sheetId"))
    thing, new, known = _open(book, tab, at(book, asked, tab, index)), asked.given["newIndex"], rules(book, tab)
    if not 0 <= new < len(known):
        raise asked.wrong(f"Invalid newIndex: {new}. There are {len(known)} rules on the sheet.")
    order = [one for one in known if one.id != thing.id]
    order.insert(new, next(one for one in known if one.id == thing.id))
    _save_positions(book, order)
    return {"oldIndex": index, "newIndex": new, "newRule": thing.spec}


def _replace_rule(book: Spreadsheet, asked: RequestArguments, index: int) -> CheckedObject:
    tab, spec = parse_rule(book, asked, asked.given["rule"])
    thing = _open(book, tab, at(book, asked, tab, index))
    old, thing.spec = thing.spec, spec
    save_object(book, thing)
    return {"oldIndex": index, "oldRule": old, "newIndex": index, "newRule": spec}


@request("deleteConditionalFormatRule")
def delete_rule(book: Spreadsheet, asked: RequestArguments) -> CheckedObject:
    """Delete the rule at an index; those behind it move up."""
    tab = book.tab(asked.get("sheetId", 0))
    thing = _open(book, tab, at(book, asked, tab, asked.get("index", 0)))
    delete_object(book, thing)
    _save_positions(book, rules(book, tab))
    return {"rule": thing.spec}
