"""Data validation and conditional formats: conversion between the vendor's conditions and a file's.

Features that one side lacks (icon sets, data bars, top ten, …) are left out, or become a formula where one is
equivalent.
"""

from collections.abc import Callable
from typing import NamedTuple

from apps.sheets import a1, formats
from apps.sheets.cells import Area, Entry
from apps.sheets.files import colours, formulas
from apps.sheets.files.markup import Node, element, escape_text, real, unescape_text
from apps.sheets.files.styles import PLAIN, Style, format_of, style_of
from apps.sheets.formats import entry
from apps.sheets.formats.entry import parse_entry
from apps.sheets.vendor_types import (
    BooleanCondition,
    ConditionalFormatRule,
    ConditionValue,
    GradientRule,
    ValidationRule,
)
from world.core.json_types import JsonObject

_NUMBERS = {
    "NUMBER_BETWEEN": "between",
    "NUMBER_NOT_BETWEEN": "notBetween",
    "NUMBER_EQ": "equal",
    "NUMBER_NOT_EQ": "notEqual",
    "NUMBER_GREATER": "greaterThan",
    "NUMBER_LESS": "lessThan",
    "NUMBER_GREATER_THAN_EQ": "greaterThanOrEqual",
    "NUMBER_LESS_THAN_EQ": "lessThanOrEqual",
}
_DATES = {
    "DATE_BETWEEN": "between",
    "DATE_NOT_BETWEEN": "notBetween",
    "DATE_EQ": "equal",
    "DATE_AFTER": "greaterThan",
    "DATE_BEFORE": "lessThan",
    "DATE_ON_OR_AFTER": "greaterThanOrEqual",
    "DATE_ON_OR_BEFORE": "lessThanOrEqual",
}
_FROM_NUMBERS = {there: here for here, there in _NUMBERS.items()}
_FROM_DATES = {there: here for here, there in _DATES.items()}
_TEXTS = {
    "TEXT_CONTAINS": "containsText",
    "TEXT_NOT_CONTAINS": "notContainsText",
    "TEXT_STARTS_WITH": "beginsWith",
    "TEXT_ENDS_WITH": "endsWith",
}
_FROM_TEXTS = {there: here for here, there in _TEXTS.items()}
# with the first cell and the text: what the format wants beside its own words
_TEXT_FORMULAS: dict[str, str] = {
    "containsText": "NOT(ISERROR(SEARCH({1},{0})))",
    "notContainsText": "ISERROR(SEARCH({1},{0}))",
    "beginsWith": "LEFT({0},LEN({1}))={1}",
    "endsWith": "RIGHT({0},LEN({1}))={1}",
}
_BLANKS = {"BLANK": ("containsBlanks", "LEN(TRIM({0}))=0"), "NOT_BLANK": ("notContainsBlanks", "LEN(TRIM({0}))>0")}
_PERIODS = {
    "TODAY": "today",
    "YESTERDAY": "yesterday",
    "TOMORROW": "tomorrow",
    "PAST_WEEK": "last7Days",
    "PAST_MONTH": "lastMonth",
}
_OF_LENGTH = {
    "between": "AND(LEN({0})>={1},LEN({0})<={2})",
    "notBetween": "OR(LEN({0})<{1},LEN({0})>{2})",
    "equal": "LEN({0})={1}",
    "notEqual": "LEN({0})<>{1}",
    "greaterThan": "LEN({0})>{1}",
    "lessThan": "LEN({0})<{1}",
    "greaterThanOrEqual": "LEN({0})>={1}",
    "lessThanOrEqual": "LEN({0})<={1}",
}
_POINTS = {"MIN": "min", "MAX": "max", "NUMBER": "num", "PERCENT": "percent", "PERCENTILE": "percentile"}
MOST_OF_A_LIST = 255
Titles = dict[str, str]


class Check(NamedTuple):
    """A data validation as in a file."""

    kind: str
    operator: str = ""
    first: str = ""
    second: str = ""
    warning: bool = False
    prompt: str = ""
    dropdown: bool = True


class Mark(NamedTuple):
    """A conditional format as in a file: a rule's kind with its words, formulas and style, or the points of a scale."""

    kind: str
    operator: str = ""
    text: str = ""
    period: str = ""
    formulas: tuple[str, ...] = ()
    look: Style = PLAIN
    points: tuple[tuple[str, str, str], ...] = ()


def _render_condition_values(values: list[ConditionValue], locale: str, titles: Titles) -> list[str] | None:
    """Render the values of a condition as formulas of a file."""
    out: list[str] = []
    for value in values:
        text = value.get("userEnteredValue", "")
        found = parse_entry(text, locale, 0, "UTC").entry if text else Entry("text", "")
        if found.kind == "formula":
            said = formulas.outward(found.input, titles)
            if said is None:
                return None
            out.append(said)
        else:
            out.append(found.input if found.kind == "number" else formulas.quote_text(text))
    return out


def _to_typed_value(formula: str, locale: str, kind: str = "") -> str:
    """Convert a formula of a file to a typed value."""
    number = real(formula, float("nan"))
    if number == number:
        canonical = Entry("number", entry.number_text(number))
        return (
            formats.format_value(number, {"type": kind}, locale)
            if kind and number >= 1 and number == int(number)
            else canonical.input
        )
    if len(formula) > 1 and formula[0] == formula[-1] == '"' and '"' not in formula[1:-1].replace('""', ""):
        return formula[1:-1].replace('""', '"')
    return formulas.inward(formula) or ""


# validation


def check_of(rule: ValidationRule, locale: str, titles: Titles) -> Check | None:
    """Convert a rule to a file's validation; None where a file cannot express it."""
    condition = rule.get("condition") or {}
    kind, values = condition.get("type", ""), condition.get("values", [])
    made = _check(kind, values, locale, titles)
    if made is None:
        return None
    return made._replace(
        warning=not rule.get("strict", False),
        prompt=rule.get("inputMessage", "")[:255],
        dropdown=rule.get("showCustomUi", False),
    )


def _check(kind: str, values: list[ConditionValue], locale: str, titles: Titles) -> Check | None:
    texts = [value.get("userEnteredValue", "") for value in values]
    if kind == "ONE_OF_LIST" and not any("," in text for text in texts) and len(",".join(texts)) <= MOST_OF_A_LIST:
        return Check("list", first=formulas.quote_text(",".join(texts)))
    if kind == "BOOLEAN" and not values:
        return Check("list", first='"TRUE,FALSE"')
    said = _render_condition_values(
        (
            [{"userEnteredValue": text if text.startswith("=") else f"={text}"} for text in texts]
            if kind in ("ONE_OF_RANGE", "CUSTOM_FORMULA")
            else values
        ),
        locale,
        titles,
    )
    if not said:
        return None
    if kind in ("ONE_OF_RANGE", "CUSTOM_FORMULA"):
        return Check("list" if kind == "ONE_OF_RANGE" else "custom", first=said[0])
    operator = _NUMBERS.get(kind) or _DATES.get(kind)
    if not operator:
        return None
    return Check("date" if kind in _DATES else "decimal", operator, said[0], said[1] if len(said) > 1 else "")


def rule_of(check: Check, corner: str, locale: str) -> ValidationRule | None:
    """Convert a file's validation to a DataValidationRule; `corner` is the first cell it applies to."""
    condition = _condition(check, corner, locale)
    if condition is None:
        return None
    told: ValidationRule = {"condition": condition}
    if check.prompt:
        told["inputMessage"] = check.prompt
    if not check.warning:
        told["strict"] = True
    if check.dropdown and check.kind == "list":
        told["showCustomUi"] = True
    return told


def _condition(check: Check, corner: str, locale: str) -> BooleanCondition | None:
    given = [text for text in (check.first, check.second) if text]
    if not given:
        return None
    if check.kind == "list":
        return _list(check.first)
    if check.kind in ("whole", "decimal", "date", "time"):
        kinds = _FROM_DATES if check.kind == "date" else _FROM_NUMBERS
        return _with(
            kinds.get(check.operator or "between", ""),
            [_to_typed_value(text, locale, "DATE" if check.kind == "date" else "") for text in given],
        )
    if check.kind == "textLength":
        said = _OF_LENGTH.get(check.operator or "between", "").format(corner, *given, *["0"] * (2 - len(given)))
        return _with("CUSTOM_FORMULA", [formulas.inward(said) or ""])
    return _with("CUSTOM_FORMULA", [formulas.inward(check.first) or ""]) if check.kind == "custom" else None


def _list(formula: str) -> BooleanCondition | None:
    if formula.startswith('"'):
        return _with("ONE_OF_LIST", [item.strip() for item in formula.strip('"').replace('""', '"').split(",")])
    return _with("ONE_OF_RANGE", [formulas.inward(formula) or ""])


def _with(kind: str, values: list[str]) -> BooleanCondition | None:
    if not kind or (kind == "CUSTOM_FORMULA" and not values[0]):
        return None
    return {"type": kind, "values": [{"userEnteredValue": value} for value in values]} if values else {"type": kind}


def read_check(node: Node) -> Check:
    """Parse a validation of a file."""
    return Check(
        node.get("type", "none"),
        node.get("operator") if node.get("type") not in ("list", "custom") else "",
        unescape_text(node.find("formula1").text),
        unescape_text(node.find("formula2").text),
        node.get("errorStyle") in ("warning", "information") or not node.flag("showErrorMessage"),
        unescape_text(node.get("prompt"))[:255],
        not node.flag("showDropDown"),
    )


def check_xml(check: Check, where: str) -> str:
    """Render a validation for a file."""
    inside = "".join(
        f"<{name}>{escape_text(text)}</{name}>"
        for name, text in (("formula1", check.first), ("formula2", check.second))
        if text
    )
    return element(
        "dataValidation",
        inside,
        type=check.kind,
        errorStyle="warning" if check.warning else None,
        operator=check.operator or None,
        allowBlank=1,
        showDropDown=None if check.dropdown else 1,
        showInputMessage=1 if check.prompt else None,
        showErrorMessage=1,
        prompt=check.prompt or None,
        sqref=where,
    )


# conditional formats


def mark_of(spec: ConditionalFormatRule, corner: str, locale: str, titles: Titles) -> Mark | None:
    """Convert a rule to a file's conditional format; None where a file cannot express it."""
    if "gradientRule" in spec:
        return _scale(spec["gradientRule"])
    rule = spec.get("booleanRule") or {}
    condition, look = rule.get("condition") or {}, style_of(rule.get("format") or {}, locale)
    look = PLAIN._replace(font=look.font._replace(family="", size=0), fill=look.fill)
    kind, values = condition.get("type", ""), condition.get("values", [])
    made = _mark(kind, values, corner, locale, titles)
    return made and made._replace(look=look)


def _mark(kind: str, values: list[ConditionValue], corner: str, locale: str, titles: Titles) -> Mark | None:
    if kind in _BLANKS and not values:
        name, formula = _BLANKS[kind]
        return Mark(name, formulas=(formula.format(corner),))
    if kind == "DATE_EQ" and values and "relativeDate" in values[0]:
        period = _PERIODS.get(values[0].get("relativeDate", ""))
        return Mark("timePeriod", period=period) if period else None
    said = _render_condition_values(values, locale, titles)
    if not said:
        return None
    if kind == "CUSTOM_FORMULA":
        return (
            Mark("expression", formulas=(said[0],)) if values[0].get("userEnteredValue", "").startswith("=") else None
        )
    text = values[0].get("userEnteredValue", "")
    if kind in _TEXTS and text and not text.startswith(("=", "+")):
        name = _TEXTS[kind]
        return Mark(
            name,
            "notContains" if name == "notContainsText" else name,
            text,
            formulas=(_TEXT_FORMULAS[name].format(corner, formulas.quote_text(text)),),
        )
    if kind == "TEXT_EQ":
        return Mark("cellIs", "equal", formulas=(said[0],))
    return Mark("cellIs", _NUMBERS[kind], formulas=tuple(said)) if kind in _NUMBERS else None


def _scale(rule: GradientRule) -> Mark | None:
    points = [point for point in (rule.get("minpoint"), rule.get("midpoint"), rule.get("maxpoint")) if point]
    said = [
        (_POINTS.get(point.get("type", ""), ""), str(point.get("value", "")), colours.plain(point, "color") or "FFFFFF")
        for point in points
    ]
    return Mark("colorScale", points=tuple(said)) if len(said) >= 2 and all(kind for kind, _, _ in said) else None


def spec_of(mark: Mark, locale: str) -> JsonObject | None:
    """Convert a file's conditional format to a rule, without its ranges."""
    if mark.kind == "colorScale":
        return _gradient(mark.points)
    condition = _parse_mark(mark, locale)
    look = format_of(mark.look)
    return {"booleanRule": {"condition": condition, "format": look}} if condition else None


def _parse_mark(mark: Mark, locale: str) -> BooleanCondition | None:
    blank = next((here for here, (there, _) in _BLANKS.items() if there == mark.kind), None)
    if blank:
        return {"type": blank}
    if mark.kind in _FROM_TEXTS and mark.text:
        return _with(_FROM_TEXTS[mark.kind], [mark.text])
    if mark.kind == "timePeriod":
        period = next((here for here, there in _PERIODS.items() if there == mark.period), None)
        return {"type": "DATE_EQ", "values": [{"relativeDate": period}]} if period else None
    if mark.kind == "expression" and mark.formulas:
        return _with("CUSTOM_FORMULA", [formulas.inward(mark.formulas[0]) or ""])
    if mark.kind == "cellIs" and mark.formulas:
        return _parse_comparison(
            mark.operator, [_to_typed_value(text, locale) for text in mark.formulas[:2]], mark.formulas[0]
        )
    return None


def _parse_comparison(operator: str, values: list[str], first: str) -> BooleanCondition | None:
    if operator == "equal" and first.startswith('"'):
        return _with("TEXT_EQ", values[:1])
    return _with(_FROM_NUMBERS.get(operator, ""), values)


def _gradient(points: tuple[tuple[str, str, str], ...]) -> JsonObject | None:
    names = ("minpoint", "maxpoint") if len(points) == 2 else ("minpoint", "midpoint", "maxpoint")
    kinds = {there: here for here, there in _POINTS.items()}
    if len(points) not in (2, 3) or any(kind not in kinds for kind, _, _ in points):
        return None
    made: JsonObject = {}
    for name, (kind, value, colour) in zip(names, points, strict=True):
        made[name] = {
            **colours.both("color", colour),
            "type": kinds[kind],
            **({"value": value} if value and kind not in ("min", "max") else {}),
        }
    return {"gradientRule": made}


def read_mark(node: Node, differences: list[Style], theme: list[str]) -> Mark:
    """Parse a conditional format of a file."""
    scale, look = node.find("colorScale"), node.number("dxfId", -1)
    shades = [colours.parse_colour(colour, theme) or "FFFFFF" for colour in scale.all("color")]
    points = tuple(
        (point.get("type"), point.get("val"), shade) for point, shade in zip(scale.all("cfvo"), shades, strict=False)
    )
    return Mark(
        node.get("type"),
        node.get("operator"),
        unescape_text(node.get("text")),
        node.get("timePeriod"),
        tuple(unescape_text(child.text) for child in node.all("formula")),
        differences[look] if 0 <= look < len(differences) else PLAIN,
        points,
    )


def mark_xml(mark: Mark, where: str, priority: int, number: Callable[[Style], int]) -> str:
    """Render a conditional format for a file; `number` returns the number of a style."""
    if mark.kind == "colorScale":
        points = "".join(element("cfvo", type=kind, val=value or None) for kind, value, _ in mark.points)
        shades = "".join(element("color", rgb=f"FF{shade}") for _, _, shade in mark.points)
        rule = element("cfRule", f"<colorScale>{points}{shades}</colorScale>", type="colorScale", priority=priority)
    else:
        inside = "".join(f"<formula>{escape_text(text)}</formula>" for text in mark.formulas)
        rule = element(
            "cfRule",
            inside,
            type=mark.kind,
            dxfId=number(mark.look),
            priority=priority,
            operator=mark.operator or None,
            text=mark.text or None,
            timePeriod=mark.period or None,
        )
    return element("conditionalFormatting", rule, sqref=where)


# where they apply


def where_text(areas: list[Area], rows: int, columns: int) -> str:
    """Render areas for a file: `A1:B2 D4`."""
    return " ".join(_render_area(area.within(rows, columns)) for area in areas)


def _render_area(area: Area) -> str:
    first, last = a1.cell(area.top, area.left), a1.cell((area.bottom or 1) - 1, (area.right or 1) - 1)
    return first if first == last else f"{first}:{last}"
