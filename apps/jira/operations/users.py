"""Users and groups as the tracker shows them; the people themselves are the company's directory."""

from pydantic import Field
from sqlmodel import col, select

from apps.jira.app import app
from apps.jira.domain.access import find_issue, find_person, find_project, project_of
from apps.jira.domain.context import JiraContext
from apps.jira.domain.offset_pages import page_to_json
from apps.jira.models import Group, GroupMember, Project
from apps.jira.operations.params import Expand, Id, MaxResults, StartAt, Word, Words
from world.core.call import Call
from world.core.directory import Person
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import NoParams, Params

SOURCE = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-user-search"
USERS = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-users"
MYSELF = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-myself"
GROUPS = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-groups"


class UserSearch(Params):
    """Filters and page of users."""

    query: Word | None = Field(default=None, description="Part of a name or mail address.", examples=["ada"])
    accountId: Id | None = Field(default=None, description="Exactly this account.")
    username: Word | None = Field(default=None, description="Not accepted on Cloud.")
    startAt: StartAt = 0
    maxResults: MaxResults = 50


class AssignableSearch(UserSearch):
    """Users who may be assigned issues of a project or an issue."""

    project: Id | None = Field(default=None, description="Project key or id.", examples=["SHOP"])
    issueKey: Id | None = Field(default=None, description="Issue key; needs no project.")
    issueId: Id | None = Field(default=None, description="Issue id; needs no project.")


class BulkAssignable(UserSearch):
    """Users who may be assigned in all of several projects."""

    projectKeys: Words = Field(default_factory=list, description="Project keys.")


class UserRef(Params):
    """One user."""

    accountId: Id | None = Field(default=None, description="Account id.")
    username: Word | None = Field(default=None, description="Not accepted on Cloud.")
    key: Word | None = Field(default=None, description="Not accepted on Cloud.")
    expand: Expand | None = Field(default=None, description="groups, applicationRoles.")


class UserBulk(Params):
    """Several users."""

    accountId: Words = Field(default_factory=list, description="Account ids.")
    startAt: StartAt = 0
    maxResults: MaxResults = 10


class UserPage(Params):
    """A page of all users."""

    startAt: StartAt = 0
    maxResults: MaxResults = 50


class GroupSearch(Params):
    """Filter of groups."""

    query: Word | None = Field(default=None, description="Part of the name.")
    maxResults: MaxResults = 20


class GroupMembers(Params):
    """Members of a group."""

    groupname: Word | None = Field(default=None, description="Group name.")
    groupId: Id | None = Field(default=None, description="Group id.")
    startAt: StartAt = 0
    maxResults: MaxResults = 50


class GroupBulk(Params):
    """All groups, a page at a time."""

    startAt: StartAt = 0
    maxResults: MaxResults = 50
    groupName: Words = Field(default_factory=list, description="Only these names.")


def _list_people(context: JiraContext) -> list[Person]:
    """People with an account, by name; bots after employees."""
    query = select(Person).where(col(Person.id).in_(sorted(context.accounts)))
    query = query.order_by(col(Person.kind).desc(), Person.full_name, Person.id)
    found = list(context.call.session.exec(query))
    context.preload(p.id for p in found)
    return found


def _matches_name(person: Person, text: str) -> bool:
    """Whether a text matches the start of a word of the name, or of the address, as in Jira."""
    words = (
        *person.full_name.casefold().split(),
        person.full_name.casefold(),
        person.email.casefold(),
        person.display_name.casefold(),
    )
    return any(word.startswith(text) for word in words)


def list_wanted_people(context: JiraContext, params: UserSearch) -> list[Person]:
    """Active users a search asks for, by name. Raises bad_request."""
    if params.username is not None and params.query is None and params.accountId is None:
        raise OperationError("bad_request", why="The query parameter 'username' is not supported in GDPR strict mode.")
    people = [p for p in _list_people(context) if p.status == "active"]
    if params.accountId is not None:
        return [p for p in people if context.account(p.id) == params.accountId]
    text = (params.query or "").casefold().strip()
    return [p for p in people if not text or _matches_name(p, text)]


def people_to_json(context: JiraContext, people: list[Person], params: UserSearch) -> list[JsonObject]:
    """The page of users that a search asks for."""
    chosen = people[params.startAt : params.startAt + min(params.maxResults, 1000)]
    return [context.user(p.id) or {} for p in chosen]


@app.operation("getCurrentUser", source=MYSELF, scope="read:jira-user", examples=[{}])
def get_current_user(call: Call, params: NoParams) -> JsonObject:
    """Read who you are: account id, name, mail address, time zone."""
    context = JiraContext(call)
    return _person_details_to_json(context, call.person)


def _person_details_to_json(context: JiraContext, person: str) -> JsonObject:
    groups = _list_groups(context, person)
    shown = {**(context.user(person) or {}), "locale": "en_US"}
    return shown | {
        "groups": {"size": len(groups), "items": []},
        "applicationRoles": {"size": 1, "items": []},
        "expand": "groups,applicationRoles",
    }


def _list_groups(context: JiraContext, person: str) -> list[Group]:
    query = (
        select(Group)
        .join(GroupMember, col(GroupMember.group_id) == col(Group.id))
        .where(GroupMember.person_id == person)
    )
    return list(context.call.session.exec(query.order_by(Group.name)))


def _group_to_json(context: JiraContext, group: Group) -> JsonObject:
    return {"name": group.name, "groupId": group.id, "self": f"{context.api}/group?groupId={group.id}"}


@app.operation(
    "getUser",
    source=USERS,
    scope="read:jira-user",
    examples=[{"accountId": "$getCurrentUser:accountId"}],
    raises=("user_not_found", "bad_request"),
)
def get_user(call: Call, params: UserRef) -> JsonObject:
    """Read a user by account id."""
    context = JiraContext(call)
    if params.accountId is None:
        why = (
            "The query parameter 'username' is not supported in GDPR strict mode."
            if params.username or params.key
            else "The 'accountId' query parameter needs to be provided"
        )
        raise OperationError("bad_request", why=why)
    person = find_person(context, params.accountId)
    out = _person_details_to_json(context, person)
    if params.expand and "groups" in params.expand:
        items = [_group_to_json(context, group) for group in _list_groups(context, person)]
        out["groups"] = {"size": len(items), "items": items}
    return out


@app.operation(
    "getUserGroups",
    source=USERS,
    scope="read:jira-user",
    examples=[{"accountId": "$getCurrentUser:accountId"}],
    raises=("user_not_found",),
)
def get_user_groups(call: Call, params: UserRef) -> list[JsonObject]:
    """List the groups a user is in."""
    context = JiraContext(call)
    return [
        _group_to_json(context, group) for group in _list_groups(context, find_person(context, params.accountId or ""))
    ]


@app.operation(
    "bulkGetUsers", source=USERS, scope="read:jira-user", examples=[{"accountId": ["$getCurrentUser:accountId"]}]
)
def bulk_get_users(call: Call, params: UserBulk) -> JsonObject:
    """Read several users by account id."""
    context = JiraContext(call)
    found = [context.people_by_account[a] for a in dict.fromkeys(params.accountId) if a in context.people_by_account]
    context.preload(found)
    return page_to_json(call, "/rest/api/3/user/bulk", found, params.startAt, min(params.maxResults, 200), context.user)


@app.operation("getAllUsers", source=USERS, scope="read:jira-user", examples=[{}])
def get_all_users(call: Call, params: UserPage) -> list[JsonObject]:
    """List all users, active or not, a page at a time."""
    context = JiraContext(call)
    people = _list_people(context)[params.startAt : params.startAt + min(params.maxResults, 1000)]
    return [context.user(p.id) or {} for p in people]


@app.operation("findUsers", source=SOURCE, scope="read:jira-user", examples=[{"query": "ada"}], raises=("bad_request",))
def find_users(call: Call, params: UserSearch) -> list[JsonObject]:
    """Find active users by the start of a name or mail address."""
    context = JiraContext(call)
    if params.query is None and params.accountId is None and params.username is None:
        raise OperationError(
            "bad_request", why="The 'query', 'accountId' or 'property' query parameter needs to be provided"
        )
    return people_to_json(context, list_wanted_people(context, params), params)


def _find_asked_project(context: JiraContext, params: AssignableSearch) -> Project:
    ref = params.issueKey or params.issueId
    if ref is not None:
        return project_of(context, find_issue(context, ref))
    if params.project is None:
        raise OperationError("bad_request", why="The 'project' or 'issueKey' query parameter needs to be provided")
    return find_project(context, params.project)


@app.operation(
    "findAssignableUsers",
    source=SOURCE,
    scope="read:jira-user",
    examples=[{"project": "SHOP", "query": "ada"}],
    raises=("bad_request", "project_not_found", "project_id_not_found", "issue_not_found"),
)
def find_assignable_users(call: Call, params: AssignableSearch) -> list[JsonObject]:
    """Find users who may be assigned issues of a project or an issue."""
    context = JiraContext(call)
    project = _find_asked_project(context, params)
    able = [p for p in list_wanted_people(context, params) if context.person_may(p.id, "ASSIGNABLE_USER", project)]
    return people_to_json(context, able, params)


@app.operation(
    "findBulkAssignableUsers",
    source=SOURCE,
    scope="read:jira-user",
    examples=[{"projectKeys": ["SHOP"], "query": "a"}],
    raises=("bad_request", "project_not_found", "project_id_not_found"),
)
def find_bulk_assignable_users(call: Call, params: BulkAssignable) -> list[JsonObject]:
    """Find users who may be assigned issues in all of several projects."""
    context = JiraContext(call)
    projects = [find_project(context, key) for key in params.projectKeys]
    able = [
        p
        for p in list_wanted_people(context, params)
        if all(context.person_may(p.id, "ASSIGNABLE_USER", one) for one in projects)
    ]
    return people_to_json(context, able, params)


@app.operation(
    "findUsersForPicker", source=SOURCE, scope="read:jira-user", examples=[{"query": "ada"}], raises=("bad_request",)
)
def find_users_for_picker(call: Call, params: UserSearch) -> JsonObject:
    """Find users for a picker: short entries with the match marked."""
    context = JiraContext(call)
    found = list_wanted_people(context, params)
    limit = min(params.maxResults, 1000)
    users = [
        {
            "accountId": context.account(p.id),
            "accountType": "atlassian",
            "name": p.full_name,
            "displayName": p.full_name,
            "html": f"{p.full_name} - {p.email}",
            "avatarUrl": context.avatars("user", context.account(p.id))["24x24"],
        }
        for p in found[:limit]
    ]
    return {"users": users, "total": len(found), "header": f"Showing {len(users)} of {len(found)} matching users"}


@app.operation("findGroups", source=GROUPS, scope="read:jira-user", examples=[{}])
def find_groups(call: Call, params: GroupSearch) -> JsonObject:
    """Find groups by part of their name."""
    text = (params.query or "").casefold()
    found = [g for g in call.session.exec(select(Group).order_by(Group.name)) if text in g.name.casefold()]
    shown = [{"name": g.name, "html": g.name, "labels": [], "groupId": g.id} for g in found[: params.maxResults]]
    return {"header": f"Showing {len(shown)} of {len(found)} matching groups", "total": len(found), "groups": shown}


@app.operation("bulkGetGroups", source=GROUPS, scope="read:jira-user", examples=[{}])
def bulk_get_groups(call: Call, params: GroupBulk) -> JsonObject:
    """List groups a page at a time."""
    found = [
        g
        for g in call.session.exec(select(Group).order_by(Group.name))
        if not params.groupName or g.name in params.groupName
    ]
    return page_to_json(
        call,
        "/rest/api/3/group/bulk",
        found,
        params.startAt,
        min(params.maxResults, 100),
        lambda g: {"name": g.name, "groupId": g.id},
    )


@app.operation(
    "getGroup",
    source=GROUPS,
    scope="read:jira-user",
    examples=[{"groupname": "$bulkGetGroups:values.0.name"}],
    raises=("group_not_found",),
)
def get_group(call: Call, params: GroupMembers) -> JsonObject:
    """Read a group with its first members; the older form of listing members."""
    context = JiraContext(call)
    group, found = _list_members(context, params)
    shown = [context.user(person) for person in found[:50]]
    users = {
        "size": len(found),
        "items": shown,
        "max-results": 50,
        "start-index": 0,
        "end-index": max(0, len(shown) - 1),
    }
    return {**_group_to_json(context, group), "users": users, "expand": "users"}


@app.operation(
    "getUsersFromGroup",
    source=GROUPS,
    scope="read:jira-user",
    examples=[{"groupname": "$bulkGetGroups:values.0.name"}],
    raises=("group_not_found",),
)
def get_users_from_group(call: Call, params: GroupMembers) -> JsonObject:
    """List the members of a group."""
    context = JiraContext(call)
    group, found = _list_members(context, params)
    return page_to_json(
        call,
        "/rest/api/3/group/member",
        found,
        params.startAt,
        min(params.maxResults, 50),
        context.user,
        groupId=group.id,
    )


def _list_members(context: JiraContext, params: GroupMembers) -> tuple[Group, list[str]]:
    session = context.call.session
    query = select(Group).where(
        (col(Group.name) == (params.groupname or "")) | (col(Group.id) == (params.groupId or ""))
    )
    group = session.exec(query.order_by(Group.name)).first()
    if group is None:
        raise OperationError("group_not_found", group=params.groupname or params.groupId)
    members = select(GroupMember.person_id).where(GroupMember.group_id == group.id).order_by(GroupMember.person_id)
    found = list(session.exec(members))
    context.preload(found)
    return group, found
