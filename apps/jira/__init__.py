"""The issue tracker: Jira Cloud's REST API, JQL and workflows."""

from apps.jira import conduct, directory_sync, operations, probes, readings
from apps.jira.app import app

__all__ = ["conduct", "app", "operations", "directory_sync", "probes", "readings"]
