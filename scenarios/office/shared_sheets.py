"""Spreadsheets that somebody has made and shared with the whole company, for the authors of chores."""

from collections.abc import Mapping, Sequence

from scenarios.office.books import create_book
from world.script.stage import Stage


def share_sheet(w: Stage, owner: str, title: str, tabs: Mapping[str, Sequence[Sequence[object]]]) -> str:
    """Somebody makes a spreadsheet of the given tabs, which everybody in the company can read. Returns its key."""
    key = create_book(w, owner, title, tabs, entry="RAW")
    domain = w.call.directory.company().domain
    w.act(
        owner,
        "drive.permissions.create",
        fileId=key,
        type="domain",
        role="reader",
        domain=domain,
        allowFileDiscovery=True,
    )
    return key


def members_of(w: Stage, channel: str) -> set[str]:
    """Ids of the people in a channel of Slack."""
    room = w.find("slack_channel", name=channel)["id"]
    return {one["person_id"] for one in w.rows("slack_member", channel_id=room)}
