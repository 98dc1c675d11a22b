"""Builder of smart HTTP requests that call an operation: the inverse of git's door."""

import base64
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from apps.github.git.wire.pkt import DELIM, FLUSH, pkt
from world.core.params import Arguments
from world.core.request_builder import Push, Wire

SERVICES = {"git/ls-refs": "upload-pack", "git/upload-pack": "upload-pack", "git/receive-pack": "receive-pack"}
CAN = "report-status side-band-64k"


def wire(operation: str, arguments: Arguments) -> Wire:
    """Return method, address and body. Raises KeyError for a missing required argument."""
    address = f"/{quote(arguments['owner'], safe='')}/{quote(arguments['repo'], safe='')}.git"
    if operation == "git/ls-refs" and not arguments.get("prefixes"):
        return Wire("GET", f"{address}/info/refs", query={"service": f"git-{arguments.get('service', 'upload-pack')}"})
    lines = {"git/ls-refs": _ls_refs, "git/upload-pack": _fetch, "git/receive-pack": _push}[operation](arguments)
    service = SERVICES[operation]
    headers = {"Content-Type": f"application/x-git-{service}-request", "Git-Protocol": "version=2"}
    return Wire("POST", f"{address}/git-{service}", content=b"".join(lines), headers=headers)


def pushes(operation: str, arguments: Arguments) -> Push | None:
    """Return the push that a git client would send instead: several files in one commit."""
    if operation != "web/push-files":
        return None
    files = {one["path"]: one["content"] for one in arguments["files"]}
    address = f"/{quote(arguments['owner'], safe='')}/{quote(arguments['repo'], safe='')}.git"
    return Push(
        "git/receive-pack", address, arguments["branch"].removeprefix("refs/heads/"), files, arguments["message"]
    )


def _ls_refs(given: Mapping[str, Any]) -> Iterator[bytes]:
    yield pkt("command=ls-refs\n") + DELIM + pkt("peel\n") + pkt("symrefs\n")
    yield from (pkt(f"ref-prefix {prefix}\n") for prefix in given["prefixes"])
    yield FLUSH


def _fetch(given: Mapping[str, Any]) -> Iterator[bytes]:
    yield pkt("command=fetch\n") + DELIM
    for word, name in (("want", "wants"), ("have", "haves"), ("shallow", "shallow"), ("deepen-not", "excluded")):
        yield from (pkt(f"{word} {value}\n") for value in (given[name] if name == "wants" else given.get(name, ())))
    for word, name in (("deepen", "depth"), ("deepen-since", "since"), ("filter", "filter")):
        yield pkt(f"{word} {given[name]}\n") if given.get(name) is not None else b""
    for word, name in (("deepen-relative", "relative"), ("include-tag", "include_tag")):
        yield pkt(f"{word}\n") if given.get(name) else b""
    if given.get("done", True):
        yield pkt("done\n")
    elif not given.get("early"):
        yield pkt("wait-for-done\n")
    yield FLUSH


def _push(given: Mapping[str, Any]) -> Iterator[bytes]:
    words = f"{CAN} atomic" if given.get("atomic") else CAN
    for number, one in enumerate(given["commands"]):
        told = "" if number else f"\0 {words}"
        yield pkt(f"{one['old']} {one['new']} {one['ref']}{told}\n")
    pack = given.get("pack", b"")
    yield FLUSH + (base64.b64decode(pack) if isinstance(pack, str) else pack)
