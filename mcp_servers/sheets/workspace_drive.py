"""The drive's tools of the workspace server."""

from apps.drive import media_types
from mcp_servers.sheets import file_prose, files
from mcp_servers.sheets.argument_schemas import flag, list_schema, text
from mcp_servers.tools import Surface

ME = "user_google_email"
USER = {ME: text("Accepted; your token decides whose files they are.")}
FILE = {"file_id": "fileId"}
ID = {"file_id": "Id of the file."}
PAGE = {"page_size": "pageSize", "page_token": "pageToken", "drive_id": "driveId"}
LISTED = {
    **USER,
    "include_items_from_all_drives": flag("Accepted; there are no shared drives here.", True),
    "file_type": text("Only files of a kind: folder, spreadsheet, pdf, csv, or a media type."),
    "detailed": flag("Tell size, times, owner and link of each.", True),
    "order_by": text("Order, such as modifiedTime desc or name."),
}
SOURCE = {
    "content": text("The content as text."),
    "file_path": text("Not possible: files of your machine cannot be read here."),
    "file_url": text("Not possible: addresses elsewhere cannot be read here."),
    "source_format": text("What the content is: csv, tsv, xlsx …"),
    "folder_id": text("Id of the folder for it; My Drive unless given."),
    "base64_content": text("The content in base64."),
    "base64_sha256": text("SHA-256 of the content, to be checked."),
    "file_name": text("Its name."),
}


def declare(surface: Surface) -> None:
    """Add the drive's tools."""
    _declare_file_reads(surface)
    _declare_sharing_reads(surface)
    _declare_new_files(surface)
    _declare_file_changes(surface)
    _declare_imports(surface)
    _declare_sharing_changes(surface)


def _declare_file_reads(surface: Surface) -> None:
    surface.tool(
        "search_drive_files",
        "drive.files.list",
        description="Search files by words, or in the drive's own words: name contains 'plan' and mimeType = '…'.",
        rename=PAGE,
        only=[
            ME,
            "query",
            "page_size",
            "page_token",
            "drive_id",
            "include_items_from_all_drives",
            "corpora",
            "file_type",
            "detailed",
            "order_by",
            "include_trashed",
        ],
        required=["query"],
        defaults={"page_size": 10},
        ignored={
            **LISTED,
            "query": text("Words, or a search."),
            "include_trashed": flag("Find what lies in the trash too.", False),
        },
        prepare=files.search_files,
        result=file_prose.build_list_renderer("Found {} files matching '{}':", "No files found for '{}'."),
    )
    surface.tool(
        "list_drive_items",
        "drive.files.list",
        description="List what lies in a folder; in My Drive unless a folder is given.",
        rename=PAGE,
        only=[
            ME,
            "folder_id",
            "page_size",
            "page_token",
            "drive_id",
            "include_items_from_all_drives",
            "corpora",
            "file_type",
            "detailed",
            "order_by",
            "resource_type",
            "query",
            "include_organizers",
        ],
        required=[],
        defaults={"page_size": 100},
        ignored={
            **LISTED,
            "folder_id": text("Id of the folder."),
            "resource_type": text("files for everything, folders for folders only."),
            "query": text("Only what has this in its name."),
            "include_organizers": flag("Accepted; there are no shared drives here.", False),
        },
        prepare=files.inside,
        result=file_prose.build_list_renderer("Found {} items in folder '{}':", "No items found in folder '{}'."),
    )
    surface.tool(
        "get_drive_file_content",
        "drive.files.get",
        description="Read what a file holds: text as it is, the first sheet of a spreadsheet as CSV.",
        rename=FILE,
        only=[ME, "file_id"],
        required=["file_id"],
        describe=ID,
        ignored=USER,
        result=file_prose.content,
    )


def _declare_sharing_reads(surface: Surface) -> None:
    surface.tool(
        "get_drive_file_download_url",
        "drive.files.get",
        description="Tell where a file can be downloaded.",
        rename=FILE,
        only=[ME, "file_id", "export_format"],
        required=["file_id"],
        describe=ID,
        ignored={**USER, "export_format": text("For spreadsheets: xlsx, csv or tsv.")},
        result=file_prose.download,
    )
    surface.tool(
        "get_drive_file_permissions",
        "drive.files.get",
        description="Tell who owns a file and with whom it is shared.",
        rename=FILE,
        only=[ME, "file_id"],
        required=["file_id"],
        describe=ID,
        ignored=USER,
        result=file_prose.permissions,
    )
    surface.tool(
        "get_drive_shareable_link",
        "drive.files.get",
        description="Tell a file's address and for whom it works.",
        rename=FILE,
        only=[ME, "file_id"],
        required=["file_id"],
        describe=ID,
        ignored=USER,
        result=file_prose.link,
    )
    surface.tool(
        "check_drive_file_public_access",
        "drive.files.list",
        description="Tell whether files of a name are open to everybody with the link.",
        rename={"drive_id": "driveId"},
        only=[ME, "file_name", "drive_id"],
        required=["file_name"],
        ignored={**USER, "file_name": text("The exact name.")},
        prepare=files.find_by_name,
        result=file_prose.public,
    )


def _declare_new_files(surface: Surface) -> None:
    surface.tool(
        "create_drive_file",
        "drive.files.create",
        description="Create a file with content; of type spreadsheet the content is turned into one.",
        rename={"file_name": "name"},
        only=[
            ME,
            "file_name",
            "content",
            "folder_id",
            "mime_type",
            "fileUrl",
            "base64_content",
            "content_mime_type",
            "base64_sha256",
        ],
        required=["file_name"],
        describe={"file_name": "Its name."},
        ignored={
            **USER,
            "content": SOURCE["content"],
            "folder_id": SOURCE["folder_id"],
            "base64_content": SOURCE["base64_content"],
            "base64_sha256": SOURCE["base64_sha256"],
            "mime_type": text("Its type.", default="text/plain"),
            "fileUrl": SOURCE["file_url"],
            "content_mime_type": text("Type of the content, if it is to be turned into another."),
        },
        prepare=files.create_file,
        result=file_prose.render_created_file,
    )
    surface.tool(
        "create_drive_folder",
        "drive.files.create",
        description="Create a folder.",
        rename={"folder_name": "name"},
        fixed={"mimeType": media_types.FOLDER},
        only=[ME, "folder_name", "parent_folder_id"],
        required=["folder_name"],
        describe={"folder_name": "Its name."},
        ignored={**USER, "parent_folder_id": text("Id of the folder for it; My Drive unless given.")},
        prepare=files.folder,
        result=file_prose.render_created_file,
    )


def _declare_file_changes(surface: Surface) -> None:
    surface.tool(
        "copy_drive_file",
        "drive.files.copy",
        description="Copy a file.",
        rename={**FILE, "new_name": "name"},
        only=[ME, "file_id", "new_name", "parent_folder_id", "copy_comments"],
        required=["file_id"],
        describe={**ID, "new_name": "Name of the copy."},
        ignored={
            **USER,
            "parent_folder_id": text("Id of the folder for the copy; beside the original unless given."),
            "copy_comments": flag("Accepted; a copy has no comments.", False),
        },
        prepare=files.copy_file,
        result=file_prose.render_copied_file,
    )
    surface.tool(
        "update_drive_file",
        "drive.files.update",
        description="Change a file: name, description, folder, star, trash and back, properties, content.",
        rename={
            **FILE,
            "mime_type": "mimeType",
            "add_parents": "addParents",
            "remove_parents": "removeParents",
            "writers_can_share": "writersCanShare",
            "copy_requires_writer_permission": "copyRequiresWriterPermission",
        },
        only=[
            ME,
            "file_id",
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
            "content",
            "file_path",
            "file_url",
            "source_format",
            "mode",
        ],
        required=["file_id"],
        describe=ID,
        ignored={
            **USER,
            **{name: SOURCE[name] for name in ("content", "file_path", "file_url", "source_format")},
            "mode": text(
                "Whether content replaces what is there or goes behind or before it.",
                enum=["replace", "append", "prepend"],
                default="replace",
            ),
        },
        prepare=files.update_file,
        result=file_prose.render_updated_file,
    )


def _declare_imports(surface: Surface) -> None:
    for kind, type, whole in (
        ("doc", "document", True),
        ("sheets", "spreadsheet", True),
        ("slides", "presentation", False),
    ):
        own = [
            ME,
            "file_name",
            *(["content"] if whole else []),
            "file_path",
            "file_url",
            "source_format",
            "folder_id",
            "base64_content",
            "base64_sha256",
        ]
        surface.tool(
            f"import_to_google_{kind}",
            "drive.files.create",
            description=f"Turn content into a {type}."
            + ("" if kind == "sheets" else " This drive keeps spreadsheets only."),
            rename={"file_name": "name"},
            only=own,
            required=["file_name"],
            describe={"file_name": "Its name."},
            ignored={**USER, **{name: SOURCE[name] for name in own if name not in (ME, "file_name")}},
            prepare=files.import_file(f"{media_types.NATIVE}{type}"),
            result=file_prose.render_created_file,
        )


def _declare_sharing_changes(surface: Surface) -> None:
    surface.tool(
        "manage_drive_access",
        {
            "grant": "drive.permissions.create",
            "grant_batch": "web.share",
            "update": "drive.permissions.update",
            "revoke": "drive.permissions.delete",
            "transfer_owner": "drive.permissions.create",
        },
        by="action",
        description="Share a file with somebody or several, change or take away access, or make somebody its owner.",
        only=[
            ME,
            "file_id",
            "action",
            "share_with",
            "role",
            "share_type",
            "permission_id",
            "recipients",
            "send_notification",
            "email_message",
            "expiration_time",
            "allow_file_discovery",
            "new_owner_email",
            "move_to_new_owners_root",
        ],
        required=["file_id", "action"],
        describe={"action": "grant, grant_batch, update, revoke or transfer_owner."},
        ignored={
            **USER,
            "file_id": text("Id of the file."),
            "share_with": text("Address of the person or group, or the domain."),
            "role": text("reader, commenter or writer.", enum=["reader", "commenter", "writer"]),
            "share_type": text("Who is meant.", enum=["user", "group", "domain", "anyone"], default="user"),
            "permission_id": text("Id of the permission."),
            "recipients": list_schema(
                "For grant_batch: each with email, role, share_type, expiration_time.", {"type": "object"}
            ),
            "send_notification": flag("Whether they are mailed.", True),
            "email_message": text("A text for the mail."),
            "expiration_time": text("When the access ends, RFC 3339."),
            "allow_file_discovery": flag("Of domain and anyone: found by search."),
            "new_owner_email": text("Address of the new owner."),
            "move_to_new_owners_root": flag("Whether the file comes to lie in the new owner's My Drive.", False),
        },
        prepare=files.change_access,
        result=file_prose.access,
    )
    surface.tool(
        "set_drive_file_permissions",
        "web.setAccess",
        description="Set what everybody with the link may do, and whether writers may share and readers copy.",
        rename={
            **FILE,
            "link_sharing": "link",
            "writers_can_share": "writersCanShare",
            "copy_requires_writer_permission": "copyRequiresWriterPermission",
        },
        only=[ME, "file_id", "link_sharing", "writers_can_share", "copy_requires_writer_permission"],
        required=["file_id"],
        describe=ID,
        ignored=USER,
        result=file_prose.render_sharing,
    )
