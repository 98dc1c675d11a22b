"""Operations that combine several calls: sharing with several people, and the link's access."""

from typing import Literal, TypedDict

from pydantic import Field

from apps.drive import file_lookup, grants
from apps.drive.access import FileRow, Grant
from apps.drive.app import app
from apps.drive.new_files import permission_key
from apps.drive.operations.file_fields import write
from apps.drive.operations.params import EXAMPLE, WRITE, FileParams, Line, Long
from apps.drive.operations.permissions import CreatePermissionParams, create_permission
from apps.drive.refusals import describe
from apps.drive.views import Views
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params

SOURCE = "support.google.com/docs/topic/9046002"
MOST = 200


class Recipient(Params):
    """A person or group to share a file with."""

    emailAddress: Line = Field(default="", description="Address of the person or group.")
    domain: Line = Field(default="", description="The company's domain, for type domain.")
    type: Line = Field(default="user", description="user, group, domain or anyone.")
    role: Line = Field(default="reader", description="reader, commenter or writer.")
    expirationTime: Line | None = Field(default=None, description="When it ends, RFC 3339.")


class ShareWithManyParams(FileParams):
    """Request fields for sharing a file with several people."""

    recipients: list[Recipient] = Field(
        description="Each with emailAddress and role.",
        min_length=1,
        max_length=MOST,
        examples=[[{"type": "anyone", "role": "reader"}]],
    )
    sendNotificationEmail: bool = Field(default=True, description="Whether they are mailed.")
    emailMessage: Long = Field(default="", description="A text for the mail.")


class SharingResult(TypedDict):
    """New permissions, and the errors of the others."""

    permissions: list[JsonObject]
    failures: list[JsonObject]


@app.operation(
    "web.share",
    source=SOURCE,
    scope=WRITE,
    writes=True,
    examples=[{"fileId": EXAMPLE, "recipients": [{"type": "anyone"}]}],
    raises=("not_found", "forbidden"),
)
def share(call: Call, params: ShareWithManyParams) -> SharingResult:
    """Share a file with several people; an error with one of them does not affect the others."""
    file_lookup.get_file(call, params.fileId, "file.share")
    told: SharingResult = {"permissions": [], "failures": []}
    for one in params.recipients:
        try:
            told["permissions"].append(create_permission(call, _build_sharing(params, one)))
        except OperationError as error:  # every check comes before the first write
            told["failures"].append(
                {**one.model_dump(include={"emailAddress", "role"}), "code": error.code, "error": describe(error)}
            )
    return told


def _build_sharing(params: ShareWithManyParams, one: Recipient) -> CreatePermissionParams:
    mailed = {"sendNotificationEmail": params.sendNotificationEmail, "emailMessage": params.emailMessage}
    return CreatePermissionParams(fileId=params.fileId, **one.model_dump(), **mailed)


class LinkAccessParams(FileParams):
    """Access of people with the link, and permission to share and copy."""

    link: Literal["off", "reader", "commenter", "writer"] | None = Field(
        default=None, description="What who has the link may do; as it is unless said.", examples=["reader"]
    )
    writersCanShare: bool | None = Field(default=None, description="Whether writers may share it.")
    copyRequiresWriterPermission: bool | None = Field(
        default=None, description="Whether readers may not copy or download it."
    )


@app.operation(
    "web.setAccess",
    source=SOURCE,
    scope=WRITE,
    writes=True,
    examples=[{"fileId": EXAMPLE}],
    raises=("not_found", "forbidden"),
)
def set_access(call: Call, params: LinkAccessParams) -> JsonObject:
    """Set the access of people with the link, and whether writers may share and readers copy the file."""
    file = file_lookup.get_file(call, params.fileId)
    if params.link:
        call.authorise("file.share", file)
        _link(call, file, params.link)
    said = params.model_dump(include={"writersCanShare", "copyRequiresWriterPermission"}, exclude_none=True)
    if said:
        call.authorise("file.own" if "writersCanShare" in said else "file.share", file)
        file.settings = {**file.settings, **said}
        write(call, file)
    return Views(call).file(file_lookup.get_file(call, params.fileId))


def _link(call: Call, file: FileRow, role: str) -> None:
    key = permission_key("anyone", "")
    grants.drop(call, file.id, key)
    if role != "off":
        grants.put(call, Grant(file.id, key, "anyone", role, None, "", "", False, None, call.now, call.person))
