"""Every method that a vendor publishes, with its address: what coverage is counted against."""

from tests.conformance import github_description
from tests.conformance.specs import methods


def operations(service: str) -> dict[str, tuple[str, str]]:
    """Method and path of every published operation by its id."""
    if service == "github":
        return {id: (one.method, one.path) for id, one in github_description.operations().items()}
    return {id: (one["httpMethod"], one["path"]) for id, one in methods(service).items()}
