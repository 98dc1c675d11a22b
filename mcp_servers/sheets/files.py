"""Files of the drive for the workspace server's tools: searches, content, access."""

import binascii
from base64 import b64decode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from apps.drive import media_types
from mcp_servers.json_text import as_json
from mcp_servers.sheets import argument_schemas, range_resolution
from mcp_servers.sheets.argument_schemas import wrong
from mcp_servers.sheets.community_requests import quote_search_text
from mcp_servers.tools import CallArguments, Given, Look

NATIVE = {
    "folder": media_types.FOLDER,
    "folders": media_types.FOLDER,
    "spreadsheet": media_types.SPREADSHEET,
    "sheet": media_types.SPREADSHEET,
    "sheets": media_types.SPREADSHEET,
    "document": f"{media_types.NATIVE}document",
    "doc": f"{media_types.NATIVE}document",
    "presentation": f"{media_types.NATIVE}presentation",
    "slides": f"{media_types.NATIVE}presentation",
    "form": f"{media_types.NATIVE}form",
    "pdf": "application/pdf",
    "csv": media_types.CSV,
}
OPERATORS = ("=", "!=", " contains ", " in ", "<", ">", " has ")
FORMATS = {
    "csv": media_types.CSV,
    "tsv": media_types.TSV,
    "xlsx": media_types.XLSX,
    "md": "text/markdown",
    "txt": "text/plain",
    "html": "text/html",
    "json": "application/json",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
}
NOWHERE = "Cannot be read from here; give content or base64_content"


def search_files(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Search in the drive's own words, or for words."""
    asked = given["query"].strip()
    words = quote_search_text(asked)
    q = (
        asked
        if any(one in f"{asked} " for one in OPERATORS)
        else f"(name contains {words} or fullText contains {words})"
        if asked
        else ""
    )
    parts = [q] if q else []
    parts += [f"mimeType = {quote_search_text(_kind(given))}"] if given.get("file_type") else []
    parts += [] if given.get("include_trashed") or "trashed" in asked else ["trashed = false"]
    return _set_order({**arguments, "q": " and ".join(parts)}, given, by_text="fullText" in q)


def _kind(given: Given) -> str:
    wanted = given["file_type"].lower()
    return NATIVE.get(wanted) or wanted


def _set_order(arguments: CallArguments, given: Given, *, by_text: bool = False) -> CallArguments:
    out = {name: value for name, value in arguments.items() if name != "orderBy"}
    return out if by_text or not given.get("order_by") else {**out, "orderBy": given["order_by"]}


def inside(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Search for the items of a folder, My Drive unless given. Raises InvalidArguments."""
    if given.get("resource_type") not in (None, "files", "file", "folder", "folders"):
        raise wrong("resource_type", "must be one of: files, folders")
    parts = [f"{quote_search_text(given.get('folder_id') or 'root')} in parents", "trashed = false"]
    parts += [f"mimeType = {quote_search_text(_kind(given))}"] if given.get("file_type") else []
    parts += [f"mimeType = '{media_types.FOLDER}'"] if given.get("resource_type") in ("folder", "folders") else []
    if given.get("query"):
        parts.append(f"name contains {quote_search_text(given['query'])}")
    return _set_order({**arguments, "q": " and ".join(parts)}, {"order_by": "folder,modifiedTime desc", **given})


def find_by_name(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Files of a name."""
    return {**arguments, "q": f"name = {quote_search_text(given['file_name'])} and trashed = false", "pageSize": 20}


def bytes_of(given: Given) -> bytes | None:
    """The content given as text or in base64. Raises InvalidArguments."""
    for name in ("fileUrl", "file_url", "file_path"):
        if given.get(name):
            raise wrong(name, NOWHERE)
    if given.get("base64_content"):
        return _decode_content(given)
    return None if given.get("content") is None else given["content"].encode("utf-8", "replace")


def _decode_content(given: Given) -> bytes:
    try:
        data = b64decode(given["base64_content"], validate=True)
    except (binascii.Error, ValueError):
        raise wrong("base64_content", "is no base64") from None
    if given.get("base64_sha256") and given["base64_sha256"].lower() != sha256(data).hexdigest():
        raise wrong("base64_sha256", "The content has another SHA-256")
    return data


def encode_content(data: bytes) -> str:
    """Encode bytes as the drive's operations take them."""
    return urlsafe_b64encode(data).decode().rstrip("=")


def plain(text: str) -> bytes:
    """Bytes as the drive's operations give them."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _parents(given: Given, name: str) -> dict[str, Any]:
    place = given.get(name)
    return {"parents": [place]} if place else {}


def create_file(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Create a file with content."""
    data = bytes_of(given)
    kind = given.get("mime_type") or (
        "text/plain" if given.get("content_mime_type") is None else given["content_mime_type"]
    )
    content = (
        {}
        if data is None
        else {"content": encode_content(data), "contentType": given.get("content_mime_type") or _content_type(kind)}
    )
    return {**arguments, "mimeType": kind, **content, **_parents(given, "folder_id")}


def _content_type(kind: str) -> str:
    return media_types.CSV if kind == media_types.SPREADSHEET else "text/plain" if media_types.is_native(kind) else kind


def folder(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """A folder."""
    return {**arguments, **_parents(given, "parent_folder_id")}


def copy_file(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Copy a file, into a folder if one is named."""
    return {**arguments, **_parents(given, "parent_folder_id")}


def import_file(kind: str) -> Callable[[CallArguments, Given, Look], CallArguments]:
    """Turn content into a document of a kind."""

    def prepare(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
        data = bytes_of(given)
        if data is None:
            raise wrong("content" if "document" in kind or "spread" in kind else "base64_content", "is required")
        file_name = argument_schemas.word(given["file_name"], "file_name")
        source = (given.get("source_format") or "").lower().lstrip(".")
        told = FORMATS.get(source) or media_types.guess_type(file_name, source if "/" in source else "")
        told = media_types.CSV if told == media_types.UNKNOWN and kind == media_types.SPREADSHEET else told
        name = file_name.rpartition(".")[0] if file_name.lower().endswith((".csv", ".tsv", ".xlsx")) else file_name
        return {
            **arguments,
            "name": name,
            "mimeType": kind,
            "content": encode_content(data),
            "contentType": told,
            **_parents(given, "folder_id"),
        }

    return prepare


def update_file(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Change a file. New content replaces the old content, or goes before or behind it."""
    data = bytes_of(given)
    if data is None:
        return arguments
    mode = given.get("mode") or "replace"
    if mode != "replace":
        held = plain(look("drive.files.get", fileId=given["file_id"], alt="media")["content"])
        data = held + data if mode == "append" else data + held
    source = (given.get("source_format") or "").lower().lstrip(".")
    return {**arguments, "content": encode_content(data), "contentType": FORMATS.get(source, "")}


# permissions


def change_access(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """The arguments of an action on a file's access."""
    return {
        "grant": _grant,
        "grant_batch": _grant_batch,
        "update": _update,
        "revoke": _revoke,
        "transfer_owner": _transfer,
    }[given["action"]](arguments, given)


def _mail(given: Given, name: str = "sendNotificationEmail") -> CallArguments:
    return {name: bool(given.get("send_notification", True)), "emailMessage": given.get("email_message") or ""}


def _target(kind: str, value: object, name: str) -> dict[str, str]:
    if kind == "anyone":
        return {}
    return {"domain" if kind == "domain" else "emailAddress": argument_schemas.word(value, name)}


def _grant(arguments: CallArguments, given: Given) -> CallArguments:
    kind, ends = given.get("share_type") or "user", given.get("expiration_time")
    found = given.get("allow_file_discovery")
    return {
        "fileId": given["file_id"],
        "type": kind,
        "role": given.get("role") or "reader",
        **_target(kind, given.get("share_with"), "share_with"),
        **_mail(given),
        **({"expirationTime": ends} if ends else {}),
        **({} if found is None else {"allowFileDiscovery": found}),
    }


def _grant_batch(arguments: CallArguments, given: Given) -> CallArguments:
    wanted = [_recipient(one) for one in argument_schemas.objects(given, "recipients")]
    if not wanted:
        raise wrong("recipients", "must be a list of at least one object")
    return {"fileId": given["file_id"], "recipients": wanted, **_mail(given)}


def _recipient(one: Mapping[str, object]) -> CallArguments:
    kind = argument_schemas.word(one.get("share_type", "user"), "recipients")
    value = one.get("domain") if kind == "domain" and one.get("domain") else one.get("email", one.get("share_with"))
    ends = one.get("expiration_time")
    told = {
        "type": kind,
        "role": argument_schemas.word(one.get("role", "reader"), "recipients"),
        **_target(kind, value, "recipients"),
    }
    return {**told, **({"expirationTime": argument_schemas.word(ends, "recipients")} if ends else {})}


def _permission(given: Given) -> CallArguments:
    return {
        "fileId": given["file_id"],
        "permissionId": argument_schemas.word(given.get("permission_id"), "permission_id"),
    }


def _update(arguments: CallArguments, given: Given) -> CallArguments:
    ends = given.get("expiration_time")
    return {**_permission(given), "role": given.get("role") or "", **({"expirationTime": ends} if ends else {})}


def _revoke(arguments: CallArguments, given: Given) -> CallArguments:
    return _permission(given)


def _transfer(arguments: CallArguments, given: Given) -> CallArguments:
    return {
        "fileId": given["file_id"],
        "type": "user",
        "role": "owner",
        "emailAddress": argument_schemas.word(given.get("new_owner_email"), "new_owner_email"),
        "transferOwnership": True,
        "moveToNewOwnersRoot": bool(given.get("move_to_new_owners_root", False)),
        "emailMessage": given.get("email_message") or "",
    }


# comments


def change_comment(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Say something about a spreadsheet, perhaps about one cell."""
    action = given["action"]
    out: CallArguments = {"fileId": given["spreadsheet_id"]}
    if action in ("create", "reply"):
        out["content"] = argument_schemas.word(given.get("comment_content"), "comment_content")
    if action == "create":
        return {**out, **({"anchor": _anchor(given, look)} if given.get("cell") else {})}
    out["commentId"] = argument_schemas.word(given.get("comment_id"), "comment_id")
    if action == "resolve":
        return {**out, "action": "resolve", "content": given.get("comment_content") or ""}
    return out


def _anchor(given: Given, look: Look) -> str:
    range = range_resolution.grid(
        range_resolution.get_spreadsheet(look, given["spreadsheet_id"]), given["cell"], "cell"
    )
    return as_json(
        {
            "sheetId": range["sheetId"],
            "rowIndex": range.get("startRowIndex", 0),
            "columnIndex": range.get("startColumnIndex", 0),
        }
    )
