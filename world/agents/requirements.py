"""Requirements of firm on its host besides Python packages: Chromium, a font with emoji, a sandbox for CI.

`python -m world.agents.requirements` installs what is missing where it may: as root, or where `sudo -n` works.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable

from world.agents import chromium
from world.sandbox import find_obstacle, forget


def install() -> int:
    """Install what is missing and say what stays missing; exit code 0 when a browser starts."""
    browser = install_browser()
    install_font()
    install_sandbox()
    return 0 if browser else 1


def install_browser() -> bool:
    """Playwright's own browser, else the distribution's package."""
    attempts: tuple[Callable[[], object], ...] = (
        _download_browser,
        lambda: install_package("chromium"),
        lambda: install_package("chromium-browser"),
    )
    for attempt in attempts:
        if chromium.available():
            return True
        attempt()
    if chromium.available():
        return True
    report("No Chromium could be installed: install one and set FIRM_CHROMIUM to its path.")
    return False


def install_font() -> None:
    """A font with emoji: messages are full of them."""
    if not chromium.has_emoji():
        install_package("fonts-noto-color-emoji")
    if not chromium.has_emoji():
        report("No font has emoji, so pages show boxes instead: install one such as Noto Color Emoji.")


def install_sandbox() -> None:
    """bubblewrap, unless it is there: of the ways to isolate what CI runs the strongest."""
    if shutil.which("bwrap") is None:
        install_package("bubblewrap")
        forget()
    why = find_obstacle()
    if why is not None:
        report(f"CI of the simulated company cannot run here: {why} See docs/ci.md.")


def _download_browser() -> None:
    """Playwright's download, and the libraries that it needs and a minimal system lacks."""
    if not _playwright("--version"):
        install_package("libatomic1")
    if _playwright("install", "chromium") and not chromium.available():
        _playwright("install-deps", "chromium")


def _playwright(*arguments: str) -> bool:
    command = [sys.executable, "-m", "playwright", *arguments]
    return subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode == 0


def install_package(name: str) -> None:
    """A package of the distribution, where this user may install one without being asked for a password."""
    prefix = find_privilege()
    if prefix is None or shutil.which("apt-get") is None:
        return
    report(f"installing {name} ...")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-q"], ["install", "-y", "-q", name]):
        subprocess.run([*prefix, "apt-get", *command], check=False, stdout=subprocess.DEVNULL, env=quiet)


def find_privilege() -> list[str] | None:
    """Return the prefix that runs a command as root: empty for root, `sudo -n` where that works, else None."""
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo is None or subprocess.run([sudo, "-n", "true"], check=False, capture_output=True).returncode != 0:
        return None
    return [sudo, "-n"]


def report(text: str) -> None:
    """Say something about the host."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(install())
