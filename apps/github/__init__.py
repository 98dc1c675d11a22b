"""The code host: GitHub's REST and GraphQL APIs over real git."""

from apps.github import directory_sync, notifications, operations
from apps.github.app import app

__all__ = ["app", "notifications", "operations", "directory_sync"]
