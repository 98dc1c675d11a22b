"""A tree as a tar or zip archive: the same bytes for the same commit."""

import gzip
import io
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime

from apps.github.domain.revisions import to_displayable
from apps.github.git import Entry, Repo
from apps.github.git.repo import EXECUTABLE, LINK, MODULE

EARLIEST = 315_532_800  # 1980, where zip's calendar begins
LATEST = 4_354_819_199  # 2107, where it ends


def tar_gz(git: Repo, commit: str, folder: str) -> bytes:
    """Build a gzipped tar of a commit's files below a folder."""
    at, out = _time(git, commit), io.BytesIO()
    packed = gzip.GzipFile(filename="", mode="wb", fileobj=out, mtime=0)
    with (
        packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT, pax_headers={"comment": commit}) as archive,
    ):
        for entry in _files(git, commit):
            info = tarfile.TarInfo(f"{folder}/{entry.path}".rstrip("/"))
            info.mtime, info.uname, info.gname = at, "root", "root"
            data = _into(info, git, entry)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def _into(info: tarfile.TarInfo, git: Repo, entry: Entry) -> bytes:
    """Fill in the metadata of an entry; return the bytes that follow."""
    if entry.kind != "blob":
        info.type, info.mode = tarfile.DIRTYPE, 0o775
        return b""
    data = git.blob(entry.sha)
    if entry.mode == LINK:
        info.type, info.mode, info.linkname = tarfile.SYMTYPE, 0o777, data.decode("utf-8", "surrogateescape")
        return b""
    info.size, info.mode = len(data), 0o775 if entry.mode == EXECUTABLE else 0o664
    return data


def build_zip(git: Repo, commit: str, folder: str) -> bytes:
    """Build a zip of a commit's files below a folder."""
    out = io.BytesIO()
    at = datetime.fromtimestamp(min(max(_time(git, commit), EARLIEST), LATEST), UTC).timetuple()[:6]
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = commit.encode()
        for entry in _files(git, commit):
            folderish = entry.kind != "blob"
            info = zipfile.ZipInfo(
                to_displayable(f"{folder}/{entry.path}".rstrip("/")) + ("/" if folderish else ""), at
            )
            mode = stat.S_IFDIR | 0o755 if folderish else entry.mode
            info.create_system, info.external_attr = 3, mode << 16
            info.compress_type = zipfile.ZIP_STORED if folderish else zipfile.ZIP_DEFLATED
            archive.writestr(info, b"" if folderish else git.blob(entry.sha))
    return out.getvalue()


def _files(git: Repo, commit: str) -> Iterator[Entry]:
    """Yield the root, then everything below it; a submodule is an empty folder."""
    tree = git.tree_of(commit)
    yield Entry("", MODULE, tree)
    yield from git.walk(tree, folders=True)


def _time(git: Repo, commit: str) -> int:
    return max(git.graph.node(commit).at, 0)
