"""The quota of the API: calls a minute of one user and of the whole project.

developers.google.com/workspace/drive/api/guides/limits
"""

from world.core.operation import Pool

FILES = Pool("files", 12_000, everybody=12_000)
SEVERAL = frozenset({"web.share", "web.setAccess"})  # tools that are several methods in one


def pool_of(operation: str, writes: bool) -> Pool | None:
    """Return the quota of a method: all share one, page-only operations have none."""
    return FILES if operation in SEVERAL or not operation.startswith("web.") else None
