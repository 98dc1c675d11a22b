"""Refusals of searches in the vendor's words.

Source: docs.github.com/rest/search, and responses of its API.
"""

from apps.github.refusals import invalid
from world.core.errors import OperationError

PLACES = (
    "The listed users and repositories cannot be searched either because the resources do not exist or you do not have"
    " permission to view them."
)
PEOPLE = (
    "The listed users cannot be searched either because the users do not exist or you do not have permission to view"
    " the users."
)


def search_refused(why: str) -> OperationError:
    """Return the error of an invalid search, with the reason."""
    return invalid("Search", "q", "invalid", why)


def query_missing() -> OperationError:
    """Return the error of an empty search."""
    return invalid("Search", "q", "missing")
