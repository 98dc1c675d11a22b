"""Digest mails of missed messages for absent people: those of a quarter of an hour together."""

from collections.abc import Iterable, Sequence
from typing import Any

from apps.slack.app import app
from apps.slack.conversation_access import Room
from apps.slack.message_views import Row, permalink
from apps.slack.notifications import QUIET, render_plain_text
from apps.slack.presence import is_active
from apps.slack.profiles import Roster
from world.core.app import Facts
from world.core.call import Call
from world.core.clock import MINUTE

TOPIC, TELL = "slack.missed", "person.notified"
PAUSE = 15 * MINUTE  # slack.com/help/articles/201649273-Configure-email-notifications
MOST = 20  # messages that one mail shows; own choice
SENDER = "notification@slack.example"
_UNREAD = (
    "SELECT m.person_id, m.text, m.channel_id, m.ts, c.kind, c.name FROM slack_member s CROSS JOIN slack_channel c ON"
    " c.id = s.channel_id CROSS JOIN slack_message m ON m.channel_id = c.id AND m.ts >= :since AND m.ts > s.last_read"
    " WHERE s.person_id = :me AND NOT s.is_muted AND m.person_id <> :me AND m.deleted_at IS NULL AND"
    " coalesce(m.subtype, '') NOT IN (SELECT value FROM json_each(:quiet)) AND (c.kind IN ('im', 'mpim') OR EXISTS"
    " (SELECT 1 FROM slack_mention n WHERE n.message_id = m.id AND n.target = :me)) ORDER BY m.ts, m.id LIMIT :most"
)


def expect_digest(call: Call, room: Room, row: Row, called: Iterable[str]) -> None:
    """Schedule a check whether absent recipients have read a message; none for people at work, or without mail."""
    if not call.has_listeners(TELL):
        return
    for person in sorted({*(room.people if room.is_direct else called)} - {row.person_id}):
        if call.state(_digest_key(person)) is None and not is_active(call, person)[0]:
            call.later(TOPIC, call.now + PAUSE, person=person, since=row.ts)
            call.remember(_digest_key(person), row.ts)


def _digest_key(person: str) -> str:
    return f"slack:missed:{person}"


@app.on(TOPIC)
def send_digest(call: Call, facts: Facts) -> None:
    """Mail an absent person their unread messages."""
    person = str(facts["person"])
    call.remember(_digest_key(person), None)
    values = {"me": person, "since": facts["since"], "quiet": _quiet_list(), "most": MOST}
    rows = [] if is_active(call, person)[0] else call.all(_UNREAD, values)
    if rows:
        roster = Roster(call)
        call.publish(
            TELL,
            people=[person],
            sender=SENDER,
            sender_name="Slack",
            at=call.now,
            thread=f"{rows[0][2]}:{rows[0][3]}",
            subject=_render_subject(rows, roster),
            text=_render_text(call, person, rows, roster),
        )


def _quiet_list() -> str:
    return f"[{','.join(repr(one) for one in QUIET)}]".replace("'", '"')


def _render_subject(rows: Sequence[Sequence[Any]], roster: Roster) -> str:
    if len(rows) > 1:
        return f"[{roster.team.name}] {len(rows)} new messages"
    author, _, _, _, kind, name = rows[0]
    how = f"mentioned you in #{name}" if kind in ("public", "private") else "sent you a direct message"
    return f"[{roster.team.name}] {_author_name(roster, author)} {how}"


def _render_text(call: Call, person: str, rows: Sequence[Sequence[Any]], roster: Roster) -> str:
    reader = call.directory.person(person)
    parts = [f"Hi {reader.first_name if reader else 'there'},"]
    for author, text, channel, ts, kind, name in rows:
        where = f"#{name}" if kind in ("public", "private") else "a direct message"
        said = render_plain_text(call, text, roster).replace("\n", "\n    ")
        link = permalink(call, channel, ts)
        parts.append(
            f"you have a new message in {where} from {_author_name(roster, author)}:\n\n    {said}\n\nOpen Slack to answer:"
            f" {link}"
        )
    return "\n\n".join(parts)


def _author_name(roster: Roster, person: str) -> str:
    user = roster.get(person)
    return user.real_name if user else "Slackbot"
