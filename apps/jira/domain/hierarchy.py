"""Rows that belong to issues shown together, read for all of them at once."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from sqlmodel import col, func, select

from apps.jira.domain.context import JiraContext
from apps.jira.models import Attachment, Issue, IssueLink, Vote, Watcher


class IssueFamily:
    """Sub-tasks, parents, links, files, watches and votes of a page of issues; each kind is read on first use."""

    def __init__(self, context: JiraContext, issues: Iterable[Issue]) -> None:
        self.context, self.issues = context, list(issues)
        self.ids = [issue.id for issue in self.issues]
        context.preload(p for i in self.issues for p in (i.assignee_id, i.reporter_id, i.creator_id))

    @cached_property
    def children(self) -> dict[int, list[Issue]]:
        """Issues below each, in rank order."""
        query = select(Issue).where(col(Issue.parent_id).in_(self.ids), col(Issue.deleted_at).is_(None))
        out: dict[int, list[Issue]] = {}
        for child in self.context.call.session.exec(query.order_by(Issue.rank, col(Issue.id))):
            out.setdefault(child.parent_id or 0, []).append(child)
        return out

    def subtasks(self, issue: Issue) -> list[Issue]:
        """Sub-tasks of an issue."""
        return [child for child in self.children.get(issue.id, ()) if self.context.types[child.issue_type_id].level < 0]

    @cached_property
    def parents(self) -> dict[int, Issue]:
        """Parents by id, those the caller may see."""
        return self._visible(issue.parent_id for issue in self.issues)

    def _visible(self, ids: Iterable[int | None]) -> dict[int, Issue]:
        wanted = sorted({id for id in ids if id is not None})
        if not wanted:
            return {}
        query = select(Issue).where(
            col(Issue.id).in_(wanted),
            col(Issue.deleted_at).is_(None),
            col(Issue.project_id).in_(self.context.visible_projects),
        )
        return {issue.id: issue for issue in self.context.call.session.exec(query.order_by(col(Issue.id)))}

    @cached_property
    def links(self) -> dict[int, list[IssueLink]]:
        """Links at either end, by issue."""
        query = select(IssueLink).where(
            col(IssueLink.source_id).in_(self.ids) | col(IssueLink.destination_id).in_(self.ids)
        )
        out: dict[int, list[IssueLink]] = {}
        for link in self.context.call.session.exec(query.order_by(col(IssueLink.id))):
            for end in (link.source_id, link.destination_id):
                out.setdefault(end, []).append(link)
        return out

    @cached_property
    def linked(self) -> dict[int, Issue]:
        """The issues at the ends of the links, those the caller may see."""
        return self._visible(
            end for rows in self.links.values() for row in rows for end in (row.source_id, row.destination_id)
        )

    @cached_property
    def attachments(self) -> dict[int, list[Attachment]]:
        """Files by issue, oldest first."""
        query = select(Attachment).where(col(Attachment.issue_id).in_(self.ids)).order_by(col(Attachment.id))
        out: dict[int, list[Attachment]] = {}
        for row in self.context.call.session.exec(query):
            out.setdefault(row.issue_id, []).append(row)
        return out

    @cached_property
    def watches(self) -> dict[int, tuple[int, bool]]:
        """Number of watchers, and whether the caller is one."""
        return self._marks(Watcher.issue_id, Watcher.person_id)

    @cached_property
    def votes(self) -> dict[int, tuple[int, bool]]:
        """Number of votes, and whether the caller's is among them."""
        return self._marks(Vote.issue_id, Vote.person_id)

    def _marks(self, issue: Any, person: object) -> dict[int, tuple[int, bool]]:
        mine = func.max(person == self.context.call.person)
        query = select(issue, func.count(), mine).where(col(issue).in_(self.ids)).group_by(issue).order_by(issue)
        return {row[0]: (row[1], bool(row[2])) for row in self.context.call.all(query)}
