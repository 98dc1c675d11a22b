"""JSON of files, people and permissions.

developers.google.com/workspace/drive/api/reference/rest/v3/files, .../permissions, .../about
"""

from functools import cached_property
from hashlib import md5, sha1

from apps.drive import access, blobs, file_lookup, grants, groups, media_types, roots
from apps.drive.access import FOLDER, SPREADSHEET, FileCache, FileRow, Grant
from apps.drive.grants import EffectivePermission
from apps.drive.new_files import permission_key
from apps.drive.timestamps import format_timestamp
from world.core.call import Call
from world.core.json_types import JsonObject

ICONS = "https://drive-thirdparty.googleusercontent.com/16/type"
_VISITED = "SELECT file_id, at FROM drive_visit WHERE person_id = :me"
_STARRED = "SELECT file_id FROM drive_star WHERE person_id = :me"


def page(call: Call, file: FileRow) -> str:
    """The public address of a file's page."""
    if file.mime_type == SPREADSHEET:
        return call.public_link(f"/spreadsheets/d/{file.key}/edit", "sheets")
    return call.public_link(
        f"/drive/folders/{file.key}" if file.mime_type == FOLDER else f"/file/d/{file.key}/view", "drive"
    )


def export_page(call: Call, file: FileRow) -> str:
    """Return the export address of a spreadsheet, below the address of the call."""
    base = call.base_url.removesuffix("/v4").removesuffix("/drive/v3") or "/sheets"
    return f"{base}/d/{file.key}/export"


class Views:
    """Serializer of one call's results, used after its changes: everything is read once."""

    def __init__(self, call: Call) -> None:
        self.call, self.known = call, FileCache(call)
        self._people: dict[str, JsonObject] = {}
        self._grantees: dict[str, JsonObject] = {}

    def user(self, person: str) -> JsonObject:
        """A User."""
        if person not in self._people:
            found = self.call.directory.person(person)
            name, email = (found.full_name, found.email) if found else ("", "")
            told = {"kind": "drive#user", "displayName": name, "me": person == self.call.person}
            self._people[person] = {
                **told,
                **({"permissionId": permission_key("user", email), "emailAddress": email} if email else {}),
            }
        return self._people[person]

    def author(self, person: str) -> JsonObject:
        """Render a User beside a comment, without address."""
        return {
            name: value for name, value in self.user(person).items() if name not in ("permissionId", "emailAddress")
        }

    @cached_property
    def starred(self) -> set[int]:
        """The files the caller has starred."""
        return {row[0] for row in self.call.all(_STARRED, {"me": self.call.person})}

    @cached_property
    def visited(self) -> dict[int, int]:
        """When the caller last opened which file."""
        return {row[0]: row[1] for row in self.call.all(_VISITED, {"me": self.call.person})}

    def role(self, file: FileRow) -> str:
        """The caller's role."""
        return access.role(self.call, file, known=self.known)

    def may(self, file: FileRow, what: str) -> bool:
        """Whether the caller may do something with a file, by the vendor's word: `canDownload`."""
        trashed = file_lookup.is_trashed(self.known, file)
        return capabilities(file, self.role(file), trashed=trashed)[what]

    def file(self, file: FileRow) -> JsonObject:
        """A File, with everything the caller may know of it."""
        role = self.role(file)
        trashed = file_lookup.is_trashed(self.known, file)
        told: JsonObject = {
            "kind": "drive#file",
            "id": file.key,
            "name": file.name,
            "mimeType": file.mime_type,
            **({"description": file.description} if file.description else {}),
            "starred": file.id in self.starred,
            "trashed": trashed,
            "explicitlyTrashed": file.trashed_at is not None,
            "spaces": ["drive"],
            "version": str(file.version),
            "webViewLink": page(self.call, file),
            "iconLink": f"{ICONS}/{file.mime_type}",
            "hasThumbnail": False,
            "thumbnailVersion": "0",
            "isAppAuthorized": True,
            "createdTime": format_timestamp(file.created_at),
            "modifiedTime": format_timestamp(file.modified_at),
            "owners": [self.user(file.owner_id)],
            "lastModifyingUser": self.user(file.modified_by or file.owner_id),
            "ownedByMe": role == "owner",
            "writersCanShare": file.settings.get("writersCanShare", True),
            "copyRequiresWriterPermission": bool(file.settings.get("copyRequiresWriterPermission")),
            "viewersCanCopyContent": not file.settings.get("copyRequiresWriterPermission"),
            "inheritedPermissionsDisabled": False,
            "linkShareMetadata": {"securityUpdateEligible": False, "securityUpdateEnabled": True},
            "capabilities": capabilities(file, role, trashed=trashed),
            "quotaBytesUsed": str(file.size),
        }
        return {
            **told,
            **self._place(file),
            **self._mine(file),
            **self._render_sharing(file, role),
            **self._own(file),
            **self._bytes(file),
        }

    def _place(self, file: FileRow) -> JsonObject:
        """Parents, as far as the caller may see them."""
        if file.id == 0:
            return {}
        if file.parent_id is None:
            return {"parents": [roots.key_of(self.call.person)]} if file.owner_id == self.call.person else {}
        above = self.known.above(file)
        return {"parents": [above.key]} if above is not None and self.role(above) else {}

    def _mine(self, file: FileRow) -> JsonObject:
        """Render the fields that depend on the caller."""
        me = self.call.person
        at = self.visited.get(file.id)
        told: JsonObject = {"viewedByMe": at is not None, "modifiedByMe": file.modified_by == me}
        told |= {} if at is None else {"viewedByMeTime": format_timestamp(at)}
        told |= {"modifiedByMeTime": format_timestamp(file.modified_at)} if file.modified_by == me else {}
        given = None if file.owner_id == me else grants.to_me(self.known, file)
        if given is not None and given.shared_at:
            told["sharedWithMeTime"] = format_timestamp(given.shared_at)
        if given is not None and given.shared_by:
            told["sharingUser"] = self.user(given.shared_by)
        return told

    def _render_sharing(self, file: FileRow, role: str) -> JsonObject:
        """Render sharing; in full only for people who may share."""
        held = grants.list_effective(self.call, file, self.known)
        told: JsonObject = {"shared": len(held) > 1}
        if role in ("owner", "writer"):
            told["permissionIds"] = [one.grant.key for one in held]
        if held and shares(file, role):
            told["permissions"] = [self.permission(one) for one in held]
        return told

    def _own(self, file: FileRow) -> JsonObject:
        """Render properties, and the fields of some kinds of files."""
        own = {"properties": file.properties, "appProperties": file.settings.get("appProperties")}
        told: JsonObject = {name: value for name, value in own.items() if value}
        if file.mime_type == FOLDER:
            told["folderColorRgb"] = file.settings.get("folderColorRgb", "#8f8f8f")
        if file.mime_type == media_types.SHORTCUT:
            told["shortcutDetails"] = file.settings.get("shortcut", {})
        if file.mime_type == SPREADSHEET:
            told["exportLinks"] = {
                kind: f"{page(self.call, file).removesuffix('/edit')}/export?mimeType={kind}"
                for kind in media_types.EXPORTS
            }
        return told

    def _bytes(self, file: FileRow) -> JsonObject:
        """Render size, checksums and names of a file with bytes."""
        if file.sha256 is None:
            return {}
        ending, whole = media_types.extensions(file.name)
        return {
            "originalFilename": file.settings.get("originalFilename") or file.name,
            "fileExtension": ending,
            "fullFileExtension": whole,
            "size": str(file.size),
            "sha256Checksum": file.sha256,
            **sums(self.call, file),
            "headRevisionId": blobs.revision(file.sha256),
            "webContentLink": f"{page(self.call, file).removesuffix('/view')}?export=download",
        }

    def permission(self, held: EffectivePermission) -> JsonObject:
        """A Permission."""
        one = held.grant
        told: JsonObject = {"kind": "drive#permission", "id": one.key, "type": one.type, "role": one.role}
        if one.type in ("user", "group"):
            told |= self._whose(one)
            told |= {"pendingOwner": False} if one.type == "user" else {}
        else:
            told["allowFileDiscovery"] = bool(one.discoverable)
        if one.type == "domain":
            told |= {"domain": one.domain, "displayName": self.call.directory.company().name}
        if one.expires_at is not None:
            told["expirationTime"] = format_timestamp(one.expires_at)
        return {**told, "permissionDetails": _details(held)}

    def _whose(self, one: Grant) -> JsonObject:
        """Render the person or group of a permission."""
        if one.key not in self._grantees:
            self._grantees[one.key] = {
                "emailAddress": one.email,
                "displayName": self._name(one),
                "deleted": self._has_left(one.person_id),
            }
        return self._grantees[one.key]

    def _name(self, one: Grant) -> str:
        if one.type == "group":
            group = groups.find_group(self.call, one.email)
            return group.name if group else one.email
        person = self.call.directory.person(one.person_id) if one.person_id else None
        known = person.full_name if person else ""
        contact = "SELECT full_name FROM contact WHERE email = :email"
        return known or str(self.call.scalar(contact, {"email": one.email.lower()}) or one.email.partition("@")[0])

    def _has_left(self, person: str | None) -> bool:
        found = self.call.directory.person(person) if person else None
        return found is not None and found.status != "active"


def _details(held: EffectivePermission) -> list[JsonObject]:
    """Whether a permission is the file's own or comes from a folder."""
    told: list[JsonObject] = []
    if held.own is not None:
        told.append({"permissionType": "file", "role": held.own.role, "inherited": False})
    if held.above is not None:
        told.append(
            {"permissionType": "file", "role": held.above.role, "inheritedFrom": held.folder, "inherited": True}
        )
    return told


def sums(call: Call, file: FileRow) -> JsonObject:
    """Return the checksums besides the blob's name: stored at the upload, else computed."""
    known = file.settings.get("sums")
    if known:
        return {"md5Checksum": known[0], "sha1Checksum": known[1]}
    data = blobs.get_content(call, file) or b""
    return {
        "md5Checksum": md5(data, usedforsecurity=False).hexdigest(),
        "sha1Checksum": sha1(data, usedforsecurity=False).hexdigest(),
    }


def shares(file: FileRow, role: str) -> bool:
    """Whether a role suffices to share a file."""
    return role == "owner" or (role == "writer" and file.settings.get("writersCanShare", True))


def capabilities(file: FileRow, role: str, *, trashed: bool) -> dict[str, bool]:
    """Return the caller's capabilities on a file.

    developers.google.com/workspace/drive/api/guides/manage-sharing#capabilities
    """
    rank = access.ROLES[role]
    writes, owns, is_folder, is_root = (
        rank >= access.ROLES["writer"],
        role == "owner",
        file.mime_type == FOLDER,
        file.id == 0,
    )
    points = file.mime_type == media_types.SHORTCUT
    copies = not is_folder and not points and (writes or not file.settings.get("copyRequiresWriterPermission"))
    within, alive = writes and is_folder, not is_root
    return {
        "canAcceptOwnership": False,
        "canAddChildren": within,
        "canAddMyDriveParent": False,
        "canChangeCopyRequiresWriterPermission": shares(file, role) and alive,
        "canChangeSecurityUpdateEnabled": False,
        "canChangeViewersCanCopyContent": shares(file, role) and alive,
        "canComment": rank >= access.ROLES["commenter"] and alive,
        "canCopy": copies,
        "canDelete": owns and alive,
        "canDisableInheritedPermissions": False,
        "canDownload": copies,
        "canEdit": writes,
        "canEnableInheritedPermissions": False,
        "canListChildren": is_folder,
        "canModifyContent": writes and not trashed,
        "canModifyContentRestriction": False,
        "canModifyEditorContentRestriction": False,
        "canModifyLabels": False,
        "canModifyOwnerContentRestriction": False,
        "canMoveChildrenWithinDrive": within,
        "canMoveItemIntoTeamDrive": False,
        "canMoveItemOutOfDrive": False,
        "canMoveItemWithinDrive": shares(file, role) and alive,
        "canReadLabels": False,
        "canReadRevisions": writes and not is_folder and not points,
        "canRemoveChildren": within,
        "canRemoveContentRestriction": False,
        "canRemoveMyDriveParent": writes and alive,
        "canRename": writes and alive,
        "canShare": shares(file, role) and alive,
        "canTrash": owns and alive,
        "canUntrash": owns and alive,
    }
