"""Forbidden names in git: paths that reach outside a working tree or into `.git`, and invalid refs."""

import re
from collections.abc import Collection

MAX_PATH, MAX_PART, MAX_REF = 4096, 255, 255
MAX_DEPTH = (
    100  # folders in each other; twice what docs.github.com/.../repository-limits advises, git itself takes 2048
)
# what HFS+ leaves out when it compares names
_IGNORED = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
_NTFS_GIT = re.compile(rb"(?:\.git|git~1)[. ]*(?:[\\/:].*)?", re.I | re.S)
_NTFS_MODULES = re.compile(
    rb"(?:\.gitmodules|gitmod~[1-4]|gi7eba~[1-9]|gi7eb~[1-9]\d|gi7e~[1-9]\d\d|gi7~[1-9]\d{3}|gi~[1-9]\d{4}|g~[1-9]\d{5}|~[1-9]\d{6})[."
    rb" ]*(?::.*)?",
    re.I | re.S,
)
_BAD_IN_REF = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|/\.|\.lock(?:/|$)|\.$|/$")
_SHA = re.compile(r"[0-9a-fA-F]{40}|[0-9a-fA-F]{64}")


def check_path(path: str) -> str | None:
    """Return the reason why a file path is not allowed; None if it is."""
    if not path:
        return "path cannot be empty"
    if path.startswith("/"):
        return "path cannot start with a slash"
    data = path.encode("utf-8", "surrogateescape")
    parts = data.split(b"/")
    if len(data) > MAX_PATH or len(parts) > MAX_DEPTH or any(len(part) > MAX_PART for part in parts):
        return "path is too long"
    if b"\0" in data or any(part in (b"", b".", b"..") or inside_git(part) for part in parts):
        return "path contains a malformed path component"
    return None


def inside_git(name: bytes) -> bool:
    """Whether some file system takes a name, or its part after a backslash, for `.git`."""
    return is_dotgit(name) or any(_NTFS_GIT.fullmatch(part) for part in name.split(b"\\"))


def is_dotgit(name: bytes) -> bool:
    """Whether HFS+ or NTFS take a name for `.git`."""
    return _strip_ignored(name) == ".git" or _NTFS_GIT.fullmatch(name) is not None


def is_dotgitmodules(name: bytes) -> bool:
    """Whether some file system takes a name for `.gitmodules`."""
    return _strip_ignored(name) == ".gitmodules" or _NTFS_MODULES.fullmatch(name) is not None


def _strip_ignored(name: bytes) -> str:
    return _IGNORED.sub("", name.decode("utf-8", "surrogateescape")).lower()


def check_ref(name: str) -> str | None:
    """Return the reason why a full ref name is not allowed; None if it is."""
    kind, _, short = name.removeprefix("refs/").partition("/")
    if not well_formed(name) or not name.startswith("refs/") or not short:
        return "is not a valid ref name"
    if len(name.encode("utf-8", "surrogateescape")) > MAX_REF:
        return "is too long"
    if kind in ("heads", "tags") and (short.startswith("-") or (kind == "heads" and short == "HEAD")):
        return "is not a valid ref name"
    if kind == "heads" and _SHA.fullmatch(short):
        return "looks like the name of a commit"
    return None


def well_formed(name: str) -> bool:
    """Whether `git check-ref-format` accepts a name."""
    return "/" in name and not name.startswith(("/", ".")) and _BAD_IN_REF.search(name) is None


def collides(refs: Collection[str], name: str) -> str | None:
    """Find a ref that cannot exist beside `name`: one path would have to be both a folder and a file."""
    parts = name.split("/")
    for count in range(1, len(parts)):
        if "/".join(parts[:count]) in refs:
            return "/".join(parts[:count])
    return min((ref for ref in refs if ref.startswith(name + "/")), default=None)
