"""The sealed companies of a home: named by everything they are built from, built when missing."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from errno import EACCES, EROFS
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import apsw
import orjson

from world.core import discovery
from world.run.home import Home
from world.run.imports import ExportCompany, ImportCompany

GROUP = "firmament.images"
APPS = "firmament.apps"
KERNEL = ("core", "store")
IDLE = frozenset({"pages", "rest", "static", "templates", "imports", "inspection"})  # parts that build no company
IGNORED = frozenset({"__pycache__", "coverage.toml"})
Rows = Callable[..., Sequence[tuple[Any, ...]]]  # runs a query with its values over a company


@dataclass(frozen=True, slots=True)
class ImageBuilder:
    """Builder of companies, declared as `builder` by a module of the entry-point group `firmament.images`.

    `spec` takes a size, a seed and more, and its repr names the company; `build` seals it in a folder and returns the
    file. `sources` are the folders the generator and its data lie in. `describe` takes a function that runs a query of a
    company, one of `company`, `person` and `story`, and the name of the latter two; it raises LookupError for an unknown one.
    `import_company` seals a company made of archives of real services, `export_company` writes such archives.
    `check` takes an image and a folder for a report, and returns whether the company is sound, and lines that say why; it
    raises ValueError for a file that holds no company.
    """

    spec: Callable[..., object]
    build: Callable[[Any, Path], Path]
    sources: tuple[Path, ...]
    describe: Callable[[Rows, str, str], object] | None = None
    import_company: ImportCompany | None = None
    export_company: ExportCompany | None = None
    check: Callable[[Path, Path | None], tuple[bool, Sequence[str]]] | None = None


@cache
def get_builder() -> ImageBuilder:
    """The installed image builder. Raises LookupError."""
    for module in discovery.packages(GROUP):
        if isinstance(found := getattr(module, "builder", None), ImageBuilder):
            return found
    raise LookupError(f"no image builder is installed (entry points of {GROUP})")


def get_image(home: Home, size: str = "S", seed: int = 7, **more: object) -> Path:
    """The sealed company of a size and seed; built when the home has none of the same key."""
    builder = get_builder()
    spec = builder.spec(size=size, seed=seed, **more)
    index = home.images / f"{image_key(spec, digest_sources(source_roots(), home.images / 'sources.json'))}.name"
    if index.exists():
        found = home.images / index.read_text(encoding="ascii").strip()
        if found.exists():
            return found
    path = builder.build(spec, home.images)
    index.write_text(path.name, encoding="ascii")
    return path


def adopt_image(home: Home, path: Path) -> Path:
    """Keep a sealed image that lies elsewhere in a home, so that worlds and runs find it by its content; returns it there.

    Raises FileNotFoundError when the facts that were sealed with it do not lie beside it.
    """
    kept = home.images / path.name
    for suffix in (".json", ".db"):
        if not kept.with_suffix(suffix).exists():
            write_whole(kept.with_suffix(suffix), path.with_suffix(suffix).read_bytes())
    return kept


def get_image_by_hash(home: Home, sha256: str) -> Path:
    """An image by its content hash. Raises FileNotFoundError naming it."""
    path = home.images / f"{sha256}.db"
    if not path.exists():
        raise FileNotFoundError(f"no image {sha256[:12]} in {home.images}; build it with `firm seed build`")
    return path


def image_key(spec: object, sources: str) -> str:
    """A name for what an image is built from: the spec, the sources, the SQLite version."""
    digest = blake2b(repr(spec).encode(), digest_size=12)
    digest.update(apsw.sqlite_lib_version().encode())
    digest.update(sources.encode())
    return digest.hexdigest()


@cache
def source_roots() -> tuple[Path, ...]:
    """Return the folders that can change an image: the generator, the apps, the kernel's core and store."""
    kernel = Path(__file__).parents[1]
    return (*get_builder().sources, *(kernel / name for name in KERNEL), *list_roots(APPS))


def list_roots(group: str) -> tuple[Path, ...]:
    """Return the folders, or single files, of the packages of an entry-point group."""
    roots: list[Path] = []
    for module in discovery.packages(group):
        folders = getattr(module, "__path__", None)  # a namespace package has folders and no file
        roots += [Path(str(module.__file__))] if folders is None else [Path(folder) for folder in folders]
    return tuple(roots)


def list_sources(root: Path, idle: frozenset[str] = IDLE) -> Iterator[tuple[str, str]]:
    """The files below a root that can change an image, or what has other idle parts, by their name below it, in order."""
    if root.is_file():
        yield root.name, str(root)
        return
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in IGNORED | idle)
        below = folder[len(str(root)) + 1 :]
        for name in sorted(names):
            if name not in IGNORED and name.partition(".")[0] not in idle:
                yield f"{below}/{name}", f"{folder}/{name}"


def digest_sources(roots: Iterable[Path], kept: Path | None = None, idle: frozenset[str] = IDLE) -> str:
    """A digest of the content of every source; those with a name in `idle` are none.

    With a file to keep it in, files are read only when the name, size or modification time of one has changed.
    """
    files = [(f"{root.name}/{name}", path) for root in roots for name, path in list_sources(root, idle)]
    if kept is None:
        return _digest_content(files)
    signature = _digest_stats(files)
    known: dict[str, str] = orjson.loads(kept.read_bytes()) if kept.exists() else {}
    if known.get("signature") != signature:
        known = {"signature": signature, "digest": _digest_content(files)}
        remember(kept, orjson.dumps(known))
    return str(known["digest"])


def _digest_content(files: Iterable[tuple[str, str]]) -> str:
    digest = blake2b(digest_size=16)
    for name, path in files:
        data = Path(path).read_bytes()
        digest.update(f"{name}\0{len(data)}\0".encode() + data)
    return digest.hexdigest()


def _digest_stats(files: Iterable[tuple[str, str]]) -> str:
    digest = blake2b(digest_size=16)
    for _, path in files:
        at = os.stat(path)
        digest.update(f"{path}\0{at.st_size}\0{at.st_mtime_ns}\0".encode())
    return digest.hexdigest()


def remember(path: Path, data: bytes) -> None:
    """Write what saves time later; a home on a disk that takes no files does without."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, data)
    except OSError as error:
        if error.errno not in (EACCES, EROFS):
            raise


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that other processes read meanwhile: they see the old content or the new."""
    part = path.with_suffix(f".{os.getpid()}")
    part.write_bytes(data)
    part.replace(path)
