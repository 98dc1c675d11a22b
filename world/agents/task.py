"""Task for an agent's program."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Task:
    """Task for an outside agent: the text, its employee's tokens by app, and addresses by door.

    `token` is the one for all tools.
    """

    text: str
    url: str
    tokens: Mapping[str, str]
    login: str
    mcp: Mapping[str, str]

    @property
    def token(self) -> str:
        """The token for all tools."""
        return self.tokens[""]
