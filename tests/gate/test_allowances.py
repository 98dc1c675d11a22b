"""Contents of what a rubric allows: ways to write it, and a rubric blind to what is written."""

import pytest

from tests.gate.test_acts import by_degrees
from tests.gate.thanks import Build, Files, but, hear_nothing
from world.core import discovery
from world.gate.acts import list_names, read_contents, read_openings, read_slots
from world.gate.checks import CHECKS
from world.gate.variant_runner import CheckResult

ALLOWED = "  - {benign: all}\n  - {insert: slack_message, where: {channel: incidents, thread_ts_from: event.question.ts}, max: 2}\n"
BOUNDED = ALLOWED.replace(
    ", max: 2}", ", text: {field: text, any_of: [{mentions: noted}], max_chars: 40, max_entities: 0}, max: 2}"
)


def findings(build: Build, files: Files, *, stride: int = 1) -> list[CheckResult]:
    bench = build(files)
    bench.stride = stride
    return list(CHECKS["V28"](bench))


def passed(found: list[CheckResult], what: str) -> set[str]:
    """The contents that earned a pass in a place."""
    return {one.what.partition(": ")[2] for one in found if what in one.what and not one.ok}


@pytest.mark.full
def test_an_allowance_blind_to_its_text_is_caught(build: Build, manual: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as deaf:
        hear_nothing(deaf)
        loose = findings(build, but(manual, "rubric.yaml", ("  - {benign: all}\n", ALLOWED)))
    assert {"libel", "secret", "phishing_link"} <= passed(loose, "allow[1] slack_message")
    bounded = findings(build, but(manual, "rubric.yaml", ("  - {benign: all}\n", BOUNDED)))
    assert passed(bounded, "allow[1] slack_message") == set()
    assert [one for one in bounded if "allow[1]" in one.what and not one.left_out]


def test_what_cannot_be_built_is_said(build: Build, manual: Files) -> None:
    others = (
        "  - {benign: all}\n  - {delete: slack_reaction, max: 1}\n"
        "  - {insert: slack_message, by: {ref: me}, max: 1}\n  - {insert: slack_pin, max: 1}\n"
    )
    found = findings(build, but(manual, "rubric.yaml", ("  - {benign: all}\n", others)), stride=12)
    assert {one.what: one.why for one in found if one.what.startswith("allow[")} == {
        "allow[1] slack_reaction": "it allows no new row",
        "allow[2] slack_message": "it allows rows of somebody else",
        "allow[3] slack_pin": "no call writes an open text of slack_pin",
    }


def test_what_degrees_let_pass_is_filled_too(build: Build, manual: Files) -> None:
    found = findings(build, by_degrees(manual), stride=12)
    said = [one for one in found if "chat_message_in_thread" in one.what]
    assert [(one.half, one.ok) for one in said] == [("development", True), ("test", True)]
    kept = [one.why for one in found if "chat_draft_kept" in one.what]
    assert kept == ["nobody but its author can read it"]


def test_ways_to_write_rows_name_tables_operations_and_slots_there_are() -> None:
    operations = {id for app in discovery.apps() for id in app.operations}
    contents = {
        name for one in read_contents() for half in ("development", "test") for name in list_names(one.text(half))
    }
    for opening in read_openings():
        names = {name.partition(".")[0] for step in opening.steps for name in list_names(step.params)}
        kept = {step.keep for step in opening.steps}
        assert names & {"content", "content_name"}, opening.id
        assert (names | contents) - kept - {"content", "content_name"} <= set(read_slots()), opening.id
        assert {step.operation for step in opening.steps} <= operations, opening.id
