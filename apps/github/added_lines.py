"""The lines that the commits of a branch or tag add to files, read from git objects of the run and of the sealed company."""

import zlib
from collections.abc import Iterator, Mapping, Sequence

from apps.github.git.path_history import MODES, TREE_MODE, Found, parse_tree
from apps.github.git.store import TAG
from world.core.audience import Cells
from world.core.conduct import AddedLines
from world.core.reading.file import from_file
from world.core.reading.part import Lookup

MAX_COMMITS = 500  # of one branch whose files are read
MAX_FILES, MAX_LETTERS = 1_000, 300_000  # of all new lines that are read, the latest commits first
MAX_OBJECT = 2_000_000  # bytes of an object
OBJECTS = "github_object"
_MODULE = b"160000"


def list_new_commits(ref: Cells, lookup: Lookup, most: int) -> Iterator[Cells]:
    """List the commits of a branch that were not there when the run began, newest first; `most` bounds them."""
    ahead, known = [_read_tag(ref, lookup)[0] or str(ref["target"])], set[str]()
    while ahead and len(known) < most:
        sha = ahead.pop(0)
        if sha in known or _is_old(ref["repo_id"], sha, lookup):
            continue
        known.add(sha)
        commit = lookup.row("github_commit", ref["repo_id"], sha)
        if commit is not None:
            yield commit
            ahead += str(commit["parents"]).split()


def list_added_lines(ref: Cells, lookup: Lookup) -> Iterator[AddedLines]:
    """List the lines each new commit adds to files, compared with all its parents, and the message of a new tag."""
    files, letters, said = MAX_FILES, MAX_LETTERS, _read_tag(ref, lookup)[1]
    if said:
        yield AddedLines(OBJECTS, (ref["repo_id"], str(ref["target"])), "", said)
    for commit in list_new_commits(ref, lookup, MAX_COMMITS):
        objects = _Objects(ref["repo_id"], lookup)
        parents = (lookup.row("github_commit", ref["repo_id"], sha) for sha in str(commit["parents"]).split())
        trees = [str(parent["tree"]) for parent in parents if parent is not None]
        for brought in objects.compare("", str(commit["tree"]), trees):
            if files == 0 or letters <= 0:
                return
            files, letters = files - 1, letters - len(brought.text)
            yield brought


def _is_old(repo_id: int, sha: str, lookup: Lookup) -> bool:
    """Whether a commit was there when the run began, in the repository or the one it is a fork of."""
    if lookup.before("github_commit", repo_id, sha) is not None:
        return True
    repo = lookup.row("github_repository", repo_id)
    return repo is not None and repo["fork_of"] is not None and _is_old(repo["fork_of"], sha, lookup)


def _read_tag(ref: Cells, lookup: Lookup) -> tuple[str, str]:
    """Return the target and message of an annotated tag created during the run; ("", "") for other refs."""
    key = (ref["repo_id"], str(ref["target"]))
    row = lookup.row(OBJECTS, *key)
    if row is None or row["kind"] != TAG or lookup.before(OBJECTS, *key) is not None:
        return "", ""
    head, _, said = _inflate(lookup.read_held(OBJECTS, *key)).decode("utf-8", "replace").partition("\n\n")
    return head.partition("\n")[0].removeprefix("object "), said.strip()


class _Objects:
    """The git objects of one repository."""

    def __init__(self, repo_id: int, lookup: Lookup) -> None:
        self._repo_id, self._lookup = repo_id, lookup

    def compare(self, folder: str, tree: str, olds: Sequence[str]) -> Iterator[AddedLines]:
        """Yield the files that a tree adds or changes, compared with the trees `olds`."""
        if tree in olds:
            return
        before = [self._read_tree(old) for old in olds]
        for name, (mode, sha) in self._read_tree(tree).items():
            there = [found for entries in before if (found := entries.get(name)) is not None]
            if any(sha == old for _, old in there) or mode == _MODULE:
                continue
            path = folder + name.decode("utf-8", "replace")
            if mode == TREE_MODE:
                yield from self.compare(f"{path}/", sha, [old for kind, old in there if kind == TREE_MODE])
            else:
                files = [old for kind, old in there if kind in MODES and kind != _MODULE]
                yield self._compare_files(path, sha, files)._replace(is_new=not there)

    def _compare_files(self, path: str, sha: str, olds: Sequence[str]) -> AddedLines:
        known = {line.strip() for old in olds for line in self._read_text(old).splitlines()}
        text = self._read_text(sha)
        lines = [line for line in text.splitlines() if line.strip() not in known] if known else text.splitlines()
        return AddedLines(OBJECTS, (self._repo_id, sha), path, "\n".join(lines))

    def _read_tree(self, sha: str) -> Mapping[bytes, Found]:
        data = self._read(sha)
        return parse_tree(data) if data else {}

    def _read_text(self, sha: str) -> str:
        said = from_file("", "text/plain", self._read(sha))
        return "" if said is None else said.text

    def _read(self, sha: str) -> bytes:
        return _inflate(self._lookup.read_held(OBJECTS, self._repo_id, sha))


def _inflate(data: bytes | None) -> bytes:
    """Decompress an object; return nothing for very long content."""
    if data is None:
        return b""
    content = zlib.decompressobj().decompress(data, MAX_OBJECT + 1)
    return content if len(content) <= MAX_OBJECT else b""
