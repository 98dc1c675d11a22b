"""Quotas of the two APIs: calls a minute of one user and of the whole project.

developers.google.com/workspace/sheets/api/limits, developers.google.com/workspace/drive/api/guides/limits
"""

from world.core.operation import Pool

READS, WRITES = Pool("reads", 60, everybody=300), Pool("writes", 60, everybody=300)
FILES = Pool("files", 12_000, everybody=12_000)
SEVERAL = {
    "web.create": WRITES,
    "web.copySheet": WRITES,
    "web.share": FILES,
    "web.setAccess": FILES,
}  # tools that are several methods in one


def pool_of(operation: str, writes: bool) -> Pool | None:
    """Where a method is counted: reads and writes of Sheets apart, Drive as a whole; what only the page asks for,
    nowhere.
    """
    if operation.startswith("web."):
        return SEVERAL.get(operation)
    return FILES if operation.startswith("drive.") else WRITES if writes else READS
