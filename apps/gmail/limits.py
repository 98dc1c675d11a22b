"""Quota of one user: units per second, and the cost of each method.

developers.google.com/workspace/gmail/api/reference/quota
"""

from world.core.clock import to_datetime

UNITS_PER_SECOND = 250
USAGE: dict[str, int] = {
    "users.getProfile": 1,
    "users.watch": 100,
    "users.stop": 50,
    "users.history.list": 2,
    "users.messages.attachments.get": 5,
    "users.messages.batchDelete": 50,
    "users.messages.batchModify": 50,
    "users.messages.delete": 10,
    "users.messages.get": 5,
    "users.messages.import": 25,
    "users.messages.insert": 25,
    "users.messages.list": 5,
    "users.messages.modify": 5,
    "users.messages.send": 100,
    "users.messages.trash": 5,
    "users.messages.untrash": 5,
    "users.threads.delete": 20,
    "users.threads.get": 10,
    "users.threads.list": 10,
    "users.threads.modify": 10,
    "users.threads.trash": 10,
    "users.threads.untrash": 10,
    "users.labels.create": 5,
    "users.labels.delete": 5,
    "users.labels.get": 1,
    "users.labels.list": 1,
    "users.labels.patch": 5,
    "users.labels.update": 5,
    "users.drafts.create": 10,
    "users.drafts.delete": 10,
    "users.drafts.get": 5,
    "users.drafts.list": 5,
    "users.drafts.send": 100,
    "users.drafts.update": 15,
}
SETTINGS_READ, SETTINGS_WRITE = 1, 5
FORWARDS, DELEGATES = 100, 100  # adding an address or a person
CLIENT = 5  # what the browser client asks for
SENDS = 100


def quota_units(method: str, writes: bool) -> int:
    """Return the quota units of a call of a method."""
    if method in USAGE:
        return USAGE[method]
    return (SETTINGS_WRITE if writes else SETTINGS_READ) if method.startswith("users.settings.") else CLIENT


def format_retry_time(at: int) -> str:
    """Format the end of a limit for its refusal: `2026-03-02T08:04:03.000Z`."""
    return to_datetime(at).isoformat(timespec="milliseconds").replace("+00:00", "Z")
