"""What a member may do to their own rows at no cost, and which rows let somebody in."""

from collections.abc import Iterator

from apps.slack import audience
from apps.slack.app import app
from world.core.audience import Cells
from world.core.conduct import Conduct, message, opening, own, private
from world.core.reading.part import Lookup

INSULTS = frozenset(
    """
    middle_finger fu reversed_hand_with_middle_finger_extended poop hankey shit vomit face_vomiting clown_face gun knife
    hocho face_with_symbols_on_mouth serious_face_with_symbols_covering_mouth cursing
    """.split()
)
ACKNOWLEDGING = """
    eyes eye +1 thumbsup white_check_mark heavy_check_mark ballot_box_with_check ok ok_hand raised_hand hand wave
    saluting_face mag mag_right pray hammer_and_wrench wrench fire_engine firefighter construction_worker runner
    man-running woman-running rocket hourglass_flowing_sand on_it ack acknowledged looking
    """.split()


def carried_text(file: Cells, lookup: Lookup) -> Iterator[str]:
    """What a text file says."""
    data = lookup.data(str(file["sha256"])) if str(file.get("mimetype", "")).startswith("text/") else None
    if data is not None:
        yield data.decode("utf-8", "replace")


app.declare_conduct(
    {
        "slack_message": message(
            "channel_id",
            "person_id",
            words="text blocks attachments thread_ts",
            thread="thread_ts ts",
            answers={"thread_ts_from": "{of}.ts"},
        ).read_by(audience.of_message),
        "slack_ephemeral": message("channel_id", "person_id", words="text blocks attachments thread_ts").read_by(
            audience.of_ephemeral
        ),
        "slack_scheduled_message": message(
            "channel_id", "person_id", words="text blocks attachments thread_ts"
        ).read_by(audience.of_message),
        "slack_reaction": Conduct(
            ("person_id",),
            frozenset("*"),
            uncivil={"name": INSULTS},
            acts={"acknowledge": {"message_from": "{of}.ts", "name": {"in": ACKNOWLEDGING}}},
            readers=audience.of_reaction,
        ),
        "slack_saved": private("person_id"),
        "slack_draft": private("person_id"),
        "slack_reminder": private("person_id"),
        "slack_thread_follower": own("person_id"),
        "slack_member": own("person_id"),
        "slack_profile": own(
            "person_id", harmless="status_text status_emoji status_expires_at presence snooze_until_at"
        ),
        "slack_canvas_access": opening(),
        "slack_usergroup_member": opening(),
        "slack_file": Conduct(("person_id",), readers=audience.of_file, carries=carried_text),
        "slack_channel": Conduct(
            ("creator_id",), direct={"kind": frozenset({"im", "mpim"})}, readers=audience.of_channel
        ),
        "slack_bookmark": Conduct(("person_id",), readers=audience.of_message),
        "slack_canvas": Conduct(("owner_id",), readers=audience.of_canvas),
        "slack_canvas_section": Conduct(readers=audience.of_section),
        "slack_pin": Conduct(("person_id",), readers=audience.of_message),
    }
)
