"""Checks that JSON in a file has the shape of the vendor's objects; anything else is ignored."""

from collections.abc import Mapping
from typing import Any

NUMBER, TEXT, FLAG = (int, float), str, bool
COLOUR = {"red": NUMBER, "green": NUMBER, "blue": NUMBER, "alpha": NUMBER}
COLOUR_STYLE = {"rgbColor": COLOUR, "themeColor": TEXT}
TEXT_FORMAT = {
    "foregroundColor": COLOUR,
    "foregroundColorStyle": COLOUR_STYLE,
    "fontFamily": TEXT,
    "fontSize": NUMBER,
    "bold": FLAG,
    "italic": FLAG,
    "strikethrough": FLAG,
    "underline": FLAG,
    "link": {"uri": TEXT},
}
BORDER = {"style": TEXT, "width": NUMBER, "color": COLOUR, "colorStyle": COLOUR_STYLE}
CELL_FORMAT = {
    "numberFormat": {"type": TEXT, "pattern": TEXT},
    "backgroundColor": COLOUR,
    "backgroundColorStyle": COLOUR_STYLE,
    "borders": {"top": BORDER, "bottom": BORDER, "left": BORDER, "right": BORDER},
    "padding": {"top": NUMBER, "right": NUMBER, "bottom": NUMBER, "left": NUMBER},
    "horizontalAlignment": TEXT,
    "verticalAlignment": TEXT,
    "wrapStrategy": TEXT,
    "textDirection": TEXT,
    "textFormat": TEXT_FORMAT,
    "hyperlinkDisplayType": TEXT,
    "textRotation": {"angle": NUMBER, "vertical": FLAG},
}
RUNS = [{"startIndex": NUMBER, "format": TEXT_FORMAT}]
VALUE = {"userEnteredValue": TEXT, "relativeDate": TEXT}
CONDITION = {"type": TEXT, "values": [VALUE]}
VALIDATION = {"condition": CONDITION, "inputMessage": TEXT, "strict": FLAG, "showCustomUi": FLAG}
POINT = {"color": COLOUR, "colorStyle": COLOUR_STYLE, "type": TEXT, "value": TEXT}
RULE = {
    "booleanRule": {"condition": CONDITION, "format": CELL_FORMAT},
    "gradientRule": {"minpoint": POINT, "midpoint": POINT, "maxpoint": POINT},
}
SHEET = {
    "tabColor": COLOUR,
    "tabColorStyle": COLOUR_STYLE,
    "rightToLeft": FLAG,
    "hideGridlines": FLAG,
    "rowGroupControlAfter": FLAG,
    "columnGroupControlAfter": FLAG,
}
CRITERION = {
    "hiddenValues": [TEXT],
    "condition": CONDITION,
    "visibleBackgroundColorStyle": COLOUR_STYLE,
    "visibleForegroundColorStyle": COLOUR_STYLE,
}
FILTER = {
    "sortSpecs": [{"dimensionIndex": NUMBER, "sortOrder": TEXT}],
    "criteria": {"*": CRITERION},
    "filterSpecs": [{"columnIndex": NUMBER, "filterCriteria": CRITERION}],
}


def fits(value: Any, shape: Any) -> bool:
    """Whether a value matches a shape: an object with only these keys, a list of such, or a simple value."""
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(item, shape[0]) for item in value)
    if isinstance(shape, Mapping):
        return isinstance(value, dict) and all(_fits_key(key, item, shape) for key, item in value.items())
    return isinstance(value, shape) and (shape is FLAG or not isinstance(value, bool))


def _fits_key(key: str, value: object, shape: Mapping[str, object]) -> bool:
    return (key in shape or ("*" in shape and key.isdecimal())) and fits(value, shape.get(key, shape.get("*")))
