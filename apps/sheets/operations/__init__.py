"""The operations; importing a module declares them on the app."""

from apps.sheets.operations import (
    appending,
    commenting,
    copying,
    drive_account,
    drive_changing,
    drive_comments,
    drive_downloads,
    drive_files,
    drive_notices,
    drive_permissions,
    drive_revisions,
    filtered_values,
    metadata,
    spreadsheets,
    values,
    web_files,
    web_grid,
    web_several,
    web_versions,
)

__all__ = [
    "appending", "commenting", "copying", "drive_account", "drive_changing", "drive_comments", "drive_downloads", "drive_files",
    "drive_notices", "drive_permissions", "drive_revisions", "filtered_values", "metadata", "spreadsheets", "values",
    "web_files", "web_grid", "web_several", "web_versions",
]  # fmt: skip
