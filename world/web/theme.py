"""The one table of app names and colours; renaming an app here renames it on every page."""

from dataclasses import dataclass

NOTICE = "A simulation for testing and research. Not affiliated with, or endorsed by, the vendors it imitates."


@dataclass(frozen=True, slots=True)
class Theme:
    """An app's wordmark, launcher letter and colours; `trouble` is what it says first when it fails, if it has words of
    its own.
    """

    name: str
    letter: str
    top: str
    top_text: str
    top_field: str
    side: str
    side_text: str
    side_active: str
    side_active_text: str
    accent: str
    accent_text: str = "#ffffff"
    accent_soft: str = "#eef2fb"
    link: str = "#1d5fbf"
    trouble: str = ""


THEMES: dict[str, Theme] = {
    "gmail": Theme(
        "Gmail",
        "G",
        "#f5f7fc",
        "#24272c",
        "#e7edf8",
        "#f5f7fc",
        "#24272c",
        "#d6e4fb",
        "#0f2a4d",
        "#1f62d0",
        accent_soft="#e6effc",
        trouble="Something's not right",
    ),
    "slack": Theme(
        "Slack",
        "S",
        "#3a1440",
        "#f6eef7",
        "#5a3561",
        "#451a4c",
        "#d9c6dc",
        "#f4e9f5",
        "#33103a",
        "#156f52",
        accent_soft="#e6f4ee",
        link="#1562a8",
    ),
    "jira": Theme(
        "Jira",
        "J",
        "#ffffff",
        "#1d2940",
        "#f1f3f6",
        "#f7f8fa",
        "#344156",
        "#e4edfd",
        "#114fb8",
        "#155fd6",
        accent_soft="#e7effd",
    ),
    "github": Theme(
        "GitHub",
        "H",
        "#23282f",
        "#f2f4f6",
        "#3a414a",
        "#ffffff",
        "#22272d",
        "#eceff2",
        "#14181d",
        "#1c7f3c",
        accent_soft="#e3f5e8",
        link="#0b62cf",
    ),
    "sheets": Theme(
        "Sheets",
        "T",
        "#f7faf8",
        "#22282a",
        "#e6efe9",
        "#f7faf8",
        "#22282a",
        "#d4ecdc",
        "#0d4426",
        "#157a47",
        accent_soft="#e0f2e7",
        trouble="Trying to reconnect",
    ),
    "status": Theme(
        "Status", "U", "#ffffff", "#20262e", "#eef1f4", "#ffffff", "#20262e", "#e9eef4", "#20262e", "#2a6f97"
    ),
}


def theme(app: str, title: str = "") -> Theme:
    """The theme of an app; an app outside the table gets a neutral one under its own title."""
    name = title or app.replace("_", " ").title()
    neutral = Theme(
        name, name[:1].upper(), "#2b3442", "#f2f4f7", "#465163", "#f6f7f9", "#2b3442", "#e3e9f2", "#1b2430", "#2f5fb3"
    )
    return THEMES.get(app, neutral)


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
    """A launcher tile: the app's letter on its colour."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7"'
        f' fill="{theme.accent}"/><text x="16" y="22" font-family="Inter,Arial,sans-serif" font-size="18"'
        f' font-weight="700" fill="{theme.accent_text}" text-anchor="middle">{theme.letter}</text></svg>'
    )
