"""The parts of `update` that add other things to an issue: comments, work, links."""

from collections.abc import Mapping

from pydantic import ValidationError

from apps.jira.domain.access import find_issue, project_of, require
from apps.jira.domain.context import JiraContext
from apps.jira.domain.text import Format
from apps.jira.models import Issue
from apps.jira.operations.comments import Visibility, check_visibility, read_comment, write_comment
from apps.jira.operations.links import NamedRef, find_link_type, write_link
from apps.jira.operations.worklogs import WorklogNew, write_worklog
from apps.jira.refusals import field_errors
from world.core.json_types import JsonObject


def run_side_effects(context: JiraContext, issue: Issue, update: Mapping[str, object], form: Format | None) -> None:
    """Add the comments, worklogs and links that an `update` asks for. Raises field_errors and what each raises."""
    for name, add in (("comment", _add_comment), ("worklog", _add_worklog), ("issuelinks", _add_link)):
        for value in _read_additions(name, update.get(name)):
            try:
                add(context, issue, value, form)
            except ValidationError:
                raise field_errors(**{name: "Operation value is not valid."}) from None


def _read_additions(name: str, verbs: object) -> list[JsonObject]:
    if verbs is None:
        return []
    if not isinstance(verbs, list):
        raise field_errors(**{name: "data was not an array"})
    out: list[JsonObject] = []
    for entry in verbs:
        if not isinstance(entry, dict) or list(entry) != ["add"] or not isinstance(entry["add"], dict):
            raise field_errors(**{name: "Operation must be an object with the verb 'add'."})
        out.append(entry["add"])
    return out


def _add_comment(context: JiraContext, issue: Issue, value: JsonObject, form: Format | None) -> None:
    require(context, "ADD_COMMENTS", project_of(context, issue))
    limit = value.get("visibility")
    visible = check_visibility(context, issue, Visibility.model_validate(limit) if limit else None)
    write_comment(context, issue, read_comment(value.get("body"), form), visible)


def _add_worklog(context: JiraContext, issue: Issue, value: JsonObject, form: Format | None) -> None:
    require(context, "WORK_ON_ISSUES", project_of(context, issue))
    write_worklog(
        context, issue, WorklogNew.model_validate({**value, "issueIdOrKey": issue.key, "contentFormat": form})
    )


def _add_link(context: JiraContext, issue: Issue, value: JsonObject, _form: Format | None) -> None:
    kind = find_link_type(context, NamedRef.model_validate(value.get("type") or {}))
    outward = NamedRef.model_validate(value.get("outwardIssue") or {})
    inward = NamedRef.model_validate(value.get("inwardIssue") or {})
    if outward.key or outward.id:
        write_link(context, kind, issue, find_issue(context, outward.key or outward.id or ""))
    else:
        write_link(context, kind, find_issue(context, inward.key or inward.id or ""), issue)
