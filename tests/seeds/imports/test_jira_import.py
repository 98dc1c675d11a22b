"""Issues from Jira's CSV export and from its JSON form become rows, and go back out as JSON.

Forms: "Export Excel CSV (all fields)" of the issue navigator; confluence.atlassian.com, "Importing data from JSON".
"""

import json
from pathlib import Path
from typing import Any

import pytest

from seeds.imports.export_run import run_export
from seeds.imports.jira_records import parse_day, parse_moment
from tests.seeds.imports.archives import JIRA_CSV, JIRA_JSON
from tests.seeds.imports.conftest import Ask, Import
from world.core.clock import iso
from world.run.imports import ImportOutcome, ImportRefused


def write(path: Path, value: object) -> Path:
    """A file of a text or of JSON."""
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def outcome(import_archives: Import, tmp_path_factory: pytest.TempPathFactory) -> ImportOutcome:
    """The JSON form and the table in one company."""
    folder = tmp_path_factory.mktemp("jira")
    return import_archives(write(folder / "a.json", JIRA_JSON), write(folder / "issues.csv", JIRA_CSV))


def test_issues_of_both_forms_have_their_fields(outcome: ImportOutcome, ask: Ask) -> None:
    fields = (
        "SELECT i.key, t.name, s.name, s.category, p.name, r.name, a.handle, i.story_points FROM jira_issue i"
        " JOIN jira_issue_type t ON t.id = issue_type_id JOIN jira_status s ON s.id = status_id"
        " JOIN jira_priority p ON p.id = priority_id LEFT JOIN jira_resolution r ON r.id = resolution_id"
        " LEFT JOIN person a ON a.id = assignee_id ORDER BY i.key"
    )
    assert ask(outcome.image, fields) == [
        ("OPS-1", "Bug", "Closed", "done", "High", "Done", "anna", 3.0),
        ("OPS-2", "Task", "To Do", "new", "Medium", None, None, None),
        ("OPS-7", "Bug", "In Review", "indeterminate", "Major", None, "anna", 5.0),
        ("OPS-8", "Task", "Done", "done", "Medium", "Done", None, None),
    ]
    assert ask(outcome.image, "SELECT description_text FROM jira_issue WHERE key = 'OPS-7'") == [
        ("Steps\nopen the page",)
    ]
    assert ask(outcome.image, "SELECT labels FROM jira_issue WHERE key = 'OPS-7'") == [('["web", "login"]',)]


def test_comments_work_logs_and_changes_keep_author_and_time(outcome: ImportOutcome, ask: Ask) -> None:
    comments = ask(outcome.image, "SELECT handle, body_text FROM jira_comment JOIN person p ON p.id = author_id")
    assert sorted(comments) == [("anna", "looking"), ("jon", "seen it too; twice"), ("jon", "still wrong")]
    assert ask(outcome.image, "SELECT spent_s FROM jira_worklog") == [(5400,)]
    change = ask(
        outcome.image, "SELECT from_string, to_string, name FROM jira_change JOIN jira_status s ON s.id = to_value"
    )
    assert change == [("Open", "Closed", "Closed")]
    links = "SELECT t.name, a.key, b.key FROM jira_issue_link l JOIN jira_link_type t ON t.id = type_id"
    ends = " JOIN jira_issue a ON a.id = source_id JOIN jira_issue b ON b.id = destination_id ORDER BY 1"
    assert ask(outcome.image, links + ends) == [("Blocks", "OPS-7", "OPS-8"), ("Relates", "OPS-1", "OPS-2")]


def test_people_of_the_table_are_those_of_the_json_form(outcome: ImportOutcome, ask: Ask) -> None:
    assert ask(outcome.image, "SELECT handle, email, status FROM person ORDER BY 1") == [
        ("anna", "anna@acme.test", "active"),
        ("jon", "jon.ahlgren@acme.test", "left"),
    ]


@pytest.mark.full
def test_issues_make_the_round_trip(outcome: ImportOutcome, import_archives: Import, tmp_path: Path) -> None:
    written = run_export(outcome.image, tmp_path / "out")
    assert [path.name for path in written] == ["company.json", "jira.json"]
    assert import_archives(*written).image == outcome.image


@pytest.mark.full
def test_answers_of_the_search_api_are_read(import_archives: Import, ask: Ask, tmp_path: Path) -> None:
    person = {"accountId": "5b10", "displayName": "Mia Krause", "emailAddress": "mia@acme.test", "active": True}
    document = {
        "type": "doc",
        "version": 1,
        "content": [{"type": "paragraph", "content": [{"type": "text", "text": "x"}]}],
    }
    fields: dict[str, Any] = {
        "summary": "From the API",
        "status": {"name": "Doing", "statusCategory": {"key": "indeterminate"}},
        "description": document,
        "reporter": person,
        "created": "2024-06-01T10:00:00.000+0000",
        "comment": {"comments": [{"author": person, "body": "plain", "created": "2024-06-02T10:00:00.000+0000"}]},
    }
    made = import_archives(write(tmp_path / "search.json", {"issues": [{"key": "API-3", "fields": fields}]}))
    assert ask(made.image, "SELECT key, description_text FROM jira_issue") == [("API-3", "x")]
    assert ask(made.image, "SELECT external_id FROM account WHERE app = 'jira'") == [("5b10",)]
    assert import_archives(*run_export(made.image, tmp_path / "out")).image == made.image


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("bad.csv", JIRA_CSV.replace("OPS-8,20008", "OPS8,20008"), "row 3, issue key: 'OPS8' is no key of an issue"),
        ("bad.csv", JIRA_CSV.replace("01/Jun/24", "one/Jun/24"), "row 2, created: 'one/Jun/24 10:00 AM' is no time"),
        ("bad.csv", JIRA_CSV + "short,OPS-9\n", "row 4: 2 cells under 22 names"),
        ("bad.csv", JIRA_CSV + '"never closed', "no sound CSV"),
        ("bad.csv", JIRA_CSV.encode("utf-16").decode("latin-1"), "NUL"),
        ("bad.json", {"projects": [{"key": "no key"}]}, "projects[0].key: 'no key' is no key of a project"),
        ("bad.json", {"projects": [{"key": "A", "issues": [{"key": "A-1", "created": "soon"}]}]}, "'soon' is no time"),
        (
            "bad.json",
            {"projects": [{"key": "A", "issues": [{"key": "A-1", "descriptionAdf": {"type": "script"}}]}]},
            "no sound document",
        ),
    ],
)
def test_bad_exports_are_refused_with_file_and_place(
    import_archives: Import, tmp_path: Path, name: str, value: object, message: str
) -> None:
    with pytest.raises(ImportRefused, match=r"bad\.") as refused:
        import_archives(write(tmp_path / name, value))
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2024-06-01T10:00:00.000+0200", "2024-06-01T08:00:00+00:00"),
        ("01/Jun/24 3:05 PM", "2024-06-01T15:05:00+00:00"),
        ("Jun 1, 2024, 3:05 PM", "2024-06-01T15:05:00+00:00"),
        ("01.06.2024 15:05", "2024-06-01T15:05:00+00:00"),
    ],
)
def test_times_are_read_as_exports_write_them(text: str, at: str) -> None:
    assert iso(parse_moment(text)) == at and parse_day(text) == "2024-06-01"
