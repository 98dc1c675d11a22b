"""coverage.toml says what is there; docstrings say which codes are raised."""

import tomllib
from pathlib import Path

import apps.gmail
from apps.gmail.rest.table import LINES, REFUSED
from tests.conformance.specs import methods

LISTED = tomllib.loads((Path(apps.gmail.__file__).parent / "coverage.toml").read_text(encoding="utf-8"))
KEYS = {"state", "tier", "source", "proof", "missing", "reason", "chosen"}


def test_every_method_of_the_vendor_is_listed_and_none_besides() -> None:
    assert set(LISTED["method"]) == set(methods("gmail")) and len(LISTED["method"]) == LISTED["total"]


def test_every_operation_is_listed_and_every_done_method_is_there() -> None:
    present = {name for name, entry in LISTED["method"].items() if entry["state"] in ("done", "partial")}
    assert present | set(LISTED["own"]) == set(apps.gmail.app.operations)
    assert present == {line.operation for line in LINES}
    assert {name for name, entry in LISTED["method"].items() if entry["state"] == "refused"} == {
        line.operation for line in REFUSED
    }
    assert len(present) >= 45


def test_entries_say_what_their_state_requires() -> None:
    for name, entry in LISTED["method"].items():
        assert entry["source"] and entry["tier"] in ("P0", "P1", "P2") and set(entry) <= KEYS, name
        assert entry["state"] != "partial" or entry["missing"], name
        assert entry["state"] != "refused" or entry["reason"], name
        assert entry["state"] == "refused" or entry["proof"], name
        assert entry["state"] == "refused" or entry["source"] == apps.gmail.app.operations[name].source, name


def test_the_first_lines_tell_an_agent_when_to_use_an_operation() -> None:
    for operation in apps.gmail.app.operations.values():
        assert 15 <= len(operation.summary) <= 200, operation.id
        assert operation.source and operation.examples, operation.id
        assert all(field.description for field in operation.params.model_fields.values()), operation.id
