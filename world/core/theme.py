"""Theme of an app: declared by the app, used by every page that names it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Theme:
    """An app's wordmark, launcher picture (a Lucide `symbol`, else a letter) and colours; `trouble` is what it says
    first when it fails, if it has words of its own.
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
    symbol: str = ""
