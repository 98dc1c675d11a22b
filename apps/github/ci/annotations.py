"""Annotations of a job, parsed from tracebacks and workflow commands in its output.

Source: docs.github.com/actions/reference/workflows-and-actions/workflow-commands
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

MOST = 10  # annotations of a kind in a step; docs.github.com/rest/checks/runs#create-a-check-run
LONGEST = 4_000
_COMMAND = re.compile(r"::(?P<name>[a-z-]+)(?: (?P<options>[^:]*(?::(?!:)[^:]*)*))?::(?P<text>.*)")
_FRAME = re.compile(r'^[ \t]*File "(?P<path>[^"]{1,400})", line (?P<line>\d{1,9})', re.M)
_TRACE = re.compile(r"^Traceback \(most recent call last\):\n((?:[ \t].*\n|\n)+)(\S.*)", re.M)
ROOT = "/workspace/"
LEVELS = {"error": "failure", "warning": "warning", "notice": "notice"}


@dataclass
class Notes:
    """The annotations of one job."""

    found: list[dict[str, Any]] = field(default_factory=list)

    def add(
        self, path: str, line: int, level: str, message: str, title: str | None = None, end: int | None = None
    ) -> None:
        """Add an annotation, up to the vendor's limit for its level."""
        if sum(one["annotation_level"] == level for one in self.found) < MOST:
            self.found.append(
                {
                    "path": path,
                    "start_line": line,
                    "end_line": max(line, end or line),
                    "start_column": None,
                    "end_column": None,
                    "annotation_level": level,
                    "title": title,
                    "message": message[:LONGEST],
                    "raw_details": None,
                }
            )

    def add_failure(self, message: str, line: int) -> None:
        """Add an annotation that a step failed; it belongs to no file."""
        self.add(".github", line, "failure", message)

    def add_tracebacks(self, output: str) -> None:
        """Add an annotation for each traceback in an output, at the innermost line inside the repository."""
        for frames, why in _TRACE.findall(output):
            own = [
                (path.removeprefix(ROOT), int(line)) for path, line in _FRAME.findall(frames) if path.startswith(ROOT)
            ]
            if own:
                self.add(own[-1][0], own[-1][1], "failure", why.strip())

    def list_all(self) -> list[dict[str, object]]:
        """Return all annotations, in order."""
        return self.found


def commands(lines: Sequence[str], notes: Notes) -> list[str]:
    """Return an output's lines as the log shows them; workflow commands become annotations and groups."""
    out: list[str] = []
    masks: list[str] = []
    for line in lines:
        found = _COMMAND.fullmatch(line.strip()) if line.lstrip().startswith("::") else None
        if found is None:
            out.append(_mask_secrets(line, masks))
        elif found["name"] in LEVELS:
            _note(found, notes)
            out.append(f"##[{found['name']}]{_mask_secrets(found['text'], masks)}")
        elif found["name"] in ("group", "endgroup", "debug"):
            out += [] if found["name"] == "debug" else [f"##[{found['name']}]{found['text']}"]
        elif found["name"] == "add-mask" and len(found["text"]) > 3:
            masks.append(found["text"])
    return out


def _mask_secrets(line: str, masks: Sequence[str]) -> str:
    for text in masks:
        line = line.replace(text, "***")
    return line


def _note(found: re.Match[str], notes: Notes) -> None:
    options = dict(part.strip().split("=", 1) for part in (found["options"] or "").split(",") if "=" in part)
    line, end = (
        int(options[name]) if options.get(name, "").isdecimal() and len(options[name]) < 9 else None
        for name in ("line", "endLine")
    )
    text = found["text"].replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%")
    path = options.get("file", "").removeprefix(ROOT) or ".github"
    notes.add(path, line or 1, LEVELS[found["name"]], text, options.get("title"), end)
