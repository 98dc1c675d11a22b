"""Colours: a file's (sRGB, theme with a tint, palette) and the vendor's
(…/sheets/api/reference/rest/v4/spreadsheets/other#Color).
"""

import colorsys
import re
from collections.abc import Mapping, Sequence
from typing import Any

from apps.sheets.files.markup import Node, real
from apps.sheets.vendor_types import Color
from world.core.json_types import JsonObject

# ECMA-376 part 1, 18.8.27
_FIRST_EIGHT = "000000 FFFFFF FF0000 00FF00 0000FF FFFF00 FF00FF 00FFFF"
_REST = """
800000 008000 000080 808000 800080 008080 C0C0C0 808080 9999FF 993366 FFFFCC CCFFFF 660066 FF8080 0066CC CCCCFF 000080 FF00FF FFFF00 00FFFF
800080 800000 008080 0000FF 00CCFF CCFFFF CCFFCC FFFF99 99CCFF FF99CC CC99FF FFCC99 3366FF 33CCCC 99CC00 FFCC00 FF9900 FF6600 666699 969696
003366 339966 003300 333300 993300 993366 333399 333333
"""
PALETTE = [*_FIRST_EIGHT.split(), *_FIRST_EIGHT.split(), *_REST.split()]
THEME = "FFFFFF 000000 E7E6E6 44546A 4472C4 ED7D31 A5A5A5 FFC000 5B9BD5 70AD47 0563C1 954F72".split()
_PLACES = (
    "lt1",
    "dk1",
    "lt2",
    "dk2",
    "accent1",
    "accent2",
    "accent3",
    "accent4",
    "accent5",
    "accent6",
    "hlink",
    "folHlink",
)
# the vendor's own theme, by its names
_NAMED = {
    "TEXT": "000000",
    "BACKGROUND": "FFFFFF",
    "ACCENT1": "4285F4",
    "ACCENT2": "EA4335",
    "ACCENT3": "FBBC04",
    "ACCENT4": "34A853",
    "ACCENT5": "FF6D01",
    "ACCENT6": "46BDC6",
    "LINK": "1155CC",
}
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2})?([0-9A-Fa-f]{6})")


def theme_of(root: Node) -> list[str]:
    """Return the colours of a theme part, in the order of their numbers in styles."""
    scheme = root.find("themeElements", "clrScheme")
    return [_scheme(scheme.find(name)) or THEME[place] for place, name in enumerate(_PLACES)]


def _scheme(node: Node) -> str:
    found = _HEX.fullmatch(node.find("srgbClr").get("val") or node.find("sysClr").get("lastClr"))
    return found[1].upper() if found else ""


def parse_colour(node: Node, theme: Sequence[str]) -> str | None:
    """Return the `RRGGBB` of a colour element; None for the automatic colour or none."""
    if not node or node.flag("auto"):
        return None
    found = _HEX.fullmatch(node.get("rgb"))
    if found:
        plain = found[1].upper()
    elif node.get("theme"):
        plain = _at(theme, node.number("theme", -1))
    else:
        plain = _at(PALETTE, node.number("indexed", -1))
    return plain and _apply_tint(plain, real(node.get("tint")))


def _at(colours: Sequence[str], index: int) -> str | None:
    return colours[index] if 0 <= index < len(colours) else None


def _apply_tint(plain: str, tint: float) -> str:
    if not tint:
        return plain
    tint = max(-1.0, min(1.0, tint))
    hue, light, saturation = colorsys.rgb_to_hls(*(int(plain[at : at + 2], 16) / 255 for at in (0, 2, 4)))
    light = light * (1 + tint) if tint < 0 else light * (1 - tint) + tint
    return "".join(f"{round(part * 255):02X}" for part in colorsys.hls_to_rgb(hue, light, saturation))


def to_color(plain: str) -> Color:
    """Return the vendor's Color of `RRGGBB`; zeros are left out."""
    parts = {name: int(plain[at : at + 2], 16) for name, at in (("red", 0), ("green", 2), ("blue", 4))}
    return {name: 1 if part == 255 else float(f"{part / 255:.7g}") for name, part in parts.items() if part}


def both(name: str, plain: str) -> JsonObject:
    """Return a colour under its two names: `backgroundColor` and `backgroundColorStyle`."""
    return {name: to_color(plain), f"{name}Style": {"rgbColor": to_color(plain)}}


def plain(holder: Mapping[str, Any], name: str) -> str | None:
    """Return the `RRGGBB` of a colour that an object holds under its two names."""
    style = holder.get(f"{name}Style") or {}
    if "themeColor" in style:
        return _NAMED.get(style["themeColor"])
    colour = style.get("rgbColor", holder.get(name))
    return (
        None
        if colour is None
        else "".join(f"{round(min(max(colour.get(part, 0), 0), 1) * 255):02X}" for part in ("red", "green", "blue"))
    )
