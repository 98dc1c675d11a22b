"""User groups: one handle for several people."""

import re
from typing import Any, TypedDict

import orjson
from pydantic import Field
from sqlalchemy import delete, insert, update

from apps.slack.app import app
from apps.slack.example_objects import A_COLLEAGUE, A_GROUP
from apps.slack.limits import DOCS, TIER2
from apps.slack.models import UserGroup, UserGroupMember
from apps.slack.params import Ident, Line, Names
from apps.slack.profiles import Roster
from world.core.call import Call
from world.core.clock import SECOND
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params

GROUP = Field(description="Id of the user group, S….", examples=["S0614TZR7"])


class ListGroups(Params):
    """Options of a list of user groups."""

    include_count: bool = Field(default=False, description="Count the members.")
    include_disabled: bool = Field(default=False, description="List disabled groups too.")
    include_users: bool = Field(default=False, description="List the members.")


class CreateGroup(Params):
    """A group to create."""

    name: Ident = Field(description="What the group is called.", examples=["Payments on-call"])
    handle: Line = Field(default="", description="What it is mentioned by, without @; made from the name if empty.")
    description: Line = Field(default="", description="What it is for.")
    channels: Names = Field(default_factory=list, description="Ids of its default channels, comma-separated.")
    include_count: bool = Field(default=False, description="Count the members.")


class GroupRef(Params):
    """One group."""

    usergroup: Ident = GROUP
    include_count: bool = Field(default=False, description="Count the members.")


class UpdateGroup(GroupRef):
    """A group's new description; what is left out stays."""

    name: Line = Field(default="", description="What the group is called.")
    handle: Line = Field(default="", description="What it is mentioned by, without @.")
    description: Line | None = Field(default=None, description="What it is for.")
    channels: Names | None = Field(default=None, description="Ids of its default channels, comma-separated.")


class SetMembers(GroupRef):
    """A group's members from now on."""

    users: Names = Field(
        description="User ids, comma-separated; everybody not named leaves the group.", examples=[["U061F7AUR"]]
    )


class GroupMembers(Params):
    """User group whose members to list."""

    usergroup: Ident = GROUP
    include_disabled: bool = Field(default=False, description="Also for a disabled group.")


class Groups(TypedDict):
    """User groups by handle."""

    usergroups: list[JsonObject]


class GroupAnswer(TypedDict):
    """A user group."""

    usergroup: JsonObject


class UserIds(TypedDict):
    """Members of a group."""

    users: list[str]


_GROUPS = (
    "SELECT g.id, g.name, g.handle, g.description, g.created_by, g.created_at, g.updated_by, g.updated_at,"
    " g.disabled_at, g.channels, (SELECT json_group_array(a.external_id) FROM (SELECT a.external_id FROM"
    " slack_usergroup_member m JOIN account a ON a.app = 'slack' AND a.person_id = m.person_id WHERE m.usergroup_id ="
    " g.id ORDER BY a.external_id) a) FROM slack_usergroup g WHERE :id IN ('', g.id) ORDER BY g.handle, g.id"
)


def _group_to_json(row: Any, roster: Roster, *, users: bool, count: bool | None) -> dict[str, object]:
    id, name, handle, description, maker, made, changer, changed, disabled, channels, members = row
    listed: list[str] = orjson.loads(members)
    out: dict[str, Any] = {
        "id": id,
        "team_id": roster.team.id,
        "is_usergroup": True,
        "is_subteam": True,
        "name": name,
        "description": description,
        "handle": handle,
        "is_external": False,
        "date_create": made // SECOND,
        "date_update": (changed or made) // SECOND,
        "date_delete": (disabled or 0) // SECOND,
        "auto_provision": False,
        "enterprise_subteam_id": "",
        "created_by": roster.user_id(maker),
        "updated_by": roster.user_id(changer or maker),
        "prefs": {"channels": orjson.loads(channels) if channels else [], "groups": []},
    }
    if users:
        out["users"] = listed
    if disabled:
        out["deleted_by"] = roster.user_id(changer or maker)
    if count is not False:
        out["user_count"] = len(listed)
    if count:
        out["channel_count"] = len(out["prefs"]["channels"])
    return out


def _get_group(call: Call, group: str, *, disabled: bool = False) -> Any:
    row = call.first(_GROUPS, {"id": group}) if group else None
    if row is None or (row[8] is not None and not disabled):
        raise OperationError("no_such_subteam")
    return row


def _group_answer(call: Call, group: str, count: bool) -> GroupAnswer:
    """One group; its members are counted in any case, its channels when asked for."""
    return {
        "usergroup": _group_to_json(
            _get_group(call, group, disabled=True), Roster(call), users=True, count=count or None
        )
    }


def _check_handle(call: Call, wanted: str, own: str = "") -> str:
    """A free handle. Raises invalid_handle, handle_already_exists."""
    handle = wanted.strip().removeprefix("@").lower()
    if not handle or not re.fullmatch(r"[\w.-]{1,80}", handle):
        raise OperationError("invalid_handle")
    taken = any(row[2] == handle and row[0] != own for row in call.all(_GROUPS, {"id": ""}))
    if taken or call.directory.by_handle(handle) is not None:
        raise OperationError("handle_already_exists")
    return handle


def _check_may_change(call: Call) -> None:
    if Roster(call).me.is_guest:
        raise OperationError("permission_denied")


@app.operation(
    "usergroups.list",
    source=DOCS + "usergroups.list",
    scope="usergroups:read",
    limit=TIER2,
    examples=[{"include_users": True}],
    raises=("missing_scope",),
)
def list_groups(call: Call, params: ListGroups) -> Groups:
    """List the user groups (handles that stand for several people)."""
    roster = Roster(call)
    rows = [row for row in call.all(_GROUPS, {"id": ""}) if params.include_disabled or row[8] is None]
    return {
        "usergroups": [
            _group_to_json(row, roster, users=params.include_users, count=params.include_count) for row in rows
        ]
    }


@app.operation(
    "usergroups.create",
    writes=True,
    source=DOCS + "usergroups.create",
    scope="usergroups:write",
    limit=TIER2,
    examples=[{"name": "Lemon team", "handle": "lemons"}],
    raises=("name_already_exists", "handle_already_exists", "invalid_handle", "permission_denied", "missing_scope"),
)
def create(call: Call, params: CreateGroup) -> GroupAnswer:
    """Create a user group; it has no members yet."""
    _check_may_change(call)
    if any(row[1].lower() == params.name.lower() for row in call.all(_GROUPS, {"id": ""})):
        raise OperationError("name_already_exists")
    handle = _check_handle(call, params.handle or re.sub(r"[^\w.-]+", "-", params.name.lower()).strip("-"))
    new = call.ids.token("S", 10)
    values = {
        "id": new,
        "name": params.name,
        "handle": handle,
        "description": params.description,
        "created_by": call.person,
        "created_at": call.now,
        "updated_by": call.person,
        "updated_at": call.now,
        "channels": params.channels or None,
    }
    call.execute(insert(UserGroup).values(values))
    return _group_answer(call, new, params.include_count)


@app.operation(
    "usergroups.update",
    writes=True,
    source=DOCS + "usergroups.update",
    scope="usergroups:write",
    limit=TIER2,
    examples=[{"usergroup": A_GROUP, "description": "Everything lemon"}],
    raises=(
        "no_such_subteam",
        "name_already_exists",
        "handle_already_exists",
        "invalid_handle",
        "permission_denied",
        "missing_scope",
    ),
)
def change(call: Call, params: UpdateGroup) -> GroupAnswer:
    """Change a user group's name, handle, description or default channels."""
    _check_may_change(call)
    row = _get_group(call, params.usergroup)
    if params.name and any(
        r[1].lower() == params.name.lower() and r[0] != row[0] for r in call.all(_GROUPS, {"id": ""})
    ):
        raise OperationError("name_already_exists")
    given = {
        "name": params.name or None,
        "description": params.description,
        "channels": params.channels,
        "handle": _check_handle(call, params.handle, row[0]) if params.handle else None,
    }
    values = {name: value for name, value in given.items() if value is not None}
    _update_group(call, row[0], **values)
    return _group_answer(call, row[0], params.include_count)


def _update_group(call: Call, group: str, **values: object) -> None:
    changed = {**values, "updated_by": call.person, "updated_at": call.now}
    call.execute(update(UserGroup).where(UserGroup.id == group).values(changed))  # type: ignore[arg-type]


@app.operation(
    "usergroups.disable",
    writes=True,
    source=DOCS + "usergroups.disable",
    scope="usergroups:write",
    limit=TIER2,
    examples=[{"usergroup": A_GROUP}],
    raises=("no_such_subteam", "already_disabled", "permission_denied", "missing_scope"),
)
def disable(call: Call, params: GroupRef) -> GroupAnswer:
    """Disable a user group; its handle no longer reaches anybody."""
    _check_may_change(call)
    row = _get_group(call, params.usergroup, disabled=True)
    if row[8] is not None:
        raise OperationError("already_disabled")
    _update_group(call, row[0], disabled_at=call.now)
    return _group_answer(call, row[0], params.include_count)


@app.operation(
    "usergroups.enable",
    writes=True,
    source=DOCS + "usergroups.enable",
    scope="usergroups:write",
    limit=TIER2,
    after=["usergroups.disable"],
    examples=[{"usergroup": A_GROUP}],
    raises=("no_such_subteam", "already_enabled", "permission_denied", "missing_scope"),
)
def enable(call: Call, params: GroupRef) -> GroupAnswer:
    """Enable a disabled user group again."""
    _check_may_change(call)
    row = _get_group(call, params.usergroup, disabled=True)
    if row[8] is None:
        raise OperationError("already_enabled")
    _update_group(call, row[0], disabled_at=None)
    return _group_answer(call, row[0], params.include_count)


@app.operation(
    "usergroups.users.list",
    source=DOCS + "usergroups.users.list",
    scope="usergroups:read",
    limit=TIER2,
    examples=[{"usergroup": A_GROUP}],
    raises=("no_such_subteam", "missing_scope"),
)
def list_members(call: Call, params: GroupMembers) -> UserIds:
    """List the members of a user group."""
    return {"users": orjson.loads(_get_group(call, params.usergroup, disabled=params.include_disabled)[10])}


@app.operation(
    "usergroups.users.update",
    writes=True,
    source=DOCS + "usergroups.users.update",
    scope="usergroups:write",
    limit=TIER2,
    examples=[{"usergroup": A_GROUP, "users": [A_COLLEAGUE]}],
    raises=(
        "no_such_subteam",
        "no_users_provided",
        "user_not_found",
        "user_is_restricted",
        "permission_denied",
        "missing_scope",
    ),
)
def set_members(call: Call, params: SetMembers) -> GroupAnswer:
    """Replace the members of a user group."""
    _check_may_change(call)
    row, roster = _get_group(call, params.usergroup), Roster(call)
    if not params.users:
        raise OperationError("no_users_provided")
    found = roster.find_all(params.users)
    if len(found) < len(set(params.users)) or any(user.status != "active" for user in found):
        raise OperationError("user_not_found")
    if any(user.is_guest for user in found):
        raise OperationError("user_is_restricted")
    before, wanted = set(orjson.loads(row[10])), {user.id: user.person_id for user in found}
    gone = [user.person_id for user in roster.find_all(sorted(before - set(wanted)))]
    for person in gone:
        where = (UserGroupMember.usergroup_id == row[0], UserGroupMember.person_id == person)
        call.execute(delete(UserGroupMember).where(*where))  # type: ignore[arg-type]
    for user_id, person in wanted.items():
        if user_id not in before:
            call.execute(insert(UserGroupMember).values(usergroup_id=row[0], person_id=person))
    _update_group(call, row[0])
    return _group_answer(call, row[0], params.include_count)
