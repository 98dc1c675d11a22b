"""Archives written so that equal content has equal bytes: fixed times, ordered names."""

import gzip
import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest a zip can say


def write_zip(path: Path, files: Mapping[str, bytes]) -> None:
    """Write a zip of files by name."""
    with zipfile.ZipFile(path, "w") as opened:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, EPOCH)
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_STORED if len(files[name]) > 1 << 20 else zipfile.ZIP_DEFLATED
            opened.writestr(info, files[name])


def write_tar(path: Path, files: Mapping[str, bytes]) -> None:
    """Write a tar of files by name, compressed with gzip."""
    with path.open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", filename="", mtime=0) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as opened:
            for name in sorted(files):
                info = tarfile.TarInfo(name)
                info.size, info.mode = len(files[name]), 0o644
                opened.addfile(info, io.BytesIO(files[name]))
