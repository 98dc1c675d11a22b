"""Links between issues, and from issues to pages elsewhere."""

from typing import Annotated, Any

from pydantic import Field
from sqlmodel import col, select

from apps.jira.app import app
from apps.jira.limits import EDITS
from apps.jira.models import Issue, IssueLink, LinkType, RemoteLink
from apps.jira.operations.access import find_issue, number, project_of, require, visible_issue
from apps.jira.operations.comments import Body, Visibility, check_visibility, read_comment, write_comment
from apps.jira.operations.context import Desk
from apps.jira.operations.hierarchy import Kin
from apps.jira.operations.history import Edit, announce
from apps.jira.operations.lookups import link_type_json, priority_json, status_json, type_json
from apps.jira.operations.params import BodyFormat, Id, IssueRef, JsonObject, Word
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import NoParams, Params, Text

SOURCE = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-links"
TYPES = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-link-types"
REMOTE = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-remote-links"


class Named(Params):
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

    type: Named = Field(description="Link type by name or id.", examples=[{"name": "Blocks"}])
    inwardIssue: Named = Field(description="The issue the link starts from: with Blocks, the one that blocks.")
    outwardIssue: Named = Field(description="The issue the link points to: with Blocks, the one that is blocked.")
    comment: LinkComment | None = Field(default=None, description="A comment for the outward issue.")


class LinkRef(Params):
    """One link."""

    linkId: Id = Field(description="Issue link id.")


class LinkTypeRef(Params):
    """One link type."""

    issueLinkTypeId: Id = Field(description="Link type id.")


def linked_issue(desk: Desk, issue: Issue) -> dict[str, Any]:
    """An issue as the other end of a link."""
    fields: dict[str, Any] = {
        "summary": issue.summary,
        "status": status_json(desk, desk.statuses[issue.status_id]),
        "priority": priority_json(desk, desk.priorities[issue.priority_id]),
        "issuetype": type_json(desk, desk.types[issue.issue_type_id]),
    }
    return {"id": str(issue.id), "key": issue.key, "self": f"{desk.api}/issue/{issue.id}", "fields": fields}


def links_of(kin: Kin, issue: Issue) -> list[dict[str, Any]]:
    """An issue's links with the ends the caller may see, as the issuelinks field shows them."""
    desk, out = kin.desk, []
    for link in kin.links.get(issue.id, ()):
        outward = link.source_id == issue.id
        other = kin.linked.get(link.destination_id if outward else link.source_id)
        if other is not None:
            head: dict[str, Any] = {"id": str(link.id), "self": f"{desk.api}/issueLink/{link.id}"}
            head["type"] = link_type_json(desk, desk.link_types[link.type_id])
            out.append({**head, "outwardIssue" if outward else "inwardIssue": linked_issue(desk, other)})
    return out


def find_type(desk: Desk, wanted: Named) -> LinkType:
    id, name = number(wanted.id), (wanted.name or "").casefold()
    for kind in desk.link_types.values():
        if kind.id == id or (id is None and name == kind.name.casefold()):
            return kind
    raise OperationError("link_type_not_found", type=wanted.name or wanted.id or "")


def write_link(desk: Desk, kind: LinkType, source: Issue, destination: Issue) -> IssueLink | None:
    """Add a link and both changelog entries; None when it exists. Raises link_to_self, cannot_link."""
    if source.id == destination.id:
        raise OperationError("link_to_self")
    if not any(desk.may("LINK_ISSUES", project_of(desk, end)) for end in (source, destination)):
        raise OperationError("cannot_link", issue=source.key)
    same = select(IssueLink).where(
        IssueLink.type_id == kind.id, IssueLink.source_id == source.id, IssueLink.destination_id == destination.id
    )
    if desk.call.session.exec(same).first() is not None:
        return None
    row = IssueLink(
        id=desk.next_id("jira_issue_link"),
        type_id=kind.id,
        source_id=source.id,
        destination_id=destination.id,
        created_at=desk.call.now,
    )
    desk.call.session.add(row)
    _trace(desk, kind, source, destination, added=True)
    announce(desk, "jira.linked", source, type=kind.name, other=destination.key)
    return row


def _trace(desk: Desk, kind: LinkType, source: Issue, destination: Issue, *, added: bool) -> None:
    for here, other, wording in ((source, destination, kind.outward), (destination, source, kind.inward)):
        edit = Edit(desk, here)
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
    desk = Desk(call)
    kind = find_type(desk, params.type)
    source = find_issue(desk, params.inwardIssue.key or params.inwardIssue.id or "")
    destination = find_issue(desk, params.outwardIssue.key or params.outwardIssue.id or "")
    write_link(desk, kind, source, destination)
    if params.comment is not None and params.comment.body:
        require(desk, "ADD_COMMENTS", project_of(desk, destination))
        limit = check_visibility(desk, destination, params.comment.visibility)
        write_comment(desk, destination, read_comment(params.comment.body, params.contentFormat), limit)


def _link(desk: Desk, id: str) -> tuple[IssueLink, Issue, Issue]:
    wanted = number(id)
    row = None if wanted is None else desk.call.session.get(IssueLink, wanted)
    source = visible_issue(desk, row.source_id) if row else None
    destination = visible_issue(desk, row.destination_id) if row else None
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
def get_issue_link(call: Call, params: LinkRef) -> dict[str, Any]:
    """Read one issue link with both ends."""
    desk = Desk(call)
    row, source, destination = _link(desk, params.linkId)
    return {
        "id": str(row.id),
        "self": f"{desk.api}/issueLink/{row.id}",
        "type": link_type_json(desk, desk.link_types[row.type_id]),
        "inwardIssue": linked_issue(desk, source),
        "outwardIssue": linked_issue(desk, destination),
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
    desk = Desk(call)
    row, source, destination = _link(desk, params.linkId)
    if not any(desk.may("LINK_ISSUES", project_of(desk, end)) for end in (source, destination)):
        raise OperationError("cannot_link", issue=source.key)
    call.session.delete(row)
    _trace(desk, desk.link_types[row.type_id], source, destination, added=False)


@app.operation("getIssueLinkTypes", source=TYPES, scope="read:jira-work", examples=[{}])
def get_issue_link_types(call: Call, params: NoParams) -> dict[str, Any]:
    """List the kinds of link between issues, with their two wordings."""
    desk = Desk(call)
    return {"issueLinkTypes": [link_type_json(desk, kind) for kind in desk.link_types.values()]}


@app.operation(
    "getIssueLinkType",
    source=TYPES,
    scope="read:jira-work",
    examples=[{"issueLinkTypeId": "$getIssueLinkTypes:issueLinkTypes.0.id"}],
    raises=("link_type_not_found",),
)
def get_issue_link_type(call: Call, params: LinkTypeRef) -> dict[str, Any]:
    """Read one kind of issue link."""
    desk = Desk(call)
    kind = desk.link_types.get(number(params.issueLinkTypeId) or 0)
    if kind is None:
        raise OperationError("link_type_not_found", type=params.issueLinkTypeId)
    return link_type_json(desk, kind)


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
    """What the link points to."""

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
    application: JsonObject | None = Field(default=None, description="The application it lives in: type and name.")


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


def remote_json(desk: Desk, row: RemoteLink) -> dict[str, Any]:
    """A remote link as the API shows it."""
    out: dict[str, Any] = {"id": row.id, "self": f"{desk.api}/issue/{row.issue_id}/remotelink/{row.id}"}
    if row.global_id is not None:
        out["globalId"] = row.global_id
    out["application"] = row.application
    if row.relationship:
        out["relationship"] = row.relationship
    icon = {k: v for k, v in (("url16x16", row.icon_url), ("title", row.icon_title)) if v}
    shown: dict[str, Any] = {
        "url": row.url,
        "title": row.title,
        "icon": icon,
        "status": {"resolved": row.resolved, "icon": {}},
    }
    if row.summary:
        shown["summary"] = row.summary
    out["object"] = shown
    return out


def _remote_links(desk: Desk, issue: Issue) -> list[RemoteLink]:
    query = select(RemoteLink).where(RemoteLink.issue_id == issue.id)
    return list(desk.call.session.exec(query.order_by(col(RemoteLink.id))))


def _fill(row: RemoteLink, params: RemoteNew) -> None:
    shown, icon = params.object, params.object.icon
    row.url, row.title, row.summary = shown.url, shown.title, shown.summary or ""
    row.relationship, row.application = params.relationship or "", params.application or {}
    row.icon_url = (icon.url16x16 if icon else None) or ""
    row.icon_title = (icon.title if icon else None) or ""
    row.resolved = bool(shown.status and shown.status.resolved)


def _remote(desk: Desk, issue: Issue, id: str) -> RemoteLink:
    wanted = number(id)
    row = None if wanted is None else desk.call.session.get(RemoteLink, wanted)
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
def get_remote_issue_links(call: Call, params: RemoteList) -> list[dict[str, Any]] | dict[str, Any]:
    """List an issue's links to pages elsewhere; with globalId, just that one."""
    desk = Desk(call)
    rows = _remote_links(desk, find_issue(desk, params.issueIdOrKey))
    if params.globalId is None:
        return [remote_json(desk, row) for row in rows]
    for row in rows:
        if row.global_id == params.globalId:
            return remote_json(desk, row)
    raise OperationError("remote_link_not_found", link=params.globalId)


@app.operation(
    "getRemoteIssueLinkById",
    source=REMOTE,
    scope="read:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1", "linkId": "$createOrUpdateRemoteIssueLink:id"}],
    raises=("issue_not_found", "remote_link_not_found"),
)
def get_remote_issue_link_by_id(call: Call, params: RemoteRef) -> dict[str, Any]:
    """Read one remote link."""
    desk = Desk(call)
    return remote_json(desk, _remote(desk, find_issue(desk, params.issueIdOrKey), params.linkId))


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
def create_or_update_remote_issue_link(call: Call, params: RemoteNew) -> dict[str, Any]:
    """Link an issue to a web page; a link with the same globalId is updated instead.

    Deviates: REST answers 201 for an update too.
    """
    desk = Desk(call)
    issue = find_issue(desk, params.issueIdOrKey, "LINK_ISSUES")
    same = [r for r in _remote_links(desk, issue) if params.globalId is not None and r.global_id == params.globalId]
    row = (
        same[0]
        if same
        else RemoteLink(
            id=desk.next_id("jira_remote_link"),
            issue_id=issue.id,
            global_id=params.globalId,
            url="",
            title="",
            created_at=call.now,
        )
    )
    _fill(row, params)
    call.session.add(row)
    issue.updated_at = call.now
    return {"id": row.id, "self": f"{desk.api}/issue/{issue.id}/remotelink/{row.id}"}


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
    desk = Desk(call)
    issue = find_issue(desk, params.issueIdOrKey, "LINK_ISSUES")
    row = _remote(desk, issue, params.linkId)
    _fill(row, params)
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
    desk = Desk(call)
    issue = find_issue(desk, params.issueIdOrKey, "LINK_ISSUES")
    call.session.delete(_remote(desk, issue, params.linkId))


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
    desk = Desk(call)
    issue = find_issue(desk, params.issueIdOrKey, "LINK_ISSUES")
    found = [row for row in _remote_links(desk, issue) if row.global_id == params.globalId]
    if not found:
        raise OperationError("remote_link_not_found", link=params.globalId)
    call.session.delete(found[0])
