"""Compares every answer of the REST door of Sheets and Drive with the published descriptions."""

import re
from functools import cache
from typing import NamedTuple
from urllib.parse import unquote

from starlette.types import ASGIApp, Scope

from tests.conformance.answers import CheckedAnswers, Messages
from tests.conformance.specs import methods, validate

MOUNT = "/sheets"
TORN = (b'{\n  "spreadsheetId": "1', b'{\n  "kind": "drive#f')  # what a broken answer begins with
PREFIXES = {
    "sheets": re.compile(r"/v4/(?=spreadsheets)"),
    "drive": re.compile(r"(?:/resumable/upload|/upload)?/drive/v3/"),
}


class Published(NamedTuple):
    """A published method; an empty name for an address that is none."""

    service: str
    name: str


@cache
def _patterns(service: str) -> list[tuple[str, str, list[re.Pattern[str]]]]:
    """Verb, name and the segments of every path, those with the fewest arguments first."""
    found = [(one["httpMethod"], name, one["path"].removeprefix("v4/")) for name, one in methods(service).items()]
    return [
        (verb, name, [_pattern(part) for part in path.split("/")])
        for verb, name, path in sorted(found, key=lambda one: one[2].count("{"))
    ]


def _pattern(part: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(part)), re.DOTALL)


def method_of(verb: str, path: str) -> Published:
    """The published method of a request below the mount."""
    for service, prefix in PREFIXES.items():
        found = prefix.match(path)
        if found is not None:
            segments = [unquote(part) for part in path[found.end() :].split("/")]
            named = (name for wanted, name, parts in _patterns(service) if wanted == verb and _fits(parts, segments))
            return Published(service, next(named, ""))
    return Published("sheets", "")


def _fits(parts: list[re.Pattern[str]], segments: list[str]) -> bool:
    return len(parts) == len(segments) and all(
        mine.fullmatch(theirs) for mine, theirs in zip(parts, segments, strict=True)
    )


class Checked(CheckedAnswers):
    """An application whose answers to methods of Sheets and Drive must be as published."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app, _is_published, check)


def _is_published(scope: Scope) -> bool:
    return any(prefix.match(_path(scope)) for prefix in PREFIXES.values())


def _path(scope: Scope) -> str:
    return scope["raw_path"].decode("latin-1").partition("?")[0].removeprefix(MOUNT)


def check(scope: Scope, sent: Messages) -> None:
    """Compare one exchange with the description; uploads under way, downloads and broken answers are not in it."""
    status, body = sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:])
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    query = scope["query_string"].decode("latin-1")
    partly = status in (308, 499) or (status == 200 and "upload_id=" not in query and "uploadType=resumable" in query)
    if body.startswith(TORN) or partly:
        return
    if "upload_id=" in query:
        posted = method_of("POST", _path(scope))
        published = posted if posted.name else method_of("PATCH", _path(scope))
    else:
        published = method_of(
            headers.get("x-http-method-override", scope["method"]).replace("HEAD", "GET"), _path(scope)
        )
    if status in (200, 206, 416) and _is_download(published, query):
        return
    validate(*published, status, body)


def _is_download(published: Published, query: str) -> bool:
    """Whether the answer is a file's bytes."""
    one = methods(published.service).get(published.name, {})
    return bool(one.get("supportsMediaDownload")) and ("response" not in one or "alt=media" in query)
