"""A request in a vendor's wire shape, as an app derives it from an operation and its arguments."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Wire:
    """`path` is relative to the app's mount; at most one of `json`, `form` and `content` is given."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict[str, Any])
    json: Any = None
    form: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    files: Mapping[str, tuple[str, bytes, str]] | None = None
    content: bytes | None = None


@dataclass(frozen=True, slots=True)
class Push:
    """Files to push by one commit with git itself: the repository's path below the app, a branch, the new text by path.

    `operation` is what the push arrives as.
    """

    operation: str
    path: str
    branch: str
    files: Mapping[str, str]
    message: str
