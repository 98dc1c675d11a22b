"""A reader's folder: the files of the blocks, a home, and a server that is up, at addresses of its own."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.docs.pages import every_block
from world.run.home import Home
from world.run.images import get_image

BIN = Path(sys.executable).parent
PRINTED = re.compile(r"tools\s+(http://127\.0\.0\.1:\d+)/mcp\s+\(Authorization: Bearer (\S+)\)")


@dataclass(frozen=True)
class Reader:
    """Runs blocks as a reader would, in one folder."""

    folder: Path
    url: str
    environment: Mapping[str, str]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command there."""
        return subprocess.run(
            command,
            cwd=self.folder,
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def at_its_address(self, text: str) -> str:
        """A block's text with the address of the server that is up."""
        return text.replace("http://127.0.0.1:8400", self.url)


def environment(folder: Path) -> dict[str, str]:
    """What a reader's shell has: the command on the path, a home in the folder."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith("FIRM_") or name == "FIRM_CHROMIUM"
    }
    path = f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"
    return {**kept, "FIRM_HOME": str(folder / ".firm"), "PATH": path, "PYTHONUNBUFFERED": "1", "COLUMNS": "200"}


@pytest.fixture(scope="session")
def folder(home: Home, company: Path) -> Iterator[Path]:
    """The reader's folder; its path is short, because it holds a unix socket."""
    made = Path(tempfile.mkdtemp(prefix="firm-docs-"))
    (made / ".firm").mkdir(mode=0o700)
    get_image(home, "XS", 7)
    (made / ".firm" / "images").symlink_to(home.images)
    for block in every_block():
        if block.file is not None:
            path = made / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
    yield made
    shutil.rmtree(made)


@pytest.fixture(scope="session")
def reader(folder: Path) -> Iterator[Reader]:
    """A reader whose `firm serve` is up."""
    known = environment(folder)
    serve = [str(BIN / "firm"), "serve", "--listen", "127.0.0.1:0", "--scenario", "us_east_1_outage"]
    with subprocess.Popen(
        serve, cwd=folder, env=known, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        try:
            assert running.stdout is not None
            url, token, said = "", "", ""
            for line in running.stdout:
                said += line
                if found := PRINTED.search(line):
                    url, token = found.groups()
                if line.startswith("  control"):
                    break
            assert url, f"the server printed no address:\n{said}"
            yield Reader(folder, url, {**known, "FIRM_URL": url, "FIRM_TOKEN": token})
        finally:
            running.terminate()
            running.communicate(timeout=60)
