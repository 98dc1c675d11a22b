"""Objects of the Drive API that pages read.

developers.google.com/workspace/drive/api/reference/rest/v3/files, .../permissions
"""

from typing import NotRequired, TypedDict


class User(TypedDict):
    """Somebody, as far as the reader may know of them."""

    displayName: str
    emailAddress: NotRequired[str]


class ShortcutDetails(TypedDict):
    """Target of a shortcut."""

    targetId: str
    targetMimeType: str


class Capabilities(TypedDict):
    """Capabilities of the reader on a file."""

    canAddChildren: bool
    canComment: bool
    canDownload: bool
    canEdit: bool
    canShare: bool


class File(TypedDict):
    """A file as its reader sees it."""

    id: str
    name: str
    mimeType: str
    owners: list[User]
    ownedByMe: bool
    capabilities: Capabilities
    size: NotRequired[str]
    parents: NotRequired[list[str]]
    shortcutDetails: NotRequired[ShortcutDetails]
    sharedWithMeTime: NotRequired[str]
    sharingUser: NotRequired[User]


class Permission(TypedDict):
    """Permission of a grantee on a file."""

    id: str
    type: str
    role: str
    displayName: NotRequired[str]
    emailAddress: NotRequired[str]
    domain: NotRequired[str]


class Upload(TypedDict):
    """A file that a form sent."""

    filename: str
    data: bytes
