"""Effects of directory changes on copies kept here: groups and project roles of a team."""

from collections.abc import Iterator

from sqlmodel import col, select

from apps.jira.app import app
from apps.jira.models import Group, GroupMember, Project, RoleActor
from world.core.app import Facts
from world.core.call import Call
from world.core.directory import Team
from world.script.personnel import MOVED

ROLE = "Member"


@app.on(MOVED)
def sync_team_groups(call: Call, facts: Facts) -> None:
    """Move a person from the old team's groups and projects to the new one's.

    Groups are matched by name, projects by the lead of both.
    """
    person, old, new = (
        str(facts["person"]),
        call.session.get(Team, facts["old_team"]),
        call.session.get(Team, facts["team"]),
    )
    for row in _list_team_groups(call, old, person):
        held = call.session.get(type(row), _group_key(row))
        if held is not None:
            call.session.delete(held)
    call.flush()
    for row in _list_team_groups(call, new, person):
        if call.session.get(type(row), _group_key(row)) is None:
            call.session.add(row)


def _list_team_groups(call: Call, team: Team | None, person: str) -> Iterator[GroupMember | RoleActor]:
    """Yield the memberships of a team: `support` and `support-agents` for Support, projects led by its lead."""
    if team is None:
        return
    slug = team.name.lower().replace(" ", "-")
    for group in call.session.exec(select(Group).order_by(Group.name)).all():
        if group.name == slug or group.name.startswith(f"{slug}-"):
            yield GroupMember(group_id=group.id, person_id=person)
    for project in call.session.exec(
        select(Project).where(col(Project.lead_id) == team.lead_id).order_by(col(Project.id))
    ).all():
        yield RoleActor(project_id=project.id, role=ROLE, kind="person", actor=person)


def _group_key(row: GroupMember | RoleActor) -> tuple[int | str, ...]:
    return (
        (row.group_id, row.person_id)
        if isinstance(row, GroupMember)
        else (row.project_id, row.role, row.kind, row.actor)
    )
