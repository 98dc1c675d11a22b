"""Cell styles: the vendor's CellFormat, what a file can say of it, and the file's part of styles, read and written."""

from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

from apps.sheets.files import colours, number_codes
from apps.sheets.files.markup import Node, attribute, element, real
from apps.sheets.vendor_types import Border, CellFormat, TextFormat, TextRotation
from world.core.json_types import JsonObject

T = TypeVar("T")
BASE_FAMILY, BASE_SIZE = "Arial", 10
_LINES = {
    "DOTTED": "dotted",
    "DASHED": "dashed",
    "SOLID": "thin",
    "SOLID_MEDIUM": "medium",
    "SOLID_THICK": "thick",
    "DOUBLE": "double",
}
_FROM_LINES = {there: here for here, there in _LINES.items()} | {
    "hair": "DOTTED",
    "mediumDashed": "DASHED",
    "dashDot": "DASHED",
    "mediumDashDot": "DASHED",
    "dashDotDot": "DASHED",
    "mediumDashDotDot": "DASHED",
    "slantDashDot": "DASHED",
}
_WIDTHS = {"SOLID_MEDIUM": 2, "SOLID_THICK": 3, "DOUBLE": 3}
SIDES = ("left", "right", "top", "bottom")
_ACROSS = {"LEFT": "left", "CENTER": "center", "RIGHT": "right"}
_DOWN = {"TOP": "top", "MIDDLE": "center", "BOTTOM": "bottom"}
_READING = {"LEFT_TO_RIGHT": 1, "RIGHT_TO_LEFT": 2}
Line = tuple[str, str]  # the file's style, colour
Lines = tuple[Line | None, Line | None, Line | None, Line | None]


class Font(NamedTuple):
    """A font, as far as it differs from the default."""

    family: str = ""
    size: float = 0
    bold: bool = False
    italic: bool = False
    struck: bool = False
    underlined: bool = False
    colour: str = ""


class Style(NamedTuple):
    """Style of a cell, as far as a file can express it."""

    code: str = ""
    font: Font = Font()
    fill: str = ""
    lines: Lines = (None, None, None, None)
    across: str = ""
    down: str = ""
    wrapped: bool = False
    rotation: int = 0
    reading: int = 0


PLAIN = Style()


# from the vendor's


def font_of(text: TextFormat) -> Font:
    """The font of a TextFormat."""
    family, size, colour = (
        str(text.get("fontFamily", "")),
        text.get("fontSize", 0),
        colours.plain(text, "foregroundColor") or "",
    )
    return Font(
        "" if family == BASE_FAMILY else family,
        0 if size == BASE_SIZE else size,
        bool(text.get("bold")),
        bool(text.get("italic")),
        bool(text.get("strikethrough")),
        bool(text.get("underline")),
        "" if colour == "000000" else colour,
    )


def style_of(format: CellFormat, locale: str) -> Style:
    """Convert a CellFormat to a file's style."""
    number, borders, turned = (
        format.get("numberFormat") or {},
        format.get("borders") or {},
        format.get("textRotation") or {},
    )
    left, right, top, bottom = (_line(borders.get(side) or {}) for side in SIDES)
    down = _DOWN.get(format.get("verticalAlignment", ""), "")
    return Style(
        number_codes.format_code(number.get("type", ""), number.get("pattern", ""), locale) if number else "",
        font_of(format.get("textFormat") or {}),
        colours.plain(format, "backgroundColor") or "",
        (left, right, top, bottom),
        _ACROSS.get(format.get("horizontalAlignment", ""), ""),
        "" if down == "bottom" else down,
        format.get("wrapStrategy") == "WRAP",
        _rotation(turned),
        _READING.get(format.get("textDirection", ""), 0),
    )


def _line(border: Border) -> Line | None:
    there = _LINES.get(border.get("style", ""))
    return (there, colours.plain(border, "color") or "000000") if there else None


def _rotation(turned: TextRotation) -> int:
    if turned.get("vertical"):
        return 255
    angle = int(turned.get("angle", 0))
    return angle if 0 <= angle <= 90 else 90 - angle if -90 <= angle < 0 else 0


# to the vendor's


def format_of(style: Style) -> JsonObject:
    """Convert a file's style to a CellFormat."""
    told: JsonObject = {}
    number = number_codes.parse_code(style.code)
    if number:
        told["numberFormat"] = {"type": number[0], "pattern": number[1]}
    if style.fill:
        told |= colours.both("backgroundColor", style.fill)
    borders = {side: _border(*line) for side, line in zip(SIDES, style.lines, strict=True) if line}
    for name, value in (
        ("borders", borders),
        ("textFormat", text_format(style.font)),
        ("textRotation", _to_text_rotation(style.rotation)),
    ):
        if value:
            told[name] = value
    for name, words, said in (
        ("horizontalAlignment", _ACROSS, style.across),
        ("verticalAlignment", _DOWN, style.down),
        ("textDirection", _READING, style.reading),
    ):
        found = next((here for here, there in words.items() if there == said), None)
        if found:
            told[name] = found
    return {**told, "wrapStrategy": "WRAP"} if style.wrapped else told


def text_format(font: Font) -> JsonObject:
    """The TextFormat of a font."""
    told: JsonObject = colours.both("foregroundColor", font.colour) if font.colour else {}
    named = {
        "fontFamily": font.family,
        "fontSize": int(font.size) if font.size == int(font.size) else font.size,
        "bold": font.bold,
        "italic": font.italic,
        "strikethrough": font.struck,
        "underline": font.underlined,
    }
    return told | {name: value for name, value in named.items() if value}


def _border(there: str, colour: str) -> JsonObject:
    style = _FROM_LINES[there]
    return {"style": style, "width": _WIDTHS.get(style, 1), **colours.both("color", colour)}


def _to_text_rotation(rotation: int) -> JsonObject:
    if rotation == 255:
        return {"vertical": True}
    return {"angle": rotation if rotation <= 90 else 90 - rotation} if 0 < rotation <= 180 else {}


# a file's part, read


class Sheetful(NamedTuple):
    """Parsed part of styles: each style by its number, and the differences that conditional formats refer to."""

    styles: list[Style]
    differences: list[Style]


def read_styles(root: Node, theme: Sequence[str]) -> Sheetful:
    """The styles of a file."""
    codes = number_codes.BUILT_IN | {
        node.number("numFmtId"): node.get("formatCode") for node in root.find("numFmts").all("numFmt")
    }
    fonts = [_read_font(node, theme) for node in root.find("fonts").all("font")] or [Font()]
    fonts = [_unlike(font, fonts[0]) for font in fonts]
    fills = [_read_fill(node, theme) for node in root.find("fills").all("fill")]
    borders = [_read_lines(node, theme) for node in root.find("borders").all("border")]
    styles = [
        _align_style(
            Style(
                codes.get(node.number("numFmtId"), ""),
                _at(fonts, node.number("fontId"), Font()),
                _at(fills, node.number("fillId"), ""),
                _at(borders, node.number("borderId"), PLAIN.lines),
            ),
            node.find("alignment"),
        )
        for node in root.find("cellXfs").all("xf")
    ]
    return Sheetful(styles or [PLAIN], [_read_difference(node, theme) for node in root.find("dxfs").all("dxf")])


def _at(items: Sequence[T], index: int, default: T) -> T:
    return items[index] if 0 <= index < len(items) else default


def read_font(node: Node, theme: Sequence[str]) -> Font:
    """A font element, or the properties of a run of text."""
    bold, italic, struck = (
        bool(child) and child.flag("val", True) for child in (node.find(name) for name in ("b", "i", "strike"))
    )
    underline = node.find("u")
    colour, size = colours.parse_colour(node.find("color"), theme) or "", real(node.find("sz").get("val"))
    family = (node.find("name") or node.find("rFont")).get("val")[:100]
    underlined = bool(underline) and underline.get("val", "single") != "none"
    return Font(family, size if 0 < size <= 400 else 0, bold, italic, struck, underlined, colour)


def _read_font(node: Node, theme: Sequence[str]) -> Font:
    found = read_font(node, theme)
    return found._replace(colour="" if found.colour == "000000" else found.colour)


def _unlike(font: Font, usual: Font) -> Font:
    """Return a font without the values that equal the file's default font."""
    return font._replace(
        family="" if font.family == usual.family else font.family, size=0 if font.size == usual.size else font.size
    )


def _read_fill(node: Node, theme: Sequence[str]) -> str:
    pattern = node.find("patternFill")
    if not pattern or pattern.get("patternType") in ("", "none", "gray125"):
        return ""
    return (
        colours.parse_colour(pattern.find("fgColor"), theme)
        or colours.parse_colour(pattern.find("bgColor"), theme)
        or ""
    )


def _read_lines(node: Node, theme: Sequence[str]) -> Lines:
    left, right, top, bottom = (
        _read_line(node.find(side) or node.find({"left": "start", "right": "end"}.get(side, side)), theme)
        for side in SIDES
    )
    return left, right, top, bottom


def _read_line(node: Node, theme: Sequence[str]) -> Line | None:
    style = node.get("style", "none")
    if style not in _FROM_LINES:
        return None
    return _LINES[_FROM_LINES[style]], colours.parse_colour(node.find("color"), theme) or "000000"


def _align_style(style: Style, node: Node) -> Style:
    across, down, reading = node.get("horizontal"), node.get("vertical"), node.number("readingOrder")
    return style._replace(
        across=across if across in _ACROSS.values() else "center" if across == "centerContinuous" else "",
        down=down if down in ("top", "center") else "",
        wrapped=node.flag("wrapText"),
        rotation=node.number("textRotation"),
        reading=reading if reading in (1, 2) else 0,
    )


def _read_difference(node: Node, theme: Sequence[str]) -> Style:
    """Read a difference, whose fill is stored under the background's name."""
    pattern = node.find("fill", "patternFill")
    fill = (
        colours.parse_colour(pattern.find("bgColor"), theme)
        or colours.parse_colour(pattern.find("fgColor"), theme)
        or ""
    )
    return Style(font=_read_font(node.find("font"), theme), fill=fill)


# a file's part, written


class NumberedTable(Generic[T]):
    """Things by the number of their first mention."""

    def __init__(self, *first: T) -> None:
        self.known: dict[T, int] = {item: place for place, item in enumerate(first)}

    def of(self, item: T) -> int:
        """Its number."""
        return self.known.setdefault(item, len(self.known))


def _colour(name: str, plain: str) -> str:
    return element(name, rgb=f"FF{plain}")


def font_parts(font: Font, *, name: str = "name") -> str:
    """Render the content of a font element, or of a run's properties."""
    flags = "".join(f"<{tag}/>" for tag, on in (("b", font.bold), ("i", font.italic), ("strike", font.struck)) if on)
    underline = "<u/>" if font.underlined else ""
    size = font.size or BASE_SIZE
    shown = int(size) if size == int(size) else size
    return (
        f'{flags}{_colour("color", font.colour or "000000")}<sz val="{shown}"/>{underline}<{name}'
        f' val="{attribute(font.family or BASE_FAMILY)}"/>'
    )


def _fill(plain: str) -> str:
    return (
        "<fill><patternFill"
        f' patternType="solid">{_colour("fgColor", plain)}{_colour("bgColor", plain)}</patternFill></fill>'
    )


def _border_parts(lines: Iterable[Line | None]) -> str:
    sides = (
        element(side, _colour("color", line[1]), style=line[0]) if line else f"<{side}/>"
        for side, line in zip(SIDES, lines, strict=True)
    )
    return f"<border>{''.join(sides)}<diagonal/></border>"


def _difference(style: Style) -> str:
    font = style.font
    flags = "".join(
        f'<{tag} val="1"/>' for tag, on in (("b", font.bold), ("i", font.italic), ("strike", font.struck)) if on
    )
    inside = flags + (_colour("color", font.colour) if font.colour else "") + ("<u/>" if font.underlined else "")
    fill = _fill(style.fill) if style.fill else ""
    return f"<dxf>{f'<font>{inside}</font>' if inside else ''}{fill}</dxf>"


def _many(name: str, items: Sequence[str]) -> str:
    return f'<{name} count="{len(items)}">{"".join(items)}</{name}>' if items else ""


def render_styles(styles: Sequence[Style], differences: Sequence[Style]) -> str:
    """The part of styles; the first style is the plain one."""
    codes, fonts, borders = NumberedTable[str](), NumberedTable(Font()), NumberedTable(PLAIN.lines)
    fills = NumberedTable("none", "gray125")
    built_in = {code: number for number, code in number_codes.BUILT_IN.items() if number in (1, 2, 3, 4, 9, 10, 11, 49)}
    forms: list[str] = []
    for style in styles:
        number = built_in.get(style.code) or (164 + codes.of(style.code) if style.code else 0)
        across = {
            "horizontal": style.across or None,
            "vertical": style.down or None,
            "wrapText": 1 if style.wrapped else None,
            "textRotation": style.rotation or None,
            "readingOrder": style.reading or None,
        }
        inside = element("alignment", **across) if any(across.values()) else ""
        forms.append(
            element(
                "xf",
                inside,
                numFmtId=number,
                fontId=fonts.of(style.font),
                fillId=fills.of(style.fill) if style.fill else 0,
                borderId=borders.of(style.lines),
                xfId=0,
                applyNumberFormat=1 if number else None,
                applyFont=1,
                applyFill=1 if style.fill else None,
                applyBorder=1 if any(style.lines) else None,
                applyAlignment=1 if inside else None,
            )
        )
    plain_fills = [f'<fill><patternFill patternType="{name}"/></fill>' for name in ("none", "gray125")]
    return (
        '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        + _many(
            "numFmts",
            [element("numFmt", numFmtId=164 + number, formatCode=code) for code, number in codes.known.items()],
        )
        + _many("fonts", [f"<font>{font_parts(font)}</font>" for font in fonts.known])
        + _many("fills", plain_fills + [_fill(plain) for plain in list(fills.known)[2:]])
        + _many("borders", [_border_parts(lines) for lines in borders.known])
        + '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
        + _many("cellXfs", forms)
        + '<cellStyles count="1"><cellStyle xfId="0" name="Normal" builtinId="0"/></cellStyles>'
        + _many("dxfs", [_difference(style) for style in differences])
        + "</styleSheet>"
    )
