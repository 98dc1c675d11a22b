"""Making an issue: project and type, required fields, number, rank, first watchers."""

from collections.abc import Mapping

from apps.jira.domain import mail_notifications, ranks
from apps.jira.domain.access import find_project, require
from apps.jira.domain.context import JiraContext
from apps.jira.domain.edits import Changes, read_type
from apps.jira.domain.field_kinds import get_default_priority
from apps.jira.domain.fields import get_screen_fields
from apps.jira.domain.history import Edit, announce, announce_mentions
from apps.jira.domain.text import Format, Problem, list_mentions
from apps.jira.models import Issue, Project
from apps.jira.models_workflows import ProjectType, Workflow
from apps.jira.operations.side_effects import run_side_effects
from apps.jira.operations.watchers import add_watcher_row
from apps.jira.refusals import field_errors
from world.core.errors import OperationError


def create_issue_row(
    context: JiraContext, fields: Mapping[str, object], update: Mapping[str, object], form: Format | None
) -> Issue:
    """Create an issue for the caller. Raises field_errors, cannot_create."""
    project = _read_project(context, fields.get("project"))
    require(context, "CREATE_ISSUES", project)
    config = _read_issue_type(context, project, fields)
    issue = _new_row(context, project, config)
    changes = Changes(Edit(context, issue), get_screen_fields(context, config.create_screen_id), form, creating=True)
    changes.apply({name: value for name, value in fields.items() if name not in ("project", "issuetype")}, update)
    changes.finish()
    _set_default_assignee(context, project, issue, asked="assignee" in fields)
    _assign_number(context, project, issue)
    context.call.session.add(issue)
    context.call.session.flush()
    for person in dict.fromkeys(p for p in (issue.reporter_id, issue.creator_id) if p):
        if context.person(person) is not None:
            add_watcher_row(context, issue, person)
    run_side_effects(context, issue, update, form)
    _announce_creation(context, issue)
    return issue


def _read_project(context: JiraContext, raw: object) -> Project:
    named = (raw.get("id") or raw.get("key")) if isinstance(raw, dict) else raw
    if named is None:
        raise field_errors(project="Specify a valid project ID or key")
    try:
        return find_project(context, named)
    except OperationError:
        raise field_errors(project="valid project is required") from None


def _read_issue_type(context: JiraContext, project: Project, fields: Mapping[str, object]) -> ProjectType:
    try:
        chosen = read_type(context, project.id, fields.get("issuetype"))
    except Problem as problem:
        raise field_errors(issuetype=str(problem)) from None
    if context.types[chosen].level < 0 and not fields.get("parent"):
        raise field_errors(issuetype="Issue type is a sub-task but parent issue key or id not specified.")
    config = context.project_type(project.id, chosen)
    if config is None:
        raise field_errors(issuetype="The issue type selected is invalid.")
    return config


def _new_row(context: JiraContext, project: Project, config: ProjectType) -> Issue:
    workflow = context.call.session.get(Workflow, config.workflow_id)
    if workflow is None:
        raise LookupError(f"project {project.key} names workflow {config.workflow_id}, which does not exist")
    now, me = context.call.now, context.call.person
    return Issue(
        id=context.next_id("jira_issue"),
        project_id=project.id,
        number=0,
        key="",
        issue_type_id=config.issue_type_id,
        status_id=workflow.initial_status_id,
        priority_id=get_default_priority(context),
        summary="",
        creator_id=me,
        reporter_id=me,
        rank=ranks.last_rank(context.call),
        created_at=now,
        updated_at=now,
        status_changed_at=now,
    )


def _set_default_assignee(context: JiraContext, project: Project, issue: Issue, *, asked: bool) -> None:
    if asked or issue.assignee_id is not None:
        return
    leads = [context.components[c] for c in issue.component_ids]
    by_component = next((c.lead_id for c in leads if c.assignee_type == "COMPONENT_LEAD" and c.lead_id), None)
    wanted = by_component or (project.lead_id if project.assignee_type == "PROJECT_LEAD" else None)
    if wanted is not None and context.person_may(wanted, "ASSIGNABLE_USER", project):
        issue.assignee_id = wanted


def _assign_number(context: JiraContext, project: Project, issue: Issue) -> None:
    project.issue_counter += 1
    issue.number, issue.key = project.issue_counter, f"{project.key}-{project.issue_counter}"


def _announce_creation(context: JiraContext, issue: Issue) -> None:
    announce(
        context,
        "jira.issue_created",
        issue,
        reporter=issue.reporter_id,
        assignee=issue.assignee_id,
        text=issue.description_text,
    )
    if issue.assignee_id is not None:
        announce(context, "jira.issue_assigned", issue, person=issue.assignee_id)
    named = list_mentions(issue.description)
    announce_mentions(context, issue, named, text=issue.description_text, comment_id=None)
    people = [issue.assignee_id, issue.reporter_id, *mail_notifications.list_mentioned_people(context, named)]
    mail_notifications.send_issue_mail(
        context, issue, people, f"created {issue.key}", f"{issue.summary}\n\n{issue.description_text}"
    )
