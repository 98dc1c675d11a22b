"""The folder a user's worlds, images, runs and secrets live in: `$FIRM_HOME`, or `.firm` where the command is run."""

import os
from pathlib import Path

from world.core.rng import process_secret


class Home:
    """Paths, all of them private to the user: folders 0700, files 0600."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = Path(path or os.environ.get("FIRM_HOME") or ".firm").absolute()

    def folder(self, name: str) -> Path:
        """A folder inside, made when missing."""
        made = self.path / name
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
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
        """Path of the control plane's socket unless another is chosen."""
        return self.folder("run") / "control.sock"

    @property
    def control_address(self) -> Path:
        """Path of the file to which a control plane on TCP writes its address while it runs."""
        return self.folder("run") / "control.url"

    def secret(self, name: str) -> str:
        """A secret of this home, made once and kept 0600."""
        path = self.folder("secrets") / name
        if not path.exists():
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(process_secret())
        return path.read_text(encoding="ascii").strip()
