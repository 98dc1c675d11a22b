"""The parts of `update` that add other things to an issue: comments, work, links."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from apps.jira.models import Issue
from apps.jira.operations.access import find_issue, project_of, require
from apps.jira.operations.comments import Visibility, check_visibility, read_comment, write_comment
from apps.jira.operations.context import Desk
from apps.jira.operations.links import Named, find_type, write_link
from apps.jira.operations.text import Format
from apps.jira.operations.worklogs import WorklogNew, write_worklog
from apps.jira.refusals import field_errors


def run_side_effects(desk: Desk, issue: Issue, update: Mapping[str, Any], form: Format | None) -> None:
    """Add the comments, worklogs and links that an `update` asks for. Raises field_errors and what each raises."""
    for name, add in (("comment", _comment), ("worklog", _worklog), ("issuelinks", _link)):
        for value in _added(name, update.get(name)):
            try:
                add(desk, issue, value, form)
            except ValidationError:
                raise field_errors(**{name: "Operation value is not valid."}) from None


def _added(name: str, verbs: Any) -> list[dict[str, Any]]:
    if verbs is None:
        return []
    if not isinstance(verbs, list):
        raise field_errors(**{name: "data was not an array"})
    out: list[dict[str, Any]] = []
    for entry in verbs:
        if not isinstance(entry, dict) or list(entry) != ["add"] or not isinstance(entry["add"], dict):
            raise field_errors(**{name: "Operation must be an object with the verb 'add'."})
        out.append(entry["add"])
    return out


def _comment(desk: Desk, issue: Issue, value: dict[str, Any], form: Format | None) -> None:
    require(desk, "ADD_COMMENTS", project_of(desk, issue))
    limit = value.get("visibility")
    visible = check_visibility(desk, issue, Visibility.model_validate(limit) if limit else None)
    write_comment(desk, issue, read_comment(value.get("body"), form), visible)


def _worklog(desk: Desk, issue: Issue, value: dict[str, Any], form: Format | None) -> None:
    require(desk, "WORK_ON_ISSUES", project_of(desk, issue))
    write_worklog(desk, issue, WorklogNew.model_validate({**value, "issueIdOrKey": issue.key, "contentFormat": form}))


def _link(desk: Desk, issue: Issue, value: dict[str, Any], _form: Format | None) -> None:
    kind = find_type(desk, Named.model_validate(value.get("type") or {}))
    outward = Named.model_validate(value.get("outwardIssue") or {})
    inward = Named.model_validate(value.get("inwardIssue") or {})
    if outward.key or outward.id:
        write_link(desk, kind, issue, find_issue(desk, outward.key or outward.id or ""))
    else:
        write_link(desk, kind, find_issue(desk, inward.key or inward.id or ""), issue)
