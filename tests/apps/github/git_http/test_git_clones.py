"""The stock git client against the code host: clone, fetch and push."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.apps.github.git_http.git_requests import Clone, ref
from tests.apps.github.git_server import Client, GitServer
from world.store.queries import rows, value


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
    assert "https://github.com/tiny/app/pull/new/topic" in told
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


def test_a_branch_makes_room_in_the_same_push(clone: Clone, server: GitServer) -> None:
    work = clone()
    work("push", "-q", "origin", "HEAD:refs/heads/a")
    work("push", "-q", "origin", ":a", "HEAD:refs/heads/a/b")
    assert ref(server, "refs/heads/a") is None
    assert ref(server, "refs/heads/a/b") == work("rev-parse", "HEAD")


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
