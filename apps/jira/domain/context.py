"""Context of one call: reference rows read once, people in the API's form, and the caller's permissions."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from sqlmodel import SQLModel, col, func, select

from apps.jira.models import (
    Category,
    Component,
    Counter,
    CustomField,
    FieldOption,
    Group,
    GroupMember,
    IssueType,
    LinkType,
    Priority,
    Project,
    Resolution,
    RoleActor,
    Status,
    Version,
)
from apps.jira.models_boards import Sprint
from apps.jira.models_workflows import ProjectType, Transition
from world.core.call import Call
from world.core.clock import to_datetime
from world.core.directory import Person

MEMBER = frozenset(
    {
        "BROWSE_PROJECTS",
        "CREATE_ISSUES",
        "EDIT_ISSUES",
        "ASSIGN_ISSUES",
        "ASSIGNABLE_USER",
        "TRANSITION_ISSUES",
        "RESOLVE_ISSUES",
        "CLOSE_ISSUES",
        "SCHEDULE_ISSUES",
        "MOVE_ISSUES",
        "LINK_ISSUES",
        "ADD_COMMENTS",
        "EDIT_OWN_COMMENTS",
        "DELETE_OWN_COMMENTS",
        "WORK_ON_ISSUES",
        "EDIT_OWN_WORKLOGS",
        "DELETE_OWN_WORKLOGS",
        "CREATE_ATTACHMENTS",
        "DELETE_OWN_ATTACHMENTS",
        "VIEW_VOTERS_AND_WATCHERS",
        "MANAGE_WATCHERS",
        "MANAGE_SPRINTS_PERMISSION",
        "MODIFY_REPORTER",
    }
)
ADMINISTRATOR = MEMBER | {
    "ADMINISTER_PROJECTS",
    "DELETE_ISSUES",
    "EDIT_ALL_COMMENTS",
    "DELETE_ALL_COMMENTS",
    "EDIT_ALL_WORKLOGS",
    "DELETE_ALL_WORKLOGS",
    "DELETE_ALL_ATTACHMENTS",
}
VIEWER = frozenset(
    {"BROWSE_PROJECTS", "ADD_COMMENTS", "EDIT_OWN_COMMENTS", "DELETE_OWN_COMMENTS", "VIEW_VOTERS_AND_WATCHERS"}
)
# What each project role grants;
# support.atlassian.com/jira-software-cloud/docs/manage-access-to-your-team-managed-project
GRANTS = {"Administrator": ADMINISTRATOR, "Member": MEMBER, "Viewer": VIEWER}
PERMISSIONS = sorted(ADMINISTRATOR)
ROLES = {"Administrator": 10002, "Member": 10003, "Viewer": 10004}
EVERYBODY = {"open": "Member", "limited": "Viewer"}
ADMIN_GROUP = "jira-administrators"


def format_timestamp(at: int | None) -> str | None:
    """`2026-01-01T00:00:00.000+0000`, or None."""
    if at is None:
        return None
    moment = to_datetime(at)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}+0000"


def format_zulu_timestamp(at: int | None) -> str | None:
    """`2026-01-01T00:00:00.000Z`, the form the agile API uses."""
    text = format_timestamp(at)
    return None if text is None else text.replace("+0000", "Z")


class JiraContext:
    """Reference data and permissions of one call; nothing outlives it."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.api = f"{call.base_url}/rest/api/3"
        self.agile = f"{call.base_url}/rest/agile/1.0"
        self._people: dict[str, Person | None] = {}
        self._groups_of: dict[str, frozenset[str]] = {}
        self.memo: dict[str, Any] = {}

    @cached_property
    def projects(self) -> dict[int, Project]:
        """Every project by id, in order of key."""
        return {p.id: p for p in self.call.session.exec(select(Project).order_by(Project.key))}

    @cached_property
    def categories(self) -> dict[int, Category]:
        """Project categories by id."""
        return {c.id: c for c in self.call.session.exec(select(Category).order_by(col(Category.id)))}

    @cached_property
    def types(self) -> dict[int, IssueType]:
        """Issue types by id."""
        return {t.id: t for t in self.call.session.exec(select(IssueType).order_by(col(IssueType.id)))}

    @cached_property
    def statuses(self) -> dict[int, Status]:
        """Statuses by id."""
        return {s.id: s for s in self.call.session.exec(select(Status).order_by(col(Status.id)))}

    @cached_property
    def priorities(self) -> dict[int, Priority]:
        """Priorities by id, highest first."""
        return {
            p.id: p for p in self.call.session.exec(select(Priority).order_by(col(Priority.position), col(Priority.id)))
        }

    @cached_property
    def resolutions(self) -> dict[int, Resolution]:
        """Resolutions by id."""
        return {r.id: r for r in self.call.session.exec(select(Resolution).order_by(col(Resolution.id)))}

    @cached_property
    def components(self) -> dict[int, Component]:
        """Components by id, in order of name."""
        return {c.id: c for c in self.call.session.exec(select(Component).order_by(Component.name, col(Component.id)))}

    @cached_property
    def versions(self) -> dict[int, Version]:
        """Versions by id, in their project's order."""
        return {
            v.id: v for v in self.call.session.exec(select(Version).order_by(col(Version.position), col(Version.id)))
        }

    @cached_property
    def sprints(self) -> dict[int, Sprint]:
        """Sprints by id, in order of position."""
        return {s.id: s for s in self.call.session.exec(select(Sprint).order_by(col(Sprint.position), col(Sprint.id)))}

    @cached_property
    def link_types(self) -> dict[int, LinkType]:
        """Issue link types by id."""
        return {t.id: t for t in self.call.session.exec(select(LinkType).order_by(col(LinkType.id)))}

    @cached_property
    def custom_fields(self) -> dict[str, CustomField]:
        """Custom fields that the site's admins added, by REST id."""
        return {f.id: f for f in self.call.session.exec(select(CustomField).order_by(CustomField.id))}

    @cached_property
    def options(self) -> dict[str, list[FieldOption]]:
        """Options of select fields by field id."""
        out: dict[str, list[FieldOption]] = {}
        for option in self.call.session.exec(
            select(FieldOption).order_by(col(FieldOption.position), col(FieldOption.id))
        ):
            out.setdefault(option.field_id, []).append(option)
        return out

    @cached_property
    def accounts(self) -> dict[str, str]:
        """person id -> accountId."""
        return self.call.directory.accounts("jira")

    @cached_property
    def people_by_account(self) -> dict[str, str]:
        """accountId -> person id."""
        return {account: person for person, account in self.accounts.items()}

    @cached_property
    def groups(self) -> frozenset[str]:
        """Ids of the caller's groups."""
        query = select(GroupMember.group_id).where(GroupMember.person_id == self.call.person)
        return frozenset(self.call.session.exec(query))

    @cached_property
    def is_admin(self) -> bool:
        """Whether the caller administers the site."""
        query = select(Group.id).where(Group.name == ADMIN_GROUP)
        return any(group in self.groups for group in self.call.session.exec(query))

    def transitions(self, workflow_id: int) -> list[Transition]:
        """Transitions of a workflow in their order."""
        query = select(Transition).where(Transition.workflow_id == workflow_id)
        return list(self.call.session.exec(query.order_by(col(Transition.position), col(Transition.id))))

    def project_types(self, project_id: int) -> list[ProjectType]:
        """Return the issue types of a project, with workflow and screens."""
        query = select(ProjectType).where(ProjectType.project_id == project_id)
        return list(self.call.session.exec(query.order_by(col(ProjectType.position), col(ProjectType.issue_type_id))))

    def project_type(self, project_id: int, issue_type_id: int) -> ProjectType | None:
        """One issue type's configuration in a project."""
        name = f"type {project_id} {issue_type_id}"
        if name not in self.memo:  # the session itself holds rows only as long as somebody else does
            self.memo[name] = self.call.session.get(ProjectType, (project_id, issue_type_id))
        return self.memo[name]

    def next_id(self, name: str, first: int = 10000) -> int:
        """Draw the next number of a sequence."""
        counter = self.call.session.get(Counter, name)
        if counter is None:
            counter = Counter(name=name, next=max(first, self._highest(name) + 1))
            self.call.session.add(counter)
        number, counter.next = counter.next, counter.next + 1
        return number

    def _highest(self, name: str) -> int:
        table = SQLModel.metadata.tables.get(name)
        if table is None:
            return 0
        return self.call.scalar(select(func.max(next(iter(table.primary_key))))) or 0

    # people

    def preload(self, ids: Iterable[str | None]) -> None:
        """Read people that are about to be shown in one query."""
        wanted = sorted({i for i in ids if i and i not in self._people})
        if not wanted:
            return
        for person in self.call.session.exec(select(Person).where(col(Person.id).in_(wanted))):
            self._people[person.id] = person

    def person(self, person_id: str) -> Person | None:
        """A directory row, read once."""
        if person_id not in self._people:
            self._people[person_id] = self.call.directory.person(person_id)
        return self._people[person_id]

    def account(self, person_id: str) -> str:
        """A person's accountId."""
        return self.accounts.get(person_id, person_id)

    def name(self, person_id: str | None) -> str:
        """A display name, empty for nobody."""
        if person_id is None:
            return ""
        person = self.person(person_id)
        return person.full_name if person else "Automation for Jira"

    def user(self, person_id: str | None) -> dict[str, object] | None:
        """A user as the API shows one, or None."""
        if person_id is None:
            return None
        person, account = self.person(person_id), self.account(person_id)
        shown: dict[str, object] = {"self": f"{self.api}/user?accountId={account}", "accountId": account}
        if person is not None and person.kind != "bot":
            shown["emailAddress"] = person.email
        shown["avatarUrls"] = self.avatars("user", account)
        shown["displayName"] = person.full_name if person else "Automation for Jira"
        shown["active"] = person.status == "active" if person else True
        shown["timeZone"] = person.tz if person else "Etc/UTC"
        shown["accountType"] = "atlassian" if person and person.kind != "bot" else "app"
        return shown

    def avatars(self, owner: str, name: str | int) -> dict[str, str]:
        """Avatar addresses in the four sizes the API lists."""
        path = f"{self.api}/universal_avatar/view/type/{owner}/owner/{name}"
        return {
            f"{n}x{n}": f"{path}?size={size}"
            for n, size in ((48, "xlarge"), (24, "small"), (16, "xsmall"), (32, "medium"))
        }

    # permission

    @property
    def is_system(self) -> bool:
        """Whether the system user calls."""
        return self.call.principal.kind == "system"

    @cached_property
    def _actors(self) -> list[RoleActor]:
        return list(
            self.call.session.exec(
                select(RoleActor).order_by(col(RoleActor.project_id), RoleActor.role, RoleActor.kind, RoleActor.actor)
            )
        )

    @cached_property
    def _my_roles(self) -> dict[int, set[str]]:
        out: dict[int, set[str]] = {}
        for actor in self._actors:
            mine = actor.actor == self.call.person if actor.kind == "person" else actor.actor in self.groups
            if mine:
                out.setdefault(actor.project_id, set()).add(actor.role)
        return out

    def roles(self, project: Project) -> frozenset[str]:
        """The caller's roles in a project."""
        mine = set(self._my_roles.get(project.id, ()))
        if project.access in EVERYBODY:
            mine.add(EVERYBODY[project.access])
        return frozenset(mine)

    def roles_of(self, person_id: str, project: Project) -> frozenset[str]:
        """Return a person's roles in a project; none for people who have left."""
        person = self.person(person_id)
        if person is None or person.status != "active":
            return frozenset()
        if person_id == self.call.person:
            return self.roles(project)
        self._read_groups([person_id])
        groups = self._groups_of[person_id]
        found = {
            a.role
            for a in self._actors
            if a.project_id == project.id and (a.actor == person_id if a.kind == "person" else a.actor in groups)
        }
        if project.access in EVERYBODY:
            found.add(EVERYBODY[project.access])
        return frozenset(found)

    def may(self, permission: str, project: Project) -> bool:
        """Whether the caller has a project permission."""
        if self.is_system:
            return True
        return any(permission in GRANTS.get(role, frozenset()) for role in self.roles(project))

    def preload_roles(self, people: Iterable[str]) -> None:
        """Read what `roles_of` needs of people, at once."""
        wanted = list(people)
        self.preload(wanted)
        self._read_groups(wanted)

    def _read_groups(self, people: Iterable[str]) -> None:
        wanted = {person for person in people if person not in self._groups_of}
        if not wanted:
            return
        found: dict[str, set[str]] = {person: set() for person in wanted}
        query = select(GroupMember.person_id, GroupMember.group_id).where(
            col(GroupMember.person_id).in_(sorted(wanted))
        )
        for person, group in self.call.session.exec(query):
            found[person].add(group)
        self._groups_of |= {person: frozenset(groups) for person, groups in found.items()}

    def permissions_of(self, person_id: str, project: Project) -> frozenset[str]:
        """Return a person's permissions in a project; bots are never assignable."""
        person = self.person(person_id)
        found = frozenset[str]().union(*(GRANTS.get(role, frozenset()) for role in self.roles_of(person_id, project)))
        return found - {"ASSIGNABLE_USER"} if person is not None and person.kind == "bot" else found

    def person_may(self, person_id: str, permission: str, project: Project) -> bool:
        """Whether a person has a project permission."""
        return permission in self.permissions_of(person_id, project)

    @cached_property
    def visible_projects(self) -> list[int]:
        """Ids of the projects the caller may browse, ascending; archived ones are not."""
        return sorted(p.id for p in self.projects.values() if p.archived_at is None and self.may("BROWSE_PROJECTS", p))
