"""coverage.toml says what is there. After a change of operations run `python -m tests.conformance.sheets_coverage`."""

import tomllib

import apps.drive
from tests.conformance.sheets_coverage import completed, file, written
from tests.conformance.specs import methods

LISTED = tomllib.loads(file("drive").read_text(encoding="utf-8"))
KEYS = {"state", "tier", "source", "proof", "missing", "reason", "chosen"}


def test_every_method_is_listed_and_none_besides() -> None:
    assert set(LISTED["method"]) == {f"drive.{name}" for name in methods("drive")}
    assert len(LISTED["method"]) == LISTED["total"] == 64


def test_the_file_is_what_the_operations_make_of_it() -> None:
    assert file("drive").read_text(encoding="utf-8") == written("drive", completed("drive", LISTED["method"])), __doc__


def test_every_operation_is_listed_and_every_done_method_is_there() -> None:
    present = {name for name, entry in LISTED["method"].items() if entry["state"] in ("done", "partial")}
    assert present | set(LISTED.get("own", {})) == set(apps.drive.app.operations)


def test_entries_say_what_their_state_requires() -> None:
    for name, entry in LISTED["method"].items():
        assert entry["source"] and entry["tier"] in ("P0", "P1", "P2") and set(entry) <= KEYS, name
        assert entry["state"] in ("done", "partial", "refused"), name
        assert entry["state"] != "partial" or entry["missing"], name
        assert entry["reason"] if entry["state"] == "refused" else entry["proof"], name
