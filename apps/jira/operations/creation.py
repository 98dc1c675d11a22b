"""Making an issue: project and type, required fields, number, rank, first watchers."""

from collections.abc import Mapping
from typing import Any

from apps.jira.models import Issue, Project, ProjectType, Workflow
from apps.jira.operations import mail_notifications, ranks
from apps.jira.operations.access import find_project, require
from apps.jira.operations.context import Desk
from apps.jira.operations.edits import Changes, read_type
from apps.jira.operations.field_kinds import default_priority
from apps.jira.operations.fields import screen
from apps.jira.operations.history import Edit, announce, announce_mentions
from apps.jira.operations.side_effects import run_side_effects
from apps.jira.operations.text import Format, Problem, mentions
from apps.jira.operations.watchers import watch
from apps.jira.refusals import field_errors
from world.core.errors import OperationError


def new_issue(desk: Desk, fields: Mapping[str, Any], update: Mapping[str, Any], form: Format | None) -> Issue:
    """Create an issue for the caller. Raises field_errors, cannot_create."""
    project = _project(desk, fields.get("project"))
    require(desk, "CREATE_ISSUES", project)
    config = _type(desk, project, fields)
    issue = _blank(desk, project, config)
    changes = Changes(Edit(desk, issue), screen(desk, config.create_screen_id), form, creating=True)
    changes.apply({name: value for name, value in fields.items() if name not in ("project", "issuetype")}, update)
    changes.finish()
    _default_assignee(desk, project, issue, asked="assignee" in fields)
    _number(desk, project, issue)
    desk.call.session.add(issue)
    desk.call.session.flush()
    for person in dict.fromkeys(p for p in (issue.reporter_id, issue.creator_id) if p):
        if desk.person(person) is not None:
            watch(desk, issue, person)
    run_side_effects(desk, issue, update, form)
    _tell(desk, issue)
    return issue


def _project(desk: Desk, raw: Any) -> Project:
    named = (raw.get("id") or raw.get("key")) if isinstance(raw, dict) else raw
    if named is None:
        raise field_errors(project="Specify a valid project ID or key")
    try:
        return find_project(desk, named)
    except OperationError:
        raise field_errors(project="valid project is required") from None


def _type(desk: Desk, project: Project, fields: Mapping[str, Any]) -> ProjectType:
    try:
        chosen = read_type(desk, project.id, fields.get("issuetype"))
    except Problem as problem:
        raise field_errors(issuetype=str(problem)) from None
    if desk.types[chosen].level < 0 and not fields.get("parent"):
        raise field_errors(issuetype="Issue type is a sub-task but parent issue key or id not specified.")
    config = desk.project_type(project.id, chosen)
    if config is None:
        raise field_errors(issuetype="The issue type selected is invalid.")
    return config


def _blank(desk: Desk, project: Project, config: ProjectType) -> Issue:
    workflow = desk.call.session.get(Workflow, config.workflow_id)
    if workflow is None:
        raise LookupError(f"project {project.key} names workflow {config.workflow_id}, which does not exist")
    now, me = desk.call.now, desk.call.person
    return Issue(
        id=desk.next_id("jira_issue"),
        project_id=project.id,
        number=0,
        key="",
        issue_type_id=config.issue_type_id,
        status_id=workflow.initial_status_id,
        priority_id=default_priority(desk),
        summary="",
        creator_id=me,
        reporter_id=me,
        rank=ranks.last(desk.call),
        created_at=now,
        updated_at=now,
        status_changed_at=now,
    )


def _default_assignee(desk: Desk, project: Project, issue: Issue, *, asked: bool) -> None:
    if asked or issue.assignee_id is not None:
        return
    leads = [desk.components[c] for c in issue.component_ids]
    by_component = next((c.lead_id for c in leads if c.assignee_type == "COMPONENT_LEAD" and c.lead_id), None)
    wanted = by_component or (project.lead_id if project.assignee_type == "PROJECT_LEAD" else None)
    if wanted is not None and desk.person_may(wanted, "ASSIGNABLE_USER", project):
        issue.assignee_id = wanted


def _number(desk: Desk, project: Project, issue: Issue) -> None:
    project.issue_counter += 1
    issue.number, issue.key = project.issue_counter, f"{project.key}-{project.issue_counter}"


def _tell(desk: Desk, issue: Issue) -> None:
    announce(
        desk,
        "jira.issue_created",
        issue,
        reporter=issue.reporter_id,
        assignee=issue.assignee_id,
        text=issue.description_text,
    )
    if issue.assignee_id is not None:
        announce(desk, "jira.issue_assigned", issue, person=issue.assignee_id)
    named = mentions(issue.description)
    announce_mentions(desk, issue, named, text=issue.description_text, comment_id=None)
    people = [issue.assignee_id, issue.reporter_id, *mail_notifications.mentioned(desk, named)]
    mail_notifications.mail(desk, issue, people, f"created {issue.key}", f"{issue.summary}\n\n{issue.description_text}")
