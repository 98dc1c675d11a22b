"""Saved filters and dashboards."""

from typing import Annotated
from urllib.parse import quote

from pydantic import Field
from sqlmodel import col, func, select

from apps.jira.app import app
from apps.jira.domain.access import parse_number
from apps.jira.domain.context import JiraContext
from apps.jira.domain.offset_pages import page_to_json
from apps.jira.limits import EDITS
from apps.jira.models_boards import Dashboard, Filter, FilterFavourite
from apps.jira.operations.params import Expand, Id, MaxResults, StartAt, Word
from apps.jira.operations.search import parse_query
from apps.jira.refusals import field_errors
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import NoParams, Params, Text

SOURCE = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-filters"
DASHBOARDS = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-dashboards"


class Share(Params):
    """Sharing of a filter."""

    type: Word = Field(description="authenticated or global share with every employee.")


class FilterNew(Params):
    """A new filter."""

    name: Word | None = Field(default=None, description="Name, unique among your filters.", examples=["My open bugs"])
    jql: Annotated[Text, Field(max_length=50_000)] | None = Field(default=None, description="The query.")
    description: Annotated[Text, Field(max_length=10_000)] | None = Field(default=None, description="What it is for.")
    favourite: bool | None = Field(default=None, description="Star it.")
    sharePermissions: list[Share] | None = Field(default=None, description="Share it; private without.")


class FilterChange(FilterNew):
    """New values of a filter."""

    id: Id = Field(description="Filter id.")


class FilterRef(Params):
    """One filter."""

    id: Id = Field(description="Filter id.")
    expand: Expand | None = Field(default=None, description="owner, jql, sharePermissions.")


class FilterSearch(Params):
    """Filters you may use, a page at a time."""

    filterName: Word | None = Field(default=None, description="Part of the name.")
    accountId: Id | None = Field(default=None, description="Account id of the owner.")
    startAt: StartAt = 0
    maxResults: MaxResults = 50
    expand: Expand | None = Field(default=None, description="Ignored: everything is shown.")


class MyFilters(Params):
    """Your own filters."""

    expand: Expand | None = Field(default=None, description="Ignored: everything is shown.")
    includeFavourites: bool = Field(default=False, description="Add those you starred.")


class DashboardList(Params):
    """Dashboards, a page at a time."""

    startAt: StartAt = 0
    maxResults: MaxResults = 20
    filter: Word | None = Field(default=None, description="my or favourite.")


def filter_to_json(context: JiraContext, row: Filter) -> JsonObject:
    """A filter as the API shows it."""
    favourites = context.call.scalar(
        select(func.count()).select_from(FilterFavourite).where(FilterFavourite.filter_id == row.id)
    )
    mine = context.call.session.get(FilterFavourite, (row.id, context.call.person)) is not None
    return {
        "self": f"{context.api}/filter/{row.id}",
        "id": str(row.id),
        "name": row.name,
        "description": row.description,
        "owner": context.user(row.owner_id),
        "jql": row.jql,
        "viewUrl": context.call.public_link(f"/issues/?filter={row.id}"),
        "searchUrl": f"{context.api}/search/jql?jql={quote(row.jql)}",
        "favourite": mine,
        "favouritedCount": favourites,
        "sharePermissions": [{"id": row.id, "type": "loggedin"}] if row.shared else [],
        "editPermissions": [],
        "sharedUsers": {"size": 0, "items": [], "max-results": 1000, "start-index": 0, "end-index": 0},
        "subscriptions": {"size": 0, "items": [], "max-results": 1000, "start-index": 0, "end-index": 0},
    }


def list_usable_filters(context: JiraContext) -> list[Filter]:
    """Filters the caller owns or that are shared, by name."""
    query = select(Filter).where((col(Filter.owner_id) == context.call.person) | col(Filter.shared))
    return list(context.call.session.exec(query.order_by(Filter.name, col(Filter.id))))


def _get_filter_row(context: JiraContext, id: str) -> Filter:
    row = context.call.session.get(Filter, parse_number(id) or 0)
    if row is None or not (row.shared or row.owner_id == context.call.person):
        raise OperationError("filter_not_found")
    return row


def _get_own_filter(context: JiraContext, id: str) -> Filter:
    row = _get_filter_row(context, id)
    if row.owner_id != context.call.person and not context.is_admin:
        raise OperationError("filter_not_found")
    return row


def _set_filter_values(context: JiraContext, row: Filter, params: FilterNew) -> None:
    if params.name is not None:
        taken = select(Filter.id).where(
            Filter.owner_id == row.owner_id, Filter.name == params.name, Filter.id != row.id
        )
        if context.call.session.exec(taken).first() is not None:
            raise field_errors(filterName="Filter with same name already exists.")
        row.name = params.name
    if params.jql is not None:
        parse_query(params.jql)
        row.jql = params.jql
    row.description = row.description if params.description is None else params.description
    if params.sharePermissions is not None:
        row.shared = bool(params.sharePermissions)
    if params.favourite is not None:
        _set_star(context, row, wanted=params.favourite)


def _set_star(context: JiraContext, row: Filter, *, wanted: bool) -> None:
    session = context.call.session
    found = session.get(FilterFavourite, (row.id, context.call.person))
    if wanted and found is None:
        session.add(FilterFavourite(filter_id=row.id, person_id=context.call.person))
    elif not wanted and found is not None:
        session.delete(found)


@app.operation("getMyFilters", source=SOURCE, scope="read:jira-work", examples=[{}])
def get_my_filters(call: Call, params: MyFilters) -> list[JsonObject]:
    """List the filters you saved."""
    context = JiraContext(call)
    starred = _list_starred_ids(context) if params.includeFavourites else frozenset()
    return [
        filter_to_json(context, row)
        for row in list_usable_filters(context)
        if row.owner_id == call.person or row.id in starred
    ]


def _list_starred_ids(context: JiraContext) -> frozenset[int]:
    query = select(FilterFavourite.filter_id).where(FilterFavourite.person_id == context.call.person)
    return frozenset(context.call.session.exec(query))


@app.operation("getFavouriteFilters", source=SOURCE, scope="read:jira-work", examples=[{}])
def get_favourite_filters(call: Call, params: NoParams) -> list[JsonObject]:
    """List the filters you starred."""
    context = JiraContext(call)
    starred = _list_starred_ids(context)
    return [filter_to_json(context, row) for row in list_usable_filters(context) if row.id in starred]


@app.operation("getFiltersPaginated", source=SOURCE, scope="read:jira-work", examples=[{}])
def get_filters_paginated(call: Call, params: FilterSearch) -> JsonObject:
    """Find filters you may use by part of their name."""
    context = JiraContext(call)
    text = (params.filterName or "").casefold()
    owner = None if params.accountId is None else context.people_by_account.get(params.accountId, "")
    rows = [
        row for row in list_usable_filters(context) if text in row.name.casefold() and owner in (None, row.owner_id)
    ]
    return page_to_json(
        call,
        "/rest/api/3/filter/search",
        rows,
        params.startAt,
        min(params.maxResults, 100),
        lambda r: {**filter_to_json(context, r), "expand": ""},
    )


@app.operation(
    "getFilter",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"id": "$getFiltersPaginated:values.0.id"}],
    raises=("filter_not_found",),
)
def get_filter(call: Call, params: FilterRef) -> JsonObject:
    """Read a saved filter and its query."""
    context = JiraContext(call)
    return filter_to_json(context, _get_filter_row(context, params.id))


@app.operation(
    "createFilter",
    writes=True,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"name": "Open work", "jql": "resolution is EMPTY"}],
    raises=("field_errors", "bad_jql"),
)
def create_filter(call: Call, params: FilterNew) -> JsonObject:
    """Save a JQL query under a name."""
    context = JiraContext(call)
    if not params.name:
        raise field_errors(filterName="You must specify a name to save this filter as.")
    row = Filter(id=context.next_id("jira_filter"), name="", owner_id=call.person, jql="", created_at=call.now)
    _set_filter_values(context, row, params)
    call.session.add(row)
    call.session.flush()
    return filter_to_json(context, row)


@app.operation(
    "updateFilter",
    writes=True,
    limit=EDITS,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"id": "$createFilter:id", "name": "All open work", "jql": "resolution is EMPTY ORDER BY created"}],
    raises=("filter_not_found", "field_errors", "bad_jql"),
)
def update_filter(call: Call, params: FilterChange) -> JsonObject:
    """Change a filter you own."""
    context = JiraContext(call)
    row = _get_own_filter(context, params.id)
    _set_filter_values(context, row, params)
    call.session.flush()
    return filter_to_json(context, row)


@app.operation(
    "deleteFilter",
    writes=True,
    limit=EDITS,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"id": "$createFilter:id"}],
    raises=("filter_not_found",),
)
def delete_filter(call: Call, params: FilterRef) -> None:
    """Delete a filter you own."""
    context = JiraContext(call)
    row = _get_own_filter(context, params.id)
    for star in call.session.exec(select(FilterFavourite).where(FilterFavourite.filter_id == row.id)):
        call.session.delete(star)
    call.session.delete(row)


@app.operation(
    "setFavouriteForFilter",
    writes=True,
    limit=EDITS,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"id": "$createFilter:id"}],
    raises=("filter_not_found",),
)
def set_favourite_for_filter(call: Call, params: FilterRef) -> JsonObject:
    """Star a filter."""
    context = JiraContext(call)
    row = _get_filter_row(context, params.id)
    _set_star(context, row, wanted=True)
    call.session.flush()
    return filter_to_json(context, row)


@app.operation(
    "deleteFavouriteForFilter",
    writes=True,
    limit=EDITS,
    source=SOURCE,
    scope="write:jira-work",
    after=["setFavouriteForFilter"],
    examples=[{"id": "$createFilter:id"}],
    raises=("filter_not_found",),
)
def delete_favourite_for_filter(call: Call, params: FilterRef) -> JsonObject:
    """Take a filter's star away."""
    context = JiraContext(call)
    row = _get_filter_row(context, params.id)
    _set_star(context, row, wanted=False)
    call.session.flush()
    return filter_to_json(context, row)


def _dashboard_to_json(context: JiraContext, row: Dashboard) -> JsonObject:
    return {
        "id": str(row.id),
        "isFavourite": False,
        "name": row.name,
        "description": row.description,
        "owner": context.user(row.owner_id),
        "popularity": 1,
        "self": f"{context.api}/dashboard/{row.id}",
        "sharePermissions": [{"type": "loggedin"}],
        "editPermissions": [],
        "view": context.call.public_link(f"/jira/dashboards/{row.id}"),
    }


@app.operation("getAllDashboards", source=DASHBOARDS, scope="read:jira-work", examples=[{}])
def get_all_dashboards(call: Call, params: DashboardList) -> JsonObject:
    """List dashboards; filter=my for your own."""
    context = JiraContext(call)
    rows = [
        r
        for r in call.session.exec(select(Dashboard).order_by(Dashboard.name, col(Dashboard.id)))
        if params.filter != "my" or r.owner_id == call.person
    ]
    shown = [_dashboard_to_json(context, row) for row in rows[params.startAt : params.startAt + params.maxResults]]
    return {"startAt": params.startAt, "maxResults": params.maxResults, "total": len(rows), "dashboards": shown}


@app.operation(
    "getDashboard",
    source=DASHBOARDS,
    scope="read:jira-work",
    examples=[{"id": "$getAllDashboards:dashboards.0.id"}],
    raises=("dashboard_not_found",),
)
def get_dashboard(call: Call, params: FilterRef) -> JsonObject:
    """Read a dashboard."""
    row = call.session.get(Dashboard, parse_number(params.id) or 0)
    if row is None:
        raise OperationError("dashboard_not_found", dashboard=params.id)
    return _dashboard_to_json(JiraContext(call), row)


@app.operation(
    "getDashboardGadgets",
    source=DASHBOARDS,
    scope="read:jira-work",
    examples=[{"id": "$getAllDashboards:dashboards.0.id"}],
    raises=("dashboard_not_found",),
)
def get_dashboard_gadgets(call: Call, params: FilterRef) -> JsonObject:
    """List the gadgets of a dashboard."""
    row = call.session.get(Dashboard, parse_number(params.id) or 0)
    if row is None:
        raise OperationError("dashboard_not_found", dashboard=params.id)
    gadgets = [
        {
            "id": position,
            "moduleKey": g.get("kind", ""),
            "color": "blue",
            "position": {"row": position, "column": 0},
            "title": g.get("title", ""),
        }
        for position, g in enumerate(row.gadgets)
    ]
    return {"gadgets": gadgets}
