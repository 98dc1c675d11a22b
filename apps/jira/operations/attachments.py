"""Files on issues; their bytes are content-addressed blobs of the directory."""

import base64
import binascii
import hashlib
from typing import Annotated

from pydantic import Field

from apps.jira.app import app
from apps.jira.domain.access import find_issue, parse_number, project_of, visible_issue
from apps.jira.domain.context import JiraContext, format_timestamp
from apps.jira.domain.history import Edit
from apps.jira.limits import EDITS
from apps.jira.models import Attachment, Issue
from apps.jira.operations.params import Id, IssueRef
from world.core.call import Call
from world.core.directory import Blob
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import NoParams, Params, Text

SOURCE = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-attachments"
MAX_BYTES = 10 * 1024 * 1024  # the site's upload limit, as attachment/meta says


class Upload(Params):
    """One file: its name, media type and bytes in base64."""

    filename: Annotated[Text, Field(min_length=1, max_length=255)] = Field(
        description="File name.", examples=["trace.log"]
    )
    content: Annotated[str, Field(max_length=MAX_BYTES * 4 // 3 + 8)] = Field(description="The bytes in base64.")
    mimeType: Annotated[Text, Field(max_length=255)] = Field(
        default="application/octet-stream", description="Media type."
    )


class AttachmentNew(Params):
    """Files to attach to an issue."""

    issueIdOrKey: IssueRef
    files: list[Upload] = Field(description="The files.", min_length=1, max_length=60)


class AttachmentRef(Params):
    """One attachment."""

    id: Id = Field(description="Attachment id.")


def attachment_to_json(context: JiraContext, row: Attachment) -> JsonObject:
    """An attachment as issues show it."""
    out: JsonObject = {
        "self": f"{context.api}/attachment/{row.id}",
        "id": str(row.id),
        "filename": row.filename,
        "author": context.user(row.author_id),
        "created": format_timestamp(row.created_at),
        "size": row.size,
        "mimeType": row.media_type,
        "content": f"{context.api}/attachment/content/{row.id}",
    }
    if row.media_type.startswith("image/"):
        out["thumbnail"] = f"{context.api}/attachment/thumbnail/{row.id}"
    return out


def _find_attachment(context: JiraContext, id: str) -> tuple[Attachment, Issue]:
    wanted = parse_number(id)
    row = None if wanted is None else context.call.session.get(Attachment, wanted)
    issue = visible_issue(context, row.issue_id) if row else None
    if row is None or issue is None:
        raise OperationError("attachment_not_found", attachment=id)
    return row, issue


def _decode_upload(upload: Upload) -> bytes:
    try:
        data = base64.b64decode(upload.content, validate=True)
    except (binascii.Error, ValueError):
        raise OperationError("bad_attachment", why=f"The file {upload.filename} is not valid base64.") from None
    if len(data) > MAX_BYTES:
        raise OperationError("attachment_too_large", limit=MAX_BYTES)
    return data


def _store_attachment(context: JiraContext, issue: Issue, upload: Upload) -> Attachment:
    data = _decode_upload(upload)
    digest = hashlib.sha256(data).hexdigest()
    session = context.call.session
    if session.get(Blob, digest) is None:
        session.add(Blob(sha256=digest, size=len(data), data=data))
    row = Attachment(
        id=context.next_id("jira_attachment"),
        issue_id=issue.id,
        author_id=context.call.person,
        filename=upload.filename.replace("/", "_").replace("\\", "_"),
        media_type=upload.mimeType,
        size=len(data),
        sha256=digest,
        created_at=context.call.now,
    )
    session.add(row)
    return row


@app.operation(
    "addAttachment",
    writes=True,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1", "files": [{"filename": "trace.log", "content": "bGluZSAxCg=="}]}],
    raises=("issue_not_found", "cannot_attach", "bad_attachment", "attachment_too_large"),
)
def add_attachment(call: Call, params: AttachmentNew) -> list[JsonObject]:
    """Attach files to an issue."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey, "CREATE_ATTACHMENTS")
    edit = Edit(context, issue)
    rows = [_store_attachment(context, issue, upload) for upload in params.files]
    for row in rows:
        edit.record("Attachment", "attachment", (None, None), (str(row.id), row.filename))
    edit.finish()
    return [attachment_to_json(context, row) for row in rows]


@app.operation(
    "getAttachment",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"id": "$addAttachment:0.id"}],
    raises=("attachment_not_found",),
)
def get_attachment(call: Call, params: AttachmentRef) -> JsonObject:
    """Read about an attachment: name, size, author."""
    context = JiraContext(call)
    row, _ = _find_attachment(context, params.id)
    shown = attachment_to_json(context, row)
    return {**shown, "id": row.id}


@app.operation(
    "getAttachmentContent",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"id": "$addAttachment:0.id"}],
    raises=("attachment_not_found",),
)
def get_attachment_content(call: Call, params: AttachmentRef) -> JsonObject:
    """Download an attachment; the bytes are in base64."""
    context = JiraContext(call)
    row, _ = _find_attachment(context, params.id)
    blob = call.session.get(Blob, row.sha256)
    if blob is None:
        raise OperationError("attachment_not_found", attachment=params.id)
    content = base64.b64encode(blob.data).decode()
    return {"filename": row.filename, "mimeType": row.media_type, "size": row.size, "content": content}


@app.operation(
    "removeAttachment",
    writes=True,
    limit=EDITS,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"id": "$addAttachment:0.id"}],
    raises=("attachment_not_found", "cannot_delete_attachment"),
)
def remove_attachment(call: Call, params: AttachmentRef) -> None:
    """Delete an attachment; your own, or any with permission to delete all."""
    context = JiraContext(call)
    row, issue = _find_attachment(context, params.id)
    project = project_of(context, issue)
    own = row.author_id == call.person and context.may("DELETE_OWN_ATTACHMENTS", project)
    if not own and not context.may("DELETE_ALL_ATTACHMENTS", project):
        raise OperationError("cannot_delete_attachment", attachment=params.id)
    edit = Edit(context, issue)
    edit.record("Attachment", "attachment", (str(row.id), row.filename), (None, None))
    edit.finish()
    call.session.delete(row)


@app.operation("getAttachmentMeta", source=SOURCE, scope="read:jira-work", examples=[{}])
def get_attachment_meta(call: Call, params: NoParams) -> JsonObject:
    """Read whether attachments are on, and the largest size in bytes."""
    return {"enabled": True, "uploadLimit": MAX_BYTES}
