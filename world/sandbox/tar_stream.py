"""Files as a stream that is unpacked inside the sandbox; no name of theirs ever touches the host's file system."""

import io
import tarfile
from collections.abc import Collection, Mapping

_MTIME = 1_577_836_800  # 2020-01-01: any fixed moment that zip files can hold
_MAX_NAME, _MAX_PATH, _MAX_DEPTH = 255, 3000, 64


def fault(files: Mapping[str, bytes], disk_bytes: int, most: int) -> str | None:
    """Return why these files cannot be laid out, None if they can."""
    if len(files) > most:
        return f"more than {most} files"
    if sum(len(content) for content in files.values()) > disk_bytes:
        return "the files are larger than the disk"
    refused = [path for path in sorted(files) if not is_clean_path(path)]
    if not refused:
        refused = sorted({folder for path in files for folder in _folders(path)} & files.keys())
    return f"path refused: {refused[0]!a}" if refused else None


def is_clean_path(path: str) -> bool:
    """Whether a path is relative, clean and stays where it is put. Bytes that are not UTF-8 come as surrogate escapes."""
    try:
        raw = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    parts = raw.split(b"/")
    short = len(raw) <= _MAX_PATH and len(parts) <= _MAX_DEPTH and all(len(part) <= _MAX_NAME for part in parts)
    return short and b"\0" not in raw and not any(part in (b"", b".", b"..") for part in parts)


def pack_files(files: Mapping[str, bytes], executable: Collection[str] = ()) -> bytes:
    """Pack files into a tar stream: plain files only, in the order of their names, with one owner and one time."""
    stream = io.BytesIO()
    with tarfile.open(
        fileobj=stream, mode="w", format=tarfile.GNU_FORMAT, encoding="utf-8", errors="surrogateescape"
    ) as tar:
        for path in sorted(files):
            member = tarfile.TarInfo(path)
            member.size, member.mtime = len(files[path]), _MTIME
            member.mode = 0o755 if path in executable else 0o644
            tar.addfile(member, io.BytesIO(files[path]))
    return stream.getvalue()


def _folders(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts))]
