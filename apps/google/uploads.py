"""Media uploads: in one request, as multipart with metadata, or resumable in pieces.

developers.google.com/workspace/gmail/api/guides/uploads, developers.google.com/drive/api/guides/manage-uploads
"""

import re
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from apps.google import responses
from apps.google.api import Media
from apps.google.arguments import Unreadable, read_body_arguments, read_path_arguments, read_query_arguments
from apps.google.dispatch import Caller, RequestedCall, read_call
from apps.google.errors import TOO_LARGE, ErrorBody, invalid_error
from apps.google.multipart import MalformedMultipart, Part, parse_parts
from apps.google.request import ApiRequest, MethodCall
from apps.google.responses import Reply
from world.core.json_types import JsonObject
from world.core.principal import Principal
from world.core.rng import process_secret

MOST_SESSIONS = 64
MOST_HELD = 320 * 1024 * 1024  # bytes of all unfinished uploads together
STEP = 256 * 1024  # every piece but the last is a multiple of this
RANGE = re.compile(r"bytes (?:(\d{1,15})-(\d{1,15})|\*)/(\d{1,15}|\*)")
UNSUPPORTED = "Media type '{}' is not supported. Valid media types: [{}]"


@dataclass(slots=True)
class Session:
    """A resumable upload: its caller, call and media type, and the bytes so far. `total` is unknown until given."""

    principal: Principal
    meant: MethodCall
    wanted: RequestedCall
    total: int | None
    kind: str = ""
    data: bytearray = field(default_factory=bytearray)
    reply: Reply | None = None


class Uploads:
    """Uploads to one host; unfinished ones are state of this process and never of a world."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self._sessions: dict[str, Session] = {}

    def session(self, asked: ApiRequest) -> Session | None:
        """The session an address names, unless another caller's token comes with it."""
        found = self._sessions.get(asked.query_value("upload_id"))
        if found is None or not self.caller.host.knows(found.principal.world):
            return None
        if "authorization" in asked.headers and self.caller.principal(asked, found.meant.api) != found.principal:
            return None
        return found

    def once(self, asked: ApiRequest, meant: MethodCall, principal: Principal) -> Reply:
        """An upload in one request, or the start of a resumable one."""
        try:
            if upload_protocol(asked) == "resumable":
                return self._start(asked, meant, principal)
            metadata, content, kind = (
                _read_multipart(asked, meant)
                if upload_protocol(asked) == "multipart"
                else ({}, asked.content, asked.media_type)
            )
            kind = _check_media_type(meant, kind)
            wanted = _read_upload_call(asked, meant, metadata)
        except Unreadable as problem:
            return self.caller.unreadable(principal, meant, problem)
        if len(content) > meant.most_media:
            return responses.error_reply(meant.api, TOO_LARGE)
        return self.caller.call(principal, _add_content(wanted, content, kind))

    def _start(self, asked: ApiRequest, meant: MethodCall, principal: Principal) -> Reply:
        length = asked.headers.get("x-upload-content-length", "")
        if length and (not length.isdecimal() or len(length) > 15):
            raise Unreadable(invalid_error("Invalid X-Upload-Content-Length"))
        if length and int(length) > meant.most_media:
            return responses.error_reply(meant.api, TOO_LARGE)
        kind = _check_media_type(meant, asked.headers.get("x-upload-content-type", _get_media(meant).usual))
        metadata = read_body_arguments(meant.api, meant.line, asked.content)
        secret = process_secret()
        self._sessions[secret] = Session(
            principal, meant, _read_upload_call(asked, meant, metadata), int(length) if length else None, kind
        )
        self._forget_oldest()
        address = f"{asked.base}{asked.path}?uploadType=resumable&upload_id={secret}"
        return Reply(200, b"", {"Location": address, "X-GUploader-UploadID": secret, "Content-Length": "0"})

    def _forget_oldest(self) -> None:
        while len(self._sessions) > MOST_SESSIONS or (
            len(self._sessions) > 1 and sum(len(one.data) for one in self._sessions.values()) > MOST_HELD
        ):
            del self._sessions[next(iter(self._sessions))]

    def piece(self, session: Session, asked: ApiRequest) -> Reply:
        """A piece of a resumable upload, a question how far it is, or its end."""
        if asked.method == "DELETE":
            self._sessions.pop(asked.query_value("upload_id"))
            return Reply(499)
        if session.reply is not None:
            return session.reply
        problem = _take_piece(session, asked)
        if problem is not None:
            return responses.error_reply(session.meant.api, problem)
        self._forget_oldest()
        if session.total is None or len(session.data) < session.total:
            return Reply(308, b"", _progress_headers(session))
        return self._finish(session)

    def _finish(self, session: Session) -> Reply:
        """All bytes are there: the call. A failure of the service leaves them, so that the upload can be resumed."""
        reply = self.caller.call(session.principal, _add_content(session.wanted, bytes(session.data), session.kind))
        if reply.status < 429:
            session.reply = reply
            session.data.clear()
        return reply


def upload_protocol(asked: ApiRequest) -> str:
    """media, multipart or resumable, by what the request says or, where it says nothing, by what it is."""
    told = (
        asked.query_value("uploadType")
        or asked.query_value("upload_protocol")
        or asked.headers.get("x-goog-upload-protocol", "")
    )
    if told not in ("", "media", "raw", "multipart", "resumable"):
        raise Unreadable(invalid_error(f"Invalid upload type: {told[:40]}"))
    if told:
        return told
    if asked.path.startswith("/resumable/"):
        return "resumable"
    return "multipart" if asked.media_type == "multipart/related" else "media"


def _read_upload_call(asked: ApiRequest, meant: MethodCall, metadata: Mapping[str, object]) -> RequestedCall:
    query = read_query_arguments(meant.api, meant.line, [pair for pair in asked.query if pair[0] != "upload_id"])
    return read_call(asked, meant, {**metadata, **query, **read_path_arguments(meant.api, meant.line, meant.path)})


def _get_media(meant: MethodCall) -> Media:
    """Return the media an API accepts; a method with uploads belongs to an API that accepts some."""
    assert meant.api.media is not None
    return meant.api.media


def _add_content(wanted: RequestedCall, content: bytes, kind: str) -> RequestedCall:
    """The call with the bytes where the app wants them."""
    media = wanted.api.media
    return wanted if media is None else replace(wanted, given=media.placed(wanted.line, wanted.given, content, kind))


def _check_media_type(meant: MethodCall, kind: str) -> str:
    """A type that the API takes. Raises Unreadable for another one."""
    media = _get_media(meant)
    if not media.accepts(kind.partition(";")[0].strip().lower()):
        raise Unreadable(ErrorBody(400, "INVALID_ARGUMENT", "badContent", UNSUPPORTED.format(kind[:80], media.valid)))
    return kind or media.usual


def _read_multipart(asked: ApiRequest, meant: MethodCall) -> tuple[JsonObject, bytes, str]:
    """Metadata, content and its type of multipart/related. Raises Unreadable."""
    try:
        parts = parse_parts(asked.headers.get("content-type", ""), asked.content)
    except MalformedMultipart:
        parts = []
    if len(parts) != 2 or not parts[0].content.strip() or not (parts[1].content.strip() or _get_media(meant).empty):
        raise Unreadable(ErrorBody(400, "INVALID_ARGUMENT", "badRequest", "Multipart must have two non-empty parts."))
    metadata, content = parts
    return read_body_arguments(meant.api, meant.line, _decode_part(metadata)), _decode_part(content), content.media_type


def _decode_part(part: Part) -> bytes:
    """A part's content; base64 is the one encoding that clients use."""
    if part.headers.get("content-transfer-encoding", "").lower() != "base64":
        return part.content
    try:
        return b64decode(part.content)
    except ValueError:
        raise Unreadable(ErrorBody(400, "INVALID_ARGUMENT", "badContent", "Base64 decoding failed.")) from None


def _progress_headers(session: Session) -> dict[str, str]:
    have = {"Range": f"bytes=0-{len(session.data) - 1}"} if session.data else {}
    return {**have, "Content-Length": "0"}


def _take_piece(session: Session, asked: ApiRequest) -> ErrorBody | None:
    """Add what a request brings, or say what is wrong with it; nothing is added then."""
    told = asked.headers.get("content-range")
    found = RANGE.fullmatch(told.strip()) if told is not None else None
    if told is not None and found is None:
        return invalid_error("Failed to parse Content-Range header.")
    total = int(found[3]) if found and found[3] != "*" else session.total if found else len(asked.content)
    if total is not None and total > session.meant.most_media:
        return TOO_LARGE
    if total is not None and session.total not in (None, total):
        return invalid_error("Invalid request.  The size of the upload differs from the size it was started with.")
    begin = int(found[1]) if found and found[1] else 0
    if found is None or found[1]:
        problem = _find_misplacement(
            session, asked.content, begin, int(found[2]) if found else len(asked.content) - 1, total
        )
        if problem is not None:
            return problem
        session.data += asked.content[len(session.data) - begin :]
    session.total = total
    return None


def _find_misplacement(session: Session, content: bytes, begin: int, end: int, total: int | None) -> ErrorBody | None:
    """Return the error in the range that a piece claims, or None."""
    have = len(session.data)
    if begin > have:
        return invalid_error(
            f"Invalid request.  According to the Content-Range header, the upload offset is {begin} byte(s), "
            f"which exceeds already uploaded size of {have} byte(s)."
        )
    if end - begin + 1 != len(content):
        return invalid_error(
            f"Invalid request.  There were {len(content)} byte(s) in the request body.  There should have been"
            f" {end - begin + 1} byte(s) (starting at offset {begin} and ending at offset {end}) according to the"
            " Content-Range header."
        )
    if (total is not None and end >= total) or end >= session.meant.most_media:
        return (
            invalid_error("Invalid request.  The piece ends behind the end of the upload.")
            if total is not None
            else TOO_LARGE
        )
    if len(content) % STEP and end + 1 != total:
        return invalid_error(
            f"Invalid request.  The number of bytes uploaded is required to be equal or greater than {STEP}, "
            "except for the final request (it's recommended to be the exact multiple of 262144)."
        )
    return None
