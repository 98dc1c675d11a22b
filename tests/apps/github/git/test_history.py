"""Logs, counts, merge bases and file tables agree with the git command."""

from random import Random

import pytest

from apps.github.git import Repo
from apps.github.git.history import (
    ahead_behind,
    between,
    count,
    is_ancestor,
    last_changes,
    log,
    merge_base,
    merge_bases,
)
from tests.apps.github.git.conftest import Git
from tests.apps.github.git.random_histories import Grower


def grown(git: Git, repo: Repo, seed: int, commits: int = 60) -> tuple[Grower, list[str]]:
    """A random history in git and in rows; its commits' shas by number."""
    grower = Grower(Random(seed))
    grower.grow(commits)
    git("fast-import", "--quiet", "--date-format=raw", given=grower.stream)
    git.take(repo)
    found = dict(
        line.split(" ") for line in git.lines("for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads/")
    )
    return grower, [found[f"c{number}"] for number in range(len(grower.commits))]


def shas(rows: list) -> list[str]:
    return [row.sha1 for row in rows]


@pytest.mark.parametrize("seed", range(3))
def test_history_is_told_as_git_tells_it(git: Git, repo: Repo, seed: int) -> None:
    grower, commits = grown(git, repo, seed)
    rng = Random(seed)
    tips = [commits[tip] for tip in grower.tips]
    assert shas(log(repo, tips)) == git.lines("rev-list", *tips)
    for _ in range(8):
        a, b = rng.sample(commits, 2)
        bases = git.run("merge-base", "--all", a, b).stdout.decode().split()
        assert sorted(merge_bases(repo, a, b)) == sorted(bases)
        assert merge_base(repo, a, b) in (bases or [None])
        behind, ahead = git("rev-list", "--left-right", "--count", f"{a}...{b}").split()
        assert ahead_behind(repo, a, b) == (int(ahead), int(behind))
        assert count(repo, [b], [a]) == int(ahead)
        assert shas(between(repo, a, b)) == git.lines("rev-list", "--reverse", f"{a}..{b}")
        assert is_ancestor(repo, a, b) == (git.run("merge-base", "--is-ancestor", a, b).returncode == 0)


@pytest.mark.parametrize("seed", range(3))
def test_the_log_of_a_file_or_folder_is_gits(git: Git, repo: Repo, seed: int) -> None:
    grower, commits = grown(git, repo, seed + 10)
    paths = sorted({path for files in grower.commits for path in files})
    for path in [*Random(seed).sample(paths, 8), "src", "src/core", "nowhere", "src/core/nowhere"]:
        assert shas(log(repo, [commits[-1]], path=path)) == git.lines("log", "--format=%H", commits[-1], "--", path)


def test_a_log_can_be_cut_by_author_date_and_page(git: Git, repo: Repo) -> None:
    _, commits = grown(git, repo, 20)
    head, listed = commits[-1], git.lines("rev-list", commits[-1])
    assert shas(log(repo, [head], start=5, limit=7)) == listed[5:12]
    assert shas(log(repo, [head], author={"ANN1@x.example"}, limit=4)) == git.lines(
        "rev-list", "--author=ann1@", "-4", head
    )
    row = log(repo, [head], start=20, limit=1)[0]
    assert shas(log(repo, [head], until=row.committed_at)) == git.lines("rev-list", f"--until={row.committed_at}", head)
    assert shas(log(repo, [head], since=row.committed_at)) == git.lines("rev-list", f"--since={row.committed_at}", head)


@pytest.mark.parametrize("seed", range(3))
def test_a_file_table_names_the_last_change_of_each_entry(git: Git, repo: Repo, seed: int) -> None:
    _, commits = grown(git, repo, seed + 30)
    for folder in ("", "src", "src/core"):
        found = last_changes(repo, commits[-1], folder)
        names = git.lines("ls-tree", "-z", "--name-only", f"{commits[-1]}:{folder}")[0].split("\0")[:-1]
        assert sorted(found) == sorted(names)
        for name in names:
            assert [found[name].sha1] == git.lines("rev-list", "-1", commits[-1], "--", f"{folder}/{name}".lstrip("/"))


def test_commits_of_one_second_keep_their_order(git: Git, repo: Repo) -> None:
    rng, grower = Random(50), Grower(Random(50))
    for _ in range(40):
        parents = rng.sample(range(len(grower.commits)), min(len(grower.commits), rng.choice((1, 1, 2, 3))))
        files = dict(grower.commits[parents[0]])
        grower.touch(files)
        grower.commit(parents, files, at=1_700_000_000 + len(grower.commits) // 20)
    git("fast-import", "--quiet", "--date-format=raw", given=grower.stream)
    git.take(repo)
    for head in git.lines("rev-parse", "c40", "c39", "c38"):
        assert shas(log(repo, [head])) == git.lines("rev-list", head)


def test_a_name_that_looks_like_an_entry_is_not_mistaken_for_one(git: Git, repo: Repo) -> None:
    grower = Grower(Random(60), files=1)
    before, after = (
        {"0 100644 a": ("100644", b"1\n"), "a": ("100644", b"2\n")},
        {"0 100644 a": ("100644", b"3\n"), "a": ("100644", b"2\n")},
    )
    grower.commit([grower.commit([0], before)], after)
    git("fast-import", "--quiet", "--date-format=raw", given=grower.stream)
    git.take(repo)
    head = git.lines("rev-parse", "c2")[0]
    for path in ("a", "0 100644 a"):
        assert shas(log(repo, [head], path=path)) == git.lines("log", "--format=%H", head, "--", path)


@pytest.mark.parametrize("seed", range(4))
def test_clocks_that_disagree_change_no_answer(git: Git, repo: Repo, seed: int) -> None:
    rng, grower = Random(40 + seed), Grower(Random(40 + seed))
    tips = [0, 0]
    for _ in range(40):
        at = rng.randrange(2)
        parents = [tips[at], tips[1 - at]] if rng.random() < 0.2 and tips[0] != tips[1] else [tips[at]]
        files = dict(grower.commits[parents[0]])
        grower.touch(files)
        tips[at] = grower.commit(parents, files, at=1_700_000_000 + rng.randrange(10_000))
    git("fast-import", "--quiet", "--date-format=raw", given=grower.stream)
    git.take(repo)
    a, b = git.lines("rev-parse", f"c{tips[0]}", f"c{tips[1]}")
    assert sorted(merge_bases(repo, a, b)) == sorted(git.run("merge-base", "--all", a, b).stdout.decode().split())
    assert count(repo, [a], [b]) == len(set(git.lines("rev-list", a)) - set(git.lines("rev-list", b)))
    found = {name: [row.sha1] for name, row in last_changes(repo, a).items()}
    assert found == {
        name: git.lines("rev-list", "-1", a, "--", name)
        for name in git.lines("-c", "core.quotepath=off", "ls-tree", "--name-only", a)
    }


def test_a_commit_seen_before_its_younger_looking_child_is_asked_again(git: Git, repo: Repo) -> None:
    x, y, z = (("100644", b"%d\n" % n) for n in range(3))
    grower = Grower(Random(70), files=1)
    old = grower.commit([], {"x": x, "y": x}, at=1_700_009_000)
    left = grower.commit([old], {"x": x, "y": y}, at=1_700_009_500)
    right = grower.commit([old], {"x": z, "y": x}, at=1_700_000_100)
    head = grower.commit([left, right], {"x": x, "y": x}, at=1_700_009_900)
    git("fast-import", "--quiet", "--date-format=raw", given=grower.stream)
    git.take(repo)
    shas_of = {number: git.lines("rev-parse", f"c{number}")[0] for number in (old, head)}
    assert {name: row.sha1 for name, row in last_changes(repo, shas_of[head]).items()} == {
        "x": shas_of[old],
        "y": shas_of[old],
    }
