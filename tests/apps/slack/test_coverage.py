"""coverage.toml says what is there; docstrings say which codes are raised."""

import tomllib
from pathlib import Path

import apps.slack

LISTED = tomllib.loads((Path(apps.slack.__file__).parent / "coverage.toml").read_text())


def test_every_operation_is_listed_and_every_done_method_is_there() -> None:
    methods, own = LISTED["method"], LISTED["own"]
    present = {name for name, entry in methods.items() if entry["state"] in ("done", "partial")}
    assert present | set(own) == set(apps.slack.app.operations)
    assert present.isdisjoint(own)


def test_entries_say_what_their_state_requires() -> None:
    for name, entry in LISTED["method"].items():
        assert entry["source"], name
        assert entry["state"] != "partial" or entry["missing"], name
        assert entry["state"] != "refused" or entry["reason"], name
        assert entry["state"] == "refused" or entry["proof"], name


def test_the_first_lines_tell_an_agent_when_to_use_an_operation() -> None:
    for operation in apps.slack.app.operations.values():
        assert 15 <= len(operation.summary) <= 200, operation.id
        assert operation.source and operation.examples, operation.id
        assert all(field.description for field in operation.params.model_fields.values()), operation.id
