"""Static files of the shell and of each app, held in memory and addressed by content, so browsers may keep them."""

from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
    ".png": "image/png",
}
KEEP = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Assets:
    """The files below one folder; `version` changes whenever any of them does."""

    version: str
    files: dict[str, bytes]

    def has(self, name: str) -> bool:
        """Whether the file is there: vendored files may be missing."""
        return name in self.files

    def path(self, name: str) -> str:
        """The address of a file below the folder's mount."""
        return f"/static/{self.version}/{name}"

    def answer(self, request: Request) -> Response:
        """One file, or 404; any version in the path is served, so that an open tab survives an upgrade."""
        name = request.path_params["name"]
        body = self.files.get(name)
        if body is None:
            return Response("Not found", 404, media_type="text/plain")
        headers = {"Cache-Control": KEEP, "X-Content-Type-Options": "nosniff", "Content-Type": TYPES[Path(name).suffix]}
        return Response(body, headers=headers)


@lru_cache(maxsize=32)
def read(folder: Path) -> Assets:
    """All servable files below a folder."""
    found = sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix in TYPES) if folder.is_dir() else []
    files = {p.relative_to(folder).as_posix(): p.read_bytes() for p in found}
    hasher = blake2b(digest_size=6)
    for name, body in files.items():
        hasher.update(name.encode() + b"\0" + body)
    return Assets(hasher.hexdigest(), files)


def shell() -> Assets:
    """The files of the shared shell."""
    return read(Path(__file__).parent / "static")
