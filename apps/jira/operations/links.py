"""Links between issues, and from issues to pages elsewhere."""

from typing import Annotated

from pydantic import Field
from sqlmodel import col, select

from apps.jira.app import app
from apps.jira.domain.access import find_issue, parse_number, project_of, require, visible_issue
from apps.jira.domain.context import JiraContext
from apps.jira.domain.hierarchy import IssueFamily
from apps.jira.domain.history import Edit, announce
from apps.jira.domain.lookups import issue_type_to_json, link_type_to_json, priority_to_json, status_to_json
from apps.jira.limits import EDITS
from apps.jira.models import Issue, IssueLink, LinkType, RemoteLink
from apps.jira.operations.comments import Body, Visibility, check_visibility, read_comment, write_comment
from apps.jira.operations.params import BodyFormat, Id, IssueRef, JsonObjectParam, Word
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import NoParams, Params, Text

SOURCE = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-links"
TYPES = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-link-types"
REMOTE = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-remote-links"


class NamedRef(Params):
    """A thing by id, key or name."""

    id: Id | None = Field(default=None, description="Id.")
    key: Id | None = Field(default=None, description="Issue key.")
    name: Word | None = Field(default=None, description="Name, or its inward or outward wording for a link type.")


class LinkComment(Params):
    """A comment to add to the first issue with the link."""

    body: Body | None = Field(default=None, description="The text.")
    visibility: Visibility | None = Field(default=None, description="Who may read it.")


class LinkNew(BodyFormat):
    """A link: `inwardIssue` <outward wording> `outwardIssue`. With Blocks, the inward issue blocks the outward one."""

    type: NamedRef = Field(description="Link type by name or id.", examples=[{"name": "Blocks"}])
    inwardIssue: NamedRef = Field(description="The issue the link starts from: with Blocks, the one that blocks.")
    outwardIssue: NamedRef = Field(description="The issue the link points to: with Blocks, the one that is blocked.")
    comment: LinkComment | None = Field(default=None, description="A comment for the outward issue.")


class LinkRef(Params):
    """One link."""

    linkId: Id = Field(description="Issue link id.")


class LinkTypeRef(Params):
    """One link type."""

    issueLinkTypeId: Id = Field(description="Link type id.")


def linked_issue_to_json(context: JiraContext, issue: Issue) -> JsonObject:
    """An issue as the other end of a link."""
    fields: JsonObject = {
        "summary": issue.summary,
        "status": status_to_json(context, context.statuses[issue.status_id]),
        "priority": priority_to_json(context, context.priorities[issue.priority_id]),
        "issuetype": issue_type_to_json(context, context.types[issue.issue_type_id]),
    }
    return {"id": str(issue.id), "key": issue.key, "self": f"{context.api}/issue/{issue.id}", "fields": fields}


def links_to_json(kin: IssueFamily, issue: Issue) -> list[JsonObject]:
    """An issue's links with the ends the caller may see, as the issuelinks field shows them."""
    context, out = kin.context, []
    for link in kin.links.get(issue.id, ()):
        outward = link.source_id == issue.id
        other = kin.linked.get(link.destination_id if outward else link.source_id)
        if other is not None:
            head: JsonObject = {"id": str(link.id), "self": f"{context.api}/issueLink/{link.id}"}
            head["type"] = link_type_to_json(context, context.link_types[link.type_id])
            out.append({**head, "outwardIssue" if outward else "inwardIssue": linked_issue_to_json(context, other)})
    return out


def find_link_type(context: JiraContext, wanted: NamedRef) -> LinkType:
    id, name = parse_number(wanted.id), (wanted.name or "").casefold()
    for kind in context.link_types.values():
        if kind.id == id or (id is None and name == kind.name.casefold()):
            return kind
    raise OperationError("link_type_not_found", type=wanted.name or wanted.id or "")


def write_link(context: JiraContext, kind: LinkType, source: Issue, destination: Issue) -> IssueLink | None:
    """Add a link and both changelog entries; None when it exists. Raises link_to_self, cannot_link."""
    if source.id == destination.id:
        raise OperationError("link_to_self")
    if not any(context.may("LINK_ISSUES", project_of(context, end)) for end in (source, destination)):
        raise OperationError("cannot_link", issue=source.key)
    same = select(IssueLink).where(
        IssueLink.type_id == kind.id, IssueLink.source_id == source.id, IssueLink.destination_id == destination.id
    )
    if context.call.session.exec(same).first() is not None:
        return None
    row = IssueLink(
        id=context.next_id("jira_issue_link"),
        type_id=kind.id,
        source_id=source.id,
        destination_id=destination.id,
        created_at=context.call.now,
    )
    context.call.session.add(row)
    _record_link_change(context, kind, source, destination, added=True)
    announce(context, "jira.linked", source, type=kind.name, other=destination.key)
    return row


def _record_link_change(
    context: JiraContext, kind: LinkType, source: Issue, destination: Issue, *, added: bool
) -> None:
    for here, other, wording in ((source, destination, kind.outward), (destination, source, kind.inward)):
        edit = Edit(context, here)
        side = (other.key, f"This work item {wording} {other.key}")
        edit.record("Link", "issuelinks", (None, None) if added else side, side if added else (None, None))
        edit.finish()


@app.operation(
    "linkIssues",
    writes=True,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"type": {"name": "Blocks"}, "inwardIssue": {"key": "SHOP-1"}, "outwardIssue": {"key": "SHOP-2"}}],
    raises=("link_type_not_found", "issue_not_found", "link_to_self", "cannot_link", "empty_comment", "bad_visibility"),
)
def link_issues(call: Call, params: LinkNew) -> None:
    """Link two issues: the inward issue "blocks" (outward wording) the outward issue."""
    context = JiraContext(call)
    kind = find_link_type(context, params.type)
    source = find_issue(context, params.inwardIssue.key or params.inwardIssue.id or "")
    destination = find_issue(context, params.outwardIssue.key or params.outwardIssue.id or "")
    write_link(context, kind, source, destination)
    if params.comment is not None and params.comment.body:
        require(context, "ADD_COMMENTS", project_of(context, destination))
        limit = check_visibility(context, destination, params.comment.visibility)
        write_comment(context, destination, read_comment(params.comment.body, params.contentFormat), limit)


def _get_link(context: JiraContext, id: str) -> tuple[IssueLink, Issue, Issue]:
    wanted = parse_number(id)
    row = None if wanted is None else context.call.session.get(IssueLink, wanted)
    source = visible_issue(context, row.source_id) if row else None
    destination = visible_issue(context, row.destination_id) if row else None
    if row is None or source is None or destination is None:
        raise OperationError("link_not_found", link=id)
    return row, source, destination


@app.operation(
    "getIssueLink",
    source=SOURCE,
    scope="read:jira-work",
    after=["linkIssues"],
    examples=[{"linkId": "$getIssue:fields.issuelinks.0.id"}],
    raises=("link_not_found",),
)
def get_issue_link(call: Call, params: LinkRef) -> JsonObject:
    """Read one issue link with both ends."""
    context = JiraContext(call)
    row, source, destination = _get_link(context, params.linkId)
    return {
        "id": str(row.id),
        "self": f"{context.api}/issueLink/{row.id}",
        "type": link_type_to_json(context, context.link_types[row.type_id]),
        "inwardIssue": linked_issue_to_json(context, source),
        "outwardIssue": linked_issue_to_json(context, destination),
    }


@app.operation(
    "deleteIssueLink",
    writes=True,
    limit=EDITS,
    source=SOURCE,
    scope="write:jira-work",
    after=["linkIssues"],
    examples=[{"linkId": "$getIssue:fields.issuelinks.0.id"}],
    raises=("link_not_found", "cannot_link"),
)
def delete_issue_link(call: Call, params: LinkRef) -> None:
    """Remove a link between two issues."""
    context = JiraContext(call)
    row, source, destination = _get_link(context, params.linkId)
    if not any(context.may("LINK_ISSUES", project_of(context, end)) for end in (source, destination)):
        raise OperationError("cannot_link", issue=source.key)
    call.session.delete(row)
    _record_link_change(context, context.link_types[row.type_id], source, destination, added=False)


@app.operation("getIssueLinkTypes", source=TYPES, scope="read:jira-work", examples=[{}])
def get_issue_link_types(call: Call, params: NoParams) -> JsonObject:
    """List the kinds of link between issues, with their two wordings."""
    context = JiraContext(call)
    return {"issueLinkTypes": [link_type_to_json(context, kind) for kind in context.link_types.values()]}


@app.operation(
    "getIssueLinkType",
    source=TYPES,
    scope="read:jira-work",
    examples=[{"issueLinkTypeId": "$getIssueLinkTypes:issueLinkTypes.0.id"}],
    raises=("link_type_not_found",),
)
def get_issue_link_type(call: Call, params: LinkTypeRef) -> JsonObject:
    """Read one kind of issue link."""
    context = JiraContext(call)
    kind = context.link_types.get(parse_number(params.issueLinkTypeId) or 0)
    if kind is None:
        raise OperationError("link_type_not_found", type=params.issueLinkTypeId)
    return link_type_to_json(context, kind)


# pages elsewhere


class Icon(Params):
    """The icon of a remote object."""

    url16x16: Annotated[Text, Field(max_length=2000)] | None = Field(
        default=None, description="Address of a 16x16 icon."
    )
    title: Word | None = Field(default=None, description="Tooltip.")


class RemoteStatus(Params):
    """Whether the remote object is done."""

    resolved: bool = Field(default=False, description="Shown struck through when true.")


class RemoteObject(Params):
    """Page that a remote link points to."""

    url: Annotated[Text, Field(max_length=4000)] = Field(
        description="Address of the page.", examples=["https://status.example/incidents/7"]
    )
    title: Word = Field(description="Title of the page.")
    summary: Word | None = Field(default=None, description="A line about it.")
    icon: Icon | None = Field(default=None, description="Its icon.")
    status: RemoteStatus | None = Field(default=None, description="Whether it is resolved.")


class RemoteNew(Params):
    """A remote link; one with the same globalId is replaced."""

    issueIdOrKey: IssueRef
    object: RemoteObject = Field(description="What the link points to.")
    globalId: Word | None = Field(default=None, description="Identifies the remote object; the same id updates.")
    relationship: Word | None = Field(default=None, description="How it relates, like causes.")
    application: JsonObjectParam | None = Field(default=None, description="The application it lives in: type and name.")


class RemoteChange(RemoteNew):
    """New values of a remote link."""

    linkId: Id = Field(description="Remote link id.")


class RemoteList(Params):
    """Remote links of an issue."""

    issueIdOrKey: IssueRef
    globalId: Word | None = Field(default=None, description="Only the link with this global id.")


class RemoteRef(Params):
    """One remote link."""

    issueIdOrKey: IssueRef
    linkId: Id = Field(description="Remote link id.")


class RemoteGlobal(Params):
    """A remote link by its global id."""

    issueIdOrKey: IssueRef
    globalId: Word = Field(description="Global id of the link.")


def remote_link_to_json(context: JiraContext, row: RemoteLink) -> JsonObject:
    """A remote link as the API shows it."""
    out: JsonObject = {"id": row.id, "self": f"{context.api}/issue/{row.issue_id}/remotelink/{row.id}"}
    if row.global_id is not None:
        out["globalId"] = row.global_id
    out["application"] = row.application
    if row.relationship:
        out["relationship"] = row.relationship
    icon = {k: v for k, v in (("url16x16", row.icon_url), ("title", row.icon_title)) if v}
    shown: JsonObject = {
        "url": row.url,
        "title": row.title,
        "icon": icon,
        "status": {"resolved": row.resolved, "icon": {}},
    }
    if row.summary:
        shown["summary"] = row.summary
    out["object"] = shown
    return out


def _list_remote_links(context: JiraContext, issue: Issue) -> list[RemoteLink]:
    query = select(RemoteLink).where(RemoteLink.issue_id == issue.id)
    return list(context.call.session.exec(query.order_by(col(RemoteLink.id))))


def _set_remote_link(row: RemoteLink, params: RemoteNew) -> None:
    shown, icon = params.object, params.object.icon
    row.url, row.title, row.summary = shown.url, shown.title, shown.summary or ""
    row.relationship, row.application = params.relationship or "", params.application or {}
    row.icon_url = (icon.url16x16 if icon else None) or ""
    row.icon_title = (icon.title if icon else None) or ""
    row.resolved = bool(shown.status and shown.status.resolved)


def _get_remote_link(context: JiraContext, issue: Issue, id: str) -> RemoteLink:
    wanted = parse_number(id)
    row = None if wanted is None else context.call.session.get(RemoteLink, wanted)
    if row is None or row.issue_id != issue.id:
        raise OperationError("remote_link_not_found", link=id)
    return row


@app.operation(
    "getRemoteIssueLinks",
    source=REMOTE,
    scope="read:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1"}],
    raises=("issue_not_found", "remote_link_not_found"),
)
def get_remote_issue_links(call: Call, params: RemoteList) -> list[JsonObject] | JsonObject:
    """List an issue's links to pages elsewhere; with globalId, just that one."""
    context = JiraContext(call)
    rows = _list_remote_links(context, find_issue(context, params.issueIdOrKey))
    if params.globalId is None:
        return [remote_link_to_json(context, row) for row in rows]
    for row in rows:
        if row.global_id == params.globalId:
            return remote_link_to_json(context, row)
    raise OperationError("remote_link_not_found", link=params.globalId)


@app.operation(
    "getRemoteIssueLinkById",
    source=REMOTE,
    scope="read:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1", "linkId": "$createOrUpdateRemoteIssueLink:id"}],
    raises=("issue_not_found", "remote_link_not_found"),
)
def get_remote_issue_link_by_id(call: Call, params: RemoteRef) -> JsonObject:
    """Read one remote link."""
    context = JiraContext(call)
    return remote_link_to_json(
        context, _get_remote_link(context, find_issue(context, params.issueIdOrKey), params.linkId)
    )


@app.operation(
    "createOrUpdateRemoteIssueLink",
    writes=True,
    source=REMOTE,
    scope="write:jira-work",
    examples=[
        {
            "issueIdOrKey": "SHOP-1",
            "globalId": "status-incident-7",
            "object": {"url": "https://status.example/incidents/7", "title": "Incident 7"},
        }
    ],
    raises=("issue_not_found", "cannot_link"),
)
def create_or_update_remote_issue_link(call: Call, params: RemoteNew) -> JsonObject:
    """Link an issue to a web page; a link with the same globalId is updated instead.

    Deviates: REST answers 201 for an update too.
    """
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey, "LINK_ISSUES")
    same = [
        r for r in _list_remote_links(context, issue) if params.globalId is not None and r.global_id == params.globalId
    ]
    row = (
        same[0]
        if same
        else RemoteLink(
            id=context.next_id("jira_remote_link"),
            issue_id=issue.id,
            global_id=params.globalId,
            url="",
            title="",
            created_at=call.now,
        )
    )
    _set_remote_link(row, params)
    call.session.add(row)
    issue.updated_at = call.now
    return {"id": row.id, "self": f"{context.api}/issue/{issue.id}/remotelink/{row.id}"}


@app.operation(
    "updateRemoteIssueLink",
    writes=True,
    limit=EDITS,
    source=REMOTE,
    scope="write:jira-work",
    examples=[
        {
            "issueIdOrKey": "SHOP-1",
            "linkId": "$createOrUpdateRemoteIssueLink:id",
            "object": {"url": "https://status.example/incidents/8", "title": "Incident 8"},
        }
    ],
    raises=("issue_not_found", "remote_link_not_found", "cannot_link"),
)
def update_remote_issue_link(call: Call, params: RemoteChange) -> None:
    """Replace a remote link's values."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey, "LINK_ISSUES")
    row = _get_remote_link(context, issue, params.linkId)
    _set_remote_link(row, params)
    row.global_id = params.globalId
    issue.updated_at = call.now


@app.operation(
    "deleteRemoteIssueLinkById",
    writes=True,
    limit=EDITS,
    source=REMOTE,
    scope="write:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1", "linkId": "$createOrUpdateRemoteIssueLink:id"}],
    raises=("issue_not_found", "remote_link_not_found", "cannot_link"),
)
def delete_remote_issue_link_by_id(call: Call, params: RemoteRef) -> None:
    """Remove a remote link."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey, "LINK_ISSUES")
    call.session.delete(_get_remote_link(context, issue, params.linkId))


@app.operation(
    "deleteRemoteIssueLinkByGlobalId",
    writes=True,
    limit=EDITS,
    source=REMOTE,
    scope="write:jira-work",
    after=["createOrUpdateRemoteIssueLink"],
    examples=[{"issueIdOrKey": "SHOP-1", "globalId": "status-incident-7"}],
    raises=("issue_not_found", "remote_link_not_found", "cannot_link"),
)
def delete_remote_issue_link_by_global_id(call: Call, params: RemoteGlobal) -> None:
    """Remove a remote link by its global id."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey, "LINK_ISSUES")
    found = [row for row in _list_remote_links(context, issue) if row.global_id == params.globalId]
    if not found:
        raise OperationError("remote_link_not_found", link=params.globalId)
    call.session.delete(found[0])
