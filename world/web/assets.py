"""Static files of the shell and of each app, held in memory and addressed by content, so browsers may keep them."""

from collections.abc import Callable, Iterator
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

    def linked(self, address: Callable[[str], str]) -> Callable[[str], str]:
        """Return a function from a file's name to its address; `address` makes the addresses of the mount."""

        def link(name: str) -> str:
            return address(self.path(name))

        return link

    def answer(self, request: Request) -> Response:
        """One file, or 404; any version in the path is served, so that an open tab survives an upgrade."""
        name = request.path_params["name"]
        body = self.files.get(name)
        if body is None:
            return Response("Not found", 404, media_type="text/plain")
        headers = {"Cache-Control": KEEP, "X-Content-Type-Options": "nosniff", "Content-Type": TYPES[Path(name).suffix]}
        return Response(body, headers=headers)


@lru_cache(maxsize=32)
def read_assets(*folders: Path) -> Assets:
    """All servable files below folders; one of a later folder hides one of the same name before."""
    files = {name: body for folder in folders for name, body in _below(folder)}
    hasher = blake2b(digest_size=6)
    for name, body in files.items():
        hasher.update(name.encode() + b"\0" + body)
    return Assets(hasher.hexdigest(), files)


def _below(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix in TYPES):
        yield path.relative_to(folder).as_posix(), path.read_bytes()


def shell() -> Assets:
    """The files of the shared shell."""
    return read_assets(Path(__file__).parent / "static")
