"""Merges come out as the git command's: the same trees, the same files in conflict, the same markers."""

from pathlib import Path
from random import Random

import pytest

from apps.github.git import Repo, Signature
from apps.github.git.history import merge_base, merge_bases
from apps.github.git.merge import RebaseStopped, merge_commits, merge_trees, rebase
from apps.github.git.merge3 import merge_file, render_conflicts
from tests.apps.github.git.conftest import Git
from tests.apps.github.git.random_histories import Grower, edited, text
from tests.apps.github.git.test_diff import committed
from tests.apps.github.git.test_history import grown

CY = Signature("Cy", "cy@x.example", 1_800_000_000, 60)


def merged(git: Git, a: str, b: str) -> tuple[str, set[str], str]:
    """Tree, paths in conflict and messages of git's merge."""
    done = git.run("-c", "merge.directoryRenames=false", "merge-tree", "--write-tree", "-z", "--name-only", a, b)
    assert done.returncode in (0, 1), done.stderr
    tree, *rest = done.stdout.decode().split("\0")
    return tree, set(rest[: rest.index("")]) if done.returncode else set(), done.stdout.decode()


@pytest.mark.full
@pytest.mark.parametrize("seed", range(6))
def test_merges_of_random_branches_are_gits(git: Git, repo: Repo, seed: int) -> None:
    _, commits = grown(git, repo, seed + 300, 40)
    rng, clean = Random(seed), 0
    pairs = [pair for pair in (rng.sample(commits, 2) for _ in range(40)) if merge_base(repo, *pair) not in pair][:8]
    for a, b in pairs:
        tree, paths, said = merged(git, a, b)
        found = merge_commits(repo, a, b)
        assert (found.tree or "", bool(found.conflicts)) == ("" if paths else tree, bool(paths)), (a, b, said, found)
        clean += not paths
        if "rename/" not in said:
            assert {one.path for one in found.conflicts} == paths
    git.give(repo)
    assert not {b"error", b"warning"} & set(git.run("fsck", "--strict", "--no-dangling").stderr.split())
    print(f"clean: {clean} of {len(pairs)}")


def test_texts_merge_as_git_merges_them(git: Git, tmp_path: Path) -> None:
    rng, same, clean, count = Random(5), 0, 0, 120
    names = [tmp_path / name for name in ("ours", "base", "theirs")]
    for _ in range(count):
        base = text(rng, rng.choice((10, 40)))
        ours, theirs = edited(rng, base, rng.choice((1, 3))), edited(rng, base, rng.choice((1, 3)))
        for path, data in zip(names, (ours, base, theirs), strict=True):
            path.write_bytes(data)
        done = git.run("merge-file", "-p", "-L", "ours", "-L", "base", "-L", "theirs", *map(str, names))
        found = merge_file(base, ours, theirs)
        assert (found is None) == (done.returncode != 0)
        clean += found is not None
        same += (render_conflicts(base, ours, theirs, ("ours", "theirs")) if found is None else found) == done.stdout
    print(f"clean: {clean}, equal: {same} of {count}")
    assert 20 < clean < count - 20
    assert (
        same >= 0.95 * count
    )  # `merge-file` also joins conflicts with more than three lines between if none has a letter


def test_markers_stand_around_what_differs_only() -> None:
    base, ours, theirs = b"a\nb\nc\nd\n", b"a\nB1\nsame\nd\n", b"a\nB2\nsame\nd\n"
    assert (
        render_conflicts(base, ours, theirs, ("main", "topic"))
        == b"a\n<<<<<<< main\nB1\n=======\nB2\n>>>>>>> topic\nsame\nd\n"
    )
    texts = [f"{side}1\n\nx\n\n{side}2\n".encode() for side in "boc"]
    assert render_conflicts(*texts, ("o", "t")) == b"<<<<<<< o\no1\n\nx\n\no2\n=======\nc1\n\nx\n\nc2\n>>>>>>> t\n"
    assert render_conflicts(b"a", b"b", b"c", ("x", "y")) == b"<<<<<<< x\nb\n=======\nc\n>>>>>>> y\n"
    assert render_conflicts(b"a\r\n", b"b\r\n", b"c\r\n", ("x", "y")).count(b"\r\n") == 5


def states(**files: str) -> dict[str, tuple[str, bytes]]:
    return {path.replace("_", "/"): ("100644", data.encode()) for path, data in files.items()}


LONG = "".join(f"line {n}\n" for n in range(30))
BASE = states(a=LONG, b="b\n", c="c\n")
CASES = {
    "content": (states(a="x" + LONG, b="b\n", c="c\n"), states(a="y" + LONG, b="b\n", c="c\n")),
    "modify/delete": (states(b="b\n", c="c\n"), states(a=LONG + "end\n", b="b\n", c="c\n")),
    "add/add": ({**BASE, **states(n="1\n")}, {**BASE, **states(n="2\n")}),
    "rename/delete": (states(z=LONG, b="b\n", c="c\n"), states(b="b\n", c="c\n")),
    "rename/rename": (states(y=LONG, b="b\n", c="c\n"), states(z=LONG, b="b\n", c="c\n")),
    "file/directory": ({**BASE, **states(d="file\n")}, {**BASE, **states(d_e="inside\n")}),
    "binary": (states(a="x\0" + LONG, b="b\n", c="c\n"), states(a="y\0" + LONG, b="b\n", c="c\n")),
    "": (states(m_a=LONG, b="b\n", c="c\n"), states(a=LONG + "end\n", b="B\n", c="c\n")),
}


@pytest.mark.parametrize("kind", CASES)
def test_every_kind_of_conflict_is_named(git: Git, repo: Repo, kind: str) -> None:
    trees = [repo.tree_of(sha) for sha in committed(git, repo, BASE, *CASES[kind])]
    found = merge_trees(repo, *trees)
    assert [one.kind for one in found.conflicts] == ([kind] if kind else [])
    mirrored = merge_trees(repo, trees[0], trees[2], trees[1])
    assert [one.kind for one in mirrored.conflicts] == ([kind] if kind else [])
    assert found.tree == mirrored.tree
    if not kind:
        assert found.tree is not None
        entry = repo.at(found.tree, "m/a")
        assert entry is not None and repo.blob(entry.sha) == (LONG + "end\n").encode()


def test_a_folder_takes_the_place_of_a_file_and_back(git: Git, repo: Repo) -> None:
    other = states(a_x="1\n", b="b\n", c="c\n")
    base, folder, edit = (repo.tree_of(sha) for sha in committed(git, repo, BASE, other, {**BASE, **states(b="B\n")}))
    found = merge_trees(repo, base, edit, folder).tree
    assert found is not None and [entry.path for entry in repo.walk(found)] == ["a/x", "b", "c"]
    more = repo.tree_of(committed(git, repo, {**other, **states(c="C\n")})[0])
    back = merge_trees(repo, folder, more, base).tree
    assert back is not None and [entry.path for entry in repo.walk(back)] == ["a", "b", "c"]


def test_a_rebase_keeps_authors_and_drops_what_is_there_already(git: Git, repo: Repo) -> None:
    steps = [{**BASE, **states(b="B\n")}, {**BASE, **states(b="B\n", c="C\n")}]
    base, one, two = committed(git, repo, BASE, *steps)
    onto = committed(git, repo, BASE, {**BASE, **states(b="B\n", a=LONG + "end\n")})[1]
    head = rebase(repo, onto, [one, two], CY)
    assert isinstance(head, str)
    row = repo.graph.rows([head])[0]
    assert (row.parents, row.author_email, row.author_zone, row.committer_name, row.committed_at) == (
        onto,
        "ann@x.example",
        90,
        "Cy",
        CY.at,
    )
    git.give(repo)
    assert set(git("diff", "--name-only", onto, head).split()) == {b"c"}
    assert not {b"error", b"warning"} & set(git.run("fsck", "--strict", "--no-dangling").stderr.split())
    stop = committed(git, repo, BASE, {**BASE, **states(c="other\n")})[1]
    stopped = rebase(repo, stop, [one, two], CY)
    assert (
        isinstance(stopped, RebaseStopped)
        and stopped.commit == two
        and [found.path for found in stopped.conflicts] == ["c"]
    )
    assert rebase(repo, base, [], CY) == base


@pytest.mark.parametrize("seed", range(3))
def test_histories_that_crossed_are_merged_over_all_their_bases(git: Git, repo: Repo, seed: int) -> None:
    """Two branches that merge each other again and again, over one small file, so that the bases conflict themselves."""
    grower = Grower(Random(seed + 500), files=1, lines=12, most=1)
    path = next(iter(grower.commits[0]))
    tips, listed = [0, 0], []
    for step in range(18):
        tips = [
            grower.commit([tip], {path: ("100644", edited(grower.rng, grower.commits[tip][path][1], 1))})
            for tip in tips
        ]
        listed.append(tuple(tips))
        if step % 2:
            kept = [grower.commits[tip] for tip in tips]
            tips = [grower.commit([tips[side], tips[1 - side]], kept[grower.rng.randrange(2)]) for side in (0, 1)]
    git("fast-import", "--quiet", "--date-format=raw", given=grower.stream)
    git.take(repo)
    crossed = 0
    for a, b in (git.lines("rev-parse", f"c{a}", f"c{b}") for a, b in listed):
        tree, paths, said = merged(git, a, b)
        assert (merge_commits(repo, a, b).tree or "") == ("" if paths else tree), (a, b, said)
        crossed += len(merge_bases(repo, a, b)) > 1
    assert crossed > 5
