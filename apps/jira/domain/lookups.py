"""JSON of reference rows: statuses, types, priorities, projects, versions, sprints and the like."""

from sqlmodel import select

from apps.jira.domain.context import JiraContext, format_zulu_timestamp
from apps.jira.models import (
    Category,
    Component,
    FieldOption,
    IssueType,
    LinkType,
    Priority,
    Project,
    Resolution,
    Status,
    Version,
)
from apps.jira.models_boards import Sprint
from world.core.directory import Team

Json = dict[str, object]

# id, key, colour, name; developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-workflow-status-categories
CATEGORIES: dict[str, tuple[int, str, str]] = {
    "undefined": (1, "medium-gray", "No Category"),
    "new": (2, "blue-gray", "To Do"),
    "done": (3, "green", "Done"),
    "indeterminate": (4, "yellow", "In Progress"),
}


def category_to_json(context: JiraContext, key: str) -> Json:
    """A status category."""
    number, colour, name = CATEGORIES[key]
    return {
        "self": f"{context.api}/statuscategory/{number}",
        "id": number,
        "key": key,
        "colorName": colour,
        "name": name,
    }


def status_to_json(context: JiraContext, status: Status) -> Json:
    """A workflow status with its category."""
    return {
        "self": f"{context.api}/status/{status.id}",
        "description": status.description,
        "iconUrl": f"{context.call.base_url}/images/icons/statuses/generic.png",
        "name": status.name,
        "id": str(status.id),
        "statusCategory": category_to_json(context, status.category),
    }


def priority_to_json(context: JiraContext, priority: Priority) -> Json:
    """A priority inside an issue."""
    icon = f"{context.call.base_url}/images/icons/priorities/{priority.name.lower()}.svg"
    return {
        "self": f"{context.api}/priority/{priority.id}",
        "iconUrl": icon,
        "name": priority.name,
        "id": str(priority.id),
    }


def priority_details_to_json(context: JiraContext, priority: Priority) -> Json:
    """A priority in the list of priorities."""
    return {
        **priority_to_json(context, priority),
        "statusColor": priority.colour or "#cccccc",
        "description": priority.description,
        "isDefault": priority.is_default,
    }


def resolution_to_json(context: JiraContext, resolution: Resolution) -> Json:
    """A resolution."""
    return {
        "self": f"{context.api}/resolution/{resolution.id}",
        "id": str(resolution.id),
        "description": resolution.description,
        "name": resolution.name,
    }


def issue_type_to_json(context: JiraContext, kind: IssueType) -> Json:
    """An issue type."""
    return {
        "self": f"{context.api}/issuetype/{kind.id}",
        "id": str(kind.id),
        "description": kind.description,
        "iconUrl": f"{context.api}/universal_avatar/view/type/issuetype/avatar/{kind.id}?size=medium",
        "name": kind.name,
        "subtask": kind.level < 0,
        "avatarId": kind.id,
        "hierarchyLevel": kind.level,
    }


def project_to_json(context: JiraContext, project: Project) -> Json:
    """A project inside an issue."""
    shown: Json = {
        "self": f"{context.api}/project/{project.id}",
        "id": str(project.id),
        "key": project.key,
        "name": project.name,
        "projectTypeKey": project.type_key,
        "simplified": project.style == "next-gen",
        "avatarUrls": context.avatars("project", project.id),
    }
    category = context.categories.get(project.category_id or 0)
    if category is not None:
        shown["projectCategory"] = project_category_to_json(context, category)
    return shown


def project_category_to_json(context: JiraContext, category: Category) -> Json:
    """A heading over projects."""
    return {
        "self": f"{context.api}/projectCategory/{category.id}",
        "id": str(category.id),
        "name": category.name,
        "description": category.description,
    }


def component_to_json(context: JiraContext, component: Component) -> Json:
    """A component inside an issue."""
    shown: Json = {"self": f"{context.api}/component/{component.id}", "id": str(component.id), "name": component.name}
    if component.description:
        shown["description"] = component.description
    return shown


def version_to_json(context: JiraContext, version: Version) -> Json:
    """A version, as issues and lists show it."""
    shown: Json = {
        "self": f"{context.api}/version/{version.id}",
        "id": str(version.id),
        "description": version.description,
        "name": version.name,
        "archived": version.archived,
        "released": version.released,
    }
    if version.release_on is not None:
        shown["releaseDate"] = version.release_on
    return shown


def option_to_json(context: JiraContext, option: FieldOption) -> Json:
    """A chosen option of a select field."""
    return {"self": f"{context.api}/customFieldOption/{option.id}", "value": option.value, "id": str(option.id)}


def sprint_to_json(sprint: Sprint) -> Json:
    """A sprint inside an issue; only a started one has dates."""
    shown: Json = {
        "id": sprint.id,
        "name": sprint.name,
        "state": sprint.state,
        "boardId": sprint.board_id,
        "goal": sprint.goal,
    }
    for name, at in (("startDate", sprint.start_at), ("endDate", sprint.end_at), ("completeDate", sprint.completed_at)):
        if at is not None:
            shown[name] = format_zulu_timestamp(at)
    return shown


def team_to_json(context: JiraContext, team_id: str) -> Json | None:
    """A directory team as the Team field shows it."""
    team = context.call.session.exec(select(Team).where(Team.id == team_id)).first()
    if team is None:
        return None
    return {"id": team.id, "name": team.name, "avatarUrl": "", "isVisible": True, "title": team.name, "isShared": True}


def link_type_to_json(context: JiraContext, kind: LinkType) -> Json:
    """An issue link type."""
    return {
        "id": str(kind.id),
        "name": kind.name,
        "inward": kind.inward,
        "outward": kind.outward,
        "self": f"{context.api}/issueLinkType/{kind.id}",
    }
