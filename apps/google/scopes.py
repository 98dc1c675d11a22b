"""Scopes contained in each OAuth scope, by the short names that operations declare.

developers.google.com/workspace/gmail/api/auth/scopes;
developers.google.com/workspace/drive/api/guides/api-specific-auth
"""

from collections.abc import Iterable

PREFIX = "https://www.googleapis.com/auth/"
FULL = "https://mail.google.com/"
MAIL = frozenset(
    {"gmail.modify", "gmail.readonly", "gmail.metadata", "gmail.compose", "gmail.send", "gmail.insert", "gmail.labels"}
)
SEEN = frozenset({"drive.readonly", "drive.metadata.readonly", "spreadsheets.readonly"})
CONTAINS: dict[str, frozenset[str]] = {
    "gmail.modify": MAIL,
    "gmail.readonly": frozenset({"gmail.readonly", "gmail.metadata"}),
    "gmail.compose": frozenset({"gmail.compose", "gmail.send"}),
    "drive": SEEN | {"drive", "drive.file", "drive.metadata", "spreadsheets"},
    "drive.readonly": SEEN,
    "drive.metadata": frozenset({"drive.metadata", "drive.metadata.readonly"}),
    "spreadsheets": frozenset({"spreadsheets", "spreadsheets.readonly"}),
}
ALL_MAIL = MAIL | {"mail.google.com", "gmail.settings.basic", "gmail.settings.sharing"}


def expand_scopes(scopes: Iterable[str], app: str) -> frozenset[str]:
    """Every scope that scopes contain; nothing for all that a token of its app can do."""
    short = {scope.removeprefix(PREFIX) for scope in scopes}
    if not short or (FULL in short and app == "gmail"):
        return frozenset()
    return frozenset(one for scope in short for one in (ALL_MAIL if scope == FULL else CONTAINS.get(scope, {scope})))


def reaches_no_further(wanted: Iterable[str], own: Iterable[str], app: str) -> bool:
    """Whether scopes contain nothing beyond others; no scopes mean everything."""
    asked, held = expand_scopes(wanted, app), expand_scopes(own, app)
    return not held or (bool(asked) and asked <= held)
