"""Permissions to see, comment on and change a file."""

from typing import NotRequired, TypedDict

from pydantic import Field

from apps.drive import file_lookup, grants, groups, mail_notifications, page_tokens
from apps.drive.access import ROLES, FileRow, Grant
from apps.drive.app import app
from apps.drive.grants import EffectivePermission
from apps.drive.new_files import permission_key
from apps.drive.operations.file_fields import parse_time_field
from apps.drive.operations.params import (
    DOCS,
    EXAMPLE,
    READ,
    WRITE,
    FileParams,
    Key,
    Line,
    Long,
    PageParams,
    PageSize,
    size,
)
from apps.drive.views import Views
from world.core.call import Call
from world.core.clock import DAY
from world.core.errors import OperationError
from world.core.json_types import JsonObject

KINDS = ("user", "group", "domain", "anyone")
OF_SHARED_DRIVES = ("organizer", "fileOrganizer")
LONGEST = 365 * DAY
LONGEST_ADDRESS = 254  # RFC 5321


class PermissionParams(FileParams):
    """One permission of a file."""

    permissionId: Key = Field(description="Id of the permission.", examples=["$drive.permissions.create:id"])


class PermissionList(TypedDict):
    """A page of permissions."""

    kind: str
    permissions: list[JsonObject]
    nextPageToken: NotRequired[str]


class ListPermissionsParams(PageParams, FileParams):
    """The permissions of a file."""

    pageSize: PageSize | None = Field(default=None, description="Most permissions of a page, up to 100.")


def _get_permission(call: Call, file: FileRow, key: str) -> EffectivePermission:
    found = next((one for one in grants.list_effective(call, file) if one.grant.key == key), None)
    if found is None:
        raise OperationError("no_permission", id=key)
    return found


@app.operation(
    "drive.permissions.list",
    source=DOCS + "permissions/list",
    scope=READ,
    examples=[{"fileId": EXAMPLE}],
    raises=("not_found", "forbidden", "invalid_value", "bad_page_token"),
)
def list_permissions(call: Call, params: ListPermissionsParams) -> PermissionList:
    """List the permissions of a file, including those of folders above; for people who may change it."""
    file = file_lookup.get_file(call, params.fileId, "file.write")
    if params.pageSize is not None and params.pageSize < 1:
        raise OperationError("invalid_value", parameter="pageSize")
    rows = grants.list_effective(call, file)
    ids = [int(permission_number(one.grant.key)) for one in rows]
    shown, token = page_tokens.page(
        call, f"permissions:{file.key}", rows, ids, size(params.pageSize, 100, 100), params.pageToken
    )
    views = Views(call)
    told: PermissionList = {"kind": "drive#permissionList", "permissions": [views.permission(one) for one in shown]}
    if token:
        told["nextPageToken"] = token
    return told


def permission_number(key: str) -> str:
    """A permission's id as a number, for page tokens."""
    digits = "".join(letter for letter in key if letter.isdecimal())
    return digits or "0"


@app.operation(
    "drive.permissions.get",
    source=DOCS + "permissions/get",
    scope=READ,
    examples=[{"fileId": EXAMPLE, "permissionId": "$drive.permissions.create:id"}],
    raises=("not_found", "forbidden", "no_permission"),
)
def get_permission(call: Call, params: PermissionParams) -> JsonObject:
    """Read one permission of a file."""
    file = file_lookup.get_file(call, params.fileId, "file.write")
    return Views(call).permission(_get_permission(call, file, params.permissionId))


class CreatePermissionParams(FileParams):
    """Request fields for sharing a file."""

    type: Line = Field(default="", description="user, group, domain or anyone (who has the link).", examples=["anyone"])
    role: Line = Field(default="", description="reader, commenter, writer or owner.", examples=["reader"])
    emailAddress: Line = Field(default="", description="Address of the person or group.")
    domain: Line = Field(default="", description="The company's domain, for type domain.")
    allowFileDiscovery: bool = Field(
        default=False, description="Of domain and anyone: whether the file is found by search."
    )
    expirationTime: Line | None = Field(
        default=None, description="When the permission ends, RFC 3339; of persons and groups, at most a year ahead."
    )
    sendNotificationEmail: bool | None = Field(default=None, description="Whether they are mailed; true unless said.")
    emailMessage: Long = Field(default="", description="A text for the mail.")
    transferOwnership: bool = Field(
        default=False, description="Must be true when the role is owner: you become a writer."
    )
    moveToNewOwnersRoot: bool = Field(
        default=False, description="Of a transfer: whether the file comes to lie in the new owner's My Drive."
    )


@app.operation(
    "drive.permissions.create",
    source=DOCS + "permissions/create",
    scope=WRITE,
    writes=True,
    examples=[{"fileId": EXAMPLE, "type": "anyone", "role": "reader"}],
    raises=(
        "not_found",
        "forbidden",
        "required",
        "invalid_value",
        "role_not_applicable",
        "bad_email",
        "bad_domain",
        "unknown_recipient",
        "bad_expiration",
        "transfer_unacknowledged",
        "transfer_outside",
        "notification_required",
    ),
)
def create_permission(call: Call, params: CreatePermissionParams) -> JsonObject:
    """Share a file with a person, a group, the company or everybody with the link; they are mailed unless told
    otherwise.
    """
    file = file_lookup.get_file(call, params.fileId, "file.share")
    _check_sharing(params)
    asked = _to_grant(call, file, params)
    if params.role == "owner":
        return _transfer_ownership(call, file, asked, params)
    mailed = params.sendNotificationEmail is not False and asked.type in ("user", "group")
    asked = asked._replace(message=(params.emailMessage or None) if mailed else None)
    known = next((one for one in grants.own(call, file.id) if one.key == asked.key), None)
    if known is None or ROLES[known.role] <= ROLES[asked.role]:
        grants.put(call, asked)
    elif asked.message:
        grants.put(call, known._replace(message=asked.message))
    if mailed:
        mail_notifications.mail_share(call, file, asked.role, grants.people(call, asked), params.emailMessage)
    return _render_permission(call, file, asked.key)


def _render_permission(call: Call, file: FileRow, key: str) -> JsonObject:
    """Render a permission that was just given."""
    return Views(call).permission(next(one for one in grants.list_effective(call, file) if one.grant.key == key))


def _check_sharing(params: CreatePermissionParams) -> None:
    """Refuse invalid values, and combinations that exclude each other."""
    for name, known in (("type", KINDS), ("role", (*ROLES, *OF_SHARED_DRIVES))):
        value = getattr(params, name)
        if not value:
            raise OperationError("required", parameter=f"permission.{name}")
        if value not in known:
            raise OperationError("invalid_value", parameter=f"permission.{name}")
    if params.role in OF_SHARED_DRIVES or (params.role == "owner" and params.type != "user"):
        raise OperationError("role_not_applicable")
    if (params.type in ("user", "group")) != bool(params.emailAddress):
        raise OperationError("bad_email")
    if (params.type == "domain") != bool(params.domain):
        raise OperationError("bad_domain")
    if params.role == "owner" and not params.transferOwnership:
        raise OperationError("transfer_unacknowledged")
    if params.sendNotificationEmail is False and params.role == "owner":
        raise OperationError("notification_required")


def _expiration(call: Call, text: str | None, kind: str, role: str) -> int | None:
    if text is None:
        return None
    at = parse_time_field(text, "permission.expirationTime")
    if kind not in ("user", "group") or role == "owner" or not call.now < at <= call.now + LONGEST:
        raise OperationError("bad_expiration")
    return at


def _to_grant(call: Call, file: FileRow, params: CreatePermissionParams) -> Grant:
    """Build the row of a permission. An address is recognised as a person's or a group's."""
    expires = _expiration(call, params.expirationTime, params.type, params.role)
    plain = Grant(
        file.id, "", params.type, params.role, None, "", "", params.allowFileDiscovery, expires, call.now, call.person
    )
    if params.type == "anyone":
        return plain._replace(key=permission_key("anyone", ""))
    if params.type == "domain":
        if params.domain.lower() != groups.get_company_domain(call):
            raise OperationError("bad_domain")
        return plain._replace(key=permission_key("domain", params.domain), domain=params.domain.lower())
    return _of_address(call, plain._replace(discoverable=False), params.emailAddress.strip().lower())


def _of_address(call: Call, plain: Grant, address: str) -> Grant:
    """Build a permission for the owner of an address. Raises bad_email, unknown_recipient."""
    local, at, domain = address.partition("@")
    if (
        not local
        or not at
        or not domain
        or "@" in domain
        or len(address) > LONGEST_ADDRESS
        or any(letter.isspace() for letter in address)
    ):
        raise OperationError("bad_email")
    person = call.directory.by_email(address)
    if person is not None and person.status == "active":
        return plain._replace(
            type="user", person_id=person.id, email=person.email, key=permission_key("user", person.email)
        )
    if groups.find_group(call, address) is not None:
        return plain._replace(type="group", email=address, key=permission_key("group", address))
    if domain == groups.get_company_domain(call):
        raise OperationError("unknown_recipient", email=address)
    return plain._replace(type="user", email=address, key=permission_key("user", address))


def _transfer_ownership(call: Call, file: FileRow, asked: Grant, params: CreatePermissionParams) -> JsonObject:
    """Transfer a file to another owner; the caller, its former owner, becomes a writer."""
    call.authorise("file.own", file)
    if asked.type != "user" or asked.person_id is None:
        raise OperationError("transfer_outside")
    message = params.emailMessage or None
    _own(call, file, asked._replace(message=message), to_root=params.moveToNewOwnersRoot)
    mail_notifications.mail_share(call, file, "owner", grants.people(call, asked), params.emailMessage)
    return _render_permission(call, file, asked.key)


def _own(call: Call, file: FileRow, asked: Grant, *, to_root: bool) -> None:
    for one in grants.own(call, file.id):
        if one.role == "owner" and one.key != asked.key:
            grants.put(call, one._replace(role="writer"))
    grants.put(call, asked._replace(role="owner", expires_at=None))
    sql = "UPDATE drive_file SET owner_id = :owner, parent_id = :parent, version = version + 1 WHERE id = :id"
    call.execute(sql, {"owner": asked.person_id, "parent": None if to_root else file.parent_id, "id": file.id})
    file.owner_id = str(asked.person_id)


class UpdatePermissionParams(PermissionParams):
    """New role or expiration of a permission."""

    role: Line = Field(default="", description="reader, commenter, writer or owner.", examples=["commenter"])
    expirationTime: Line | None = Field(default=None, description="When the permission ends, RFC 3339.")
    removeExpiration: bool = Field(default=False, description="Whether it ends no more.")
    transferOwnership: bool = Field(
        default=False, description="Must be true when the role is owner: you become a writer."
    )


@app.operation(
    "drive.permissions.update",
    source=DOCS + "permissions/update",
    scope=WRITE,
    writes=True,
    examples=[{"fileId": EXAMPLE, "permissionId": "$drive.permissions.create:id", "role": "commenter"}],
    raises=(
        "not_found",
        "forbidden",
        "no_permission",
        "invalid_value",
        "role_not_applicable",
        "cannot_remove_owner",
        "inherited_permission",
        "bad_expiration",
        "transfer_unacknowledged",
        "transfer_outside",
    ),
)
def update_permission(call: Call, params: UpdatePermissionParams) -> JsonObject:
    """Change somebody's role on a file, or the end of their permission."""
    file = file_lookup.get_file(call, params.fileId, "file.share")
    held = _get_permission(call, file, params.permissionId)
    role = params.role or held.grant.role
    if role not in ROLES:
        raise OperationError(
            "role_not_applicable" if role in OF_SHARED_DRIVES else "invalid_value", parameter="permission.role"
        )
    if role == "owner":
        return _promote_to_owner(call, file, held, params)
    _changeable(held, role)
    expires = _expiration(call, params.expirationTime, held.grant.type, role) or (
        None if params.removeExpiration else held.grant.expires_at
    )
    base = held.own or held.grant._replace(file_id=file.id, shared_at=call.now, shared_by=call.person)
    grants.put(call, base._replace(role=role, expires_at=expires))
    return Views(call).permission(_get_permission(call, file, params.permissionId))


def _changeable(held: EffectivePermission, role: str) -> None:
    """Refuse changes of the owner's permission, and narrower roles than inherited from a folder."""
    if held.grant.role == "owner":
        raise OperationError("cannot_remove_owner")
    if held.above is not None and ROLES[held.above.role] > ROLES[role]:
        raise OperationError("inherited_permission")


def _promote_to_owner(
    call: Call, file: FileRow, held: EffectivePermission, params: UpdatePermissionParams
) -> JsonObject:
    if held.grant.role != "owner":
        call.authorise("file.own", file)
        if held.grant.type != "user":
            raise OperationError("role_not_applicable")
        if not params.transferOwnership:
            raise OperationError("transfer_unacknowledged")
        if held.grant.person_id is None:
            raise OperationError("transfer_outside")
        _own(call, file, held.grant._replace(file_id=file.id, shared_at=call.now, shared_by=call.person), to_root=False)
        mail_notifications.mail_share(call, file, "owner", [held.grant.person_id], "")
    return Views(call).permission(_get_permission(call, file, params.permissionId))


@app.operation(
    "drive.permissions.delete",
    source=DOCS + "permissions/delete",
    scope=WRITE,
    writes=True,
    examples=[{"fileId": EXAMPLE, "permissionId": "$drive.permissions.create:id"}],
    raises=("not_found", "forbidden", "no_permission", "cannot_remove_owner", "inherited_permission"),
)
def delete_permission(call: Call, params: PermissionParams) -> None:
    """Stop sharing a file with somebody, or leave a file that was shared with you."""
    file = file_lookup.get_file(call, params.fileId)
    own = permission_key("user", call.me.email) == params.permissionId
    if not own:
        call.authorise("file.share", file)
    held = _get_permission(call, file, params.permissionId)
    if held.grant.role == "owner":
        raise OperationError("cannot_remove_owner")
    if held.own is None:
        raise OperationError("inherited_permission")
    grants.drop(call, file.id, held.own.key)
