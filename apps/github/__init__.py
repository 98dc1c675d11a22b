"""The code host: GitHub's REST and GraphQL APIs over real git."""

from apps.github import notices, operations, staff
from apps.github.app import app

__all__ = ["app", "notices", "operations", "staff"]
