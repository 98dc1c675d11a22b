"""Personnel changes: people are renamed, moved, away, gone.

They are written into the directory, where every app looks, and told to apps that keep copies.
"""

from pydantic import JsonValue
from sqlmodel import col, func, select

from world.core.call import Call
from world.core.directory import Absence, Alias, Person, Team

RENAMED, MOVED, AWAY, LEFT = "person.renamed", "person.moved", "person.away", "person.left"


def rename(call: Call, person: Person, full_name: str, *, email: str = "") -> None:
    """Another name, and another address if given; mail to the old one still arrives."""
    old: dict[str, JsonValue] = {
        "old_name": person.full_name,
        "old_email": person.email,
        "old_display_name": person.display_name,
    }
    if email and email.lower() != person.email:
        last = call.session.exec(select(func.max(Alias.id))).one() or 0
        call.session.add(Alias(id=last + 1, person_id=person.id, kind="email", value=person.email))
        person.email = email.lower()
    first, _, last_name = full_name.partition(" ")
    person.display_name = full_name if person.display_name == person.full_name else first
    person.full_name, person.first_name, person.last_name = full_name, first, last_name
    _tell(call, RENAMED, person, name=full_name, email=person.email, **old)


def move(call: Call, person: Person, team: str, *, title: str = "", manager: str = "") -> None:
    """Another team, under its lead unless told; another title if given. Raises LookupError for a team that is not
    there.
    """
    found = call.session.exec(select(Team).where((Team.id == team) | (Team.name == team))).first()
    if found is None:
        raise LookupError(f"no team {team!r}")
    old = call.session.get(Team, person.team_id) if person.team_id else None
    person.team_id, person.title = found.id, title or person.title
    person.manager_id = manager or (found.lead_id if found.lead_id != person.id else person.manager_id)
    names: dict[str, JsonValue] = {"team": found.id, "team_name": found.name}
    _tell(call, MOVED, person, **names, old_team=old.id if old else None, old_team_name=old.name if old else None)


def leave(
    call: Call, person: Person, until: int, *, kind: str = "vacation", note: str = "", delegate: str | None = None
) -> None:
    """Away from now to `until` (us). What apps say of somebody away follows: presence, vacation replies, coworkers who
    stay silent.
    """
    last = call.session.exec(select(func.max(col(Absence.id)))).one() or 0
    away = Absence(
        id=last + 1, person_id=person.id, start_at=call.now, end_at=until, kind=kind, note=note, delegate_id=delegate
    )
    call.session.add(away)
    _tell(call, AWAY, person, until=until, kind=kind)


def deactivate(call: Call, person: Person) -> None:
    """Close a person's accounts: tokens and sessions are refused, mail comes back, nothing can be given to them."""
    person.status, person.left_at = "left", call.now
    _tell(call, LEFT, person)


def _tell(call: Call, topic: str, person: Person, **facts: JsonValue) -> None:
    call.session.add(person)
    call.flush()
    if call.has_listeners(topic):
        call.later(topic, call.now, person=person.id, **facts)
