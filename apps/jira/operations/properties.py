"""JSON values that integrations keep on issues."""

from pydantic import Field
from sqlmodel import select

from apps.jira.app import app
from apps.jira.domain.access import find_issue
from apps.jira.domain.context import JiraContext
from apps.jira.limits import EDITS
from apps.jira.models import Property
from apps.jira.operations.params import IssueRef, JsonParam, Word
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params

SOURCE = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-properties"
MAX_VALUE = 32_768  # characters of a property's JSON


class IssueOnly(Params):
    """One issue."""

    issueIdOrKey: IssueRef


class PropertyRef(Params):
    """One property of an issue."""

    issueIdOrKey: IssueRef
    propertyKey: Word = Field(description="Property key.", examples=["deploy"])


class PropertySet(PropertyRef):
    """A value for a property."""

    value: JsonParam = Field(description="Any JSON value.")


@app.operation(
    "getIssuePropertyKeys",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1"}],
    raises=("issue_not_found",),
)
def get_issue_property_keys(call: Call, params: IssueOnly) -> JsonObject:
    """List the property keys of an issue."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey)
    query = (
        select(Property.key).where(Property.entity == "issue", Property.entity_id == issue.id).order_by(Property.key)
    )
    keys = call.session.exec(query)
    return {"keys": [{"self": f"{context.api}/issue/{issue.key}/properties/{key}", "key": key} for key in keys]}


@app.operation(
    "getIssueProperty",
    source=SOURCE,
    scope="read:jira-work",
    after=["setIssueProperty"],
    examples=[{"issueIdOrKey": "SHOP-1", "propertyKey": "deploy"}],
    raises=("issue_not_found", "property_not_found"),
)
def get_issue_property(call: Call, params: PropertyRef) -> JsonObject:
    """Read a property of an issue."""
    row = _get_property(JiraContext(call), params)
    return {"key": row.key, "value": row.value}


@app.operation(
    "setIssueProperty",
    writes=True,
    limit=EDITS,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1", "propertyKey": "deploy", "value": {"build": 118}}],
    raises=("issue_not_found", "cannot_edit", "bad_request"),
)
def set_issue_property(call: Call, params: PropertySet) -> None:
    """Set a property of an issue."""
    issue = find_issue(JiraContext(call), params.issueIdOrKey, "EDIT_ISSUES")
    if len(str(params.value)) > MAX_VALUE:
        raise OperationError("bad_request", why=f"The property value is longer than {MAX_VALUE} characters.")
    row = call.session.get(Property, ("issue", issue.id, params.propertyKey))
    if row is None:
        call.session.add(Property(entity="issue", entity_id=issue.id, key=params.propertyKey, value=params.value))
    else:
        row.value = params.value


@app.operation(
    "deleteIssueProperty",
    writes=True,
    limit=EDITS,
    source=SOURCE,
    scope="write:jira-work",
    after=["setIssueProperty"],
    examples=[{"issueIdOrKey": "SHOP-1", "propertyKey": "deploy"}],
    raises=("issue_not_found", "cannot_edit", "property_not_found"),
)
def delete_issue_property(call: Call, params: PropertyRef) -> None:
    """Remove a property of an issue."""
    context = JiraContext(call)
    find_issue(context, params.issueIdOrKey, "EDIT_ISSUES")
    call.session.delete(_get_property(context, params))


def _get_property(context: JiraContext, params: PropertyRef) -> Property:
    issue = find_issue(context, params.issueIdOrKey)
    row = context.call.session.get(Property, ("issue", issue.id, params.propertyKey))
    if row is None:
        raise OperationError("property_not_found", key=params.propertyKey)
    return row
