"""The vendor's words for searches it does not do. Source: docs.github.com/rest/search, and what its API answers."""

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
    """A search that cannot be done, with the reason."""
    return invalid("Search", "q", "invalid", why)


def query_missing() -> OperationError:
    """A search that says nothing."""
    return invalid("Search", "q", "missing")
