"""Finds the browser: FIRM_CHROMIUM, one on the system, else Playwright's own; `python -m` this to install one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, Playwright, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-quic")


class NoBrowser(RuntimeError):
    """No Chromium anywhere; the message says how to get one."""


def on_system() -> str | None:
    """Path of a Chromium named by FIRM_CHROMIUM or found on PATH."""
    named = os.environ.get("FIRM_CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def launch(playwright: Playwright, *, headless: bool = True) -> Browser:
    """A Chromium without background traffic. Raises NoBrowser."""
    path = on_system()
    if path is None and not Path(playwright.chromium.executable_path).exists():
        raise NoBrowser("no Chromium: run `make browser`, or set FIRM_CHROMIUM to one")
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=path, headless=headless, args=[*FLAGS, *sandbox])


def available() -> bool:
    """Whether `launch` will find one."""
    if on_system():
        return True
    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path).exists()


def install() -> int:
    """Playwright's own browser, else the distribution's package; exit code 0 if there is one in the end."""
    if available():
        return 0
    own = subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    if own.returncode == 0 and available():
        return 0
    prefix = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if shutil.which("apt-get"):
        subprocess.run([*prefix, "apt-get", "update", "-q"], check=False, stdout=subprocess.DEVNULL)
        for package in ("chromium", "chromium-browser"):
            done = subprocess.run([*prefix, "apt-get", "install", "-y", "-q", package], check=False, stdout=subprocess.DEVNULL)
            if done.returncode == 0 and available():
                return 0
    print("No Chromium could be installed; install one and set FIRM_CHROMIUM to its path.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    raise SystemExit(install())
