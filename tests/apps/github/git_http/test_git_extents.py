"""Trees that are small to send and endless to walk: refused at every way in, and walked no further than a call may."""

import zlib

import pytest

from apps.github.ci.executor import files_of
from apps.github.git import ZERO, Repo, store
from apps.github.git.paths import MAX_DEPTH
from apps.github.git.store import BLOB, COMMIT, TREE, TooMuchWork
from apps.github.git.tree_diff import list_changes
from apps.github.git.wire.pack_reader import sha_of
from apps.github.git.wire.pack_writer import pack
from apps.github.git.wire.reach import Row
from tests.apps.github.conftest import APP
from tests.apps.github.git_http.git_requests import Clone, post, pushing, ref
from tests.apps.github.git_server import GitServer
from tests.conformance.github_client import HubClient
from world.run.host import Host

REPO, GIT = "/repos/tiny/app", "/repos/tiny/app/git"
WHO = b"Bo <bo@tiny.example> 1772500000 +0100"
FOLDER, FILE = b"40000", b"100644"
Object = tuple[int, bytes]


def tree(*entries: tuple[bytes, bytes, str]) -> Object:
    """A tree of (mode, name, sha)."""
    return TREE, b"".join(mode + b" " + name + b"\0" + bytes.fromhex(sha) for mode, name, sha in entries)


def equal_subtrees(levels: int, width: int) -> list[Object]:
    """A tree in which every folder holds the same folder `width` times; the root last."""
    made: list[Object] = [(BLOB, b"x"), tree((FILE, b"a", sha_of(BLOB, b"x")))]
    for _ in range(levels):
        below = sha_of(*made[-1])
        made.append(tree(*((FOLDER, b"%05d" % number, below) for number in range(width))))
    return made


def nested(depth: int) -> list[Object]:
    """Folders in each other; the root last."""
    return equal_subtrees(depth - 1, 1)


def committed(made: list[Object], parent: str | None = None) -> list[Object]:
    """The objects and a commit of the last of them, which is the last."""
    above = b"" if parent is None else b"parent " + parent.encode() + b"\n"
    text = b"tree %s\n%sauthor %s\ncommitter %s\n\nWork\n" % (sha_of(*made[-1]).encode(), above, WHO, WHO)
    return [*made, (COMMIT, text)]


def pushed(objects: list[Object], branch: str = "bomb") -> bytes:
    """The body of a push of a commit to a new branch."""
    rows = [Row(sha_of(kind, raw), kind, len(raw), zlib.compress(raw)) for kind, raw in dict.fromkeys(objects)]
    return pushing(f"{ZERO} {sha_of(*objects[-1])} refs/heads/{branch}", pack=pack(rows))


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (equal_subtrees(10, 10), "fatal: exceeded maximum allowed number of paths (20000)"),
        (equal_subtrees(1, 10_001), "fatal: exceeded maximum allowed number of paths (20000)"),
        (nested(1500), "fatal: exceeded maximum allowed tree depth"),
        (nested(MAX_DEPTH + 1), "fatal: exceeded maximum allowed tree depth"),
    ],
    ids=["equal subtrees", "wide", "1500 folders", "one folder too many"],
)
def test_a_tree_that_unfolds_too_far_is_declined(server: GitServer, made: list[Object], told: str) -> None:
    body = pushed(committed(made))
    first = post(server, "bo", "receive-pack", body)
    assert told.encode() in first.content
    assert b"ng refs/heads/bomb pre-receive hook declined" in first.content
    assert ref(server, "refs/heads/bomb") is None
    assert post(server, "bo", "receive-pack", body).content == first.content


def test_a_client_is_told_in_gits_own_words(clone: Clone) -> None:
    work = clone()
    work.commit(**{"a__" * MAX_DEPTH + "f": "deep"})
    told = work.refused("push")
    assert "remote: fatal: exceeded maximum allowed tree depth" in told
    assert "! [remote rejected] main -> main (pre-receive hook declined)" in told


def test_a_tree_grows_over_several_pushes_no_further(server: GitServer) -> None:
    inner = equal_subtrees(3, 15)
    assert b"ok refs/heads/inner" in post(server, "bo", "receive-pack", pushed(committed(inner), "inner")).content
    outer = tree(*((FOLDER, b"%04d" % number, sha_of(*inner[-1])) for number in range(6)))
    assert b"number of paths" in post(server, "bo", "receive-pack", pushed(committed([outer]))).content


def test_what_a_repository_takes_can_be_walked(server: GitServer) -> None:
    for branch, made in (("wide", equal_subtrees(1, 9_000)), ("deep", nested(MAX_DEPTH))):
        assert b"ok refs/heads/" in post(server, "bo", "receive-pack", pushed(committed(made), branch)).content

    def walk() -> list[int]:
        with server.host.actors["w"].events.step("look") as call:
            git = Repo(call, APP)
            trees = [git.tree_of(str(git.branch(name))) for name in ("wide", "deep", "main")]
            return [len(list_changes(git, trees[2], one)) for one in trees[:2]] + [
                len(files_of(git, one)[0]) for one in trees[:2]
            ]

    assert server.do(walk)[2:] == [9_000, 1]


def test_trees_of_the_api_unfold_no_further(client: HubClient) -> None:
    answer = client.post(f"{GIT}/trees", json={"tree": [{"path": "a", "mode": "100644", "content": "x"}]})
    for _ in range(4):
        entries = [
            {"path": str(number), "mode": "040000", "type": "tree", "sha": answer.json()["sha"]} for number in range(10)
        ]
        answer = client.post(f"{GIT}/trees", json={"tree": entries})
    assert (answer.status_code, answer.json()["message"]) == (422, "exceeded maximum allowed number of paths (20000)")
    deep = {"message": "x", "content": "eA=="}
    assert client.put(f"{REPO}/contents/{'a/' * (MAX_DEPTH - 1)}f", json=deep).status_code == 201
    assert client.put(f"{REPO}/contents/{'b/' * 1500}f", json=deep).status_code == 422


def test_a_walk_stops_where_a_call_may_go_no_further(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MAX_WORK", 2_000)
    with host.actors["w"].events.step("look") as call:
        git = Repo(call, APP)
        root = ""
        for kind, raw in equal_subtrees(10, 10):
            root = git.store.put(kind, raw)
        for walk in (lambda: list(git.walk(root)), lambda: list_changes(git, None, root), lambda: files_of(git, root)):
            with pytest.raises(TooMuchWork):
                walk()
