"""Rendering of an app's theme: its stylesheet, its icon, and the neutral theme."""

from world.core.app import App
from world.core.theme import Theme
from world.web.icons import mark

NOTICE = "A simulation for testing and research. Not affiliated with, or endorsed by, the vendors it imitates."


def theme_of(app: App) -> Theme:
    """The theme an app declares, else a neutral one under its own title."""
    return app.theme or neutral_theme(app.title)


def neutral_theme(name: str) -> Theme:
    """The theme of what has none of its own: the launcher, login, an app without colours."""
    return Theme(
        name, name[:1].upper(), "#2b3442", "#f2f4f7", "#465163", "#f6f7f9", "#2b3442", "#e3e9f2", "#1b2430", "#2f5fb3"
    )


def theme_css(theme: Theme) -> str:
    """The custom properties of a theme, served as the app's own small stylesheet."""
    pairs = {
        "top": theme.top,
        "top-text": theme.top_text,
        "top-field": theme.top_field,
        "side": theme.side,
        "side-text": theme.side_text,
        "side-active": theme.side_active,
        "side-active-text": theme.side_active_text,
        "accent": theme.accent,
        "accent-text": theme.accent_text,
        "accent-soft": theme.accent_soft,
        "link": theme.link,
    }
    return ":root{" + "".join(f"--{name}:{value};" for name, value in pairs.items()) + "}\n"


def favicon(theme: Theme) -> str:
    """A launcher tile: the app's symbol or letter on its colour."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7"'
        f' fill="{theme.accent}"/>{mark(theme)}</svg>'
    )
