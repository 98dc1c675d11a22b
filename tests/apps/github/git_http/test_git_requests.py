"""The door for git itself: its addresses, bodies that no client sends, packs, and the calls they become."""

import ast
import base64
import gzip
import hashlib
import struct
import zlib
from typing import Any

import httpx
import orjson
import pytest

from apps.github import rest
from apps.github.git import ZERO
from apps.github.git.store import COMMIT
from apps.github.git.wire import limits
from apps.github.git.wire.pack_reader import sha_of
from apps.github.git.wire.pack_writer import pack
from apps.github.git.wire.pkt import DELIM, FLUSH, pkt
from apps.github.git.wire.reach import Row
from mcp_servers.json_text import as_json
from tests.apps.github.conftest import APP
from tests.apps.github.git_http.git_requests import EMPTY_PACK, HERE, LS_REFS, Clone, post, pushing, ref, status_of
from tests.apps.github.git_server import GitServer
from world.store.queries import rows, value


def test_the_addresses_answer_like_the_vendor(server: GitServer) -> None:
    auth = httpx.BasicAuth("ada", server.token("ada"))
    with httpx.Client(base_url=server.url) as client:
        asked = client.get("/tiny/site.git/info/refs?service=git-upload-pack")
        assert (asked.status_code, asked.headers["www-authenticate"]) == (401, 'Basic realm="GitHub"')
        for path in (
            "/tiny/app.git/HEAD",
            "/tiny/app.git/objects/info/packs",
            "/tiny/app.git/info/refs",
            "/tiny/app.git/info/refs?service=git-x",
        ):
            assert client.get(path, auth=auth).status_code == 403
        told = client.get(
            "/TINY/App/info/refs?service=git-upload-pack", auth=auth, headers={"Git-Protocol": "version=2"}
        )
        assert told.headers["content-type"] == "application/x-git-upload-pack-advertisement"
        assert told.content.startswith(b"001e# service=git-upload-pack\n0000000eversion 2\n")
        wrong = client.post("/tiny/app.git/git-upload-pack", auth=auth, content=b"0000")
        assert wrong.status_code == 415


def test_bodies_may_be_chunked_and_compressed(server: GitServer) -> None:
    plain = post(server, "bo", "upload-pack", LS_REFS).content
    assert b"refs/heads/main" in plain
    assert post(server, "bo", "upload-pack", iter([LS_REFS[:9], LS_REFS[9:]])).content == plain
    packed = gzip.compress(LS_REFS, mtime=0)
    for body in (packed, iter([packed[:15], packed[15:]])):
        assert post(server, "bo", "upload-pack", body, **{"Content-Encoding": "gzip"}).content == plain


BOMB = gzip.compress(bytes(100 * 1024 * 1024), 1, mtime=0)


@pytest.mark.parametrize(
    ("service", "body", "coding"),
    [
        ("upload-pack", b"", ""),
        ("upload-pack", b"\x00" * 50, ""),
        ("upload-pack", b"0032want nothing", ""),
        ("upload-pack", pkt("command=fetch\n") + DELIM + FLUSH, ""),
        ("upload-pack", pkt("command=rm\n") + FLUSH, ""),
        ("upload-pack", LS_REFS[:-4], ""),
        ("upload-pack", gzip.compress(LS_REFS, mtime=0)[:-6], "gzip"),
        ("upload-pack", LS_REFS, "gzip"),
        ("upload-pack", LS_REFS, "br"),
        ("upload-pack", BOMB, "gzip"),
        ("upload-pack", b"0000" * 1_000_000, ""),
        ("receive-pack", b"0006xx", ""),
        ("receive-pack", pkt("a b c\n") + FLUSH, ""),
        ("receive-pack", pushing(f"{ZERO} {'a' * 40} refs/heads/\udcff"), ""),
        ("receive-pack", BOMB, "gzip"),
    ],
)
def test_what_is_not_the_protocol_is_a_refused_call(server: GitServer, service: str, body: bytes, coding: str) -> None:
    answer = post(server, "bo", service, body, **({"Content-Encoding": coding} if coding else {}))
    assert answer.status_code == 400
    assert answer.headers["content-type"].startswith("text/plain")
    assert status_of(server) == "invalid_arguments"


def test_empty_requests_are_answered_with_nothing(server: GitServer) -> None:
    for service in ("upload-pack", "receive-pack"):
        answer = post(server, "bo", service, b"0000")
        assert (answer.status_code, answer.content) == (200, b"")


def test_a_push_above_the_limit_is_told_so(server: GitServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_PACK", 100_000)
    body = pushing(f"{ZERO} {'a' * 40} refs/heads/x", pack=b"PACK" + bytes(4_000_000))
    answer = post(server, "bo", "receive-pack", body)
    assert b"fatal: pack exceeds maximum allowed size" in answer.content
    assert b"unpack index-pack failed" in answer.content
    assert b"ng refs/heads/x unpacker error" in answer.content
    assert status_of(server) == "unpack_failed"


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (
            "{0} {main} refs/heads/main",
            b"ng refs/heads/main cannot lock ref 'refs/heads/main': reference already exists",
        ),
        (
            "{feature} {main} refs/heads/main",
            b"ng refs/heads/main cannot lock ref 'refs/heads/main': is at {main} but expected {feature}",
        ),
        (
            "{feature} {main} refs/heads/new",
            b"cannot lock ref 'refs/heads/new': unable to resolve reference 'refs/heads/new'",
        ),
        ("{main} {nothing} refs/heads/main", b"ng refs/heads/main missing necessary objects"),
        ("{0} {tree} refs/heads/tree", b"ng refs/heads/tree failed to update ref"),
        ("{0} {main} refs/heads/a..b", b"ng refs/heads/a..b funny refname"),
        ("{0} {main} HEAD", b"ng HEAD funny refname"),
        ("{0} {main} refs/heads/../../x", b"funny refname"),
        ("{0} {main} refs/heads/x.lock", b"funny"),
        ("{0} {main} refs/heads/" + "x" * 300, b"funny refname"),
        ("{0} {main} refs/heads/a b", b"funny refname"),
    ],
)
def test_a_ref_that_cannot_move_says_why(server: GitServer, command: str, told: bytes) -> None:
    tree = server.do(
        lambda: value(
            server.host.actors["w"].bound, "SELECT sha1 FROM github_object WHERE kind = 2 AND repo_id = ?", APP
        )
    )
    known = {
        "0": ZERO,
        "main": ref(server, "refs/heads/main"),
        "feature": ref(server, "refs/heads/feature"),
        "tree": tree,
        "nothing": "ab" * 20,
    }
    before = server.do(lambda: rows(server.host.actors["w"].bound, "SELECT * FROM github_ref ORDER BY repo_id, name"))
    words = command.replace("{0}", ZERO).format(**known)
    answer = post(server, "bo", "receive-pack", pushing(words, pack=EMPTY_PACK))
    expected = told.decode().format(**known).encode()
    assert expected in answer.content
    assert status_of(server) == "push_declined"
    assert (
        server.do(lambda: rows(server.host.actors["w"].bound, "SELECT * FROM github_ref ORDER BY repo_id, name"))
        == before
    )


def test_an_evil_tree_leaves_nothing_behind(server: GitServer) -> None:
    blob = hashlib.sha1(b"blob 0\0", usedforsecurity=False).digest()
    tree = b"100644 .git\0" + blob
    sha = hashlib.sha1(b"tree %d\0" % len(tree) + tree, usedforsecurity=False).hexdigest()
    body = (
        b"PACK"
        + struct.pack(">II", 2, 2)
        + b"\x30"
        + zlib.compress(b"")
        + bytes((0xA0 | len(tree) & 15, len(tree) >> 4))
        + zlib.compress(tree)
    )
    evil = body + hashlib.sha1(body, usedforsecurity=False).digest()
    answer = post(server, "bo", "receive-pack", pushing(f"{ZERO} {sha} refs/tags/evil", pack=evil))
    assert b"hasDotgit" in answer.content
    assert b"fsck error in packed object" in answer.content
    assert (
        server.do(
            lambda: value(server.host.actors["w"].bound, "SELECT count(*) FROM github_object WHERE sha1 = ?", sha)
        )
        == 0
    )


def test_a_commit_without_its_tree_leaves_nothing_behind(server: GitServer) -> None:
    raw = f"tree {'ab' * 20}\nauthor B <b@x> 1 +0000\ncommitter B <b@x> 1 +0000\n\nx\n".encode()
    sha = sha_of(COMMIT, raw)
    body = pushing(f"{ZERO} {sha} refs/heads/x", pack=pack([Row(sha, COMMIT, len(raw), zlib.compress(raw))]))
    assert b"ng refs/heads/x missing necessary objects" in post(server, "bo", "receive-pack", body).content
    assert (
        server.do(
            lambda: value(server.host.actors["w"].bound, "SELECT count(*) FROM github_commit WHERE sha1 = ?", sha)
        )
        == 0
    )


def test_room_is_made_before_it_is_taken(server: GitServer) -> None:
    main, feature = ref(server, "refs/heads/main"), ref(server, "refs/heads/feature")
    body = pushing(f"{ZERO} {main} refs/heads/feature/x", f"{feature} {ZERO} refs/heads/feature")
    assert b"ok refs/heads/feature/x" in post(server, "bo", "receive-pack", body).content
    assert (ref(server, "refs/heads/feature"), ref(server, "refs/heads/feature/x")) == (None, main)


def test_a_pack_follows_at_once_when_the_client_may_stop(server: GitServer) -> None:
    main, feature = ref(server, "refs/heads/main"), ref(server, "refs/heads/feature")
    old = (
        pkt(f"want {feature} multi_ack_detailed no-done side-band-64k no-progress\n")
        + FLUSH
        + pkt(f"have {main}\n")
        + FLUSH
    )
    told = post(server, "bo", "upload-pack", old, **{"Git-Protocol": ""}).content
    lines = [pkt(f"ACK {main} common\n"), pkt(f"ACK {main} ready\n"), pkt("NAK\n"), pkt(f"ACK {main}\n")]
    assert told.startswith(b"".join(lines))
    assert told[len(b"".join(lines)) + 4 :].startswith(b"\x01PACK")
    new = pkt("command=fetch\n") + DELIM + pkt(f"want {feature}\n")
    assert post(server, "bo", "upload-pack", new + FLUSH).content.startswith(pkt("packfile\n"))
    told = post(server, "bo", "upload-pack", new + pkt(f"have {main}\n") + FLUSH).content
    assert told.startswith(pkt("acknowledgments\n") + pkt(f"ACK {main}\n") + pkt("ready\n") + DELIM + pkt("packfile\n"))
    none = post(server, "bo", "upload-pack", new + pkt(f"have {'ab' * 20}\n") + FLUSH).content
    assert none == pkt("acknowledgments\n") + pkt("NAK\n") + FLUSH


def test_tag_objects_come_along_when_asked_for(server: GitServer, clone: Clone) -> None:
    work = clone()
    work("tag", "-a", "v3", "-m", "Three")
    work("push", "-q", "origin", "v3")
    wants = {**HERE, "wants": [ref(server, "refs/heads/main")]}

    def fetched(**more: object) -> int:
        return server.host.call(server.host.principal("w", "bo"), "rest", "git/upload-pack", {**wants, **more}).objects

    assert server.do(lambda: fetched(include_tag=True)) == server.do(fetched) + 1


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [
        ("git/ls-refs", {}),
        ("git/ls-refs", {"service": "receive-pack"}),
        ("git/ls-refs", {"prefixes": ["refs/tags/", "HEAD"]}),
        ("git/upload-pack", {"wants": ["{main}"], "depth": 1}),
        ("git/upload-pack", {"wants": ["{feature}"], "haves": ["{main}"], "include_tag": True}),
        (
            "git/upload-pack",
            {"wants": ["{feature}"], "haves": ["{main}"], "done": False, "early": True, "filter": "blob:none"},
        ),
        ("git/upload-pack", {"wants": ["{main}"], "haves": ["{feature}"], "done": False}),
        ("git/upload-pack", {"wants": ["{main}"], "excluded": ["v0.1"], "shallow": ["{main}"], "since": 5}),
        ("git/receive-pack", {"commands": [{"ref": "refs/heads/x", "old": ZERO, "new": "{main}"}]}),
        (
            "git/receive-pack",
            {
                "commands": [{"ref": "refs/heads/feature", "old": "{feature}", "new": ZERO}],
                "atomic": True,
                "pack": EMPTY_PACK,
            },
        ),
    ],
)
def test_git_asks_for_what_other_doors_ask_for(server: GitServer, operation: str, arguments: dict[str, Any]) -> None:
    text = (
        repr(arguments)
        .replace("{main}", str(ref(server, "refs/heads/main")))
        .replace("{feature}", str(ref(server, "refs/heads/feature")))
    )
    given = {**HERE, **ast.literal_eval(text)}
    server.do(lambda: server.host.fork(server.host.actors["w"], "twin"))
    in_json = orjson.loads(orjson.dumps(given, default=lambda data: base64.b64encode(data).decode()))
    answer = server.do(lambda: server.host.call(server.host.principal("twin", "bo"), "rest", operation, in_json))
    wire = rest.wire(operation, in_json)
    with httpx.Client(
        base_url=server.url, headers={"Authorization": f"Bearer {server.token('bo')}", **wire.headers}
    ) as client:
        told = client.request(wire.method, wire.path, params=wire.query or None, content=wire.content)
    assert told.status_code == 200
    sql = "SELECT operation, params_hash, status FROM _call ORDER BY seq DESC LIMIT 1"
    mine, other = (server.do(lambda name=name: rows(server.host.actors[name].bound, sql)) for name in ("w", "twin"))
    assert mine == other
    assert (mine[0][0], mine[0][2]) == (operation, "ok")
    assert as_json(answer)
    server.do(lambda: server.host.drop("twin"))


def test_every_operation_without_what_it_needs_has_no_request() -> None:
    for operation, needed in (("git/upload-pack", "wants"), ("git/receive-pack", "commands")):
        with pytest.raises(LookupError, match=needed):
            rest.wire(operation, HERE)
