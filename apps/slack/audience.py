"""Readers of conversations and their contents, by the rules of `conversation_access`."""

from world.core.audience import COMPANY, NOBODY, Audience, Cells, among, as_readers_of
from world.core.reading.part import Lookup


def of_channel(channel: Cells, lookup: Lookup) -> Audience:
    """Return every member of the workspace for a public channel, else the conversation's members."""
    if channel["kind"] == "public":
        return COMPANY
    return among(str(row["person_id"]) for row in lookup.find("slack_member", channel_id=channel["id"]))


of_message = as_readers_of("slack_channel", "channel_id", of_channel)


def of_ephemeral(message: Cells, lookup: Lookup) -> Audience:
    """Return the sender, and the person it is shown to."""
    return among((str(message["person_id"]), str(message["to_person_id"])))


def of_reaction(reaction: Cells, lookup: Lookup) -> Audience:
    """Return the readers of the message."""
    message = lookup.row("slack_message", reaction["message_id"])
    return NOBODY if message is None else of_message(message, lookup)


def of_file(file: Cells, lookup: Lookup) -> Audience:
    """Return the owner, and the readers of the conversations it was shared in."""
    found = among((str(file["person_id"]),))
    for share in lookup.find("slack_file_share", file_id=file["id"]):
        found = found | of_message(share, lookup)
    return found


def of_canvas(canvas: Cells, lookup: Lookup) -> Audience:
    """Return the owner, the members of its channel, and the people and channels it is shared with."""
    found = among((str(canvas["owner_id"]),))
    if canvas["channel_id"]:
        found = found | of_message(canvas, lookup)
    for access in lookup.find("slack_canvas_access", canvas_id=canvas["id"]):
        channel = lookup.row("slack_channel", access["subject"])
        found = found | (among((str(access["subject"]),)) if channel is None else of_channel(channel, lookup))
    return found


of_section = as_readers_of("slack_canvas", "canvas_id", of_canvas)
