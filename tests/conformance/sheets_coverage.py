"""Keeps `coverage.toml` of Sheets and of Drive complete: `python -m tests.conformance.sheets_coverage` adds what has become an
operation.

Methods of Drive have `drive.` before their names, as their operations have. What is said in part stays as it is.
"""

import re
import tomllib
from pathlib import Path
from textwrap import fill
from typing import Any

import orjson

import apps.drive
import apps.sheets
from apps.drive.rest.routes import LINES as DRIVE
from apps.sheets.operations.requests import KINDS
from apps.sheets.rest.routes import SHEETS
from tests.conformance.specs import document

APPS = {"drive": apps.drive.app, "sheets": apps.sheets.app}
METHODS = {"drive": DRIVE, "sheets": SHEETS}
FOLDER = Path(apps.sheets.__file__).parents[1]
HEAD = """vendor = "{vendor}"
counted_from = "google-api-python-client 2.202.0, discovery_cache {counted}"
total = {total}

# Choices at the door that no page states: {choices}
"""
COUNTED = {"sheets": "sheets.v4.json, revision 20261019", "drive": "drive.v3.json, revision 20261106"}
CHOICES = {
    "sheets": "unknown parameters are refused, and unknown fields of a body.",
    "drive": """what is answered without `fields` to revisions and shared drives; unknown parameters
# are refused, unknown fields of a body passed over; a token for drive.file reaches every file its employee can.""",
}
# FIDELITY: what every client needs from the first day
FIRST = re.compile(
    r"spreadsheets\.(get|create|batchUpdate)|spreadsheets\.values\.(get|batchGet|update|append|clear|batchUpdate|batchClear)"
    r"|drive\.files\.(list|get|create|update|delete|copy)"
)
SECOND = re.compile(
    r"spreadsheets\..*|drive\.(permissions|comments|replies|revisions)\..*|drive\.files\.export|drive\.about\.get"
)
ABSENT = {
    "accessproposals": "Access is asked for in the mail and granted by permissions.",
    "approvals": "No approvals are run on files.",
    "apps": "No other apps are connected to the drive.",
    "channels": "Nothing outside is called back.",
    "teamdrives": "Replaced by shared drives.",
    "drives": "The company keeps no shared drives.",
    "operations": "Downloads are answered at once.",
}
DOCS = "developers.google.com/workspace"
PAGES = {"spreadsheets": f"{DOCS}/sheets/api/reference/rest/v4", "drive": f"{DOCS}/drive/api/reference/rest/v3"}


def page(id: str) -> str:
    """Where the vendor documents a method."""
    noun, _, verb = id.removeprefix("drive.").rpartition(".")
    return f"{PAGES[id.partition('.')[0]]}/{noun}/{verb}"


def entry(id: str) -> dict[str, Any]:
    """What is said of a method that has nothing said of it."""
    tier = "P0" if FIRST.fullmatch(id) else "P1" if SECOND.fullmatch(id) else "P2"
    operation = APPS["drive" if id.startswith("drive.") else "sheets"].operations.get(id)
    if operation is not None:
        return {"state": "done", "tier": tier, "source": operation.source, "proof": ["schema", "doc"]}
    noun = id.removeprefix("drive.").partition(".")[0]
    return {
        "state": "refused",
        "tier": tier,
        "source": page(id),
        "reason": ABSENT.get(noun, "Not there: answers 404 as an unknown method does."),
    }


def file(app: str) -> Path:
    """Where an app's coverage is said."""
    return FOLDER / app / "coverage.toml"


def completed(app: str, listed: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The entries as they should be, by id."""
    found = {}
    for id in sorted(line.operation for line in METHODS[app]):
        now, before = entry(id), listed.get(id, {})
        found[id] = (
            {**now, **before, "source": now["source"]}
            if (before.get("state") == "refused") == (now["state"] == "refused")
            else now
        )
    return found


def own(app: str) -> dict[str, str]:
    """What only the page asks for, by id."""
    published = {line.operation for line in METHODS[app]}
    return {id: operation.source for id, operation in sorted(APPS[app].operations.items()) if id not in published}


def written(app: str, entries: dict[str, dict[str, Any]]) -> str:
    """The file."""
    parts = [HEAD.format(vendor=app, counted=COUNTED[app], total=len(entries), choices=CHOICES[app])]
    for id, one in entries.items():
        lines = [f"{name} = {orjson.dumps(value).decode()}" for name, value in one.items()]
        parts.append("\n".join([f'[method."{id}"]', *lines]).replace('","', '", "') + "\n")
    parts += [f'[own."{id}"]\nsource = "{source}"\n' for id, source in own(app).items()]
    return "\n".join([*parts, *([kinds()] if app == "sheets" else [])])


def _wrapped(names: list[str]) -> str:
    quoted = " ".join(orjson.dumps(name).decode() + "," for name in names)
    return fill(quoted, 140, initial_indent="    ", subsequent_indent="    ")


def kinds() -> str:
    """The kinds of request a batchUpdate takes."""
    refused = sorted(set(document("sheets")["schemas"]["Request"]["properties"]) - set(KINDS))
    lists = [f"{name} = [\n{_wrapped(told)}\n]" for name, told in (("done", sorted(KINDS)), ("refused", refused))]
    return "\n".join(
        ["# The kinds of request of spreadsheets.batchUpdate; no data sources are connected.", "[kinds]", *lists, ""]
    )


if __name__ == "__main__":
    for name in APPS:
        known = tomllib.loads(file(name).read_text(encoding="utf-8"))["method"] if file(name).exists() else {}
        file(name).write_text(written(name, completed(name, known)), encoding="utf-8")
