"""Finds the browser: FIRM_CHROMIUM, one on the system, else Playwright's own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright


WINDOWLESS = "chromium-headless-shell"  # the same engine without the program around it: a third less work
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OWN_NAMES = ("chrome", "headless_shell", "chrome-headless-shell")  # as Playwright's own are called
FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)


class NoBrowser(RuntimeError):
    """No Chromium anywhere; the message says how to get one."""


def on_system(*, headless: bool = True) -> str | None:
    """Path of a Chromium named by FIRM_CHROMIUM or found on PATH; one that can show no windows only where none is
    wanted.
    """
    named = os.environ.get("FIRM_CHROMIUM")
    names = (WINDOWLESS, *NAMES) if headless else NAMES
    return named or next((path for name in names if (path := shutil.which(name))), None)


def find_executable() -> str | None:
    """Path of the browser that `launch` takes, without starting anything; None where there is none."""
    found = on_system()
    if found is not None:
        return found if os.access(found, os.X_OK) else None
    own = os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright"
    return next((str(path) for path in sorted(Path(own).glob("chromium*/chrome-*/*")) if path.name in OWN_NAMES), None)


def launch(playwright: "Playwright", *, headless: bool = True) -> "Browser":
    """A Chromium without background traffic. Raises NoBrowser."""
    path = on_system(headless=headless)
    if path is None and not Path(playwright.chromium.executable_path).exists():
        raise NoBrowser("no Chromium: run `make requirements`, or set FIRM_CHROMIUM to one")
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=path, headless=headless, args=[*FLAGS, *sandbox])


def available() -> bool:
    """Whether the browser that `launch` takes really starts: a library of the system may be missing."""
    probe = (
        "from playwright.sync_api import sync_playwright as s; from world.agents.chromium import launch\nwith s() as p:"
        " launch(p).close()"
    )
    return subprocess.run([sys.executable, "-c", probe], check=False, capture_output=True).returncode == 0


def has_emoji() -> bool:
    """Whether a font of the system has emoji, which messages are full of; true where fontconfig cannot be asked."""
    asked = shutil.which("fc-list")
    return asked is None or bool(
        subprocess.run([asked, ":charset=1f525"], check=False, capture_output=True).stdout.strip()
    )
