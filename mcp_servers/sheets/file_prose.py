"""Prose about files of the drive, as the workspace server words its answers."""

from collections.abc import Callable, Iterable, Mapping

from apps.drive import media_types
from mcp_servers.sheets import files
from mcp_servers.tools import ToolAnswer
from world.core.errors import OperationError
from world.core.json_types import JsonMapping

File = JsonMapping
PUBLIC = ("anyone", "domain")
CLOSED = "Only people it is shared with"


def line(one: File, *, detailed: bool) -> str:
    """A file in one line."""
    if not detailed:
        return f'- Name: "{one["name"]}" (ID: {one["id"]}, Type: {one["mimeType"]})'
    size = f", Size: {one['size']}" if one.get("size") else ""
    return (
        f'- Name: "{one["name"]}" (ID: {one["id"]}, Type: {one["mimeType"]}{size}, Modified: {one["modifiedTime"]},'
        f" Created: {one['createdTime']},"
        f" Owner: {owner(one)}) Link: {one['webViewLink']}"
    )


def owner(one: File) -> str:
    """The owner's address."""
    return next((who.get("emailAddress") or who.get("displayName", "") for who in one["owners"]), "")


def build_list_renderer(head: str, none: str) -> Callable[[ToolAnswer], str]:
    """Build the renderer of a page of files."""

    def text(answer: ToolAnswer) -> str:
        found = answer.result["files"]
        asked = answer.arguments.get("query") or answer.arguments.get("folder_id") or "root"
        if not found:
            return none.format(asked)
        detailed = answer.arguments.get("detailed", True)
        token = answer.result.get("nextPageToken")
        lines = [line(one, detailed=detailed) for one in found]
        return "\n".join([head.format(len(found), asked), *lines, *([f"nextPageToken: {token}"] if token else [])])

    return text


def content(answer: ToolAnswer) -> list[str]:
    """Render the content of a file."""
    file = answer.result
    head = (
        f'File: "{file["name"]}" (ID: {file["id"]}, Type: {file["mimeType"]})\nLink: {file["webViewLink"]}\n\n---'
        " CONTENT ---"
    )
    if file["mimeType"] == media_types.FOLDER:
        return [f"{head}\n[A folder; list_drive_items tells what is in it]"]
    if file["mimeType"] == media_types.SPREADSHEET:
        data = files.plain(answer.look("drive.files.export", fileId=file["id"], mimeType=media_types.CSV)["content"])
    else:
        data = files.plain(answer.look("drive.files.get", fileId=file["id"], alt="media")["content"])
    return [f"{head}\n{_readable(data, file)}"]


def _readable(data: bytes, file: File) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return (
            f"[No text: {len(data)} bytes of {file['mimeType']}; get_drive_file_download_url tells where to fetch them]"
        )


def download(answer: ToolAnswer) -> str:
    """Render the address that a file is downloaded from."""
    file, wanted = answer.result, answer.arguments.get("export_format") or "xlsx"
    links = file.get("exportLinks", {})
    link = links.get(files.FORMATS.get(wanted.lower(), wanted)) if links else file.get("webContentLink")
    if link is None:
        known = ", ".join(name for name, kind in files.FORMATS.items() if kind in links)
        return f'"{file["name"]}" cannot be downloaded' + (f" as {wanted}; choose one of: {known}." if links else ".")
    return f'Download "{file["name"]}" (ID: {file["id"]}, Type: {file["mimeType"]}) with your token from:\n{link}'


def render_created_file(answer: ToolAnswer) -> str:
    """Render a new file."""
    made = answer.result
    what = {media_types.FOLDER: "folder", media_types.SPREADSHEET: "spreadsheet"}.get(made["mimeType"], "file")
    place = (made.get("parents") or ["root"])[0]
    return (
        f"Successfully created {what} '{made['name']}' (ID: {made['id']}, Type: {made['mimeType']}) in folder"
        f" '{place}'. Link: {made['webViewLink']}"
    )


def render_copied_file(answer: ToolAnswer) -> str:
    """Render a copy."""
    made = answer.result
    place = (made.get("parents") or ["root"])[0]
    return (
        f"Successfully copied file {answer.arguments['file_id']}\nNew file ID: {made['id']}\nNew file name:"
        f" {made['name']}\nFile type: {made['mimeType']}\nLocation: {place}\nView copied file: {made['webViewLink']}"
    )


def render_updated_file(answer: ToolAnswer) -> str:
    """Render a changed file."""
    file, given = answer.result, answer.arguments
    said = [
        f"   • {name.replace('_', ' ')}: {value}"
        for name, value in given.items()
        if name in UPDATED and value is not None
    ]
    said += ["   • content"] if given.get("content") is not None else []
    return "\n".join(
        [
            f"Successfully updated file: {file['name']}",
            f"   File ID: {file['id']}",
            "Changes applied:",
            *said,
            f"View file: {file['webViewLink']}",
        ]
    )


UPDATED = (
    "name",
    "description",
    "mime_type",
    "add_parents",
    "remove_parents",
    "starred",
    "trashed",
    "writers_can_share",
    "copy_requires_writer_permission",
    "properties",
)


def grant(one: JsonMapping) -> str:
    """A permission in one line."""
    whom = one.get("emailAddress") or one.get("domain") or one.get("displayName", "")
    told = {"anyone": "Anyone with the link", "domain": f"Domain: {whom}"}.get(
        one["type"], f"{one['type'].capitalize()}: {whom}"
    )
    ends = f", expires: {one['expirationTime']}" if one.get("expirationTime") else ""
    return f"{told} ({one['role']}) [id: {one['id']}]{ends}"


def _open(permissions: Iterable[Mapping[str, object]]) -> bool:
    return any(one["type"] == "anyone" for one in permissions)


def permissions(answer: ToolAnswer) -> str:
    """Render the permissions of a file."""
    file = answer.result
    held = file.get("permissions")
    lines = [
        f"File: {file['name']}",
        f"ID: {file['id']}",
        f"Type: {file['mimeType']}",
        f"Owner: {owner(file)}",
        f"Shared: {file['shared']}",
        "",
    ]
    if held is None:
        return "\n".join([*lines, "You may not see with whom it is shared.", f"View link: {file['webViewLink']}"])
    lines += [f"Permissions ({len(held)}):", *(f"  - {grant(one)}" for one in held), ""]
    return "\n".join([*lines, f"Link access: {_link(held)}", f"View link: {file['webViewLink']}"])


def _link(held: Iterable[Mapping[str, object]]) -> str:
    found = next((one for one in held if one["type"] == "anyone"), None)
    return CLOSED if found is None else f"Anyone with the link ({found['role']})"


def link(answer: ToolAnswer) -> str:
    """The address to share, and for whom it works."""
    file = answer.result
    held = file.get("permissions") or []
    more = [f"Download: {file['webContentLink']}"] if file.get("webContentLink") else []
    return "\n".join(
        [f"File: {file['name']}", f"ID: {file['id']}", f"Link: {file['webViewLink']}", *more, f"Access: {_link(held)}"]
    )


def public(answer: ToolAnswer) -> str:
    """Whether files of a name are open to everybody with the link."""
    found, name = answer.result["files"], answer.arguments["file_name"]
    if not found:
        return f"No file found with name '{name}'"
    blocks = [_public(answer, one) for one in found]
    return "\n\n".join([f"Found {len(found)} files with name '{name}'"] * (len(blocks) > 1) + blocks)


def _public(answer: ToolAnswer, one: File) -> str:
    try:
        held = answer.look("drive.files.get", fileId=one["id"]).get("permissions")
    except OperationError:
        held = None
    state = (
        "Not known: you may not see its sharing"
        if held is None
        else "PUBLIC: anyone with the link may open it"
        if _open(held)
        else "NOT PUBLIC"
    )
    return f"File: {one['name']}\nID: {one['id']}\nType: {one['mimeType']}\n{state}\nLink: {one['webViewLink']}"


def access(answer: ToolAnswer) -> str:
    """Render a change of a file's access."""
    given, told = answer.arguments, answer.result
    action = given["action"]
    if action == "grant_batch":
        lines = [f"  - {grant(one)}" for one in told["permissions"]]
        lines += [f"  - {one['emailAddress']}: failed: {one['error']}" for one in told["failures"]]
        return "\n".join(
            [f"Shared file {given['file_id']} with {len(told['permissions'])} of {len(lines)} recipients:", *lines]
        )
    if action == "revoke":
        return f"Removed permission {given['permission_id']} from file {given['file_id']}."
    done = {
        "grant": "Shared file",
        "update": "Updated access to file",
        "transfer_owner": "Transferred ownership of file",
    }[action]
    return f"{done} {given['file_id']}:\n  - {grant(told)}"


def render_sharing(answer: ToolAnswer) -> str:
    """Render the sharing of a file as it is now."""
    file = answer.result
    held = file.get("permissions") or []
    lines = [f"Sharing of file '{file['name']}' (ID: {file['id']}):", f"  - Link access: {_link(held)}"]
    lines += [f"  - Writers may share: {'yes' if file['writersCanShare'] else 'no'}"]
    return "\n".join(
        [
            *lines,
            f"  - Readers may copy and download: {'no' if file['copyRequiresWriterPermission'] else 'yes'}",
            f"Link: {file['webViewLink']}",
        ]
    )
