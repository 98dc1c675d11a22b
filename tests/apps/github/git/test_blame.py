"""Every line is traced to the commit git blames, through edits, merges and renames."""

import pytest

from apps.github.git import Repo
from apps.github.git.blame import blame
from tests.apps.github.git.conftest import Git
from tests.apps.github.git.test_diff import committed
from tests.apps.github.git.test_history import grown


def blamed(git: Git, commit: str, path: str) -> list[tuple[str, str]]:
    """Commit and original path of each line, as git has them."""
    found, names = [], {}
    for line in git("blame", "--porcelain", commit, "--", path).decode("utf-8", "surrogateescape").split("\n"):
        words = line.split(" ")
        if len(words[0]) == 40 and len(words) > 2 and not line.startswith("\t"):
            sha = words[0]
        elif line.startswith("filename "):
            names[sha] = line[9:].strip('"')
        elif line.startswith("\t"):
            found.append((sha, names[sha]))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_lines_are_traced_as_git_traces_them(git: Git, repo: Repo, seed: int) -> None:
    grower, commits = grown(git, repo, seed + 400, 50)
    lines = same = 0
    for path, (_, data) in sorted(grower.commits[-1].items())[:5]:
        spans = blame(repo, commits[-1], path)
        assert [span.first_line for span in spans[1:]] == [span.last_line + 1 for span in spans[:-1]]
        found = [(span.commit.sha1, span.path) for span in spans for _ in range(span.first_line, span.last_line + 1)]
        wanted = blamed(git, commits[-1], path)
        assert len(found) == len(wanted) == data.count(b"\n") + (not data.endswith(b"\n") and data != b"")
        lines, same = lines + len(wanted), same + sum(a == b for a, b in zip(found, wanted, strict=True))
    print(f"equal: {same} of {lines} lines")
    assert same >= 0.98 * lines


def test_blame_follows_a_rename_with_an_edit(git: Git, repo: Repo) -> None:
    text = "".join(f"line {n}\n" for n in range(10))
    old = {"old.txt": ("100644", text.encode())}
    new = {"src/new.txt": ("100644", text.replace("line 4", "line four").encode())}
    a, b = committed(git, repo, old, new)
    spans = [(span.first_line, span.last_line, span.commit.sha1, span.path) for span in blame(repo, b, "src/new.txt")]
    assert spans == [(1, 4, a, "old.txt"), (5, 5, b, "src/new.txt"), (6, 10, a, "old.txt")]


def test_there_is_nothing_to_blame_where_there_is_no_file(git: Git, repo: Repo) -> None:
    (a,) = committed(git, repo, {"src/x": ("100644", b"")})
    assert blame(repo, a, "src/x") == []
    for path in ("nowhere", "src", "src/x/y"):
        with pytest.raises(KeyError):
            blame(repo, a, path)


def test_lines_apart_for_a_while_are_traced_together_again(git: Git, repo: Repo) -> None:
    texts = ("a\nb\nc\nold\n", "a\nb\nc\nnew\n", "a\nb\nbetween\nc\nnew\n", "a\nb\nc\nnew\n", "first\na\nb\nc\nnew\n")
    made = committed(git, repo, *({"x": ("100644", text.encode())} for text in texts))
    spans = [(span.first_line, span.last_line, span.commit.sha1) for span in blame(repo, made[-1], "x")]
    assert spans == [(1, 1, made[4]), (2, 4, made[0]), (5, 5, made[1])]
