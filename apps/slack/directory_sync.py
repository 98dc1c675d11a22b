"""Effects of directory changes on copies kept here: display names, statuses, the user groups of teams."""

from sqlmodel import select

from apps.slack.app import app
from apps.slack.models import Profile, UserGroup, UserGroupMember
from world.core.app import Facts
from world.core.call import Call
from world.script.personnel import AWAY, LEFT, MOVED, RENAMED

_STATUS = {
    "vacation": ("Vacationing", ":palm_tree:"),
    "sick": ("Out sick", ":face_with_thermometer:"),
}  # the vendor's own suggestions
_OTHER = ("Away", ":palm_tree:")


@app.on(RENAMED)
def sync_renamed_person(call: Call, facts: Facts) -> None:
    """Update a display name that equals the old name."""
    profile = call.session.get(Profile, str(facts["person"]))
    if profile is not None and profile.display_name in (facts["old_name"], facts["old_display_name"]):
        profile.display_name, profile.updated_at = None, call.now


@app.on(AWAY)
def sync_absence(call: Call, facts: Facts) -> None:
    """Set a status until the person is back."""
    person = str(facts["person"])
    profile = call.session.get(Profile, person) or Profile(person_id=person)
    profile.status_text, profile.status_emoji = _STATUS.get(str(facts["kind"]), _OTHER)
    profile.status_expires_at, profile.updated_at = int(str(facts["until"])), call.now
    call.session.add(profile)


@app.on(MOVED)
def sync_team_move(call: Call, facts: Facts) -> None:
    """Move a person from the old team's user group to the new one's."""
    person = str(facts["person"])
    for group in call.session.exec(select(UserGroup).where(UserGroup.name == facts["old_team_name"])):
        _remove_from_group(call, group.id, person)
    for group in call.session.exec(select(UserGroup).where(UserGroup.name == facts["team_name"])):
        if call.session.get(UserGroupMember, (group.id, person)) is None:
            call.session.add(UserGroupMember(usergroup_id=group.id, person_id=person))


@app.on(LEFT)
def sync_departure(call: Call, facts: Facts) -> None:
    """Remove a person from every user group."""
    person = str(facts["person"])
    for row in call.session.exec(select(UserGroupMember).where(UserGroupMember.person_id == person)).all():
        _remove_from_group(call, row.usergroup_id, person)


def _remove_from_group(call: Call, group: str, person: str) -> None:
    row = call.session.get(UserGroupMember, (group, person))
    if row is not None:
        call.session.delete(row)
