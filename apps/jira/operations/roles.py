"""Roles of people in projects, and the caller's permissions."""

from pydantic import Field
from sqlmodel import col, select

from apps.jira.app import app
from apps.jira.domain.access import find_issue, find_person, find_project, parse_number, project_of
from apps.jira.domain.context import PERMISSIONS, ROLES, JiraContext
from apps.jira.limits import EDITS
from apps.jira.models import Group, Project, RoleActor
from apps.jira.operations.params import Id, ProjectRef, Words
from apps.jira.operations.projects import ProjectOnly, list_visible_projects
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import NoParams, Params

ROLE_SOURCE = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-project-roles"
ACTOR_SOURCE = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-project-role-actors"
PERMISSION_SOURCE = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-permissions"
GLOBAL = ("ADMINISTER", "BULK_CHANGE", "CREATE_SHARED_OBJECTS", "USER_PICKER")


class RoleRef(Params):
    """A role of a project."""

    projectIdOrKey: ProjectRef
    id: Id = Field(description="Role id.")


class PermissionAsk(Params):
    """Requested permissions, and their project or issue."""

    projectKey: Id | None = Field(default=None, description="Project key.")
    projectId: Id | None = Field(default=None, description="Project id.")
    issueKey: Id | None = Field(default=None, description="Issue key.")
    issueId: Id | None = Field(default=None, description="Issue id.")
    permissions: Words = Field(default_factory=list, description="Permission keys, like EDIT_ISSUES; all when empty.")


class ActorsAdd(RoleRef):
    """People and groups to put into a role."""

    user: Words = Field(default_factory=list, description="Account ids.")
    group: Words = Field(default_factory=list, description="Group names.")
    groupId: Words = Field(default_factory=list, description="Group ids.")


class ActorDelete(RoleRef):
    """A person or group to take out of a role."""

    user: Id | None = Field(default=None, description="Account id.")
    group: Id | None = Field(default=None, description="Group name.")
    groupId: Id | None = Field(default=None, description="Group id.")


@app.operation(
    "getProjectRoles",
    source=ROLE_SOURCE,
    scope="read:jira-work",
    examples=[{"projectIdOrKey": "SHOP"}],
    raises=("project_not_found", "project_id_not_found"),
)
def get_project_roles(call: Call, params: ProjectOnly) -> dict[str, str]:
    """List the roles of a project with their addresses."""
    context = JiraContext(call)
    project = find_project(context, params.projectIdOrKey)
    return {name: f"{context.api}/project/{project.id}/role/{id}" for name, id in ROLES.items()}


@app.operation(
    "getProjectRole",
    source=ROLE_SOURCE,
    scope="read:jira-work",
    examples=[{"projectIdOrKey": "SHOP", "id": "$getProjectRoles:Member.-1"}],
    raises=("project_not_found", "project_id_not_found", "role_not_found"),
)
def get_project_role(call: Call, params: RoleRef) -> JsonObject:
    """Read who holds a role in a project."""
    context = JiraContext(call)
    project = find_project(context, params.projectIdOrKey)
    return _role_to_json(context, project, _get_role_name(params.id))


def _get_role_name(id: str) -> str:
    name = next((role for role, own in ROLES.items() if own == parse_number(id)), None)
    if name is None:
        raise OperationError("role_not_found")
    return name


def _role_to_json(context: JiraContext, project: Project, name: str) -> JsonObject:
    query = select(RoleActor).where(RoleActor.project_id == project.id, RoleActor.role == name)
    actors = [
        _actor_to_json(context, row)
        for row in context.call.session.exec(query.order_by(RoleActor.kind, RoleActor.actor))
    ]
    own = f"{context.api}/project/{project.id}/role/{ROLES[name]}"
    return {"self": own, "name": name, "id": ROLES[name], "description": f"{name}s of the project.", "actors": actors}


def _actor_to_json(context: JiraContext, row: RoleActor) -> JsonObject:
    if row.kind == "group":
        return {
            "displayName": row.actor,
            "type": "atlassian-group-role-actor",
            "name": row.actor,
            "actorGroup": {"name": row.actor, "displayName": row.actor},
        }
    shown = {"accountId": context.account(row.actor)}
    return {"displayName": context.name(row.actor), "type": "atlassian-user-role-actor", "actorUser": shown}


@app.operation(
    "getMyPermissions",
    source=PERMISSION_SOURCE,
    scope="read:jira-work",
    examples=[{"projectKey": "SHOP"}],
    raises=("project_not_found", "project_id_not_found", "issue_not_found"),
)
def get_my_permissions(call: Call, params: PermissionAsk) -> JsonObject:
    """Read what you may do, globally or in a project or on an issue."""
    context = JiraContext(call)
    project = _find_asked_project(context, params)
    asked = [key for key in params.permissions if key] or [*PERMISSIONS, *GLOBAL]
    out = {}
    for position, key in enumerate(asked):
        have = _has_permission(context, key, project)
        name = key.replace("_", " ").capitalize()
        out[key] = {
            "id": str(position + 1),
            "key": key,
            "name": name,
            "type": "GLOBAL" if key in GLOBAL else "PROJECT",
            "description": name,
            "havePermission": have,
        }
    return {"permissions": out}


def _has_permission(context: JiraContext, key: str, project: Project | None) -> bool:
    if key == "ADMINISTER":
        return context.is_admin
    if key in GLOBAL:
        return True
    if project is not None:
        return context.may(key, project)
    return any(context.may(key, one) for one in list_visible_projects(context))


def _find_asked_project(context: JiraContext, params: PermissionAsk) -> Project | None:
    from_issue = params.issueKey or params.issueId
    if from_issue is not None:
        return project_of(context, find_issue(context, from_issue))
    wanted = params.projectKey or params.projectId
    return None if wanted is None else find_project(context, wanted)


@app.operation("getAllPermissions", source=PERMISSION_SOURCE, scope="read:jira-work", examples=[{}])
def get_all_permissions(call: Call, params: NoParams) -> JsonObject:
    """List the permissions there are."""
    return {"permissions": {key: _permission_to_json(key, key in GLOBAL) for key in (*PERMISSIONS, *GLOBAL)}}


def _permission_to_json(key: str, is_global: bool) -> dict[str, str]:
    name = key.replace("_", " ").capitalize()
    return {"key": key, "name": name, "type": "GLOBAL" if is_global else "PROJECT", "description": name}


def _get_group_id(context: JiraContext, name: str) -> str:
    row = context.call.session.exec(
        select(Group).where((col(Group.name) == name) | (col(Group.id) == name)).order_by(Group.name)
    ).first()
    if row is None:
        raise OperationError("group_not_found", group=name)
    return row.id


@app.operation(
    "addActorUsers",
    writes=True,
    source=ACTOR_SOURCE,
    scope="manage:jira-project",
    examples=[{"projectIdOrKey": "SHOP", "id": "$getProjectRoles:Member.-1", "user": ["$getCurrentUser:accountId"]}],
    raises=(
        "project_not_found",
        "project_id_not_found",
        "cannot_administer",
        "role_not_found",
        "user_not_found",
        "group_not_found",
    ),
)
def add_actor_users(call: Call, params: ActorsAdd) -> JsonObject:
    """Give people or groups a role in a project you administer, and so access to it."""
    context = JiraContext(call)
    project = find_project(context, params.projectIdOrKey, "ADMINISTER_PROJECTS")
    role = _get_role_name(params.id)
    actors = [("person", find_person(context, account)) for account in params.user]
    actors += [("group", _get_group_id(context, name)) for name in (*params.group, *params.groupId)]
    for kind, actor in actors:
        if call.session.get(RoleActor, (project.id, role, kind, actor)) is None:
            call.session.add(RoleActor(project_id=project.id, role=role, kind=kind, actor=actor))
    call.session.flush()
    return _role_to_json(context, project, role)


@app.operation(
    "deleteActor",
    writes=True,
    limit=EDITS,
    source=ACTOR_SOURCE,
    scope="manage:jira-project",
    after=["addActorUsers"],
    examples=[{"projectIdOrKey": "SHOP", "id": "$getProjectRoles:Member.-1", "user": "$getCurrentUser:accountId"}],
    raises=(
        "project_not_found",
        "project_id_not_found",
        "cannot_administer",
        "role_not_found",
        "user_not_found",
        "group_not_found",
    ),
)
def delete_actor(call: Call, params: ActorDelete) -> None:
    """Take a person or group out of a role of a project you administer."""
    context = JiraContext(call)
    project = find_project(context, params.projectIdOrKey, "ADMINISTER_PROJECTS")
    role, name = _get_role_name(params.id), params.group or params.groupId
    kind, actor = (
        ("group", _get_group_id(context, name))
        if name is not None
        else ("person", find_person(context, params.user or ""))
    )
    row = call.session.get(RoleActor, (project.id, role, kind, actor))
    if row is None:
        raise OperationError("role_not_found")
    call.session.delete(row)
