"""Public interface of the drive for apps that keep file contents: rows, permissions, comments, revisions, new files.

It also has the declaration of contents. Other apps import nothing else of the drive.
"""

from apps.drive import (
    access,
    audience,
    blobs,
    comments,
    contents,
    file_lookup,
    groups,
    locations,
    media_types,
    revisions,
)
from apps.drive.access import SPREADSHEET, FileRow, by_id, by_key, may_write
from apps.drive.comments import MENTION
from apps.drive.contents import Cell, Content
from apps.drive.new_files import new_file
from apps.drive.operations.params import MOST_BASE64, READ, WRITE, Key, Line, many
from apps.drive.recents import visit
from apps.drive.refusals import SENTENCES
from apps.drive.revisions import Revision
from apps.drive.timestamps import format_timestamp, parse_timestamp
from apps.drive.views import Views

__all__ = [
    "Cell",
    "Content",
    "FileRow",
    "Key",
    "Line",
    "MENTION",
    "MOST_BASE64",
    "READ",
    "Revision",
    "SENTENCES",
    "SPREADSHEET",
    "Views",
    "WRITE",
    "access",
    "audience",
    "blobs",
    "by_id",
    "by_key",
    "comments",
    "contents",
    "file_lookup",
    "groups",
    "locations",
    "many",
    "may_write",
    "media_types",
    "new_file",
    "parse_timestamp",
    "revisions",
    "format_timestamp",
    "visit",
]
