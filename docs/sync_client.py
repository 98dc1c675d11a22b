"""Writes the client that waits from the one on an event loop: world/client/control.py from async_control.py; `--check`
only says whether it is out of date.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE, MADE = ROOT / "world/client/async_control.py", ROOT / "world/client/control.py"
NOTE = "# Written by docs/sync_client.py from async_control.py; change that one.\n"
WORDS = {
    r"\basync (?=def|with|for)": "",
    r"\bawait ": "",
    r"\bAsync(?=Client|HTTPTransport)": "",
    r"\b__a(?=enter__|exit__)": "__",
    r"\baclose\b": "close",
    r"\bsend_async\b": "send",
    r" on an event loop(?=[:.])": "",
}


def write_sync(source: str) -> str:
    """The source of a module without its coroutines, in the layout of the formatter."""
    for pattern, word in WORDS.items():
        source = re.sub(pattern, word, source)
    docstring, _, rest = source.partition("\n")
    layout = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(MADE), "-"]
    text = f"{docstring}\n{NOTE}{rest}"
    return subprocess.run(layout, input=text, capture_output=True, text=True, check=True).stdout


def main() -> int:
    """Write the module; with --check, exit code 1 if it would change."""
    text = write_sync(SOURCE.read_text(encoding="utf-8"))
    stale = MADE.read_text(encoding="utf-8") != text
    if "--check" in sys.argv[1:]:
        print(f"out of date: {MADE.name}" if stale else "up to date")
        return int(stale)
    MADE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
