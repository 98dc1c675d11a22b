"""The issue tracker: Jira Cloud's REST API, JQL and workflows."""

from apps.jira import operations, staff
from apps.jira.app import app

__all__ = ["app", "operations", "staff"]
