"""The issue tracker: Jira Cloud's REST API, JQL and workflows."""

from apps.jira import directory_sync, operations, probes
from apps.jira.app import app

__all__ = ["app", "operations", "directory_sync", "probes"]
