"""Configuration of the issue tracker: what every site has, and the statuses, types and fields that imported issues name."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from apps.jira import models as j
from apps.jira import models_boards as boards
from apps.jira import models_workflows as workflows
from seeds.imports.intake import Landing
from seeds.imports.jira_records import JiraExport, JiraIssue, find_category
from seeds.rows.row_collector import Row
from world.core.ids import Ids

FIRST = 10_000  # the first number of a sequence, as the vendor counts
FIRST_FOUND = 10_100  # of statuses, types and the like that only the archives name
STATUSES = {"To Do": "new", "In Progress": "indeterminate", "Done": "done"}
TYPES = {"Epic": 1, "Story": 0, "Task": 0, "Sub-task": -1, "Bug": 0}
PRIORITIES = ("Highest", "High", "Medium", "Low", "Lowest")
RESOLUTIONS = ("Done", "Won't Do", "Duplicate", "Cannot Reproduce")
LINKS = {
    "Blocks": ("is blocked by", "blocks"),
    "Cloners": ("is cloned by", "clones"),
    "Duplicate": ("is duplicated by", "duplicates"),
    "Relates": ("relates to", "relates to"),
}
SUBTASKS = frozenset({"sub-task", "subtask", "technical task"})
SCREEN = (
    "summary issuetype parent description priority assignee reporter labels components fixVersions versions duedate"
    " timetracking customfield_10016 customfield_10020 customfield_10001"
).split()


@dataclass(slots=True)
class Ground:
    """Ids by name."""

    statuses: dict[str, int] = field(default_factory=dict)
    categories: dict[str, str] = field(default_factory=dict)
    types: dict[str, int] = field(default_factory=dict)
    priorities: dict[str, int] = field(default_factory=dict)
    resolutions: dict[str, int] = field(default_factory=dict)
    link_types: dict[str, int] = field(default_factory=dict)
    fields: dict[str, str] = field(default_factory=dict)


def add_ground(landing: Landing, export: JiraExport) -> Ground:
    """The site, its kinds of things, one workflow that allows every step, and who may use it."""
    ground = Ground()
    issues = list(export.issues.values())
    landing.sink.add(j.Site, id=1, cloud_id=Ids(0, f"import:site:{landing.domain}", 0).uuid(), title=landing.name)
    _add_statuses(landing, ground, export, {one.status for one in issues} | _find_past_statuses(issues))
    for number, name in _number(TYPES, {one.type for one in issues}):
        level = TYPES.get(name, -1 if name.lower() in SUBTASKS else 0)
        ground.types[name] = landing.sink.add(j.IssueType, id=number, name=name, level=level)["id"]
    for position, (number, name) in enumerate(_number(PRIORITIES, {one.priority for one in issues}), 1):
        row = landing.sink.add(j.Priority, id=number, name=name, position=position, is_default=name == "Medium")
        ground.priorities[name] = row["id"]
    for number, name in _number(RESOLUTIONS, {one.resolution for one in issues} - {""}):
        row = landing.sink.add(j.Resolution, id=number, name=name, is_default=name == "Done")
        ground.resolutions[name] = row["id"]
    for number, name in _number(LINKS, {kind for kind, _, _ in export.links}):
        inward, outward = LINKS.get(name, (f"{name.lower()} (inward)", name.lower()))
        row = landing.sink.add(j.LinkType, id=number, name=name, inward=inward, outward=outward)
        ground.link_types[name] = row["id"]
    for number, name in enumerate(sorted({name for one in issues for name in one.custom})):
        ground.fields[name] = landing.sink.add(j.CustomField, id=f"customfield_{FIRST_FOUND + number}", name=name)["id"]
    _add_workflow(landing, ground)
    _add_groups(landing)
    return ground


def _number(known: Iterable[str], found: Iterable[str]) -> list[tuple[int, str]]:
    """Numbers of names: those every site has, then the others by name."""
    own = list(known)
    others = sorted(set(found) - set(own))
    return [*enumerate(own, FIRST), *enumerate(others, FIRST_FOUND)]


def _find_past_statuses(issues: Iterable[JiraIssue]) -> set[str]:
    """Statuses that the changelogs name."""
    items = (item for one in issues for change in one.history for item in change.items if item[0] == "status")
    return {text for item in items for text in (item[3], item[5]) if text}


def _add_statuses(landing: Landing, ground: Ground, export: JiraExport, found: set[str]) -> None:
    for number, name in _number(STATUSES, found | set(export.categories)):
        ground.categories[name] = STATUSES.get(name) or find_category(name, export.categories)
        row = landing.sink.add(j.Status, id=number, name=name, category=ground.categories[name])
        ground.statuses[name] = row["id"]


def _add_workflow(landing: Landing, ground: Ground) -> None:
    landing.sink.add(workflows.Screen, id=1, name="All fields")
    for position, name in enumerate([*SCREEN, *ground.fields.values()], 1):
        landing.sink.add(
            workflows.ScreenField, screen_id=1, field_id=name, position=position, required=name == "summary"
        )
    landing.sink.add(workflows.Workflow, id=1, name="Any step", initial_status_id=ground.statuses["To Do"])
    for position, (name, id) in enumerate(ground.statuses.items(), 1):
        done = ground.categories[name] == "done"
        landing.sink.add(
            workflows.Transition,
            workflow_id=1,
            id=position * 10 + 1,
            name=name,
            to_id=id,
            resolution_id=ground.resolutions["Done"] if done else None,
            clears_resolution=not done,
            position=position,
        )


def _add_groups(landing: Landing) -> None:
    members = [person for person, one in landing.individuals.items() if one.kind == "employee" and one.is_active]
    for name in ("jira-administrators", "jira-software-users"):
        group = landing.sink.add(j.Group, id=Ids(0, f"group:{name}", 0).uuid(), name=name)["id"]
        for person in sorted(members) if name == "jira-software-users" else ():
            landing.sink.add(j.GroupMember, group_id=group, person_id=person)


def add_project_setup(
    landing: Landing, ground: Ground, project: Row, issues: list[JiraIssue], board: int, kind: str
) -> None:
    """Issue types of a project, and a board with a column per status."""
    types = dict.fromkeys([*TYPES, *sorted({one.type for one in issues})])
    for position, name in enumerate(types, 1):
        landing.sink.add(
            workflows.ProjectType,
            project_id=project["id"],
            issue_type_id=ground.types[name],
            position=position,
            workflow_id=1,
            create_screen_id=1,
            edit_screen_id=1,
        )
    landing.sink.add(boards.Board, id=board, name=f"{project['key']} board", kind=kind, project_id=project["id"])
    order = ("new", "indeterminate", "done")
    used = dict.fromkeys([*STATUSES, *sorted({one.status for one in issues})])
    columns = sorted(used, key=lambda name: order.index(ground.categories[name]))
    for position, name in enumerate(columns, 1):
        landing.sink.add(
            boards.BoardColumn, board_id=board, position=position, name=name, status_ids=[ground.statuses[name]]
        )
    landing.sink.add(
        j.RoleActor, project_id=project["id"], role="Administrator", kind="person", actor=project["lead_id"]
    )
