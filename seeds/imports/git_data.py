"""Git data of an imported repository: what its branches, tags and pull requests reach, read without running git.

A repository that lends objects from another one, or lacks some, is refused. Rewritten commits get new times and names,
and so new SHAs.
"""

import re
import stat
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dulwich.errors import NotGitRepository, ObjectFormatException
from dulwich.object_store import DiskObjectStore
from dulwich.objects import Blob, Commit, ObjectID, ShaFile, Tag, Tree

from seeds.imports.archive import MAX_TOTAL
from world.run.imports import ImportRefused

SHA = re.compile(r"[0-9a-f]{40}")
PERSON = re.compile(rb"^(.*?)<([^<>]*)>")
KEPT = ("refs/heads/", "refs/tags/", "refs/pull/")
DAMAGE = (KeyError, OSError, ValueError, AssertionError, zlib.error, ObjectFormatException, NotGitRepository)
SUBMODULE = 0o160000


@dataclass(slots=True)
class GitData:
    """Refs by full name, and objects as (kind, content) by SHA, children before what names them."""

    refs: dict[str, str] = field(default_factory=dict)
    objects: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    head: str = "main"


def is_git_folder(folder: Path) -> bool:
    """Whether a folder is a repository, bare or not."""
    return any((place / "HEAD").is_file() and (place / "objects").is_dir() for place in (folder, folder / ".git"))


def read_git_folder(folder: Path, label: str) -> GitData:
    """The data of a repository. Raises ImportRefused."""
    place = folder / ".git" if (folder / ".git" / "HEAD").is_file() else folder
    if (place / "objects" / "info" / "alternates").exists():
        raise ImportRefused(label, "objects/info/alternates", "it lends objects from another repository")
    data = GitData(_read_refs(place, label), head=_read_head(place))
    try:
        store = DiskObjectStore(str(place / "objects"))
        _collect(store, data, label)
        store.close()
    except DAMAGE as error:
        raise ImportRefused(label, "", f"no sound repository: {error}") from error
    return data


def _read_head(place: Path) -> str:
    text = (place / "HEAD").read_text(encoding="utf-8", errors="replace").strip()
    return text.removeprefix("ref: refs/heads/") if text.startswith("ref: refs/heads/") else "main"


def _read_refs(place: Path, label: str) -> dict[str, str]:
    found: dict[str, str] = {}
    packed = place / "packed-refs"
    lines = packed.read_text(encoding="utf-8", errors="replace").splitlines() if packed.is_file() else []
    for line in lines:
        sha, _, name = line.partition(" ")
        if SHA.fullmatch(sha) and name.startswith(KEPT):
            found[name] = sha
    for path in sorted((place / "refs").rglob("*")):
        name = path.relative_to(place).as_posix()
        if path.is_symlink():
            raise ImportRefused(label, name, "a symbolic link")
        if path.is_file() and name.startswith(KEPT):
            text = path.read_text(encoding="ascii", errors="replace").strip()
            if not SHA.fullmatch(text):
                raise ImportRefused(label, name, "no SHA")
            found[name] = text
    return dict(sorted(found.items()))


def _collect(store: DiskObjectStore, data: GitData, label: str) -> None:
    """Read everything that the refs reach, each object once, children first."""
    total = 0
    pending = [(sha, False) for sha in sorted(set(data.refs.values()), reverse=True)]
    while pending:
        sha, is_ready = pending.pop()
        if sha in data.objects:
            continue
        kind, raw = store.get_raw(ObjectID(sha.encode()))
        if is_ready:
            data.objects[sha] = (kind, raw)
            total += len(raw)
            if total > MAX_TOTAL:
                raise ImportRefused(label, sha, "too large a repository")
            continue
        if ShaFile.from_raw_string(kind, raw).id.decode() != sha:
            raise ImportRefused(label, sha, "an object whose content is not what it is named by")
        pending.append((sha, True))
        pending += [(child, False) for child in list_children(kind, raw) if child not in data.objects]


def list_children(kind: int, raw: bytes) -> list[str]:
    """SHAs that an object names, submodules aside."""
    one = ShaFile.from_raw_string(kind, raw)
    if isinstance(one, Commit):
        return [one.tree.decode(), *(parent.decode() for parent in one.parents)]
    if isinstance(one, Tree):
        return [entry.sha.decode() for entry in one.iteritems() if entry.mode != SUBMODULE and entry.sha]
    return [one.object[1].decode()] if isinstance(one, Tag) else []


def read_root_files(data: GitData, branch: str) -> dict[str, bytes]:
    """The files at the root of a branch's head by name; none without the branch."""
    head = data.refs.get(f"refs/heads/{branch}")
    if head is None:
        return {}
    tree = ShaFile.from_raw_string(*data.objects[list_children(*data.objects[head])[0]])
    assert isinstance(tree, Tree)
    found = {
        (entry.path or b"").decode("utf-8", "replace"): data.objects[entry.sha.decode()]
        for entry in tree.iteritems()
        if entry.mode != SUBMODULE and entry.sha
    }
    return {name: raw for name, (kind, raw) in found.items() if kind == Blob.type_num}


def list_authors(data: GitData) -> Iterator[tuple[str, str, int]]:
    """Name, address and time (us) of each commit's author."""
    for kind, raw in data.objects.values():
        if kind == Commit.type_num:
            one = ShaFile.from_raw_string(kind, raw)
            assert isinstance(one, Commit)
            found = PERSON.match(one.author)
            name, address = found.groups() if found else (one.author, b"")
            yield (
                name.decode("utf-8", "replace").strip(),
                address.decode("utf-8", "replace").lower(),
                one.author_time * 1_000_000,
            )


@dataclass(frozen=True, slots=True)
class Rewrite:
    """How a repository is rewritten: seconds to add, and replacements of texts and of `Ann <ann@x>` (None: none)."""

    seconds: int
    text: Callable[[str], str] | None = None
    person: Callable[[bytes], bytes] | None = None


def rewrite_git(data: GitData, how: Rewrite) -> tuple[GitData, dict[str, str]]:
    """The repository with other times and names, and its new SHAs by the old ones."""
    new, shas = GitData(head=data.head), dict[str, str]()
    for sha, (kind, raw) in data.objects.items():
        one = ShaFile.from_raw_string(kind, raw)
        changed = _rewrite_object(one, shas, how)
        shas[sha] = changed.id.decode()
        new.objects[shas[sha]] = (kind, changed.as_raw_string())
    new.refs = {name: shas[target] for name, target in data.refs.items()}
    return new, shas


def _rewrite_object(one: ShaFile, shas: dict[str, str], how: Rewrite) -> ShaFile:
    if isinstance(one, Blob):
        return _rewrite_blob(one, how)
    if isinstance(one, Tree):
        made = Tree()
        for entry in one.iteritems():
            child = (entry.sha or b"").decode()
            made.add(entry.path or b"", entry.mode or stat.S_IFREG, shas.get(child, child).encode())  # type: ignore[arg-type]
        return made
    if isinstance(one, Commit):
        return _rewrite_commit(one, shas, how)
    assert isinstance(one, Tag)
    tag = Tag()
    kind, target = one.object
    tag.object = (kind, shas[target.decode()].encode())  # type: ignore[assignment]
    tag.name, tag.message = one.name, _change(one.message or b"", how)
    if one.tagger is not None:
        tag.tagger = how.person(one.tagger) if how.person else one.tagger
        tag.tag_time, tag.tag_timezone = max((one.tag_time or 0) + how.seconds, 0), one.tag_timezone or 0
    return tag


def _rewrite_blob(one: Blob, how: Rewrite) -> Blob:
    """A file; one that is no text stays out of a repository under pseudonyms."""
    if how.text is None:
        return one
    try:
        return Blob.from_string(how.text(one.data.decode("utf-8")).encode())
    except UnicodeDecodeError:
        return Blob.from_string(b"")


def _rewrite_commit(one: Commit, shas: dict[str, str], how: Rewrite) -> Commit:
    made = Commit()
    made.tree = shas[one.tree.decode()].encode()  # type: ignore[assignment]
    made.parents = [shas[parent.decode()].encode() for parent in one.parents]  # type: ignore[misc]
    made.author = how.person(one.author) if how.person else one.author
    made.committer = how.person(one.committer) if how.person else one.committer
    made.author_time, made.author_timezone = max(one.author_time + how.seconds, 0), one.author_timezone
    made.commit_time, made.commit_timezone = max(one.commit_time + how.seconds, 0), one.commit_timezone
    made.message = _change(one.message, how)
    return made


def _change(message: bytes, how: Rewrite) -> bytes:
    return message if how.text is None else how.text(message.decode("utf-8", "replace")).encode()


def write_git_files(data: GitData, folder: str) -> dict[str, bytes]:
    """The files of a bare repository, each object loose, by their names below a folder."""
    names = {1: b"commit", 2: b"tree", 3: b"blob", 4: b"tag"}
    files = {
        f"{folder}/HEAD": f"ref: refs/heads/{data.head}\n".encode(),
        f"{folder}/config": b"[core]\n\trepositoryformatversion = 0\n\tbare = true\n",
        f"{folder}/packed-refs": "".join(f"{sha} {name}\n" for name, sha in sorted(data.refs.items())).encode(),
    }
    for sha, (kind, raw) in data.objects.items():
        content = names[kind] + b" " + str(len(raw)).encode() + b"\0" + raw
        files[f"{folder}/objects/{sha[:2]}/{sha[2:]}"] = zlib.compress(content)
    return files
