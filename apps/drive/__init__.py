"""The drive: files, folders, permissions, comments, revisions and search; Drive v3 and the pages of the file lists."""

from apps.drive import conduct, directory_sync, operations, probes, readings, unfurls
from apps.drive.app import app

__all__ = ["conduct", "app", "directory_sync", "operations", "probes", "readings", "unfurls"]
