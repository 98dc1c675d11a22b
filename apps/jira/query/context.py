"""Context of a query: caller, time, and the site's names, read once."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sqlalchemy import ColumnElement, true
from sqlalchemy import select as select_many
from sqlmodel import col, select

from apps.jira.models import (
    Category,
    Component,
    CustomField,
    FieldOption,
    Group,
    GroupMember,
    Issue,
    IssueType,
    KeyAlias,
    LinkType,
    Priority,
    Project,
    Resolution,
    Status,
    Version,
)
from apps.jira.models_boards import Filter, Sprint
from world.core.directory import Account, Person, Team

Read = Callable[[Any], Sequence[Any]]
FEW = 20  # issues of one query that are looked up one by one


@dataclass(frozen=True, slots=True)
class Context:
    """The caller of a query. `read` runs a select; `projects` are the ids the caller may browse.

    `week_start` is 0 for Monday ... 6 for Sunday. `comments` limits which comments the caller can find.
    """

    now: int
    person: str
    zone: str
    read: Read
    projects: frozenset[int]
    week_start: int = 6
    comments: ColumnElement[bool] = field(default_factory=true)


@dataclass(frozen=True, slots=True)
class NamedRow:
    """A row a query can name: by its id or, ignoring case, by one of its names."""

    id: int
    names: tuple[str, ...]
    project_id: int | None = None
    position: int = 0
    flag: str = ""


class Lookups:
    """The site's rows by name, each table read when first needed."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._keys: dict[str, int | None] = {}
        self._ids: dict[int, int | None] = {}

    def _rows(self, statement: object) -> Sequence[Any]:
        return self.context.read(statement)

    def _visible(self, column: Any) -> ColumnElement[bool]:
        return column.in_(sorted(self.context.projects))

    @cached_property
    def projects(self) -> list[NamedRow]:
        """Projects the caller may browse, by key and name; `flag` is the type."""
        rows = self._rows(
            select(Project.id, Project.key, Project.name, Project.type_key)
            .where(self._visible(col(Project.id)))
            .order_by(col(Project.id))
        )
        return [NamedRow(r.id, (r.key, r.name), r.id, flag=r.type_key) for r in rows]

    @cached_property
    def project_leads(self) -> dict[int, str]:
        """project id -> lead."""
        return {r.id: r.lead_id for r in self._rows(select(Project.id, Project.lead_id).order_by(col(Project.id)))}

    @cached_property
    def categories(self) -> list[NamedRow]:
        """Project categories."""
        return [
            NamedRow(r.id, (r.name,)) for r in self._rows(select(Category.id, Category.name).order_by(col(Category.id)))
        ]

    @cached_property
    def types(self) -> list[NamedRow]:
        """Issue types; `position` is the level."""
        rows = self._rows(select(IssueType.id, IssueType.name, IssueType.level).order_by(col(IssueType.id)))
        return [NamedRow(r.id, (r.name,), position=r.level) for r in rows]

    @cached_property
    def statuses(self) -> list[NamedRow]:
        """Statuses; `flag` is the category."""
        rows = self._rows(select(Status.id, Status.name, Status.category).order_by(col(Status.id)))
        return [NamedRow(r.id, (r.name,), flag=r.category) for r in rows]

    @cached_property
    def priorities(self) -> list[NamedRow]:
        """Priorities, highest first."""
        rows = self._rows(
            select(Priority.id, Priority.name, Priority.position).order_by(col(Priority.position), col(Priority.id))
        )
        return [NamedRow(r.id, (r.name,), position=r.position) for r in rows]

    @cached_property
    def resolutions(self) -> list[NamedRow]:
        """Resolutions."""
        return [
            NamedRow(r.id, (r.name,))
            for r in self._rows(select(Resolution.id, Resolution.name).order_by(col(Resolution.id)))
        ]

    @cached_property
    def components(self) -> list[NamedRow]:
        """Components of visible projects; `flag` is the lead."""
        columns = select(Component.id, Component.name, Component.project_id, Component.lead_id)
        rows = self._rows(columns.where(self._visible(col(Component.project_id))).order_by(col(Component.id)))
        return [NamedRow(r.id, (r.name,), r.project_id, flag=r.lead_id or "") for r in rows]

    @cached_property
    def versions(self) -> list[NamedRow]:
        """Versions of visible projects; `flag` is released, unreleased or archived."""
        columns = select_many(
            *(
                col(c)
                for c in (
                    Version.id,
                    Version.name,
                    Version.project_id,
                    Version.position,
                    Version.released,
                    Version.archived,
                )
            )
        )
        rows = self._rows(
            columns.where(self._visible(col(Version.project_id))).order_by(col(Version.position), col(Version.id))
        )
        return [NamedRow(r.id, (r.name,), r.project_id, r.position, _version_state(r)) for r in rows]

    @cached_property
    def sprints(self) -> list[NamedRow]:
        """Sprints; `flag` is the state."""
        rows = self._rows(select(Sprint.id, Sprint.name, Sprint.state).order_by(col(Sprint.id)))
        return [NamedRow(r.id, (r.name,), flag=r.state) for r in rows]

    @cached_property
    def filters(self) -> dict[int, tuple[str, str]]:
        """Saved searches the caller may use: id -> (name, JQL)."""
        mine = (col(Filter.shared).is_(True)) | (col(Filter.owner_id) == self.context.person)
        rows = self._rows(select(Filter.id, Filter.name, Filter.jql).where(mine).order_by(col(Filter.id)))
        return {r.id: (r.name, r.jql) for r in rows}

    @cached_property
    def link_types(self) -> list[Any]:
        """Link types with both descriptions."""
        return list(
            self._rows(select(LinkType.id, LinkType.name, LinkType.inward, LinkType.outward).order_by(col(LinkType.id)))
        )

    @cached_property
    def custom_fields(self) -> list[Any]:
        """Custom fields: id, name, kind."""
        return list(
            self._rows(select(CustomField.id, CustomField.name, CustomField.kind).order_by(col(CustomField.id)))
        )

    @cached_property
    def options(self) -> dict[str, list[NamedRow]]:
        """field id -> the options of a select field."""
        rows = self._rows(select(FieldOption.id, FieldOption.field_id, FieldOption.value).order_by(col(FieldOption.id)))
        found: dict[str, list[NamedRow]] = {}
        for row in rows:
            found.setdefault(row.field_id, []).append(NamedRow(row.id, (row.value,)))
        return found

    @cached_property
    def accounts(self) -> dict[str, str]:
        """person id -> accountId."""
        statement = (
            select(Account.person_id, Account.external_id)
            .where(col(Account.app) == "jira")
            .order_by(col(Account.person_id))
        )
        return {r.person_id: r.external_id for r in self._rows(statement)}

    @cached_property
    def people(self) -> dict[str, list[str]]:
        """Folded accountId, mail address, user name or full name -> person ids."""
        statement = select_many(
            *(col(c) for c in (Person.id, Person.full_name, Person.display_name, Person.email, Person.handle))
        ).order_by(col(Person.id))
        found: dict[str, list[str]] = {}
        for row in self._rows(statement):
            for name in {
                self.accounts.get(row.id, row.id),
                row.id,
                row.full_name,
                row.display_name,
                row.email,
                row.handle,
            }:
                found.setdefault(name.casefold(), []).append(row.id)
        return found

    @cached_property
    def teams(self) -> dict[str, list[str]]:
        """Folded id or name -> team ids."""
        found: dict[str, list[str]] = {}
        for row in self._rows(select(Team.id, Team.name).order_by(col(Team.id))):
            for name in {row.id.casefold(), row.name.casefold()}:
                found.setdefault(name, []).append(row.id)
        return found

    def members(self, group: str) -> list[str] | None:
        """People in a group named by name or id; None when there is no such group."""
        wanted = group.casefold()
        groups = [
            r.id
            for r in self._rows(select(Group.id, Group.name).order_by(col(Group.id)))
            if wanted in (r.name.casefold(), r.id.casefold())
        ]
        if not groups:
            return None
        statement = select(GroupMember.person_id).where(col(GroupMember.group_id).in_(groups)).distinct()
        return [r.person_id for r in self._rows(statement.order_by(col(GroupMember.person_id)))]

    def issue(self, key: str) -> int | None:
        """The issue with a key, present or past, in a visible project."""
        key = key.upper()
        if key not in self._keys:
            alias = select(KeyAlias.issue_id).where(col(KeyAlias.key) == key).scalar_subquery()
            some = len(self._keys) < FEW
            self._keys[key] = (
                self._only((col(Issue.key) == key) | (col(Issue.id) == alias)) if some else self._every_key.get(key)
            )
        return self._keys[key]

    def issue_by_id(self, number: int) -> int | None:
        """The issue with a numeric id in a visible project."""
        if number not in self._ids:
            some = len(self._ids) < FEW
            self._ids[number] = self._only(col(Issue.id) == number) if some else self._every_id.get(number)
        return self._ids[number]

    @cached_property
    def _every_id(self) -> dict[int, int]:
        return {id: id for id in self._every_key.values()}

    @cached_property
    def _every_key(self) -> dict[str, int]:
        """Ids of all visible issues by every key they have or had: one reading instead of one for each of a long list."""
        live = (col(Issue.deleted_at).is_(None), self._visible(col(Issue.project_id)))
        past = (
            select(KeyAlias.key, Issue.id)
            .join(Issue, col(Issue.id) == col(KeyAlias.issue_id))
            .where(*live)
            .order_by(col(KeyAlias.key))
        )
        present = select(Issue.key, Issue.id).where(*live).order_by(col(Issue.id))
        return {row.key: row.id for statement in (past, present) for row in self._rows(statement)}

    def _only(self, condition: ColumnElement[bool]) -> int | None:
        live = col(Issue.deleted_at).is_(None)
        rows = self._rows(
            select(Issue.id).where(condition, live, self._visible(col(Issue.project_id))).order_by(col(Issue.id))
        )
        return rows[0].id if rows else None


def find_named(rows: Iterable[NamedRow], text: str) -> list[NamedRow]:
    """Return the rows that a word names: by name first, else by id."""
    folded = text.casefold()
    by_name = [row for row in rows if any(name.casefold() == folded for name in row.names)]
    return by_name or [row for row in rows if str(row.id) == text]


def _version_state(row: Any) -> str:
    return "archived" if row.archived else "released" if row.released else "unreleased"
