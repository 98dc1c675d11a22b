"""The changelog: one entry per edit, one item per field, and the events other apps hear of."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from pydantic import JsonValue

from apps.jira.domain import mail_notifications
from apps.jira.domain.context import JiraContext
from apps.jira.domain.field_kinds import Trace
from apps.jira.domain.fields import Field
from apps.jira.models import ChangeItem, Issue

# What the changelog calls a field where that differs from its id.
NAMES = {
    "fixVersions": "Fix Version",
    "versions": "Version",
    "components": "Component",
    "parent": "IssueParentAssociation",
}

WORKLOG = "WorklogId"  # the field of the changelog that tells of a removed worklog


@dataclass(slots=True)
class Edit:
    """One edit of one issue under way; `finish` writes its changelog entry."""

    context: JiraContext
    issue: Issue
    items: list[ChangeItem] = field(default_factory=list)

    def record(self, name: str, field_id: str, before: Trace, after: Trace, *, custom: bool = False) -> None:
        """Note a change of a field; equal sides are no change."""
        if before == after:
            return
        self.items.append(
            ChangeItem(
                history_id=0,
                ordinal=0,
                issue_id=self.issue.id,
                author_id=self.context.call.person,
                created_at=self.context.call.now,
                field=name,
                field_id=field_id,
                field_type="custom" if custom else "jira",
                from_value=before[0],
                from_string=before[1],
                to_value=after[0],
                to_string=after[1],
            )
        )

    def of(self, spec: Field, before: Trace, after: Trace) -> None:
        """Note a change of a known field."""
        name = spec.name if spec.is_custom else NAMES.get(spec.id, spec.id)
        self.record(name, spec.id, before, after, custom=spec.is_custom)

    def finish(self) -> int | None:
        """Write the entry, touch the issue; the entry's id, or None when nothing changed."""
        if not self.items:
            return None
        history = self.context.next_id("jira_change")
        for ordinal, item in enumerate(self.items):
            item.history_id, item.ordinal = history, ordinal
            self.context.call.session.add(item)
        self.issue.updated_at = self.context.call.now
        return history


def announce(context: JiraContext, topic: str, issue: Issue, **facts: str | int | None) -> None:
    """Publish a world event about an issue; people are directory ids, components names."""
    parts: list[JsonValue] = [context.components[id].name for id in issue.component_ids]
    context.call.publish(
        topic,
        issue=issue.key,
        issue_id=issue.id,
        project=context.projects[issue.project_id].key,
        summary=issue.summary,
        issue_type=context.types[issue.issue_type_id].name,
        components=parts,
        url=mail_notifications.issue_address(context, issue),
        actor=context.call.person,
        **facts,
    )


def announce_mentions(
    context: JiraContext, issue: Issue, accounts: Iterable[str], *, text: str, comment_id: int | None
) -> None:
    """Publish a mention for each person named, the author excepted."""
    for account in accounts:
        person = context.people_by_account.get(account)
        if person is not None and person != context.call.person:
            announce(context, "jira.mentioned", issue, person=person, text=text, comment_id=comment_id)
