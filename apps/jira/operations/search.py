"""Searching issues with JQL."""

from dataclasses import replace
from typing import Annotated, Any, TypedDict

from pydantic import Field
from sqlalchemy import ColumnElement, and_, false, func, or_
from sqlmodel import col, select

from apps.jira.app import app
from apps.jira.domain import page_tokens
from apps.jira.domain.context import ROLES, JiraContext
from apps.jira.domain.fields import select_fields
from apps.jira.models import Comment, Group, GroupMember, Issue
from apps.jira.operations.issue_view import IssueViewOptions, issues_to_json
from apps.jira.operations.params import BodyFormat, Expand, MaxResults, StartAt, Words, split_commas
from apps.jira.query import CompiledQuery, Context, JqlError, Query, compile_query, parse
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Int64, Params, Text

SOURCE = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-search"
PAGE, MOST, MOST_IDS = 50, 100, 5000
IDS_ONLY = frozenset({"id", "key"})
Jql = Annotated[Text, Field(max_length=50_000)]


class SearchResult(TypedDict, total=False):
    """A page of issues; nextPageToken is absent on the last page."""

    issues: list[JsonObject]
    nextPageToken: str
    isLast: bool
    names: dict[str, str]
    schema: JsonObject


class Search(BodyFormat):
    """A JQL query and how to show what it finds."""

    jql: Jql = Field(
        default="",
        description="JQL; it must restrict the search.",
        examples=["project = SHOP AND status != Done ORDER BY created DESC"],
    )
    nextPageToken: Annotated[Text, Field(max_length=4000)] | None = Field(
        default=None, description="Token of the page wanted, from the page before."
    )
    maxResults: MaxResults = PAGE
    fields: Words = Field(
        default_factory=list, description="Fields to return: ids, *all, *navigable; only the id when empty."
    )
    expand: Expand | None = Field(
        default=None, description="renderedFields, names, schema, changelog, transitions, operations, editmeta."
    )
    reconcileIssues: list[Int64] = Field(default_factory=list, description="Issue ids to read fresh.")


class LegacySearch(BodyFormat):
    """A JQL query with pages by offset."""

    jql: Jql = Field(default="", description="JQL; empty finds everything you may see.")
    startAt: StartAt = 0
    maxResults: MaxResults = PAGE
    fields: Words = Field(default_factory=list, description="Fields to return; *navigable when empty.")
    expand: Expand | None = Field(default=None, description="renderedFields, names, schema, changelog, transitions.")
    validateQuery: Annotated[Text, Field(max_length=20)] | None = Field(
        default=None, description="strict, warn or none."
    )


class Count(Params):
    """A JQL query to count."""

    jql: Jql = Field(default="", description="JQL; it must restrict the search.", examples=["project = SHOP"])


def parse_query(jql: str) -> Query:
    """A parsed query. Raises bad_jql."""
    try:
        return parse(jql)
    except JqlError as error:
        raise OperationError("bad_jql", messages=error.messages) from None


def query_context(context: JiraContext) -> Context:
    """Return the context in which the caller's queries are compiled."""
    call = context.call
    zone = "UTC" if context.is_system else call.me.tz
    return Context(
        call.now, call.person, zone, call.all, frozenset(context.visible_projects), comments=_readable_comments(context)
    )


def _readable_comments(context: JiraContext) -> ColumnElement[bool]:
    mine = (
        select(Group.name)
        .join(GroupMember, col(GroupMember.group_id) == col(Group.id))
        .where(GroupMember.person_id == context.call.person)
    )
    options = [
        col(Comment.visibility_type).is_(None),
        and_(col(Comment.visibility_type) == "group", col(Comment.visibility_value).in_(mine)),
    ]
    for role in ROLES:
        where = [p.id for p in context.projects.values() if role in context.roles(p)]
        issues = select(Issue.id).where(col(Issue.project_id).in_(where)) if where else None
        member = false() if issues is None else col(Comment.issue_id).in_(issues)
        options.append(and_(col(Comment.visibility_type) == "role", col(Comment.visibility_value) == role, member))
    return or_(*options)


def compile_for_caller(context: JiraContext, query: Query) -> CompiledQuery:
    """The SQL of a query, limited to what the caller may see. Raises bad_jql."""
    try:
        made = compile_query(query, query_context(context))
    except JqlError as error:
        raise OperationError("bad_jql", messages=error.messages) from None
    seen = and_(col(Issue.deleted_at).is_(None), col(Issue.project_id).in_(context.visible_projects))
    return CompiledQuery(and_(seen, made.where), made.order_by)


def find_issues(
    context: JiraContext, jql: str, *, limit: int, start: int = 0, extra: ColumnElement[bool] | None = None
) -> list[Issue]:
    """Issues a query finds, in its order, by offset."""
    made = compile_for_caller(context, parse_query(jql))
    where = made.where if extra is None else and_(made.where, extra)
    return list(
        context.call.session.exec(select(Issue).where(where).order_by(*made.order_by).offset(start).limit(limit))
    )


def count_matches(context: JiraContext, jql: str, extra: ColumnElement[bool] | None = None) -> int:
    """Count the issues a query finds."""
    made = compile_for_caller(context, parse_query(jql))
    where = made.where if extra is None else and_(made.where, extra)
    return int(context.call.scalar(select(func.count()).select_from(Issue).where(where)))


def view_options(
    context: JiraContext, fields: list[str], expand: str | None, form: Any, default: str
) -> IssueViewOptions:
    """Return the display options of a search."""
    return IssueViewOptions(context, select_fields(context, fields, default), frozenset(split_commas(expand)), form)


def list_found_issues(look: IssueViewOptions, issues: list[Issue], fields: list[str]) -> list[JsonObject]:
    """Return the issues of a page: bare ids when no other field was requested."""
    if not fields or set(fields) <= IDS_ONLY:
        if not look.expand:
            keyed = "key" in fields
            return [_bare_issue_to_json(look.context, issue, keyed=keyed) for issue in issues]
    return issues_to_json(look, issues)


def _bare_issue_to_json(context: JiraContext, issue: Issue, *, keyed: bool) -> JsonObject:
    if not keyed:
        return {"id": str(issue.id)}
    return {"id": str(issue.id), "key": issue.key, "self": f"{context.api}/issue/{issue.id}"}


@app.operation(
    "searchAndReconsileIssuesUsingJql",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"jql": "project = SHOP ORDER BY created DESC", "fields": ["summary", "status"]}],
    raises=("empty_search", "bad_jql", "bad_page_token"),
)
def search_jql(call: Call, params: Search) -> SearchResult:
    """Search issues with JQL; name the fields you need and follow nextPageToken until isLast.

    Deviates: reconcileIssues has no effect, the index is never behind unless a fault says so.
    """
    context = JiraContext(call)
    query = parse_query(params.jql)
    if query.where is None:
        raise OperationError("empty_search")
    made = compile_for_caller(context, query)
    limit = max(1, min(params.maxResults, MOST_IDS if set(params.fields) <= IDS_ONLY else MOST))
    statement = select(Issue, *page_tokens.key_columns(made.order_by)).where(made.where)
    if params.nextPageToken:
        values = page_tokens.decode_page_token(call, params.jql, params.nextPageToken)
        statement = statement.where(page_tokens.rows_after(made.order_by, values))
    rows = list(call.session.exec(statement.order_by(*made.order_by).limit(limit + 1)))
    issues = [row[0] for row in rows[:limit]]
    look = view_options(context, params.fields, params.expand, params.contentFormat, "id")
    out: SearchResult = {"issues": list_found_issues(look, issues, params.fields), "isLast": len(rows) <= limit}
    if len(rows) > limit:
        out["nextPageToken"] = page_tokens.encode_page_token(call, params.jql, list(rows[limit - 1])[1:])
    return out | _expand_legend(look, issues)  # type: ignore[return-value]


def _expand_legend(look: IssueViewOptions, issues: list[Issue]) -> JsonObject:
    out: dict[str, Any] = {}
    for name in ("names", "schema"):
        if name in look.expand:
            out[name] = {}
            for shown_issue in issues_to_json(replace(look, expand=frozenset({name})), issues):
                out[name] |= shown_issue[name]
    return out


@app.operation(
    "searchForIssuesUsingJql",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"jql": "project = SHOP"}],
    raises=("bad_jql",),
)
def search_legacy(call: Call, params: LegacySearch) -> JsonObject:
    """Search issues with JQL, by offset and with a total; the older search that many clients still call."""
    context = JiraContext(call)
    limit = min(params.maxResults, MOST)
    issues = find_issues(context, params.jql, limit=limit, start=params.startAt)
    look = view_options(context, params.fields, params.expand, params.contentFormat, "*navigable")
    return {
        "expand": "schema,names",
        "startAt": params.startAt,
        "maxResults": limit,
        "total": count_matches(context, params.jql),
        "issues": issues_to_json(look, issues),
        **_expand_legend(look, issues),
    }


@app.operation(
    "countIssues",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"jql": "project = SHOP"}],
    raises=("empty_search", "bad_jql"),
)
def count_issues(call: Call, params: Count) -> dict[str, int]:
    """Count the issues a JQL query finds."""
    context = JiraContext(call)
    if parse_query(params.jql).where is None:
        raise OperationError("empty_search")
    return {"count": count_matches(context, params.jql)}
