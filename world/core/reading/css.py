"""The little of CSS that decides whether a text is seen: display, visibility, size, colour, place."""

import re
from collections.abc import Mapping, Sequence

Style = Mapping[str, str]
Colour = tuple[int, int, int]
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)
_NEAR = 24  # of 255 in each of the three colours: nobody tells them apart
_SMALL_PX = 2.0
_FAR_PX = -300.0
_PX = {"px": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0, "%": 0.16, "ex": 8.0, "vw": 10.0, "vh": 8.0, "": 1.0}
_LENGTH = re.compile(r"(-?(?:\d+\.?\d*|\.\d+))\s*(px|pt|em|rem|ex|vw|vh|%|)")
_RGB = re.compile(r"rgba?\(([^)]*)\)")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_NAMES: Mapping[str, Colour] = {
    "white": WHITE,
    "black": BLACK,
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "ghostwhite": (248, 248, 255),
    "whitesmoke": (245, 245, 245),
    "red": (255, 0, 0),
    "green": (0, 128, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
    "silver": (192, 192, 192),
    "navy": (0, 0, 128),
    "orange": (255, 165, 0),
}


def parse_style(text: str) -> dict[str, str]:
    """The declarations of a style attribute, names and values in lower case; a later one wins."""
    found: dict[str, str] = {}
    for declaration in re.sub(r"/\*.*?\*/", "", text, flags=re.S).split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            found[name.strip().lower()] = value.replace("!important", "").strip().lower()
    return found


def parse_sheet(text: str) -> list[tuple[str, dict[str, str]]]:
    """The rules of a style sheet that simple selectors (`p`, `.x`, `#x`, `p.x`) choose."""
    found: list[tuple[str, dict[str, str]]] = []
    for selectors, body in _RULE.findall(re.sub(r"/\*.*?\*/", "", text, flags=re.S)):
        found += [(one.strip().lower(), parse_style(body)) for one in selectors.split(",")]
    return found


def get_element_style(sheet: Sequence[tuple[str, Style]], tag: str, classes: Sequence[str], id: str) -> dict[str, str]:
    """Return the style that a sheet gives an element."""
    names = {tag, *(f".{name}" for name in classes), *(f"{tag}.{name}" for name in classes), f"#{id}", f"{tag}#{id}"}
    style: dict[str, str] = {}
    for selector, rules in sheet:
        if selector in names:
            style.update(rules)
    return style


def hides(style: Style) -> bool:
    """Whether an element is not drawn, or drawn where or so small that nobody reads it."""
    if style.get("display") == "none" or style.get("visibility") in ("hidden", "collapse"):
        return True
    if _number(style.get("opacity", "1"), 1.0) < 0.1 or _is_tiny(style):
        return True
    return (
        _is_far(style)
        or _is_clipped(style)
        or bool(re.search(r"scale\(\s*0(?:\.0+)?\s*\)", style.get("transform", "")))
    )


def _number(text: str, otherwise: float) -> float:
    try:
        return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        return otherwise


def pixels(text: str) -> float | None:
    """A length in pixels, or None if it is none."""
    found = _LENGTH.fullmatch(text.strip())
    return float(found[1]) * _PX[found[2]] if found else None


def _is_tiny(style: Style) -> bool:
    words = [style["font-size"]] if "font-size" in style else style.get("font", "").split("/")[0].split()
    sizes = [size for size in map(pixels, words) if size is not None]  # numbers before the last one are weights
    return bool(sizes) and sizes[-1] < _SMALL_PX


def _is_far(style: Style) -> bool:
    placed = style.get("position") in ("absolute", "fixed", "relative")
    sides = ("left", "top", "right", "bottom") if placed else ()
    lengths = (pixels(style.get(name, "")) for name in (*sides, "text-indent", "margin-left", "margin-top"))
    return any(length is not None and length < _FAR_PX for length in lengths)


def _is_clipped(style: Style) -> bool:
    if re.search(r"rect\(\s*0[a-z]*[ ,]+0[a-z]*[ ,]+0[a-z]*[ ,]+0[a-z]*\s*\)|rect\(\s*1px", style.get("clip", "")):
        return True
    if re.search(r"inset\(\s*(?:100|50)%", style.get("clip-path", "")):
        return True
    closed = any(pixels(style.get(name, "")) == 0 for name in ("height", "max-height", "width", "max-width"))
    return closed and style.get("overflow", "").startswith(("hidden", "clip"))


def colour(text: str) -> Colour | None:
    """Return a colour, or None if it is transparent or unknown."""
    text = text.strip().lower()
    if text in _NAMES:
        return _NAMES[text]
    if re.fullmatch(r"#[0-9a-f]{3}|#[0-9a-f]{6}", text):
        digits = text[1:] if len(text) == 7 else "".join(digit * 2 for digit in text[1:])
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
    found = _RGB.fullmatch(text)
    numbers = [int(float(one)) for one in re.findall(r"\d+\.?\d*", found[1])[:3]] if found else []
    return (numbers[0], numbers[1], numbers[2]) if len(numbers) == 3 else None


def find_colour(background: str) -> Colour | None:
    """The colour of a `background`; None where a picture or a gradient is behind the text."""
    if "url(" in background or "gradient(" in background:
        return None
    words = (word for word in re.split(r"\s+(?![^(]*\))", background.strip()) if word)
    return next((found for word in words if (found := colour(word))), WHITE)


def is_transparent(text: str) -> bool:
    """Whether a colour leaves nothing to see."""
    found = re.fullmatch(r"rgba\([^)]*[ ,/]\s*(0?\.?\d+)\s*\)", text)
    return text == "transparent" or (found is not None and _number(found[1], 1.0) < 0.1)


def looks_same(one: Colour, other: Colour) -> bool:
    """Whether nobody tells two colours apart."""
    return all(abs(a - b) <= _NEAR for a, b in zip(one, other, strict=True))
