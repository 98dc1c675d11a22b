"""The folder a user's worlds, images, runs and secrets live in: `$FIRM_HOME`, or `.firm` where the command is run."""

import importlib
import os
from hashlib import blake2b
from pathlib import Path
from types import ModuleType
from typing import Any

import apsw

from world.core import discovery
from world.core.access import Tokens
from world.core.rng import process_secret
from world.run.host import Host
from world.store import Base, Store


class Home:
    """Paths, all of them private to the user: folders 0700, files 0600."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = Path(path or os.environ.get("FIRM_HOME") or ".firm").absolute()

    def folder(self, name: str) -> Path:
        """A folder inside, made when missing."""
        made = self.path / name
        made.mkdir(mode=0o700, parents=True, exist_ok=True)
        return made

    @property
    def images(self) -> Path:
        """Sealed images."""
        return self.folder("images")

    @property
    def runs(self) -> Path:
        """Run folders."""
        return self.folder("runs")

    @property
    def control_socket(self) -> Path:
        """Where the control plane listens unless told otherwise."""
        return self.folder("run") / "control.sock"

    @property
    def control_address(self) -> Path:
        """Where a control plane on TCP writes its address while it runs."""
        return self.folder("run") / "control.url"

    def secret(self, name: str) -> str:
        """A secret of this home, made once and kept 0600."""
        path = self.folder("secrets") / name
        if not path.exists():
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(process_secret())
        return path.read_text(encoding="ascii").strip()

    def image(self, size: str = "S", seed: int = 7, **more: Any) -> Path:
        """The sealed company of a size and seed; built when there is none for this version of generator and tables."""
        spec = importlib.import_module("seeds").Spec(size=size, seed=seed, **more)
        index = self.images / f"{spec_key(spec)}.name"
        if index.exists():
            found = self.images / index.read_text(encoding="ascii").strip()
            if found.exists():
                return found
        path: Path = importlib.import_module("seeds.build").build(spec, self.images)
        index.write_text(path.name, encoding="ascii")
        return path

    def by_hash(self, sha256: str) -> Path:
        """An image by its content hash. Raises FileNotFoundError naming it."""
        path = self.images / f"{sha256}.db"
        if not path.exists():
            raise FileNotFoundError(f"no image {sha256[:12]} in {self.images}; build it with `firm seed build`")
        return path


def open_host(
    image: Path, worlds: Path, *, public_url: str = "http://127.0.0.1", secret: str | None = None, pool: int = 16
) -> Host:
    """A host over an image, with every installed app."""
    store = Store(worlds, Base(image), pool=pool)
    return Host(store, discovery.apps(), Tokens(secret or process_secret()), public_url=public_url)


def spec_key(spec: object) -> str:
    """A name for what an image is built from: the spec, the generator, the tables, the SQLite version."""
    digest = blake2b(repr(spec).encode(), digest_size=12)
    digest.update(apsw.sqlite_lib_version().encode())
    for path in sorted(_sources(), key=lambda found: found.as_posix()):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _sources() -> list[Path]:
    here = Path(__file__).parents[1]
    found = [
        here / name for name in ("core/directory.py", "core/journal.py", "core/image_builder.py", "store/image.py")
    ]
    found += _files(importlib.import_module("seeds"), "**/*")
    for package in discovery.app_packages():
        found += _files(package, "models*.py") + _files(package, "app.py") + _files(package, "__init__.py")
    return found


def _files(package: ModuleType, pattern: str) -> list[Path]:
    return [
        path
        for place in package.__path__
        for path in Path(place).glob(pattern)
        if path.is_file() and path.suffix in (".py", ".yaml", ".toml") and "__pycache__" not in path.parts
    ]
