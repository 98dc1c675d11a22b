"""Help with JQL: parsing, what can be completed, and the issue picker."""

from typing import Annotated, Literal

from pydantic import Field
from sqlalchemy import and_, func, or_
from sqlmodel import col

from apps.jira.app import app
from apps.jira.domain.access import visible_issue
from apps.jira.domain.context import JiraContext
from apps.jira.domain.fields import clause_names, get_fields_by_id
from apps.jira.domain.lookups import issue_type_to_json
from apps.jira.models import Issue
from apps.jira.operations.meta import list_used_labels
from apps.jira.operations.params import Id, Word
from apps.jira.operations.search import Jql, compile_for_caller, find_issues, parse_query
from apps.jira.query import JqlError, parse
from apps.jira.query.functions import FUNCTIONS
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import NoParams, Params

SOURCE = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-jql"
SEARCH = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-search"
RESERVED = (
    "after",
    "and",
    "as",
    "avg",
    "before",
    "begin",
    "by",
    "changed",
    "count",
    "distinct",
    "empty",
    "end",
    "false",
    "from",
    "in",
    "is",
    "limit",
    "max",
    "min",
    "not",
    "null",
    "on",
    "or",
    "order",
    "select",
    "sum",
    "to",
    "true",
    "was",
    "where",
)
DISCRETE = ("=", "!=", "in", "not in", "is", "is not")
OPERATORS: dict[str, tuple[str, ...]] = {
    "datetime": ("=", "!=", ">", ">=", "<", "<=", "is", "is not"),
    "date": ("=", "!=", ">", ">=", "<", "<=", "is", "is not", "in", "not in"),
    "number": ("=", "!=", ">", ">=", "<", "<=", "in", "not in", "is", "is not"),
    "string": ("~", "!~", "is", "is not"),
    "status": (*DISCRETE, "was", "was not", "was in", "was not in", "changed"),
    "user": (*DISCRETE, "was", "was not", "was in", "was not in", "changed"),
    "priority": (*DISCRETE, ">", ">=", "<", "<=", "was", "was not", "was in", "was not in", "changed"),
}
MOST_SUGGESTIONS = 15


class ParseQueries(Params):
    """Queries to check."""

    queries: list[Jql] = Field(description="JQL queries.", max_length=100)
    validation: Literal["strict", "warn", "none"] = Field(
        default="strict", description="strict also checks names and values."
    )


class Suggest(Params):
    """Request fields for completing a JQL value."""

    fieldName: Word | None = Field(default=None, description="JQL name of the field.")
    fieldValue: Word | None = Field(default=None, description="Start of the value.")


class Picker(Params):
    """Request fields of an issue picker."""

    query: Word | None = Field(default=None, description="Part of a key or summary.")
    currentJQL: Annotated[Jql, Field()] | None = Field(default=None, description="Only issues this query finds.")
    currentIssueKey: Id | None = Field(default=None, description="Leave this issue out.")
    currentProjectId: Id | None = Field(default=None, description="Only this project.")
    showSubTasks: bool = Field(default=True, description="Whether sub-tasks count.")
    showSubTaskParent: bool = Field(default=True, description="Whether the parent of the current sub-task counts.")


@app.operation("parseJqlQueries", source=SOURCE, scope="read:jira-work", examples=[{"queries": ["project = SHOP"]}])
def parse_jql_queries(call: Call, params: ParseQueries) -> JsonObject:
    """Check JQL queries without running them; each comes back with its errors.

    Deviates: the parsed structure is not returned, only the query and its errors.
    """
    context = JiraContext(call)
    return {"queries": [_check_query(context, query, strict=params.validation == "strict") for query in params.queries]}


def _check_query(context: JiraContext, query: str, *, strict: bool) -> JsonObject:
    try:
        parsed = parse(query)
        if strict:
            compile_for_caller(context, parsed)
    except JqlError as error:
        return {"query": query, "errors": error.messages}
    except OperationError as error:
        messages = error.detail.get("messages")
        return {"query": query, "errors": messages if isinstance(messages, list) else [error.code]}
    return {"query": query}


@app.operation("getAutoComplete", source=SOURCE, scope="read:jira-work", examples=[{}])
def get_auto_complete(call: Call, params: NoParams) -> JsonObject:
    """Read what JQL knows: field names with their operators, functions, reserved words."""
    fields = []
    for field in get_fields_by_id(JiraContext(call)).values():
        if not field.searchable:
            continue
        name, *_ = clause_names(field)
        row: JsonObject = {"value": name, "displayName": f"{field.name} - {name}" if field.is_custom else name}
        row |= {"orderable": "true", "searchable": "true", "operators": list(OPERATORS.get(field.type, DISCRETE))}
        if field.is_custom:
            row["cfid"] = name
        fields.append(row)
    functions = [
        {"value": f"{f.name}()", "displayName": f"{f.name}()", "isList": "true" if f.many else "false", "types": []}
        for f in sorted(FUNCTIONS.values(), key=lambda f: f.name)
    ]
    return {"visibleFieldNames": fields, "visibleFunctionNames": functions, "jqlReservedWords": list(RESERVED)}


@app.operation(
    "getFieldAutoCompleteForQueryString", source=SOURCE, scope="read:jira-work", examples=[{"fieldName": "status"}]
)
def get_field_auto_complete_for_query_string(call: Call, params: Suggest) -> JsonObject:
    """Complete the value of a JQL field: statuses, people, labels and the like."""
    context = JiraContext(call)
    text = (params.fieldValue or "").casefold()
    found = [
        value for value in _list_field_values(context, (params.fieldName or "").casefold()) if text in value.casefold()
    ]
    return {"results": [{"value": _quote_value(value), "displayName": value} for value in found[:MOST_SUGGESTIONS]]}


def _quote_value(value: str) -> str:
    return f'"{value}"' if not value.isalnum() else value


def _list_field_values(context: JiraContext, field: str) -> list[str]:
    tables = {
        "status": context.statuses,
        "issuetype": context.types,
        "type": context.types,
        "priority": context.priorities,
        "resolution": context.resolutions,
        "component": context.components,
        "fixversion": context.versions,
        "affectedversion": context.versions,
        "sprint": context.sprints,
    }
    if field == "project":
        return [context.projects[id].key for id in context.visible_projects]
    if field in ("assignee", "reporter", "creator", "watcher", "voter"):
        return [context.name(person) for person in sorted(context.accounts)]
    if field in ("labels", "label"):
        return list_used_labels(context)
    rows = tables.get(field, {}).values()
    own = [row for row in rows if getattr(row, "project_id", None) in (None, *context.visible_projects)]
    return list(dict.fromkeys(row.name for row in own))


@app.operation(
    "getIssuePickerResource", source=SEARCH, scope="read:jira-work", examples=[{"query": "login"}], raises=("bad_jql",)
)
def get_issue_picker_resource(call: Call, params: Picker) -> JsonObject:
    """Suggest issues for a picker by part of their key or summary; recently updated first."""
    context = JiraContext(call)
    text = (params.query or "").strip().casefold()
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    match = or_(
        func.lower(Issue.summary).like(f"%{escaped}%", escape="\\"),
        func.lower(Issue.key).like(f"{escaped}%", escape="\\"),
    )
    where = [match] if text else []
    if params.currentIssueKey is not None:
        where.append(col(Issue.key) != params.currentIssueKey.upper())
    if params.currentProjectId is not None and params.currentProjectId.isdecimal():
        where.append(col(Issue.project_id) == int(params.currentProjectId[:18]))
    rows = find_issues(
        context, params.currentJQL or "ORDER BY updated DESC", limit=20, extra=and_(*where) if where else None
    )
    parse_query(params.currentJQL or "")
    shown = [_suggestion_to_json(context, issue) for issue in rows]
    section = {
        "label": "Current Search",
        "sub": f"Showing {len(shown)} of {len(shown)} matching issues",
        "id": "cs",
        "issues": shown,
    }
    return {"sections": [section]}


def _suggestion_to_json(context: JiraContext, issue: Issue) -> JsonObject:
    seen = visible_issue(context, issue.id) or issue
    icon = str(issue_type_to_json(context, context.types[seen.issue_type_id])["iconUrl"])
    return {
        "id": seen.id,
        "key": seen.key,
        "keyHtml": seen.key,
        "img": icon.removeprefix(context.call.base_url),
        "summary": seen.summary,
        "summaryText": seen.summary,
    }
