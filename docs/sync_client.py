"""Writes the client that waits from the one on an event loop: world/client/NAME.py from async_NAME.py; `--check` only says
which modules are out of date.
"""

import re
import subprocess
import sys
from pathlib import Path

CLIENT = Path(__file__).parents[1] / "world" / "client"
MADE = ("control", "episode", "requests")
NOTE = "# Written by docs/sync_client.py from async_{name}.py; change that one.\n"
WORDS = {
    r"\basync (?=def|with|for)": "",
    r"\bawait ": "",
    r"\bAsync(?=[A-Z])": "",
    r"\basync_(?=[a-z])": "",
    r"\basyncio\b": "time",
    r"\b__a(?=enter__|exit__)": "__",
    r"\baclose\b": "close",
    r" on an event loop(?=:)": "",
}


def write_sync(name: str) -> str:
    """The source of a module without its coroutines, in the layout of the formatter."""
    source = (CLIENT / f"async_{name}.py").read_text(encoding="utf-8")
    for pattern, word in WORDS.items():
        source = re.sub(pattern, word, source)
    docstring, _, rest = source.partition("\n")
    text = "".join((docstring, "\n", NOTE.format(name=name), rest))
    for task in (["check", "--fix-only", "--select", "I"], ["format"]):
        layout = [sys.executable, "-m", "ruff", *task, "--quiet", "--stdin-filename", str(CLIENT / f"{name}.py"), "-"]
        text = subprocess.run(layout, input=text, capture_output=True, text=True, check=True).stdout
    return text


def list_stale() -> list[str]:
    """The modules that differ from what would be written."""
    return [name for name in MADE if _read(name) != write_sync(name)]


def _read(name: str) -> str:
    path = CLIENT / f"{name}.py"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def main() -> int:
    """Write the modules; with --check, exit code 1 if one would change."""
    stale = list_stale()
    if "--check" in sys.argv[1:]:
        print("out of date: " + ", ".join(stale) if stale else "up to date")
        return int(bool(stale))
    for name in stale:
        (CLIENT / f"{name}.py").write_text(write_sync(name), encoding="utf-8")
        print(f"wrote world/client/{name}.py")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
