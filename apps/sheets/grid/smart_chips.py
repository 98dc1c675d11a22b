"""Smart chips as people see them: a person by name, a file of the drive by its title, with the text between them."""

import re
from collections.abc import Iterator
from typing import Any

from apps.drive.public import file_lookup
from apps.sheets.grid import rich_text
from apps.sheets.grid.stored_cells import Cell
from world.core.call import Call
from world.core.errors import OperationError

Piece = str | dict[str, str]
_KEY = re.compile(r"/d/([\w-]+)")


def pieces(call: Call, cell: Cell) -> list[Piece]:
    """Text and chips of a cell in order; empty without chips. A chip has `label`, `kind` and `to`, where it leads."""
    chips = rich_text.parse_runs(cell.runs).get(rich_text.CHIPS) or []
    return list(_pieces(call, cell.entry.input.encode("utf-16-le"), chips)) if chips else []


def label(found: list[Piece]) -> str:
    """Return the text of pieces."""
    return "".join(one if isinstance(one, str) else one["label"] for one in found)


def _pieces(call: Call, text: bytes, chips: rich_text.Runs) -> Iterator[Piece]:
    at = 0
    for run in chips:
        start = run.get("startIndex") or 0
        if start > at:
            yield text[2 * at : 2 * start].decode("utf-16-le", "replace")
        yield _chip(call, run["chip"])
        at = start + 1
    if text[2 * at :]:
        yield text[2 * at :].decode("utf-16-le", "replace")


def _chip(call: Call, chip: dict[str, Any]) -> dict[str, str]:
    if person := chip.get("personProperties"):
        email = str(person.get("email") or "")
        known = call.directory.by_email(email)
        name = known.full_name if known and person.get("displayFormat") != "EMAIL" else email
        return {"label": name, "kind": "person", "to": f"mailto:{email}"}
    address = str((chip.get("richLinkProperties") or {}).get("uri") or "")
    return {"label": _title(call, address), "kind": "file", "to": address}


def _title(call: Call, address: str) -> str:
    """Return the title of a file, for people who may read it."""
    key = _KEY.search(address)
    try:
        return file_lookup.get_file(call, key[1]).name if key else address
    except OperationError:
        return address
