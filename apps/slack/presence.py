"""Presence of people."""

from world.core.call import Call
from world.core.clock import to_datetime

_WORKING = (
    "SELECT p.tz, p.hours_start, p.hours_end, p.kind, s.presence, EXISTS (SELECT 1 FROM absence b WHERE b.person_id ="
    " p.id AND b.start_at <= :now AND b.end_at > :now) FROM person p LEFT JOIN slack_profile s ON s.person_id = p.id"
    " WHERE p.id = :person"
)


def is_active(call: Call, person: str) -> tuple[bool, bool]:
    """Whether somebody is at their desk now and has not set themselves away."""
    row = call.first(_WORKING, {"person": person, "now": call.now})
    if row is None:
        return False, False
    zone, starts, ends, kind, presence, absent = row
    if presence == "away":
        return False, True
    local = to_datetime(call.now, zone)
    at_work = local.weekday() < 5 and starts <= local.hour * 60 + local.minute < ends
    return kind == "bot" or person == call.person or (at_work and not absent), False
