"""Rich text and smart chips within a cell's text, kept together: text runs alone as a list, with chips as an object of
both.

developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets/cells#ChipRun
"""

from typing import Any

import orjson

from apps.sheets.cells import Entry
from apps.sheets.json_columns import encode_object
from world.core.errors import OperationError

TEXT, CHIPS = "textFormatRuns", "chipRuns"
PLACEHOLDER = "@"
MOST_URI = 2_000  # bytes; RichLinkProperties of the published description
DRIVE = ("https://docs.google.com/", "https://drive.google.com/")
KINDS = ("personProperties", "richLinkProperties")
Runs = list[dict[str, Any]]


def parse_runs(kept: str | None) -> dict[str, Runs]:
    """The runs of both kinds."""
    found = orjson.loads(kept) if kept else []
    return {TEXT: found} if isinstance(found, list) else found


def text_runs(kept: str | None) -> Runs:
    """The runs of text formats."""
    return parse_runs(kept).get(TEXT) or []


def to_cell_fields(kept: str | None, entry: Entry) -> dict[str, Runs]:
    """The fields of a CellData; chips with the text between them, which has an empty one."""
    if not kept:
        return {}
    found = parse_runs(kept)
    chips = found.get(CHIPS) or []
    return {
        name: runs for name, runs in ((TEXT, found.get(TEXT)), (CHIPS, _fill_gaps(chips, length(entry.input)))) if runs
    }


def length(text: str) -> int:
    """Return the length of a text in the vendor's units, UTF-16."""
    return len(text.encode("utf-16-le")) // 2


def _fill_gaps(chips: Runs, end: int) -> Runs:
    found: Runs = []
    at = 0
    for run in chips:
        start = run.get("startIndex") or 0
        found += [{"startIndex": at, "chip": {}}] if start > at else []
        found.append(run)
        at = start + 1
    return [*found, {"startIndex": at, "chip": {}}] if chips and at < end else found


def with_text_runs(kept: str | None, runs: Runs | None) -> str | None:
    """The runs with others of text formats. Raises bad_request."""
    _check_order(runs or [], TEXT)
    return _encode_runs({**parse_runs(kept), TEXT: runs or []})


def with_chips(kept: str | None, runs: Runs | None, text: str | None) -> str | None:
    """The runs with other chips; `text` is what is typed along with them. Raises bad_request."""
    chips = [run for run in runs or [] if run.get("chip")]
    _check_order(chips, CHIPS)
    for run in chips:
        _check_chip(run["chip"])
        start = run.get("startIndex") or 0
        if (
            text is not None
            and text.encode("utf-16-le")[2 * start : 2 * start + 2].decode("utf-16-le", "replace") != PLACEHOLDER
        ):
            raise _wrong(
                f"Runs containing chips must be represented by an {PLACEHOLDER} placeholder: none is at index {start}."
            )
    return _encode_runs({**parse_runs(kept), CHIPS: chips})


def _encode_runs(found: dict[str, Runs]) -> str | None:
    return encode_object(found if found.get(CHIPS) else found.get(TEXT))


def _check_order(runs: Runs, name: str) -> None:
    starts = [run.get("startIndex") or 0 for run in runs]
    if any(start < 0 for start in starts) or sorted(set(starts)) != starts:
        raise _wrong(f"{name} must be in order of their startIndex, which must not be negative.")


def _check_chip(chip: dict[str, Any]) -> None:
    named = [name for name in KINDS if chip.get(name) is not None]
    if len(named) != 1:
        raise _wrong("Exactly one of personProperties and richLinkProperties must be set in Chip.")
    if named[0] == KINDS[0]:
        if "@" not in (chip[KINDS[0]].get("email") or ""):
            raise _wrong("PersonProperties.email must be an email address.")
        return
    uri = chip[KINDS[1]].get("uri") or ""
    if not uri.startswith(DRIVE):
        raise _wrong("Only Drive files can be written as chips.")
    if len(uri.encode()) > MOST_URI:
        raise _wrong(f"URIs cannot exceed {MOST_URI} bytes.")


def _wrong(problem: str) -> OperationError:
    return OperationError("bad_request", problem=problem)
