"""Files: uploaded in three steps (or one), listed, shown, deleted."""

import base64
from typing import Annotated, Any, TypedDict

from pydantic import BaseModel, BeforeValidator, Field
from sqlalchemy import delete, insert, update

from apps.slack import conversation_access, file_views
from apps.slack.answers import EmptyAnswer
from apps.slack.app import app
from apps.slack.example_objects import A_CHANNEL, A_FILE, A_SECRET, AN_UPLOAD
from apps.slack.file_content import MAX_BYTES, decode_content, encode_content, safe_name, store_bytes
from apps.slack.limits import CLIENT, DOCS, TIER2, TIER3, TIER4
from apps.slack.message_delivery import Post, deliver_message, find_parent, parse_ts
from apps.slack.message_views import Row
from apps.slack.models import File, Upload
from apps.slack.operations.messages import Content, compose_content, open_destination
from apps.slack.params import Body, Count, Ident, JsonList, Line, Names, OptionalTs, limit_field
from apps.slack.profiles import Roster
from world.core.call import Call
from world.core.directory import Blob
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Int64, Params

FILE = Field(description="Id of the file, F….", examples=["F2147483862"])


_POSTING = (  # refusals of the message that shows a file
    "channel_not_found",
    "not_in_channel",
    "is_archived",
    "restricted_action_read_only_channel",
    "thread_not_found",
    "msg_too_long",
)


class Part(BaseModel):
    """A file as a form or a caller sends it."""

    filename: Line = Field(default="", description="Name of the file.")
    mimetype: Line = Field(default="", description="Media type.")
    data: Annotated[str, BeforeValidator(encode_content)] = Field(description="The bytes in base64.")


class GetUploadUrl(Params):
    """A file about to be uploaded."""

    filename: Ident = Field(description="Name of the file.", examples=["report.csv"])
    length: Int64 = Field(description="Size in bytes.", examples=[53072])
    alt_txt: Line = Field(default="", description="Description of an image.")
    snippet_type: Line = Field(default="", description="Syntax of a snippet.")


class SendContent(Params):
    """The bytes of an upload."""

    secret: Ident = Field(description="Last part of the upload address.")
    data: Annotated[str, BeforeValidator(encode_content)] = Field(description="The bytes in base64.")


class CompleteUpload(Params):
    """Uploads that are finished, and where to show them."""

    files: JsonList = Field(
        description="The files: [{id, title?}].", examples=[[{"id": "F2147483862", "title": "Report"}]]
    )
    channel_id: Line = Field(default="", description="Conversation to show them in; private to you if empty.")
    channels: Line = Field(default="", description="Several conversations, comma-separated.")
    initial_comment: Body = Field(default="", description="What to say with them.")
    thread_ts: OptionalTs = Field(
        default=None, description="ts of a thread's first message, to show them in the thread."
    )
    blocks: JsonList = Field(default=None, description="Block Kit blocks, instead of initial_comment.")


class UploadFile(Params):
    """A file to upload and show in one go."""

    channels: Names = Field(
        default_factory=list, description="Where to show it: channel ids or user ids, comma-separated."
    )
    file: Part | None = Field(default=None, description="The file; `data` is base64.")
    content: Body = Field(default="", description="Text of the file, instead of `file`.", examples=["a,b\n1,2\n"])
    filename: Line = Field(default="", description="Name of the file.", examples=["report.csv"])
    title: Line = Field(default="", description="What the file is called.")
    initial_comment: Body = Field(default="", description="What to say with it.")
    thread_ts: OptionalTs = Field(default=None, description="ts of a thread's first message, to show it in the thread.")


class FileRef(Params):
    """One file."""

    file: Ident = FILE


class ListFiles(Params):
    """Filters and page of files."""

    channel: Line = Field(default="", description="Only those shown in this conversation.")
    user: Line = Field(default="", description="Only those of this user.")
    types: Line = Field(default="all", description="Comma-separated: all, images, pdfs, zips, snippets, gdocs, spaces.")
    ts_from: OptionalTs = Field(default=None, description="Only those created at or after (epoch seconds).")
    ts_to: OptionalTs = Field(default=None, description="Only those created at or before (epoch seconds).")
    count: Count = limit_field(100, 1000)
    page: Count = Field(default=1, description="Page number, from 1.")


class UploadUrl(TypedDict):
    """Upload address of a file."""

    upload_url: str
    file_id: str


class UploadReceipt(TypedDict):
    """Size of the received bytes."""

    size: int


class CompletedUploads(TypedDict):
    """The files."""

    files: list[JsonObject]


class FileAnswer(TypedDict):
    """A file."""

    file: JsonObject


class FileDetails(FileAnswer):
    """A file and its comments, which the service no longer has."""

    comments: list[JsonObject]
    response_metadata: dict[str, str]


class Paging(TypedDict):
    """Position of a page among all results."""

    count: int
    total: int
    page: int
    pages: int


class FilePage(TypedDict):
    """A page of files, the latest first."""

    files: list[JsonObject]
    paging: Paging


class Content64(TypedDict):
    """A file's bytes."""

    name: str
    mimetype: str
    size: int
    content: str


@app.operation(
    "files.getUploadURLExternal",
    writes=True,
    source=DOCS + "files.getUploadURLExternal",
    scope="files:write",
    limit=TIER4,
    examples=[{"filename": "report.csv", "length": 8}],
    raises=("invalid_arguments", "file_upload_size_restricted", "missing_scope"),
)
def get_upload_url(call: Call, params: GetUploadUrl) -> UploadUrl:
    """Start uploading a file: POST its bytes to `upload_url`, then call files.completeUploadExternal."""
    if params.length < 1:
        raise OperationError("invalid_arguments")
    if params.length > MAX_BYTES:
        raise OperationError("file_upload_size_restricted")
    new, secret = call.ids.token("F", 10), call.ids.base62(40)
    values = {
        "file_id": new,
        "secret": secret,
        "person_id": call.person,
        "filename": safe_name(params.filename),
        "length": params.length,
        "alt_text": params.alt_txt,
        "snippet_type": params.snippet_type,
        "created_at": call.now,
    }
    call.execute(insert(Upload).values(values))
    return {"upload_url": f"{call.base_url}/upload/v1/{secret}", "file_id": new}


@app.operation(
    "files.uploadContent",
    writes=True,
    source=DOCS + "files.getUploadURLExternal#details",
    free=True,
    examples=[{"secret": A_SECRET, "data": "YSxiCjEsMgo="}],
    raises=("file_not_found", "invalid_arguments", "file_upload_size_restricted"),
)
def send_content(call: Call, params: SendContent) -> UploadReceipt:
    """Send the bytes of a file whose upload you started; the upload address does this."""
    data = decode_content(params.data)
    where = (Upload.secret == params.secret, Upload.person_id == call.person)
    done = call.execute(update(Upload).where(*where).values(sha256=store_bytes(call, data), length=len(data)))  # type: ignore[arg-type]
    if done.rowcount == 0:
        raise OperationError("file_not_found")
    return {"size": len(data)}


_UPLOAD = (
    "SELECT filename, length, alt_text, sha256 FROM slack_upload WHERE file_id = :file AND person_id = :me AND sha256"
    " IS NOT NULL"
)


@app.operation(
    "files.completeUploadExternal",
    writes=True,
    source=DOCS + "files.completeUploadExternal",
    scope="files:write",
    limit=TIER4,
    after=["files.uploadContent"],
    examples=[{"files": [{"id": AN_UPLOAD, "title": "Report"}], "channel_id": A_CHANNEL}],
    raises=(
        "invalid_arguments",
        "file_not_found",
        *_POSTING,
        "no_text",
        "invalid_blocks",
        "msg_blocks_too_long",
        "too_many_attachments",
        "attachment_payload_limit_exceeded",
        "markdown_text_conflict",
        "missing_scope",
    ),
)
def complete_upload(call: Call, params: CompleteUpload) -> CompletedUploads:
    """Finish uploads and show the files in a conversation."""
    listed = params.files or []
    if not listed or not all(isinstance(item.get("id"), str) for item in listed):
        raise OperationError("invalid_arguments")
    ids = [str(item["id"]) for item in listed]
    for item in listed:
        row = call.first(_UPLOAD, {"file": item["id"], "me": call.person})
        if row is None:
            raise OperationError("file_not_found")
        _create_file(call, str(item["id"]), row[0], str(item.get("title") or row[0]), row[1], row[3], row[2])
        call.execute(delete(Upload).where(Upload.file_id == str(item["id"])))  # type: ignore[arg-type]
    targets = [part.strip() for part in f"{params.channel_id},{params.channels}".split(",") if part.strip()]
    said = Content(text=params.initial_comment, blocks=params.blocks)
    for channel in dict.fromkeys(targets):
        _share_in_channel(call, channel, ids, said, params.thread_ts)
    return {
        "files": [
            {"id": str(item["id"]), "title": str(item.get("title") or _get_title(call, str(item["id"])))}
            for item in listed
        ]
    }


def _get_title(call: Call, file: str) -> str:
    return str(call.scalar("SELECT title FROM slack_file WHERE id = :id", {"id": file}))


def _create_file(
    call: Call, file: str, name: str, title: str, size: int, sha256: str, alt: str = "", mimetype: str = ""
) -> None:
    filetype, _, media = file_views.file_type(name)
    values = {
        "id": file,
        "person_id": call.person,
        "name": name,
        "title": title or name,
        "size": size,
        "sha256": sha256,
        "alt_text": alt,
        "filetype": filetype,
        "mimetype": media if filetype != "binary" else mimetype or media,
        "created_at": call.now,
    }
    call.execute(insert(File).values(values))


def _share_in_channel(call: Call, channel: str, files: list[str], said: Content, thread_ts: str | None) -> Row:
    roster = Roster(call)
    room = open_destination(call, channel, roster)
    written, blocks = compose_content(call, said, roster) if said.text or said.blocks else ("", None)
    post = Post(written, blocks, thread=find_parent(call, room, thread_ts), files=files)
    return deliver_message(call, room, call.person, post, roster)


@app.operation(
    "files.upload",
    writes=True,
    source=DOCS + "files.upload",
    scope="files:write",
    limit=TIER2,
    examples=[{"channels": [A_CHANNEL], "content": "a,b\n1,2\n", "filename": "report.csv"}],
    raises=(
        "no_file_data",
        "invalid_arguments",
        "file_upload_size_restricted",
        *_POSTING,
        "missing_scope",
    ),
)
def upload(call: Call, params: UploadFile) -> FileAnswer:
    """Upload a file and show it in conversations, in one go.

    Deviates: `file` is a form's file part or an object with base64 data.
    """
    if params.file is None and not params.content:
        raise OperationError("no_file_data")
    data = decode_content(params.file.data) if params.file else params.content.encode()
    name = safe_name(params.filename or (params.file.filename if params.file else "") or "untitled.txt")
    new = call.ids.token("F", 10)
    _create_file(
        call,
        new,
        name,
        params.title,
        len(data),
        store_bytes(call, data),
        mimetype=params.file.mimetype if params.file else "",
    )
    for channel in dict.fromkeys(params.channels):
        _share_in_channel(call, channel, [new], Content(text=params.initial_comment), params.thread_ts)
    return {"file": file_with_shares(call, new)}


_FILE = f"SELECT {file_views.COLUMNS} FROM slack_file f WHERE f.id = :id"
_SHARES = (
    "SELECT s.channel_id, c.kind, c.name, m.ts, m.thread_ts, m.reply_count, m.person_id, v.person_id IS NOT NULL"
    " FROM slack_file_share s JOIN slack_message m ON m.id = s.message_id JOIN slack_channel c ON c.id = s.channel_id"
    " LEFT JOIN slack_member v ON v.channel_id = c.id AND v.person_id = :me"
    " WHERE s.file_id = :id AND m.deleted_at IS NULL ORDER BY m.ts, s.channel_id"
)


def file_with_shares(call: Call, file: str) -> dict[str, Any]:
    """A file with where it is shown, as far as the caller sees. Raises file_not_found, file_deleted."""
    row = call.first(_FILE, {"id": file})
    if row is None:
        raise OperationError("file_not_found")
    roster = Roster(call)
    seen = [
        share
        for share in call.all(_SHARES, {"id": file, "me": call.person})
        if share[7] or (share[1] == "public" and not roster.me.is_guest)
    ]
    if row[1] != call.person and not seen and call.principal.kind != "system":
        raise OperationError("file_not_found")
    if row[10] is not None:
        raise OperationError("file_deleted")
    out: dict[str, Any] = file_views.file_to_json(call, tuple(row), roster)
    out |= {"channels": [], "groups": [], "ims": [], "shares": {}, "comments_count": 0}
    for channel, kind, name, ts, thread_ts, replies, person, _ in seen:
        out[{"public": "channels", "im": "ims"}.get(kind, "groups")].append(channel)
        side = out["shares"].setdefault("public" if kind == "public" else "private", {})
        share = {
            "reply_users": [],
            "reply_users_count": 0,
            "reply_count": replies,
            "ts": ts,
            "channel_name": name,
            "team_id": roster.team.id,
            "share_user_id": roster.user_id(person),
            "source": "UNKNOWN",
        }
        side.setdefault(channel, []).append({**share, **({"thread_ts": thread_ts} if thread_ts else {})})
    out["is_public"] = bool(out["channels"])
    return out


@app.operation(
    "files.info",
    source=DOCS + "files.info",
    scope="files:read",
    limit=TIER4,
    examples=[{"file": A_FILE}],
    raises=("file_not_found", "file_deleted", "missing_scope"),
)
def info(call: Call, params: FileRef) -> FileDetails:
    """Describe a file: name, type, size, owner, where it is shown."""
    return {"file": file_with_shares(call, params.file), "comments": [], "response_metadata": {"next_cursor": ""}}


@app.operation(
    "files.content",
    source=CLIENT + " (url_private)",
    scope="files:read",
    examples=[{"file": A_FILE}],
    raises=("file_not_found", "file_deleted", "missing_scope"),
)
def content(call: Call, params: FileRef) -> Content64:
    """Download a file; the bytes come in base64."""
    shown = file_with_shares(call, params.file)
    digest = call.scalar("SELECT sha256 FROM slack_file WHERE id = :id", {"id": params.file})
    blob = call.session.get(Blob, digest)
    if blob is None:
        raise OperationError("file_not_found")
    data = base64.b64encode(blob.data).decode()
    return {"name": shown["name"], "mimetype": shown["mimetype"], "size": shown["size"], "content": data}


_KINDS = {
    "images": "f.mimetype LIKE 'image/%'",
    "pdfs": "f.filetype = 'pdf'",
    "zips": "f.filetype IN ('zip', 'gzip')",
    "snippets": "f.mimetype LIKE 'text/%'",
}
_LISTED = """FROM slack_file f WHERE f.deleted_at IS NULL AND (:user = '' OR f.person_id = :user)
  AND f.created_at >= :low AND f.created_at <= :high AND (f.person_id = :me AND :channel = '' OR EXISTS (
    SELECT 1 FROM slack_file_share s JOIN slack_message m ON m.id = s.message_id AND m.deleted_at IS NULL
    JOIN slack_channel c ON c.id = s.channel_id LEFT JOIN slack_member v ON v.channel_id = c.id AND v.person_id = :me
    WHERE s.file_id = f.id AND (:channel = '' OR s.channel_id = :channel)
    AND (v.person_id IS NOT NULL OR (c.kind = 'public' AND NOT :guest))))"""


@app.operation(
    "files.list",
    source=DOCS + "files.list",
    scope="files:read",
    limit=TIER3,
    examples=[{}],
    raises=("channel_not_found", "user_not_found", "unknown_type", "missing_scope"),
)
def list_files(call: Call, params: ListFiles) -> FilePage:
    """List the files you may see, the latest first."""
    roster = Roster(call)
    user = roster.find(params.user) if params.user else None
    if params.user and user is None:
        raise OperationError("user_not_found")
    if params.channel:
        conversation_access.get_conversation(call, params.channel)
    kinds = [part.strip() for part in params.types.split(",") if part.strip()]
    if any(kind not in _KINDS and kind not in ("all", "gdocs", "spaces") for kind in kinds):
        raise OperationError("unknown_type")
    listed = _LISTED
    if kinds and "all" not in kinds:
        listed += " AND (" + " OR ".join(_KINDS.get(kind, "0") for kind in kinds) + ")"
    values = {
        "me": call.person,
        "user": user.person_id if user else "",
        "channel": params.channel,
        "guest": roster.me.is_guest,
        "low": parse_ts(params.ts_from) if params.ts_from else 0,
        "high": parse_ts(params.ts_to) if params.ts_to else 2**62,
    }
    count, page = min(max(params.count, 1), 1000), max(params.page, 1)
    total = call.scalar(f"SELECT count(*) {listed}", values)
    span = {**values, "n": count, "skip": (page - 1) * count}
    rows = call.all(
        f"SELECT {file_views.COLUMNS} {listed} ORDER BY f.created_at DESC, f.id LIMIT :n OFFSET :skip", span
    )
    roster.need([row[1] for row in rows])
    files = [file_views.file_to_json(call, tuple(row), roster) for row in rows]
    return {"files": files, "paging": {"count": count, "total": total, "page": page, "pages": -(-total // count)}}


@app.operation(
    "files.delete",
    writes=True,
    source=DOCS + "files.delete",
    scope="files:write",
    limit=TIER3,
    examples=[{"file": A_FILE}],
    raises=("file_not_found", "file_deleted", "cant_delete_file", "missing_scope"),
)
def delete_file(call: Call, params: FileRef) -> EmptyAnswer:
    """Delete a file of yours (admins: anybody's)."""
    file_with_shares(call, params.file)
    owner = call.scalar("SELECT person_id FROM slack_file WHERE id = :id", {"id": params.file})
    if owner != call.person and not Roster(call).me.is_admin:
        raise OperationError("cant_delete_file")
    call.execute(update(File).where(File.id == params.file).values(deleted_at=call.now))  # type: ignore[arg-type]
    return {}
