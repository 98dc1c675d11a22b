"""Icons, avatars and launcher tiles as inline SVG; the same name always gives the same picture."""

from functools import lru_cache
from hashlib import sha256

from lucide import lucide_icon
from markupsafe import Markup, escape

from world.core.theme import Theme

PALETTE = (
    "#8a3b5e",
    "#3b6e8a",
    "#5a7a2e",
    "#8a5a2b",
    "#5d4a9c",
    "#2c7a6b",
    "#a04545",
    "#3f5fa8",
    "#7a6a1f",
    "#76408f",
    "#2f7d4f",
    "#8c4a2f",
    "#45617a",
    "#9c3f77",
    "#566b32",
    "#31708f",
    "#6b4226",
    "#2a6f97",
    "#b0413e",
    "#4f6d3a",
    "#7d3c98",
    "#1f7a7a",
    "#a0522d",
    "#525a9e",
    "#94621c",
    "#39698a",
    "#87395b",
    "#3d7a57",
    "#6a5acd",
    "#8b5e3c",
    "#5b6770",
    "#a33b6b",
)


@lru_cache(maxsize=1024)
def icon(name: str, size: int = 18, label: str = "") -> Markup:
    """An inline Lucide icon: hidden from the accessibility tree unless labelled."""
    svg = lucide_icon(name)
    if "<svg" not in svg or "<text" in svg:
        raise LookupError(f"no icon named {name!r}")
    role = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    shapes = _shapes(svg)
    return Markup(f'<svg class="icon" {role} width="{size}" height="{size}" viewBox="0 0 24 24">{shapes}</svg>')


def _shapes(svg: str) -> str:
    return "".join(line.strip() for line in svg.splitlines()[1:-1])


def initials(name: str) -> str:
    """The first letters of the first and last word: `Ann Lee` -> `AL`."""
    words = [word for word in name.replace("-", " ").split() if word[0].isalnum()]
    if not words:
        return "?"
    return (words[0][0] + (words[-1][0] if len(words) > 1 else "")).upper()


def colour(name: str) -> str:
    """The avatar colour of a name."""
    return PALETTE[sha256(name.encode()).digest()[0] % len(PALETTE)]


@lru_cache(maxsize=4096)
def avatar(name: str, size: int = 36, label: str | None = None, bot: bool = False, of: str = "") -> Markup:
    """Initials on a colour of the name's own. `label` is its accessible name; an empty one hides it.

    A page shows a portrait in its place if `of` is an employee: a directory id, an address, or what the app calls people
    by (`Pages.own_names`). Names do not tell: anybody may choose one, and two people may have the same.
    """
    owner = "" if bot or not of else f'data-of="{escape(of)}" '
    named = name if label is None else label
    role = f'role="img" aria-label="{escape(named)}"' if named else 'aria-hidden="true"'
    shape = f'<rect width="36" height="36" rx="8" fill="{"#4a5568" if bot else colour(name)}"/>'
    text = (
        '<text x="18" y="23.5" font-size="14.5" font-weight="600" fill="#fff"'
        f' text-anchor="middle">{escape(initials(name))}</text>'
    )
    box = f'width="{size}" height="{size}" viewBox="0 0 36 36"'
    return Markup(f'<svg class="avatar" {owner}{role} {box}>{shape}{text}</svg>')


def face(who: object, size: int = 36, label: str | None = None, bot: bool = False, of: str = "") -> Markup:
    """The avatar of a name, or of anything with a full name."""
    return avatar(who if isinstance(who, str) else str(getattr(who, "full_name", who)), size, label, bot, of)


@lru_cache(maxsize=64)
def tile(theme: Theme, size: int = 28) -> Markup:
    """An app's launcher tile, inline."""
    return Markup(
        f'<svg class="tile" aria-hidden="true" width="{size}" height="{size}" viewBox="0 0 32 32">'
        f'<rect width="32" height="32" rx="7" fill="{theme.accent}"/>'
        f"{mark(theme)}</svg>"
    )


def mark(theme: Theme) -> str:
    """Return the SVG on an app's tile of 32: its symbol, else its letter."""
    if theme.symbol:
        return (
            f'<g transform="translate(6.4 6.4) scale(.8)" fill="none" stroke="{theme.accent_text}" stroke-width="2.4"'
            f' stroke-linecap="round" stroke-linejoin="round">{_shapes(lucide_icon(theme.symbol))}</g>'
        )
    return (
        f'<text x="16" y="22" font-family="Inter,Arial,sans-serif" font-size="18" font-weight="700"'
        f' fill="{theme.accent_text}" text-anchor="middle">{escape(theme.letter)}</text>'
    )
