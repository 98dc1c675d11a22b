"""Files: rows by message, and their shape on the wire."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

import orjson

from apps.slack.profiles import Roster
from world.core.call import Call
from world.core.clock import SECOND
from world.core.json_types import JsonObject

COLUMNS = (
    "f.id, f.person_id, f.name, f.title, f.mimetype, f.filetype, f.size, f.sha256, f.alt_text, f.created_at,"
    " f.deleted_at"
)
_OF = (
    f"SELECT s.message_id, {COLUMNS} FROM slack_file_share s JOIN slack_file f ON f.id = s.file_id"
    " WHERE s.message_id IN (SELECT value FROM json_each(:ids)) ORDER BY s.message_id, s.position, f.id"
)

# file types: docs.slack.dev/reference/objects/file-object
TYPES = {
    "txt": ("text", "Plain Text", "text/plain"),
    "md": ("markdown", "Markdown (raw)", "text/markdown"),
    "csv": ("csv", "CSV", "text/csv"),
    "json": ("json", "JSON", "application/json"),
    "py": ("python", "Python", "text/x-python"),
    "log": ("text", "Plain Text", "text/plain"),
    "yaml": ("yaml", "YAML", "text/yaml"),
    "yml": ("yaml", "YAML", "text/yaml"),
    "html": ("html", "HTML", "text/html"),
    "js": ("javascript", "JavaScript", "text/javascript"),
    "ts": ("typescript", "TypeScript", "text/plain"),
    "go": ("go", "Go", "text/plain"),
    "sql": ("sql", "SQL", "text/x-sql"),
    "sh": ("shell", "Shell", "text/x-sh"),
    "xml": ("xml", "XML", "text/xml"),
    "diff": ("diff", "Diff", "text/x-diff"),
    "png": ("png", "PNG", "image/png"),
    "jpg": ("jpg", "JPEG", "image/jpeg"),
    "jpeg": ("jpg", "JPEG", "image/jpeg"),
    "gif": ("gif", "GIF", "image/gif"),
    "svg": ("svg", "SVG", "image/svg+xml"),
    "pdf": ("pdf", "PDF", "application/pdf"),
    "zip": ("zip", "Zip", "application/zip"),
    "gz": ("gzip", "Gzip", "application/gzip"),
    "docx": ("docx", "Word Document", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    "xlsx": ("xlsx", "Excel Spreadsheet", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "pptx": (
        "pptx",
        "PowerPoint Presentation",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ),
    "mp4": ("mp4", "MPEG 4 Video", "video/mp4"),
    "eml": ("email", "Email", "message/rfc822"),
}
BINARY = ("binary", "Binary", "application/octet-stream")
PRETTY = {filetype: pretty for filetype, pretty, _ in TYPES.values()}


def file_type(name: str) -> tuple[str, str, str]:
    """File type, its readable name and media type, by a file's name."""
    return TYPES.get(name.rsplit(".", 1)[-1].lower() if "." in name else "", BINARY)


def files_of_messages(call: Call, messages: Iterable[int], roster: Roster) -> dict[int, list[JsonObject]]:
    """The file objects of messages, in the order they were attached."""
    ids = list(messages)
    out: dict[int, list[JsonObject]] = defaultdict(list)
    if ids:
        for message, *row in call.all(_OF, {"ids": orjson.dumps(ids).decode()}):
            out[message].append(file_to_json(call, tuple(row), roster))
    return out


def file_to_json(call: Call, row: tuple[Any, ...], roster: Roster) -> JsonObject:
    """The file object of the columns above, without its shares."""
    id, person, name, title, mimetype, filetype, size, _, alt, created, deleted = row
    if deleted is not None:
        return {"id": id, "mode": "tombstone"}
    user = roster.user_id(person)
    address = quote(name, safe="")
    private = f"{_files_root(call)}/files-pri/{roster.team.id}-{id}"
    return {
        "id": id,
        "created": created // SECOND,
        "timestamp": created // SECOND,
        "name": name,
        "title": title or name,
        "mimetype": mimetype,
        "filetype": filetype,
        "pretty_type": PRETTY.get(filetype, filetype.upper()),
        "user": user,
        "user_team": roster.team.id,
        "editable": False,
        "size": size,
        "mode": "hosted",
        "is_external": False,
        "external_type": "",
        "is_public": False,
        "public_url_shared": False,
        "display_as_bot": False,
        "username": "",
        "url_private": f"{private}/{address}",
        "url_private_download": f"{private}/download/{address}",
        "media_display_type": "unknown",
        "permalink": call.public_link(f"/files/{user}/{id}/{address}"),
        "permalink_public": "",
        "is_starred": False,
        "has_rich_preview": False,
        "file_access": "visible",
        **({"alt_txt": alt} if alt else {}),
    }


def _files_root(call: Call) -> str:
    """Return the host for the bytes of files: the vendor's own host for them, or the host of the call."""
    scheme, _, host = call.base_url.partition("://")
    return f"{scheme}://files.slack.com" if host == "slack.com" or host.endswith(".slack.com") else call.base_url
