"""The code host: GitHub's REST and GraphQL APIs over real git."""

from apps.github import conduct, directory_sync, notifications, operations, probes, readings
from apps.github.app import app
from apps.github.ci import hidden_tests, run_lifecycle, triggers
from apps.github.graphql import operations as graphql_operations

__all__ = [
    "app",
    "conduct",
    "directory_sync",
    "graphql_operations",
    "hidden_tests",
    "notifications",
    "operations",
    "probes",
    "readings",
    "run_lifecycle",
    "triggers",
]
