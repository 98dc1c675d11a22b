"""Git data of one repository, for one call: refs, revisions, trees by path, and new commits."""

import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from dulwich.objects import Commit, ObjectID, Tag, Tree

from apps.github.git.extent import Extents
from apps.github.git.graph import Graph
from apps.github.git.path_history import Places
from apps.github.git.store import BLOB, COMMIT, KINDS, TAG, TREE, RowStore
from world.core.call import Call

ZERO = "0" * 40
SHA = re.compile(r"[0-9a-f]{40}")
SHORT = re.compile(r"[0-9a-f]{4,40}")
FILE, EXECUTABLE, LINK, FOLDER, MODULE = 0o100644, 0o100755, 0o120000, 0o040000, 0o160000
T = TypeVar("T", Commit, Tree, Tag)
MAX_TAGS = 10  # tags that point to tags


@dataclass(frozen=True, slots=True)
class Signature:
    """Author or committer of a commit: name, address, seconds since the epoch, zone in minutes east of UTC."""

    name: str
    email: str
    at: int
    zone: int = 0

    def line(self) -> bytes:
        """Return `Ann <ann@x>`, without characters that would break the line."""
        name = re.sub(r"[<>\n\r\x00]", "", self.name).strip() or "unknown"
        email = re.sub(r"[<>\s\x00]", "", self.email)
        return f"{name} <{email}>".encode()


class Entry(NamedTuple):
    """One entry of a tree; `path` from the repository's root."""

    path: str
    mode: int
    sha: str

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]

    @property
    def kind(self) -> str:
        """blob, tree or commit (a submodule)."""
        return "commit" if self.mode == MODULE else "tree" if stat.S_ISDIR(self.mode) else "blob"


class Repo:
    """The git data of a repository, for one call.

    SHAs and ref names are text; ref names are full (`refs/heads/main`).
    """

    def __init__(self, call: Call, repo_id: int) -> None:
        self.call, self.id = call, repo_id
        self.store = RowStore(call, repo_id)
        self.graph = Graph(call, repo_id)
        self.places = Places(self.store)
        self.extents = Extents()
        self._listed: tuple[str, str] | None = None  # tree and folder that were listed last, and what is there
        self._entries: list[Entry] = []

    # -- refs

    def refs(self, prefix: str = "refs/") -> dict[str, str]:
        """Return refs under a prefix by name, sorted."""
        rows = self.call.all(
            "SELECT name, target FROM github_ref WHERE repo_id = :repo AND name >= :low AND name < :high ORDER BY name",
            {"repo": self.id, "low": prefix, "high": prefix + "\U0010ffff"},
        )
        return {name: target for name, target in rows}

    def ref(self, name: str) -> str | None:
        """Return the target of a ref."""
        return self.call.scalar(
            "SELECT target FROM github_ref WHERE repo_id = :repo AND name = :name", {"repo": self.id, "name": name}
        )

    def branch(self, name: str) -> str | None:
        """Return the head of a branch."""
        return self.ref(f"refs/heads/{name}")

    def set_ref(self, name: str, new: str | None, old: str | None) -> bool:
        """Compare and swap a ref: False, without effect, unless it is `old` (None: absent). `new` None deletes it."""
        if self.ref(name) != old:
            return False
        values = {"repo": self.id, "name": name, "new": new}
        if new is None:
            self.call.execute("DELETE FROM github_ref WHERE repo_id = :repo AND name = :name", values)
        elif old is None:
            self.call.execute("INSERT INTO github_ref(repo_id, name, target) VALUES (:repo, :name, :new)", values)
        else:
            self.call.execute("UPDATE github_ref SET target = :new WHERE repo_id = :repo AND name = :name", values)
        return True

    def resolve(self, revision: str) -> str | None:
        """Resolve a branch, tag, full ref, `heads/x`, SHA or abbreviated SHA to its commit."""
        for name in (f"refs/heads/{revision}", f"refs/tags/{revision}", f"refs/{revision}", revision):
            target = self.ref(name)
            if target is not None:
                return self.peel(target)
        return self.commit_named(revision)

    def commit_named(self, prefix: str) -> str | None:
        """Return the commit with this SHA, or the only one that begins so."""
        if not SHORT.fullmatch(prefix.lower()):
            return None
        rows = self.call.all(
            "SELECT sha1 FROM github_commit WHERE repo_id = :repo AND sha1 >= :low AND sha1 < :high LIMIT 2",
            {"repo": self.id, "low": prefix.lower(), "high": prefix.lower() + "g"},
        )
        return rows[0][0] if len(rows) == 1 else None

    def peel(self, sha: str) -> str | None:
        """Return the commit of an object: itself, or the target of its tags."""
        for _ in range(MAX_TAGS):
            kind = self.kind(sha)
            if kind != "tag":
                return sha if kind == "commit" else None
            sha = self.tag(sha).object[1].decode()
        return None

    # -- objects

    def kind(self, sha: str) -> str | None:
        """Return commit, tree, blob or tag; None for a missing object."""
        try:
            return KINDS[self.store.raw(sha)[0]]
        except KeyError:
            return None

    def commit(self, sha: str) -> Commit:
        """Return a commit object. Raises KeyError."""
        return self._get_typed_object(sha, Commit)

    def tree(self, sha: str) -> Tree:
        """Return a tree object. Raises KeyError."""
        return self._get_typed_object(sha, Tree)

    def tag(self, sha: str) -> Tag:
        """Return a tag object. Raises KeyError."""
        return self._get_typed_object(sha, Tag)

    def blob(self, sha: str) -> bytes:
        """Return the content of a blob. Raises KeyError."""
        kind, raw = self.store.raw(sha)
        if kind != BLOB:
            raise KeyError(sha)
        return raw

    def _get_typed_object(self, sha: str, kind: type[T]) -> T:
        found = self.store[ObjectID(sha.encode())]
        if not isinstance(found, kind):
            raise KeyError(sha)
        return found

    def tree_of(self, commit: str) -> str:
        """Return the tree of a commit."""
        return self.commit(commit).tree.decode()

    # -- paths

    def entries(self, tree: str, folder: str = "") -> list[Entry]:
        """List the entries of one tree object, in git's order; `folder` is put before the names."""
        if (tree, folder) != self._listed:
            start = f"{folder}/" if folder else ""
            self._entries = [
                Entry(start + name.decode("utf-8", "surrogateescape"), mode, sha.decode())
                for name, mode, sha in self.tree(tree).items()
            ]
            self._listed = tree, folder
        return list(self._entries)

    def at(self, tree: str, path: str) -> Entry | None:
        """Return the entry at a path below a tree; the tree itself at ""."""
        found = Entry("", FOLDER, tree)
        for name in [part for part in path.split("/") if part]:
            if found.kind != "tree":
                return None
            try:
                mode, sha = self.tree(found.sha)[name.encode("utf-8", "surrogateescape")]
            except KeyError:
                return None
            found = Entry(f"{found.path}/{name}".lstrip("/"), mode, sha.decode())
        return found

    def walk(self, tree: str, folder: str = "", *, folders: bool = False) -> Iterator[Entry]:
        """Yield every file below a tree, in order; with `folders` also the trees, each before its contents."""
        for entry in self.entries(tree, folder):
            if entry.kind != "tree":
                yield entry
                continue
            if folders:
                yield entry
            yield from self.walk(entry.sha, entry.path, folders=folders)

    # -- writing

    def put_blob(self, data: bytes) -> str:
        """Store a file's content; return its SHA."""
        return self.store.put(BLOB, data)

    def put_tree(self, entries: Mapping[str, tuple[int, str]]) -> str:
        """Store a tree of name -> (mode, SHA); return its SHA."""
        tree = Tree()
        for name, (mode, sha) in entries.items():
            tree.add(name.encode("utf-8", "surrogateescape"), mode, ObjectID(sha.encode()))
        return self.store.put(TREE, tree.as_raw_string())

    def put_changed_tree(self, tree: str | None, changes: Mapping[str, tuple[int, str] | None]) -> str:
        """Store a tree with files set (path -> (mode, sha)) or removed (None), no empty folders; returns its SHA."""
        here = {entry.name: (entry.mode, entry.sha) for entry in self.entries(tree)} if tree else {}
        below: dict[str, dict[str, tuple[int, str] | None]] = {}
        for path, change in changes.items():
            name, _, rest = path.partition("/")
            if rest:
                below.setdefault(name, {})[rest] = change
            elif change is None:
                here.pop(name, None)
            else:
                here[name] = change
        for name, inside in below.items():
            mode, sha = here.get(name, (FOLDER, ""))
            made = self.put_changed_tree(sha if sha and stat.S_ISDIR(mode) else None, inside)
            if self.tree(made).items():
                here[name] = (FOLDER, made)
            else:
                here.pop(name, None)
        return self.put_tree(here)

    def check_tree(self, tree: str) -> None:
        """Check that a tree unfolds within the limits of a repository. Raises TreeTooLarge."""
        self.extents.check([tree], self.store.trees)

    def put_commit(self, tree: str, parents: list[str], message: str, author: Signature, committer: Signature) -> str:
        """Store a commit; return its SHA. Raises TreeTooLarge."""
        self.check_tree(tree)
        lines = [f"tree {tree}".encode(), *(f"parent {parent}".encode() for parent in parents)]
        lines += [_render_signature(b"author", author), _render_signature(b"committer", committer), b""]
        return self.store.put(COMMIT, b"\n".join(lines) + b"\n" + message.encode("utf-8", "surrogateescape"))

    def put_tag(self, name: str, sha: str, kind: str, message: str, tagger: Signature) -> str:
        """Store a tag object; return its SHA."""
        lines = [
            f"object {sha}".encode(),
            f"type {kind}".encode(),
            f"tag {name}".encode(),
            _render_signature(b"tagger", tagger),
            b"",
        ]
        return self.store.put(TAG, b"\n".join(lines) + b"\n" + message.encode("utf-8", "surrogateescape"))


def _render_signature(word: bytes, who: Signature) -> bytes:
    sign, minutes = ("-" if who.zone < 0 else "+"), abs(who.zone)
    return b"%s %s %d %s%02d%02d" % (word, who.line(), who.at, sign.encode(), minutes // 60, minutes % 60)
