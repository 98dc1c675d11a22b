"""Git's smart HTTP (git-scm.com/docs/http-protocol): clone, fetch and push by any git client."""

import re
import zlib
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from apps.github.git.wire import fetch, limits, push, refs
from apps.github.git.wire.pkt import Lines, MalformedRequest, pkt
from apps.github.git.wire.refs import RECEIVING as RECEIVE
from apps.github.git.wire.refs import UPLOADING as UPLOAD
from apps.github.rest.arguments import caller, token_of
from apps.github.rest.responses import BEGUN, JSON, UNICORN, request_id
from world.core.errors import EpisodeEnded, InvalidArguments, OperationError, Outage
from world.core.principal import Principal
from world.run.host import Host
from world.web.cut_response import CutResponse

SERVICES: tuple[refs.Service, ...] = (UPLOAD, RECEIVE)
MAX_DRAINED = 20 * limits.MAX_PACK  # bytes of a push that are read, and thrown away, to answer it in its own words
NEVER = {
    "Expires": "Fri, 01 Jan 1980 00:00:00 GMT",
    "Pragma": "no-cache",
    "Cache-Control": "no-cache, max-age=0, must-revalidate",
}
ASK = {"WWW-Authenticate": 'Basic realm="GitHub"'}
DUMB = (
    "Please upgrade your git client.\nGitHub.com no longer supports git over dumb-http: "
    "https://github.com/blog/809-git-dumb-http-transport-to-be-turned-off-in-90-days\n"
)
WRONG_TOKEN = "Invalid username or token. Password authentication is not supported for Git operations.\n"
UNKNOWN = frozenset({"bad_credentials", "invalid_auth", "token_revoked"})
VERSION = re.compile(r"(?:^|:)version=([012])(?=:|$)")
TEXTS: Mapping[str, tuple[int, str]] = {
    "not_found": (404, "Repository not found."),
    "archived": (403, "This repository was archived so it is read-only."),
    "account_inactive": (
        403,
        "Your account is suspended. Please visit https://support.github.com for more information.",
    ),
    "missing_scope": (403, "Write access to repository not granted."),
}


@dataclass(frozen=True, slots=True)
class GitRequest:
    """A request of an authenticated client."""

    host: Host
    principal: Principal
    request: Request
    base: str

    def call(self, operation: str, **arguments: object) -> Any:
        """Call an operation on the repository of the address."""
        return self.host.call(self.principal, "rest", operation, {**self.where, **arguments}, self.base)

    @property
    def where(self) -> dict[str, str]:
        """Repository of the request, as arguments."""
        return {
            "owner": self.request.path_params["owner"],
            "repo": self.request.path_params["repo"].removesuffix(".git"),
        }

    @property
    def version(self) -> int:
        """Protocol version of the client."""
        found = VERSION.findall(self.request.headers.get("git-protocol", ""))
        return max(map(int, found), default=0)


def routes(host: Host) -> list[BaseRoute]:
    """Return the routes of a repository for git clients."""

    async def info(request: Request) -> Response:
        return _info(host, request)

    async def post(request: Request) -> Response:
        return await _post(host, request)

    async def dumb(_: Request) -> Response:
        return _text(403, DUMB)

    return [
        Route("/{owner}/{repo}/info/refs", info, methods=["GET"]),
        *(Route(f"/{{owner}}/{{repo}}/{service}", post, methods=["POST"]) for service in SERVICES),
        *(Route(f"/{{owner}}/{{repo}}.git/{file}", dumb, methods=["GET"]) for file in ("HEAD", "objects/{rest:path}")),
    ]


def _text(status: int, text: str, headers: Mapping[str, str] | None = None) -> Response:
    return PlainTextResponse(text.encode("utf-8", "replace"), status, {**NEVER, **(headers or {})})


def _caller(host: Host, request: Request) -> GitRequest | Response:
    """Authenticate a request.

    Even a public repository needs a token, as nothing else tells the world.
    """
    token = token_of(request)
    principal = caller(host, request) if token is not None else None
    if principal is None:
        return _text(401, "Repository not found." if token is None else WRONG_TOKEN, ASK)
    request.scope["firm.world"] = principal.world
    root = str(request.scope.get("root_path", "")).rstrip("/")
    return GitRequest(host, principal, request, f"{request.url.scheme}://{request.url.netloc}{root}")


def _info(host: Host, request: Request) -> Response:
    """Serve `info/refs`: the refs, or the capabilities of protocol 2."""
    service: refs.Service | None = next((one for one in SERVICES if one == request.query_params.get("service")), None)
    if service is None:
        return _text(403, DUMB)
    asked = _caller(host, request)
    if isinstance(asked, Response):
        return asked
    kind, version = (
        f"application/x-{service}-advertisement",
        asked.version if service == UPLOAD else min(asked.version, 1),
    )
    try:
        told = [refs.AdvertisedRef(**one) for one in asked.call("git/ls-refs", service=service.removeprefix("git-"))]
    except OperationError as refused:
        return _refuse(asked, refused, kind)
    return _stream(asked, kind, [refs.capabilities()] if version == 2 else refs.advertisement(service, told, version))


async def _post(host: Host, request: Request) -> Response:
    asked = _caller(host, request)
    if isinstance(asked, Response):
        return asked
    service = request.url.path.rpartition("/")[2]
    if request.headers.get("content-type", "") != f"application/x-{service}-request":
        return _text(415, "Unsupported Media Type")
    most = limits.MAX_REQUEST + (limits.MAX_PACK if service == RECEIVE else 0)
    kind = f"application/x-{service}-result"
    try:
        data, whole = await _body(request, most)
        chunks = _push(asked, data, whole=whole) if service == RECEIVE else _serve_upload_pack(asked, data, whole=whole)
    except MalformedRequest as problem:
        return _refuse_malformed(asked, service, problem)
    except OperationError as refused:
        return _refuse(asked, refused, kind)
    return _stream(asked, kind, chunks)


async def _body(request: Request, most: int) -> tuple[bytes, bool]:
    """Read the body up to a limit; return whether it is complete. Raises Malformed."""
    coding = request.headers.get("content-encoding", "identity").lower()
    if coding not in ("gzip", "x-gzip", "identity"):
        raise MalformedRequest("unknown content encoding")
    engine = zlib.decompressobj(31) if coding != "identity" else None
    parts, left, seen = list[bytes](), most + 1, 0
    async for chunk in request.stream():
        seen += len(chunk)
        if seen > MAX_DRAINED:
            break
        if left > 0:
            parts.append(_inflate_chunk(engine, chunk, left) if engine else chunk[:left])
            left -= len(parts[-1])
    if left > 0 and engine is not None and seen and not engine.eof:
        raise MalformedRequest("the body is cut off")
    return b"".join(parts)[:most], left > 0


def _inflate_chunk(engine: Any, chunk: bytes, most: int) -> bytes:
    try:
        return engine.decompress(chunk, most)
    except zlib.error:
        raise MalformedRequest("the body is not gzip") from None


def _serve_upload_pack(asked: GitRequest, data: bytes, *, whole: bool) -> Iterable[bytes]:
    """Serve a request to upload-pack. Raises Malformed, OperationError."""
    if not whole:
        raise MalformedRequest("the request is too large")
    if asked.version < 2:
        wanted = fetch.version_0(data)
        if wanted is None:
            return []
        early = not wanted.done and "no-done" in wanted.flags
        return fetch.answer_0(wanted, _fetch(asked, wanted, done=wanted.done, early=early))
    lines = Lines(data)
    command = refs.command(lines)
    if command == "ls-refs":
        listed = refs.ls_refs(lines)
        prefixes = [one for one in listed.prefixes if one.isprintable()]
        told = [] if listed.prefixes and not prefixes else asked.call("git/ls-refs", prefixes=prefixes)
        return refs.iter_ls_refs(listed, [refs.AdvertisedRef(**one) for one in told])
    if command is None:
        return []
    wanted = fetch.version_2(lines)
    if not wanted.wants:
        raise MalformedRequest("nothing is wanted")
    done = wanted.done or not wanted.haves
    return fetch.answer_2(
        wanted, _fetch(asked, wanted, done=done, early=not done and "wait-for-done" not in wanted.flags)
    )


def _fetch(asked: GitRequest, wanted: fetch.Fetch, *, done: bool, early: bool) -> fetch.Answer:
    found = asked.call(
        "git/upload-pack",
        wants=wanted.wants,
        haves=wanted.haves,
        shallow=wanted.shallow,
        depth=wanted.depth,
        since=wanted.since,
        excluded=wanted.excluded,
        relative="deepen-relative" in wanted.flags,
        filter=wanted.filter,
        done=done,
        early=early,
        include_tag="include-tag" in wanted.flags,
    )
    return fetch.Answer(found.common, found.ready, found.shallow, found.unshallow, found.pack, found.objects)


def _push(asked: GitRequest, data: bytes, *, whole: bool) -> Iterable[bytes]:
    """Serve a request to receive-pack. Raises Malformed, OperationError."""
    asking = push.parse_push(data)
    if not asking.commands:
        return []
    commands = [{"ref": one.ref, "old": one.old, "new": one.new} for one in asking.commands]
    given = {"commands": commands, "pack": asking.pack if whole else b"", "atomic": "atomic" in asking.words}
    try:
        told = asked.call("git/receive-pack", **given) if whole else _too_large(asked, commands)
    except OperationError as refused:
        if "results" not in refused.detail:
            raise
        told = {"unpack": refused.detail["why"] if refused.code == "unpack_failed" else "ok", **refused.detail}
    return push.report(asking, told["unpack"], told["results"], told["said"])


def _too_large(asked: GitRequest, commands: list[dict[str, str]]) -> Any:
    """Refuse a push above the size limit, as a recorded call."""
    results = [{"ref": one["ref"], "error": "unpacker error"} for one in commands]
    said = [f"fatal: pack exceeds maximum allowed size ({limits.MAX_PACK / limits.MIB:.2f} MiB)"]
    refusal = OperationError("unpack_failed", why="index-pack failed", said=said, results=results)
    asked.host.refuse(asked.principal, "rest", "git/receive-pack", {**asked.where, "commands": commands}, refusal)


def _refuse_malformed(asked: GitRequest, service: str, problem: MalformedRequest) -> Response:
    """Refuse a request that violates the protocol, as a recorded call."""
    try:
        asked.host.refuse(
            asked.principal,
            "rest",
            service.replace("git-", "git/"),
            asked.where,
            InvalidArguments([("request", str(problem))]),
        )
    except InvalidArguments:
        return _text(400, f"{problem}\n")
    except OperationError as refused:
        return _refuse(asked, refused, f"application/x-{service}-result")


def _refuse(asked: GitRequest, refused: OperationError, kind: str) -> Response:
    """Render a refusal in the text that git shows its user: `remote: …`; `kind` is the media type requested."""
    if isinstance(refused, Outage):
        return fault_response(refused, kind)
    if isinstance(refused, EpisodeEnded):
        return _text(401, f"{WRONG_TOKEN}{refused.sentence}\n", ASK)
    if refused.code in UNKNOWN:
        return _text(401, WRONG_TOKEN, ASK)
    if refused.code == "not_our_ref":
        return _stream(asked, kind, [pkt(f"ERR {refused.detail['why']}\n")])
    if refused.code == "no_push":
        return _text(403, f"Permission to {asked.where['owner']}/{asked.where['repo']}.git denied to {_login(asked)}.")
    if refused.code in TEXTS:
        return _text(*TEXTS[refused.code])
    return _text(400, f"{refused.sentence() if isinstance(refused, InvalidArguments) else refused.code}\n")


def _login(asked: GitRequest) -> str:
    found = asked.host.actor(asked.principal.world).bound.raw.execute(
        "SELECT login FROM github_account WHERE person_id = ?", (asked.principal.person,)
    )
    return next((str(login) for (login,) in found.fetchall()), "you")


def fault_response(outage: Outage, kind: str = f"application/x-{UPLOAD}-advertisement") -> Response:
    """Render an outage for a git client: a status and a text it shows; `kind` is the media type requested."""
    retry = {} if outage.retry_after_s is None else {"Retry-After": str(outage.retry_after_s)}
    if outage.kind == "auth_expired":
        return _text(401, WRONG_TOKEN, ASK)
    if outage.kind == "ratelimit":
        return _text(
            429, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.", retry
        )
    if outage.kind == "readonly":
        return _text(503, "GitHub is in read-only mode for maintenance.", retry)
    if outage.kind == "timeout":
        return Response(UNICORN, 504, {"Content-Type": "text/html; charset=utf-8"})
    if outage.kind == "transport":
        return CutResponse(BEGUN, JSON)
    if outage.kind == "partial":
        return _text(503, "Service unavailable", retry)
    if outage.kind == "corrupt_payload":
        return Response(b"<!DOCTYPE html>\n<ht", 200, {**NEVER, "Content-Type": kind})
    return _text(500, "Internal Server Error", retry)


def _stream(asked: GitRequest, kind: str, chunks: Iterable[bytes]) -> Response:
    """Stream packets as they are made."""
    actor = asked.host.actor(asked.principal.world)
    headers = {
        **NEVER,
        "Content-Type": kind,
        "Vary": "Accept-Encoding",
        "X-GitHub-Request-Id": request_id(actor.version, actor.now),
    }
    return StreamingResponse(_stream_chunks(chunks), 200, headers)


async def _stream_chunks(chunks: Iterable[bytes]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk
