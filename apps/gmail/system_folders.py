"""System folders of a mailbox, besides the owner's labels."""

from typing import NamedTuple


class Folder(NamedTuple):
    """A list: its address `/mail/<name>`, and the label it shows ('' is all mail)."""

    name: str
    title: str
    label: str


FOLDERS = {
    one.name: one
    for one in (
        Folder("inbox", "Inbox", "INBOX"),
        Folder("starred", "Starred", "STARRED"),
        Folder("snoozed", "Snoozed", "SNOOZED"),
        Folder("important", "Important", "IMPORTANT"),
        Folder("sent", "Sent", "SENT"),
        Folder("drafts", "Drafts", "DRAFT"),
        Folder("scheduled", "Scheduled", "SCHEDULED"),
        Folder("all", "All Mail", ""),
        Folder("spam", "Spam", "SPAM"),
        Folder("trash", "Trash", "TRASH"),
    )
}
CATEGORIES = {
    one.name: one
    for one in (
        Folder("primary", "Primary", "CATEGORY_PERSONAL"),
        Folder("social", "Social", "CATEGORY_SOCIAL"),
        Folder("updates", "Updates", "CATEGORY_UPDATES"),
        Folder("forums", "Forums", "CATEGORY_FORUMS"),
        Folder("promotions", "Promotions", "CATEGORY_PROMOTIONS"),
    )
}
