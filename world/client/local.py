"""A server of one's own: `firm serve` as a child of this program."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from .errors import ControlError


class LocalServer:
    """A running server. Its worlds are in a folder of its own, gone at the end, unless `home` names a FIRM_HOME."""

    def __init__(self, *, workers: int, company: int, size: str, home: Path | None) -> None:
        self._folder = TemporaryDirectory(prefix="firm-fleet-") if home is None else None
        place = Path(self._folder.name) if self._folder is not None else Path(home or ".")
        if self._folder is not None:
            _share_images(place)
        command = [sys.executable, "-m", "world", "serve", "--listen", "127.0.0.1:0"]
        asked = ["--workers", str(workers), "--company", str(company), "--size", size]
        self._process = subprocess.Popen(
            [*command, *asked],
            env={**os.environ, "FIRM_HOME": str(place), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            self._await_control()
        except ControlError:
            self.close()
            raise
        self.socket = place / "run" / "control.sock"
        self.secret = (place / "secrets" / "control").read_text(encoding="ascii").strip()

    def _await_control(self) -> None:
        for line in self._process.stdout or ():
            if line.strip().startswith("control"):
                return
        raise ControlError(0, "the server did not start; see its messages above")

    def close(self) -> None:
        """End the server, and remove its folder if it was made for it."""
        self._process.terminate()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        if self._folder is not None:
            self._folder.cleanup()


def _share_images(place: Path) -> None:
    """Use the sealed companies of the user's own FIRM_HOME: they are built once."""
    images = Path(os.environ.get("FIRM_HOME", ".firm")).absolute() / "images"
    images.mkdir(mode=0o700, parents=True, exist_ok=True)
    (place / "images").symlink_to(images)
