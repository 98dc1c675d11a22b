"""What browser tests of the tracker ask of its world."""

from typing import Any

from tests.browser.conftest import Office

BOARD = "/jira/projects/SHOP/board"


def fields(office: Office, key: str) -> dict[str, Any]:
    """An issue as Ada reads it by another door."""
    return office.see("ada", "getIssue", issueIdOrKey=key, fields=["*all"])["fields"]
