"""The stock git client against the code host: clone, fetch, push, and every refusal it can meet."""

import ast
import base64
import gzip
import hashlib
import struct
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
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
from tests.apps.github.git_server import Client, GitServer
from tests.company import START
from world.core.clock import MINUTE
from world.core.settings import Settings
from world.run.host import Host
from world.script.faults import Fault
from world.script.scenario import Script, compile_script
from world.store.queries import rows, value

Clone = Callable[..., Client]
EMPTY_PACK = pack([])
HERE = {"owner": "tiny", "repo": "app"}


@pytest.fixture(scope="module")
def running(sealed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GitServer]:
    """A server for the module; every test has a world of its own in it."""

    made = GitServer(sealed, tmp_path_factory.mktemp("served") / "worlds")
    yield made
    made.stop()


@pytest.fixture
def server(running: GitServer) -> Iterator[GitServer]:
    """The server with a fresh world `w`."""
    running.do(lambda: running.host.create("w", Settings(limits="off")))
    yield running
    running.do(lambda: running.host.drop("w"))


@pytest.fixture
def clone(server: GitServer, tmp_path: Path) -> Clone:
    """`clone("bo", "--depth", "1")`: somebody's clone of tiny/app."""

    def made(who: str = "bo", *words: str, repo: str = "tiny/app", protocol: int = 2, into: str = "work") -> Client:
        Client(tmp_path)("clone", "-q", *words, server.address(who, repo), into, protocol=protocol)
        return Client(tmp_path / into)

    return made


def ref(server: GitServer, name: str, repo: int = APP) -> str | None:
    """What a ref points to."""
    found = server.do(
        lambda: rows(
            server.host.actors["w"].bound, "SELECT target FROM github_ref WHERE repo_id = ? AND name = ?", repo, name
        )
    )
    return found[0][0] if found else None


def change(server: GitServer, sql: str, *values: object) -> None:
    """Change rows of the world behind everybody's back."""

    def run() -> None:
        with server.host.actors["w"].events.step("test") as call:
            call.bound.raw.execute(sql, values)

    server.do(run)


@pytest.mark.parametrize("protocol", [0, 1, 2])
def test_a_clone_has_every_commit_file_and_tag(clone: Clone, server: GitServer, protocol: int) -> None:
    work = clone(protocol=protocol)
    assert work("rev-parse", "HEAD") == ref(server, "refs/heads/main")
    assert work("symbolic-ref", "HEAD") == "refs/heads/main"
    assert work("log", "--format=%s") == "Write a guide\nUnpack instead of list\nCount things"
    assert (work.folder / "docs/guide.md").read_text() == "# Guide\n\nCount with `count`.\n"
    assert (
        work("for-each-ref", "--format=%(refname)")
        == "refs/heads/main\nrefs/remotes/origin/HEAD\nrefs/remotes/origin/feature\nrefs/remotes/origin/main\nrefs/tags/v0.1"
    )
    work("fsck", "--strict", "--full")


@pytest.mark.parametrize("protocol", [0, 2])
def test_a_push_is_fetched_by_others(clone: Clone, server: GitServer, protocol: int) -> None:
    work, other = clone(protocol=protocol), clone("ada", into="other", protocol=protocol)
    sha = work.commit(notes_md="more\n" * 50, src__deep__new_py="x = 1\n")
    work("push", "-q", "origin", "main", protocol=protocol)
    assert ref(server, "refs/heads/main") == sha
    other("pull", "-q", "--ff-only", protocol=protocol)
    assert other("rev-parse", "HEAD") == sha
    other("fsck", "--strict", "--full")


def test_a_push_is_one_call_and_one_row_for_each_ref(clone: Clone, server: GitServer) -> None:
    work = clone()
    sha = work.commit(notes_md="more")
    work("push", "-q", "origin", "main", "main:refs/heads/copy")
    bound = server.host.actors["w"].bound
    calls = server.do(lambda: rows(bound, "SELECT count(*) FROM _call WHERE operation = 'git/receive-pack'"))
    pushed = server.do(lambda: rows(bound, "SELECT ref, new, forced, account_id FROM github_push ORDER BY ref"))
    assert calls == [(1,)]
    assert pushed == [("refs/heads/copy", sha, 0, 102), ("refs/heads/main", sha, 0, 102)]


def test_branches_and_tags_are_made_moved_and_deleted(clone: Clone, server: GitServer) -> None:
    work = clone()
    work("tag", "-a", "v1", "-m", "One")
    work("switch", "-q", "-c", "topic")
    sha = work.commit(notes_md="topic")
    told = work.ask("push", "origin", "topic", "v1").stderr
    assert "remote: Create a pull request for 'topic' on GitHub by visiting:" in told
    assert f"{server.url}/tiny/app/pull/new/topic" in told
    assert ref(server, "refs/heads/topic") == sha
    assert ref(server, "refs/tags/v1") == work("rev-parse", "v1")
    assert f"{work('rev-parse', 'main')}\trefs/tags/v1^{{}}" in work("ls-remote", "origin")
    work("push", "-q", "origin", ":topic", ":v1")
    assert ref(server, "refs/heads/topic") is None
    assert ref(server, "refs/tags/v1") is None


def test_tags_come_with_what_they_name(clone: Clone) -> None:
    work, other = clone(), clone("ada", into="other")
    work.commit(notes_md="release")
    work("tag", "-a", "v2", "-m", "Two")
    work("push", "-q", "--follow-tags")
    other("fetch", "-q")
    assert other("tag", "--list") == "v0.1\nv2"
    other("fsck", "--full")


def test_diverged_branches_need_force(clone: Clone, server: GitServer) -> None:
    work, other = clone(), clone("ada", into="other")
    other.commit(notes_md="mine")
    other("push", "-q")
    sha = work.commit(notes_md="yours")
    assert "fetch first" in work.refused("push")
    work("push", "-q", "--force")
    assert ref(server, "refs/heads/main") == sha
    assert (
        server.do(
            lambda: value(server.host.actors["w"].bound, "SELECT forced FROM github_push ORDER BY id DESC LIMIT 1")
        )
        == 1
    )


@pytest.mark.parametrize("protocol", [0, 2])
def test_a_shallow_clone_deepens(clone: Clone, protocol: int) -> None:
    work = clone("bo", "--depth", "1", "--no-single-branch", protocol=protocol)
    assert work("rev-list", "--count", "HEAD") == "1"
    work("fsck", "--full")
    work("fetch", "-q", "--depth", "2", protocol=protocol)
    assert work("rev-list", "--count", "HEAD") == "2"
    work("fetch", "-q", "--deepen", "1", protocol=protocol)
    assert work("rev-list", "--count", "HEAD") == "3"
    assert work("rev-list", "--count", "--all") == "4"
    assert work("rev-parse", "--is-shallow-repository") == "false"
    work("fsck", "--full")


@pytest.mark.parametrize("protocol", [0, 2])
def test_one_commit_deep_then_whole(clone: Clone, protocol: int) -> None:
    work = clone("bo", "--depth", "1", protocol=protocol)
    work("fetch", "-q", "--unshallow", protocol=protocol)
    assert work("rev-list", "--count", "HEAD") == "3"
    work("fsck", "--full")


def test_a_shallow_clone_since_a_day_or_without_a_tag(clone: Clone, server: GitServer) -> None:
    at = server.do(lambda: value(server.host.actors["w"].bound, "SELECT max(committed_at) FROM github_commit"))
    late = clone("bo", f"--shallow-since={at - 2000}", into="late")
    assert late("rev-list", "--count", "HEAD") == "1"
    without = clone("bo", "--shallow-exclude=v0.1", into="without")
    assert without("rev-list", "--count", "HEAD") == "2"


def test_a_shallow_clone_pushes_and_fetches(clone: Clone, server: GitServer) -> None:
    work, other = clone("bo", "--depth", "1"), clone("ada", into="other")
    other.commit(theirs_md="1")
    other("push", "-q")
    work("pull", "-q", "--ff-only")
    assert work("rev-list", "--count", "HEAD") == "2"
    sha = work.commit(notes_md="from the shallows")
    work("push", "-q")
    assert ref(server, "refs/heads/main") == sha
    other("pull", "-q")
    other("fsck", "--full")


def test_a_partial_clone_fetches_files_when_it_needs_them(clone: Clone) -> None:
    work = clone("bo", "--filter=blob:none", "--no-checkout")
    missing = work("rev-list", "--objects", "--all", "--missing=print").count("?")
    assert missing == 7
    work("checkout", "-q", "main")
    assert (work.folder / "README.md").read_text() == "# app\n\nIt counts.\n"
    assert work("rev-list", "--objects", "--all", "--missing=print").count("?") == 2


@pytest.mark.parametrize(("filter", "there"), [("tree:0", "commit"), ("blob:limit=20", "blob")])
def test_other_filters(clone: Clone, filter: str, there: str) -> None:
    work = clone("bo", f"--filter={filter}", "--no-checkout")
    kinds = work("cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectsize)").split("\n")
    assert any(line.startswith(there) for line in kinds)
    assert all(line.startswith("commit") for line in kinds) == (filter == "tree:0")
    assert all(int(line.split()[1]) < 20 for line in kinds if line.startswith("blob"))


def test_one_branch_only(clone: Clone) -> None:
    work = clone("bo", "--single-branch", "--branch", "feature")
    assert work("log", "-1", "--format=%s") == "Count in tuples"
    assert work("branch", "-r") == "origin/feature"


@pytest.mark.parametrize("protocol", [0, 2])
def test_an_empty_repository_is_cloned_and_filled(clone: Clone, server: GitServer, protocol: int) -> None:
    work = clone("ada", repo="tiny/secret", protocol=protocol)
    if protocol == 2:
        assert work("symbolic-ref", "HEAD") == "refs/heads/main"
    work("switch", "-q", "-c", "trunk")
    sha = work.commit(readme_md="# secret\n")
    work("push", "-q", "origin", "trunk", protocol=protocol)
    assert ref(server, "refs/heads/trunk", 503) == sha
    assert (
        server.do(
            lambda: value(server.host.actors["w"].bound, "SELECT default_branch FROM github_repository WHERE id = 503")
        )
        == "trunk"
    )


def test_a_large_push_comes_in_pieces(clone: Clone, server: GitServer) -> None:
    work = clone()
    (work.folder / "noise.txt").write_text("".join(f"{n * n * 7919 % 1000003:x}" for n in range(400_000)))
    sha = work.commit()
    work("-c", "http.postBuffer=65536", "push", "-q")
    assert ref(server, "refs/heads/main") == sha
    other = clone("ada", into="other")
    assert (other.folder / "noise.txt").read_text() == (work.folder / "noise.txt").read_text()


def test_a_long_negotiation_ends(clone: Clone, server: GitServer) -> None:
    work, other = clone(), clone("ada", into="other")
    for number in range(40):
        work("commit", "-q", "--allow-empty", "-m", f"only here {number}")
    sha = other.commit(theirs_md="1")
    other("push", "-q")
    for protocol in (0, 2):
        work("update-ref", "-d", "refs/remotes/origin/main")
        work("fetch", "-q", protocol=protocol)
        assert work("rev-parse", "origin/main") == sha
    work("fsck", "--full")


# -- refusals


@pytest.mark.parametrize(
    ("who", "repo", "told"),
    [
        ("eve", "tiny/app", "remote: Repository not found.\n"),
        ("ada", "tiny/nothing", "remote: Repository not found.\n"),
        (None, "tiny/site", "could not read Username"),
    ],
)
def test_who_may_not_see_a_repository_is_told_there_is_none(
    server: GitServer, tmp_path: Path, who: str | None, repo: str, told: str
) -> None:
    assert told in Client(tmp_path).refused("clone", server.address(who, repo), "work")


def test_a_wrong_token_is_refused(server: GitServer, tmp_path: Path) -> None:
    address = server.url.replace("://", "://ada:ghp_wrong@") + "/tiny/app.git"
    told = Client(tmp_path).refused("clone", address, "work")
    assert "remote: Invalid username or token. Password authentication is not supported for Git operations." in told
    assert "Authentication failed" in told


def test_tokens_are_taken_in_every_place_git_puts_them(server: GitServer, tmp_path: Path) -> None:
    token, plain = server.token("bo"), f"{server.url}/tiny/app.git"
    git = Client(tmp_path)
    for credentials in (f"{token}:", f"{token}:x-oauth-basic@".rstrip("@"), f"x-access-token:{token}"):
        assert git("ls-remote", plain.replace("://", f"://{credentials}@"), "HEAD")
    assert git("-c", f"http.extraHeader=Authorization: Bearer {token}", "ls-remote", plain, "HEAD")


def test_who_may_only_read_cannot_push(clone: Clone) -> None:
    work = clone("cyrus")
    work.commit(notes_md="x")
    told = work.refused("push")
    assert "remote: Permission to tiny/app.git denied to cyrus." in told
    assert "403" in told


def test_an_archived_repository_takes_no_push(clone: Clone, server: GitServer) -> None:
    work = clone()
    change(server, "UPDATE github_repository SET archived = 1 WHERE id = ?", APP)
    work.commit(notes_md="x")
    assert "remote: This repository was archived so it is read-only." in work.refused("push")
    work("fetch", "-q")


def test_a_protected_branch_declines(clone: Clone, server: GitServer) -> None:
    columns = (
        "repo_id, pattern, reviews, dismiss_stale, code_owners, last_push_approval, strict, enforce_admins,"
        " linear_history, force_pushes"
    )
    more = "deletions, block_creations, conversation_resolution, signatures, lock_branch, fork_syncing"
    change(
        server,
        f"INSERT INTO github_protection({columns}, {more}) VALUES (?, 'ma*', 1, 0,0,0,0,0,0,0, 0,0,0,0,0,0)",
        APP,
    )
    work, admin = clone(), clone("ada", into="admin")
    sha = work.commit(notes_md="x")
    told = work.refused("push", "origin", "main", "main:other")
    assert "remote: error: GH006: Protected branch update failed for refs/heads/main." in told
    assert "remote: - Changes must be made through a pull request." in told
    assert "! [remote rejected] main -> main (protected branch hook declined)" in told
    assert ref(server, "refs/heads/other") == sha
    admin("commit", "-q", "--amend", "-m", "Another past")
    assert "Cannot force-push to this branch" in admin.refused("push", "--force")
    assert "refusing to delete the current branch: refs/heads/main" in admin.refused("push", "origin", ":main")
    admin("reset", "-q", "--hard", "origin/main")
    admin.commit(admins_md="may")
    admin("push", "-q")


def test_an_atomic_push_moves_all_or_nothing(clone: Clone, server: GitServer) -> None:
    work = clone()
    sha = work.commit(notes_md="x")
    told = work.refused("push", "--atomic", "origin", "main", "main:refs/pull/1/head")
    assert "(deny updating a hidden ref)" in told
    assert "(atomic push failure)" in told
    assert ref(server, "refs/heads/main") != sha


@pytest.mark.parametrize(
    ("into", "told"),
    [
        ("refs/pull/7/head", "deny updating a hidden ref"),
        ("refs/odd", "funny refname"),
        (
            "refs/heads/" + "ab" * 20,
            "GH002: Sorry, branch or tag names consisting of 40 hex characters are not allowed.",
        ),
        (
            "refs/heads/main/below",
            "cannot lock ref 'refs/heads/main/below': 'refs/heads/main' exists; cannot create 'refs/heads/main/below'",
        ),
    ],
)
def test_refs_that_cannot_be(clone: Clone, server: GitServer, into: str, told: str) -> None:
    work = clone()
    assert told in work.refused("push", "origin", f"HEAD:{into}")
    assert ref(server, into) is None


def test_a_branch_makes_room_in_the_same_push(clone: Clone, server: GitServer) -> None:
    work = clone()
    work("push", "-q", "origin", "HEAD:refs/heads/a")
    work("push", "-q", "origin", ":a", "HEAD:refs/heads/a/b")
    assert ref(server, "refs/heads/a") is None
    assert ref(server, "refs/heads/a/b") == work("rev-parse", "HEAD")


def test_a_file_too_large_is_declined(clone: Clone, server: GitServer) -> None:
    work = clone()
    with (work.folder / "big.bin").open("wb") as file:
        file.truncate(26 * 1024 * 1024)
    sha = work.commit()
    told = work.refused("push")
    assert "remote: error: GH001: Large files detected." in told
    assert "(pre-receive hook declined)" in told
    count = "SELECT count(*) FROM github_commit WHERE sha1 = ?"
    assert server.do(lambda: value(server.host.actors["w"].bound, count, sha)) == 0


# -- the door itself


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


def test_a_fork_copies_nothing(clone: Clone, server: GitServer) -> None:
    work = clone()
    work.commit(notes_md="x" * 100_000)
    work("push", "-q")
    folder = server.worlds

    def size() -> int:
        return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())

    before = size()
    server.do(lambda: server.host.fork(server.host.actors["w"], "forked"))
    assert size() - before < 4096
    token = server.token("ada", "forked")
    address = server.url.replace("://", f"://ada:{token}@") + "/tiny/app.git"
    assert Client(work.folder)("ls-remote", address, "refs/heads/main").split()[0] == work("rev-parse", "HEAD")
    server.do(lambda: server.host.drop("forked"))


def test_the_public_repository_is_cloned_by_anybody_with_a_token(clone: Clone) -> None:
    assert clone("eve", repo="tiny/site")("rev-list", "--count", "HEAD") == "3"


def post(server: GitServer, who: str, service: str, body: bytes | Iterator[bytes], **headers: str) -> httpx.Response:
    """A request as no client of git's would send it."""
    kind = {"Content-Type": f"application/x-git-{service}-request", "Git-Protocol": "version=2"}
    with httpx.Client(auth=httpx.BasicAuth(who, server.token(who)), timeout=60) as client:
        return client.post(f"{server.url}/tiny/app.git/git-{service}", content=body, headers={**kind, **headers})


def status_of(server: GitServer) -> str:
    """How the last call ended."""
    return server.do(lambda: value(server.host.actors["w"].bound, "SELECT status FROM _call ORDER BY seq DESC LIMIT 1"))


def pushing(*commands: str, pack: bytes = b"", words: str = "report-status side-band-64k") -> bytes:
    """The body of a push."""
    first, *others = commands
    return pkt(f"{first}\0 {words}\n") + b"".join(pkt(f"{line}\n") for line in others) + FLUSH + pack


LS_REFS = pkt("command=ls-refs\n") + DELIM + pkt("ref-prefix refs/heads/\n") + FLUSH


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


def test_of_pushes_at_the_same_time_one_wins(server: GitServer, clone: Clone) -> None:
    works = [clone("bo", into=f"work{number}") for number in range(4)]
    shas = [work.commit(notes_md=f"from {number}") for number, work in enumerate(works)]
    with ThreadPoolExecutor(4) as pool:
        ended = list(
            pool.map(
                lambda work: work.ask("push", "--force-with-lease=main:origin/main", "origin", "main").returncode, works
            )
        )
    assert sorted(ended) == [0, 1, 1, 1]
    assert ref(server, "refs/heads/main") == shas[ended.index(0)]


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("error", "HTTP 500"),
        ("readonly", "HTTP 503"),
        ("ratelimit", "HTTP 429"),
        ("partial", "HTTP 503"),
        ("timeout", "HTTP 504"),
        ("transport", "RPC failed"),
        ("corrupt_payload", "protocol error: bad line length"),
        ("auth_expired", "HTTP 401"),
        ("write_then_error", "HTTP 500"),
    ],
)
def test_each_kind_of_outage_reaches_who_pushes(server: GitServer, clone: Clone, kind: str, told: str) -> None:
    work = clone()
    sha = work.commit(notes_md="x")
    server.do(lambda: begin_fault(server.host, kind, "git/receive-pack"))
    work("remote", "set-url", "origin", server.address("bo"))
    assert told in work.refused("push")
    assert (ref(server, "refs/heads/main") == sha) == (kind == "write_then_error")


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("error", "remote: Internal Server Error\n"),
        ("ratelimit", "remote: You have exceeded a secondary rate limit."),
        ("transport", "fatal"),
        ("partial", "remote: Service unavailable\n"),
        ("auth_expired", "Authentication failed"),
        ("corrupt_payload", "bad line length character"),
    ],
)
def test_each_kind_of_outage_reaches_who_fetches(server: GitServer, clone: Clone, kind: str, told: str) -> None:
    work = clone()
    server.do(lambda: begin_fault(server.host, kind, "git/ls-refs"))
    work("remote", "set-url", "origin", server.address("bo"))
    assert told in work.refused("fetch")


def begin_fault(host: Host, kind: str, operation: str) -> None:
    """The world again, with an outage of one operation from now on."""
    script = Script("faults", START)
    script.fault(Fault("f", "github", kind, operations=(operation,)), start="+0s", end="+1h")  # type: ignore[arg-type]
    host.drop("w")
    host.create("w", Settings(limits="off"), compile_script(script, horizon="8h"))
    host.actors["w"].advance(START + MINUTE)


def test_a_world_that_ended_lets_nobody_in(server: GitServer, clone: Clone) -> None:
    work = clone()
    server.do(lambda: server.host.actors["w"].end("finished"))
    assert "Authentication failed" in work.refused("fetch")


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
