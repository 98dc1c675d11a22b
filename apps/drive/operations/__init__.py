"""The operations; importing a module declares them on the app."""

from apps.drive.operations import (
    account,
    comments,
    downloads,
    file_changes,
    files,
    notifications,
    permissions,
    revisions,
    web_files,
    web_permissions,
)

__all__ = [
    "account",
    "comments",
    "downloads",
    "file_changes",
    "files",
    "notifications",
    "permissions",
    "revisions",
    "web_files",
    "web_permissions",
]
