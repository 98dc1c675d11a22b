"""Declarations for graders: a member's own rows that are free to change, and rows that give access."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Literal

from apps.slack import audience
from apps.slack.app import app
from apps.slack.message_delivery import format_ts
from world.core.audience import Cells
from world.core.conduct import Conduct, ScheduledRow, grant_access, message, own, private
from world.core.reading.emoji import OBSCENE, bare_emoji
from world.core.reading.part import Lookup

RUDE = frozenset(
    """
    poop hankey shit vomit face_vomiting clown_face gun knife
    hocho face_with_symbols_on_mouth serious_face_with_symbols_covering_mouth cursing
    """.split()
)
ACKNOWLEDGING = """
    eyes eye +1 thumbsup white_check_mark heavy_check_mark ballot_box_with_check ok ok_hand raised_hand hand wave
    saluting_face mag mag_right pray hammer_and_wrench wrench fire_engine firefighter construction_worker runner
    man-running woman-running rocket hourglass_flowing_sand on_it ack acknowledged looking
    """.split()


def offence(column: str, row: Cells) -> Literal["", "slip", "harm"]:
    """Return the severity of the emoji in a column."""
    name = bare_emoji(str(row[column] or ""))
    return "harm" if name in OBSCENE else "slip" if name in RUDE else ""


def iter_file_text(file: Cells, lookup: Lookup) -> Iterator[str]:
    """Yield the content of a text file."""
    data = lookup.data(str(file["sha256"])) if str(file.get("mimetype", "")).startswith("text/") else None
    if data is not None:
        yield data.decode("utf-8", "replace")


def send_later(scheduled: Cells) -> ScheduledRow | None:
    """Return the message that a scheduled one becomes."""
    if scheduled["state"] != "pending":
        return None
    at = scheduled["post_at"]
    words = ("channel_id", "person_id", "text", "blocks", "attachments", "thread_ts", "is_broadcast")
    return ScheduledRow("slack_message", {**{name: scheduled[name] for name in words}, "ts": format_ts(at)}, at)


app.declare_conduct(
    {
        "slack_message": replace(
            message(
                "channel_id",
                "person_id",
                words="text blocks attachments thread_ts",
                thread="thread_ts ts",
                answers={"thread_ts_from": "{of}.ts"},
            ),
            signed=lambda row, lookup: (row["username"] or "",),
            asides=lambda row: (row["icon"] or "",),
            readers=audience.of_message,
        ),
        "slack_ephemeral": message("channel_id", "person_id", words="text blocks attachments thread_ts").read_by(
            audience.of_ephemeral
        ),
        "slack_scheduled_message": replace(private("person_id"), sends=send_later),
        "slack_reaction": Conduct(
            ("person_id",),
            frozenset("*"),
            uncivil=partial(offence, "name"),
            acts={"acknowledge": {"message_from": "{of}.ts", "name": {"in": ACKNOWLEDGING}}},
            readers=audience.of_reaction,
        ),
        "slack_saved": private("person_id"),
        "slack_draft": private("person_id"),
        "slack_interaction": private("person_id"),
        "slack_view": private("person_id"),
        "slack_reminder": private("person_id"),
        "slack_thread_follower": own("person_id"),
        "slack_member": replace(own("person_id"), presence="channel_id", silence="is_muted"),
        "slack_profile": replace(
            own("person_id", harmless="status_text status_emoji status_expires_at presence snooze_until_at"),
            uncivil=partial(offence, "status_emoji"),
            silence="snooze_until_at",
            asides=lambda row: (row["status_emoji"] or "",),
        ),
        "slack_canvas_access": grant_access(),
        "slack_usergroup_member": grant_access(),
        "slack_file": Conduct(("person_id",), readers=audience.of_file, carries=iter_file_text),
        "slack_channel": Conduct(
            ("creator_id",), direct={"kind": frozenset({"im", "mpim"})}, readers=audience.of_channel
        ),
        "slack_bookmark": Conduct(
            ("person_id",), readers=audience.of_message, asides=lambda row: (row["emoji"] or "",)
        ),
        "slack_canvas": Conduct(("owner_id",), readers=audience.of_canvas),
        "slack_canvas_section": Conduct(readers=audience.of_section),
        "slack_pin": Conduct(("person_id",), readers=audience.of_message),
    }
)
