"""Differences are those of the git command, to the byte."""

from random import Random

import pytest

from apps.github.git import Repo
from apps.github.git.diff import file_diff, hunks, render_diff
from apps.github.git.patches import mbox
from apps.github.git.tree_diff import list_changes
from tests.apps.github.git.conftest import Git
from tests.apps.github.git.random_histories import edited, text
from tests.apps.github.git.test_history import grown


def told(git: Git, a: str, b: str) -> bytes:
    return git("-c", "core.abbrev=7", "diff", "-M", a, b)


@pytest.mark.parametrize("seed", range(4))
def test_differences_of_trees_are_gits_to_the_byte(git: Git, repo: Repo, seed: int) -> None:
    _, commits = grown(git, repo, seed + 100, 30)
    rng, pairs, equal = Random(seed), 12, 0
    for _ in range(pairs):
        a, b = rng.sample(commits, 2)
        found = render_diff(repo, repo.tree_of(a), repo.tree_of(b))
        equal += found == told(git, a, b)
        git("read-tree", a)
        git("apply", "--cached", "--allow-empty", given=found)
        assert git("write-tree").decode().strip() == repo.tree_of(b)
    print(f"equal: {equal} of {pairs}")
    assert equal >= pairs - 1  # scores of renames without a last newline are those of newer gits


ODD = {
    "plain.txt": ("100644", b"one\ntwo\n"),
    "empty": ("100644", b""),
    "picture.png": ("100644", b"\x89PNG\0\1\2"),
    "with space": ("100644", b"a\nb\n"),
    "caf\u00e9.txt": ("100644", b"1\n"),
    "link": ("120000", b"plain.txt"),
    "run.sh": ("100644", b"#!/bin/sh\n"),
    "src/deep/one.py": ("100644", b"".join(b"line %d\n" % n for n in range(40))),
    "no newline": ("100644", b"x\ny"),
    "module": ("160000", b"1" * 40),
    "other module": ("160000", b"1" * 40),
}
ODDER = {
    "plain.txt": ("100644", b"one\r\ntwo\n"),
    "also empty": ("100644", b""),
    "picture.png": ("100644", b"\x89PNG\0\1\2\3"),
    "with space": ("100755", b"a\nc\n"),
    "caf\u00e9.txt": ("100644", b"1\n2\n"),
    "link": ("100644", b"plain.txt"),
    "run.sh": ("100755", b"#!/bin/sh\n"),
    "src/shallow/one.py": ("100644", b"".join(b"line %d\n" % n for n in range(41))),
    "no newline": ("100644", b"x\ny\n"),
    "module": ("160000", b"2" * 40),
    'tab\tand "quote"': ("100644", b"x\n"),
}


def committed(git: Git, repo: Repo, *states: dict[str, tuple[str, bytes]], message: str = "A change") -> list[str]:
    """Commits, one after the other, that hold just these files."""
    made: list[str] = []
    for number, files in enumerate(states):
        listed = [
            (
                mode,
                path,
                data.decode() if mode == "160000" else git("hash-object", "-w", "--stdin", given=data).decode().strip(),
            )
            for path, (mode, data) in files.items()
        ]
        git("read-tree", "--empty")
        git(
            "update-index",
            "--add",
            "-z",
            "--index-info",
            given="".join(f"{mode} {sha}\t{path}\0" for mode, path, sha in listed).encode(),
        )
        tree, at = git("write-tree").decode().strip(), f"{1_700_000_000 + 60 * number} +0130"
        parent = ["-p", made[-1]] if made else []
        sha = git("commit-tree", *parent, tree, given=message.encode(), GIT_AUTHOR_DATE=at, GIT_COMMITTER_DATE=at)
        made.append(sha.decode().strip())
    git.take(repo)
    return made


def test_odd_files_are_told_as_git_tells_them(git: Git, repo: Repo) -> None:
    a, b = committed(git, repo, ODD, ODDER)
    assert render_diff(repo, repo.tree_of(a), repo.tree_of(b)) == told(git, a, b)
    assert render_diff(repo, repo.tree_of(b), repo.tree_of(a)) == told(git, b, a)
    empty = git("mktree", given=b"").decode().strip()
    assert render_diff(repo, None, repo.tree_of(b)) == told(git, empty, b)


def test_statuses_are_those_of_the_vendor(git: Git, repo: Repo) -> None:
    a, b = committed(git, repo, ODD, ODDER)
    found = {change.path: change for change in list_changes(repo, repo.tree_of(a), repo.tree_of(b))}
    assert {path: change.status for path, change in found.items()} == {
        "plain.txt": "modified",
        "also empty": "renamed",
        "picture.png": "modified",
        "with space": "modified",
        "caf\u00e9.txt": "modified",
        "module": "modified",
        "other module": "removed",
        "link": "changed",
        "run.sh": "changed",
        "src/shallow/one.py": "renamed",
        "no newline": "modified",
        'tab\tand "quote"': "added",
    }
    assert found["src/shallow/one.py"].old_path == "src/deep/one.py"
    diff = file_diff(repo, found["src/shallow/one.py"])
    assert (diff.additions, diff.deletions) == (1, 0)
    assert diff.patch == "@@ -38,3 +38,4 @@ line 36\n line 37\n line 38\n line 39\n+line 40"
    assert file_diff(repo, found["no newline"]).patch == "@@ -1,2 +1,2 @@\n x\n-y\n\\ No newline at end of file\n+y"
    assert file_diff(repo, found["picture.png"]).patch is None
    assert file_diff(repo, found["run.sh"]).patch is None
    assert {
        one.path
        for one in list_changes(repo, repo.tree_of(a), repo.tree_of(b), renames=False)
        if one.status == "removed"
    } == {
        "empty",
        "src/deep/one.py",
        "other module",
    }


def test_hunks_number_their_lines() -> None:
    old = "".join(f"def f{n}():\n    return {n}\n" for n in range(12)).encode()
    new = old.replace(b"return 6", b"return six") + b"end"
    first, second = hunks(old, new)
    assert first.header == "@@ -11,7 +11,7 @@ def f4():"
    assert [(line.kind, line.old_no, line.new_no) for line in first.lines][3:5] == [("-", 14, None), ("+", None, 14)]
    assert first.lines[3].text == "    return 6"
    assert [(line.kind, line.text) for line in second.lines][-2:] == [
        ("+", "end"),
        ("\\", " No newline at end of file"),
    ]
    assert second.header == "@@ -22,3 +22,4 @@ def f10():"


@pytest.mark.parametrize("size", [1500, 6000])
def test_very_different_large_files_still_turn_into_each_other(size: int) -> None:
    rng = Random(7)
    old, new = text(rng, size), text(rng, size)
    lines, at, out = old.split(b"\n"), 0, []
    for hunk in hunks(old, new, 0):
        out += lines[at : hunk.old_start - (hunk.old_lines > 0)]
        out += [line.text.encode() for line in hunk.lines if line.kind == "+"]
        at = hunk.old_start - (hunk.old_lines > 0) + hunk.old_lines
    assert out + lines[at:] == new.split(b"\n")


@pytest.mark.parametrize("seed", range(2))
def test_patches_by_mail_are_gits(git: Git, repo: Repo, seed: int) -> None:
    _, commits = grown(git, repo, seed + 200, 30)
    for head in commits[5::8]:
        listed = git.lines("rev-list", "--reverse", "--no-merges", "-4", head)
        want = git("-c", "core.abbrev=7", "format-patch", "--stdout", "--no-signature", "-M", "-4", head)
        assert mbox(repo, listed) == want


TITLES = (
    "A change",
    (
        "A title that is much longer than the seventy-eight columns that a line of a header may have at"
        " most\n\nBody\n\nmore  \n"
    ),
    "\u00dcber den Wolken mu\u00df die Freiheit wohl grenzenlos sein, und das in einer langen Zeile\n\nGr\u00fc\u00dfe",
    "Two\nlines of title\n\n\nbody\n\n",
)


@pytest.mark.parametrize("message", TITLES)
def test_a_mailed_patch_has_the_headers_git_gives_it(git: Git, repo: Repo, message: str) -> None:
    _, b = committed(git, repo, ODD, ODDER, message=message)
    assert mbox(repo, [b]) == git("-c", "core.abbrev=7", "format-patch", "--stdout", "--no-signature", "-M", "-1", b)


def test_texts_of_all_sizes_are_compared_as_git_compares_them(git: Git, repo: Repo) -> None:
    rng = Random(11)
    old = {f"f{n:02}": ("100644", text(rng, rng.choice((3, 30, 100, 250)))) for n in range(60)}
    new = {path: ("100644", edited(rng, data, rng.choice((1, 5, 25, 90)))) for path, (_, data) in old.items()}
    for path in ("f05", "f15", "f25"):
        new[path] = ("100644", text(rng, 200))
    for path in ("f35", "f45"):  # frequent lines among lines the other side has not
        for side, files in enumerate((old, new)):
            kinds = [rng.choices(("own", "blank", "both"), (12, 7, 1))[0] for _ in range(200)]
            both = iter(range(200))
            lines = [
                {"own": f"{side} {n}\n", "blank": "\n"}.get(kind) or f"both {next(both)}\n"
                for n, kind in enumerate(kinds)
            ]
            files[path] = ("100644", "".join(lines).encode())
    a, b = committed(git, repo, old, new)
    found, wanted = (
        render_diff(repo, repo.tree_of(a), repo.tree_of(b)).split(b"diff --git "),
        told(git, a, b).split(b"diff --git "),
    )
    assert [one for one in found if one not in wanted] == []


def test_of_files_as_much_alike_the_one_of_the_same_name_was_renamed(git: Git, repo: Repo) -> None:
    lines = [f"a line number {n}\n" for n in range(10)]
    old = {path: ("100644", "".join(lines).encode()) for path in ("d1/x", "d2/y", "d3/y")}
    new = {"e/y": ("100644", "".join([*lines[:6], *(line.upper() for line in lines[6:])]).encode())}
    a, b = committed(git, repo, old, new)
    assert render_diff(repo, repo.tree_of(a), repo.tree_of(b)) == told(git, a, b)
    assert [
        one.old_path for one in list_changes(repo, repo.tree_of(a), repo.tree_of(b)) if one.status == "renamed"
    ] == ["d2/y"]


def test_the_table_of_a_mailed_patch_shows_small_changes_beside_large_ones(git: Git, repo: Repo) -> None:
    old = {
        "a/very/long/folder/" * 4 + "name": ("100644", b"x\n"),
        "small": ("100644", b"1\n2\n"),
        "large": ("100644", b""),
    }
    new = {
        "a/very/long/folder/" * 4 + "name": ("100644", b"y\n"),
        "small": ("100644", b"1\n3\n"),
        "large": ("100644", b"x\n" * 3000),
    }
    _, b = committed(git, repo, old, new)
    assert mbox(repo, [b]) == git("-c", "core.abbrev=7", "format-patch", "--stdout", "--no-signature", "-M", "-1", b)
