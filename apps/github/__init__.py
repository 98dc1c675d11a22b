"""The code host: GitHub's REST and GraphQL APIs over real git."""

from apps.github import directory_sync, notifications, operations
from apps.github.app import app
from apps.github.ci import hidden_tests, run_lifecycle, triggers

__all__ = ["app", "directory_sync", "hidden_tests", "notifications", "operations", "run_lifecycle", "triggers"]
