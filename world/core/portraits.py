"""Portraits of people: drawn SVG faces; a mark of twelve hexadecimal digits names one, and the same mark is the same face."""

import re
from functools import lru_cache
from hashlib import sha256

from world.core.first_names import Gender, customary_gender

MARK = re.compile(r"[0-9a-f]{12}")
SKINS = (
    ("#f6d7c3", "#e6b79c"),
    ("#efc3a4", "#d99f7c"),
    ("#dea47e", "#c2845d"),
    ("#c08a63", "#a06c48"),
    ("#96613f", "#794a2e"),
    ("#6f452c", "#55331f"),
)  # face, neck
HAIRS = ("#231a17", "#3a2419", "#5a3825", "#171a21", "#87572f", "#b98544", "#a3492a", "#9b9a98")
DARK_HAIRS = 4  # the first ones suit every skin
CLOTHES = ("#2f4b7c", "#8a3b5e", "#2f7d6b", "#c8553d", "#475569", "#7257a8", "#d9a441", "#1f6f8b", "#e7e2d8")
GROUNDS = ("#cfe3f5", "#f5dccb", "#d6ead7", "#e6dcf3", "#f6e8b9", "#d4e6e6", "#f3d6df", "#dfe3ea")
HEAD = "M10 15.5c0-6 3.4-9 8-9s8 3 8 9c0 6.2-3.6 10.7-8 10.7s-8-4.5-8-10.7z"
STUBBLE = "M10.1 14.2c.2-5.2 3.5-7.7 7.9-7.7s7.7 2.5 7.9 7.7c-1-3.5-3.4-5.3-7.9-5.3s-6.9 1.8-7.9 5.3z"
# of the hair behind the head and before it
CROP = (
    "",
    "M9.5 15.6C8.6 8 12.6 4.2 18 4.2s9.4 3.8 8.5 11.4c-.8-3.4-1.8-5.2-3.3-6.2-3.4 1.1-7.3 1-10.3-.3-1.7 1.3-2.7 3.2-3.4 6.5z",
)
SWEPT = (
    "",
    "M9.5 16C8 8.6 11.6 3.8 17 3.6c1.6-.9 9.6-.4 9.6 7.6 0 1.7-.1 3.2-.4 4.5-.6-2.9-1.5-4.6-2.7-5.7-4.5.5-7.9-.3-9.9-2.3-.3 2.8-2.9 4.3-4.1 8.3z",
)
FRINGE = (
    "",
    "M9.3 16.5c-1.2-8.2 2.9-12.6 8.7-12.6s9.9 4.4 8.7 12.6c-.4-1.9-.9-3.1-1.5-4.1-4.6.9-9.8.9-14.4 0-.6 1-1.1 2.2-1.5 4.1z",
)
SHORT = ("", "M9.6 15c-.5-6.6 3-9.9 8.4-9.9s8.9 3.3 8.4 9.9c-.6-3.9-2.8-6.3-8.4-6.3s-7.8 2.4-8.4 6.3z")
LONG = (
    "M7.6 28c-.9-4 .3-8 .2-12.5C7.7 7.7 11.9 3.6 18 3.6s10.3 4.1 10.2 11.9c-.1 4.5 1.1 8.5.2 12.5-5.9 3-14.9 3-20.8 0z",
    "M9.7 16.2C8.9 9 12.7 5 18 5s9.1 4 8.3 11.2c-.8-3.4-4-6-6.9-8.2-2 3.5-6.8 5.6-9.7 8.2z",
)
BOB = (
    "M8.1 22.5C7 17 7 4 18 4s11 13 9.9 18.5c-5.7 2-14.1 2-19.8 0z",
    "M9.5 16.3c-.9-7.3 2.9-11.5 8.5-11.5s9.4 4.2 8.5 11.5c-.5-2.3-1.2-3.7-2.1-4.6-3.9.6-8 .2-10.4-2.2-1.1 2.9-3.3 4-4.5 6.8z",
)
BUN = (
    "M20.6 6.8a3.6 3.6 0 1 1 7.2 0 3.6 3.6 0 1 1-7.2 0z",
    "M9.6 16C8.7 8.3 12.6 4.4 18 4.4s9.3 3.9 8.4 11.6c-.7-3.9-3.3-7.3-8.4-7.3S10.3 12.1 9.6 16z",
)
CURLS = (
    "M8 13.5a4 4 0 0 1 2-6 4.5 4.5 0 0 1 6-3.6 5 5 0 0 1 6.4 1 4.3 4.3 0 0 1 4.8 5 4 4 0 0 1 .8 6.6H8a3.5 3.5 0 0 1 0-3z",
    "M9.7 15.8c-.3-3.4 1.3-6 4-6.7 1.3 1.2 3 .9 4.3-.2 1.3 1.1 3 1.4 4.3.2 2.7.7 4.3 3.3 4 6.7 2-4 0-11.3-8.3-11.3S7.7 11.8 9.7 15.8z",
)
LONG_CURLS = (
    "M7.5 12a4.5 4.5 0 0 1 3-5 5 5 0 0 1 7.5-3.6 5 5 0 0 1 7.5 3.6 4.5 4.5 0 0 1 3 5 4 4 0 0 1 "
    ".6 6 4 4 0 0 1-.6 6.5 4 4 0 0 1-5 1.5H12.5a4 4 0 0 1-5-1.5 4 4 0 0 1-.6-6.5 4 4 0 0 1 .6-6z",
    CURLS[1],
)
PONYTAIL = (
    "M24 6.5c6.5.5 6 10.5 3.2 17.5-1.2-4-1-8-3.7-12z",
    "M9.6 16C8.7 8.3 12.6 4.4 18 4.4s9.3 3.9 8.4 11.6c-.9-4.5-3-6.6-5.4-7.6-2.8 2.6-8.4 2.6-11.4 7.6z",
)
STRAIGHT_FRINGE = (
    "M7.9 26C6.8 17 7 4 18 4s11.2 13 10.1 22c-5.7 2-14.5 2-20.2 0z",
    "M9.4 16.5C8.3 8.5 12.4 4.6 18 4.6s9.7 3.9 8.6 11.9c-.4-1.7-.9-2.6-1.5-3.3-4.6.7-9.6.7-14.2 0-.6.7-1.1 1.6-1.5 3.3z",
)
BALD = ("", "")
STYLES = {
    "f": (LONG, BOB, BUN, LONG_CURLS, PONYTAIL, STRAIGHT_FRINGE),
    "m": (CROP, SWEPT, FRINGE, SHORT, CURLS, BALD),
    "": (CROP, SWEPT, FRINGE, SHORT, LONG, BOB, CURLS),
}
BEARDS = (
    "M10.2 16.5c.3 6.3 3.9 9.9 7.8 9.9s7.5-3.6 7.8-9.9c-1 2.4-2 3.1-3.5 2.9-1.5-.9-7.1-.9-8.6 0-1.5.2-2.5-.5-3.5-2.9z",
    "M14 19.7c2.2-1.3 5.8-1.3 8 0l.6 3.4c-1.3 2.4-2.7 3.2-4.6 3.2s-3.3-.8-4.6-3.2z",
)
# the last digit of a mark says which styles suit the person
DIGITS: dict[Gender, str] = {"f": "01234", "m": "56789", "": "abcdef"}
GENDERS: dict[str, Gender] = {digit: gender for gender, digits in DIGITS.items() for digit in digits}
NECKS = (
    '<path d="M13.6 26.6c1.3 2.7 7.5 2.7 8.8 0l-.6-.8h-7.6z" fill="{skin}"/>',
    '<path d="M13.6 26l4.4 6 4.4-6z" fill="{skin}"/>',
    '<path d="M13.6 26l4.4 4.6 4.4-4.6z" fill="{skin}"/>'
    '<path d="M13.4 25.6l-1.6 1.4 3.4 5 2.8-1.4zM22.6 25.6l1.6 1.4-3.4 5-2.8-1.4z" fill="#fff" fill-opacity=".85"/>',
)
MOUTHS = ("M15.2 21.3c1.5 1.5 4.1 1.5 5.6 0", "M15.6 21.5c1.3.8 3.5.8 4.8 0", "M14.9 20.9c.8 2.5 5.4 2.5 6.2 0z")
GLASSES = (
    '<circle cx="14.6" cy="16.3" r="2.7"/><circle cx="21.4" cy="16.3" r="2.7"/>',
    '<rect x="11.9" y="14.3" width="5.2" height="4.2" rx="1.3"/><rect x="18.9" y="14.3" width="5.2" height="4.2" rx="1.3"/>',
)


def portrait_mark(domain: str, person_id: str, first_name: str = "", pronouns: str = "") -> str:
    """The mark of a person's face, of the domain of their company and their directory id; it suits name and pronouns."""
    drawn = sha256(f"portrait\0{domain}\0{person_id}".encode()).hexdigest()
    digits = DIGITS[customary_gender(first_name, pronouns)]
    return drawn[:11] + digits[int(drawn[11], 16) % len(digits)]


@lru_cache(maxsize=2048)
def draw_portrait(mark: str) -> str:
    """The SVG of a mark's face, square, at most 1.6 kB."""
    draw = sha256(mark.encode()).digest()
    tone = draw[0] % len(SKINS)
    skin, shade = SKINS[tone]
    hair = HAIRS[draw[1] % (len(HAIRS) if tone < DARK_HAIRS - 1 else DARK_HAIRS)]
    gender = GENDERS[mark[-1]]
    back, front = STYLES[gender][draw[2] % len(STYLES[gender])]
    parts = (
        f'<rect width="36" height="36" fill="{GROUNDS[draw[3] % len(GROUNDS)]}"/>',
        f'<path d="{back}" fill="{hair}"/>' if back else "",
        f'<path d="M4 36c0-6.5 5-9.5 14-9.5s14 3 14 9.5z" fill="{CLOTHES[draw[4] % len(CLOTHES)]}"/>',
        f'<path d="M14.5 21h7v6c-1.5 2-5.5 2-7 0z" fill="{shade}"/>',
        NECKS[draw[5] % len(NECKS)].format(skin=shade),
        f'<g fill="{skin}"><circle cx="10" cy="16.8" r="1.8"/><circle cx="26" cy="16.8" r="1.8"/><path d="{HEAD}"/></g>',
        f'<path d="{front}" fill="{hair}"/>' if front else f'<path d="{STUBBLE}" fill="{hair}" fill-opacity=".3"/>',
        _draw_beard(draw, hair) if gender == "m" else "",
        _draw_features(draw, shade, hair),
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="3 2.5 30 30">{"".join(parts)}</svg>'


def _draw_beard(draw: bytes, hair: str) -> str:
    """A beard for two in five."""
    path = BEARDS[draw[9] % len(BEARDS)] if draw[10] % 5 < 2 else ""
    return f'<path d="{path}" fill="{hair}" fill-opacity=".85"/>' if path else ""


def _draw_features(draw: bytes, shade: str, hair: str) -> str:
    """Eyes, brows, nose, mouth, and for one in four glasses."""
    mouth = MOUTHS[draw[6] % len(MOUTHS)]
    inside = "#fff" if mouth.endswith("z") else "none"
    brows = f'<path d="M13 13.8q1.6-1 3.2-.2M19.8 13.6q1.6-.8 3.2.2" stroke="{hair}"/>'
    nose = f'<path d="M18 17.2l-.7 2h1.3" stroke="{shade}"/>'
    glasses = GLASSES[draw[8] % len(GLASSES)] if draw[7] % 4 == 0 else ""
    rims = f'<g stroke="#2b2f36" stroke-width=".7">{glasses}<path d="M17.2 16h1.6"/></g>' if glasses else ""
    return (
        '<circle cx="14.7" cy="16.4" r="1" fill="#22242a"/><circle cx="21.3" cy="16.4" r="1" fill="#22242a"/>'
        f'<g fill="none" stroke-width=".8" stroke-linecap="round">{brows}{nose}{rims}'
        f'<path d="{mouth}" fill="{inside}" stroke="#8c3f3a"/></g>'
    )
