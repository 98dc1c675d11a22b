"""Column types that the tables share, and the text that their readable names are read from."""

from typing import Any

from sqlalchemy import JSON, Column

ISSUE = "issue_id:jira_issue.key"
PERSON = "person_id:person.id"
PROJECT = "project_id:jira_project.key"
OF_ISSUE = {"derived_from": "jira_issue", "derived_key": "issue_id", "names": {"issue": ISSUE}}


def json_column(*, nullable: bool = False) -> Any:
    """A JSON column; None is SQL NULL."""
    return Column(JSON(none_as_null=True), nullable=nullable)
