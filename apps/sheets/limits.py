"""Quotas of the API: calls a minute of one user and of the whole project.

developers.google.com/workspace/sheets/api/limits
"""

from world.core.operation import Pool

READS, WRITES = Pool("reads", 60, everybody=300), Pool("writes", 60, everybody=300)
SEVERAL = frozenset({"web.create", "web.copySheet"})  # tools that are several methods in one


def pool_of(operation: str, writes: bool) -> Pool | None:
    """Return the quota that a method counts against: reads and writes are separate; page-only operations have none."""
    if operation.startswith("web."):
        return WRITES if operation in SEVERAL else None
    return WRITES if writes else READS
