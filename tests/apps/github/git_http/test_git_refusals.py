"""What the stock git client is told when it may not, and when the code host fails."""

from pathlib import Path

import pytest

from tests.apps.github.conftest import APP
from tests.apps.github.git_http.git_requests import Clone, change, ref
from tests.apps.github.git_server import Client, GitServer
from tests.company import START
from world.core.clock import MINUTE
from world.core.settings import Settings
from world.run.host import Host
from world.script.faults import Fault
from world.script.scenario import Script, compile_script
from world.store.queries import value


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
