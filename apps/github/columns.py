"""Column types that the tables share, and the text that their readable names are read from."""

from typing import Any

from sqlalchemy import JSON, Column, ColumnElement

Condition = ColumnElement[bool] | bool  # a comparison of a column, as the models' attributes are typed
REPO = "repo_id:github_repository.name"
NUMBER = "issue_id:github_issue.number"
OF_ISSUE_REPO = "issue_id:github_issue.repo"
AUTHOR = "author_id:github_account.person_id"
ACCOUNT = "account_id:github_account.person_id"


def json_column(*, nullable: bool = False) -> Any:
    """Return a JSON column; None is SQL NULL."""
    return Column(JSON(none_as_null=True), nullable=nullable)
