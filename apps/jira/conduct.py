"""Declarations for graders: a user's own settings, owners of an issue's rows, and rows that give access."""

from collections.abc import Iterator
from dataclasses import replace

from apps.jira import audience
from apps.jira.app import app
from world.core.audience import Cells
from world.core.conduct import Conduct, changes_column, grant_access, message, own


def _show_issue_deeds(before: Cells | None, after: Cells | None) -> Iterator[str]:
    """Show that an issue was opened, transitioned, or assigned."""
    if before is None:
        yield "opened"
    if before is None or changes_column(before, after, "assignee_id"):
        yield "assigned"
    if changes_column(before, after, "status_id"):
        yield from ("opened", "closed", "approved")


def _prove_issue_deeds(before: Cells | None, after: Cells | None) -> Iterator[str]:
    """Prove that an issue was opened, resolved, or given to somebody."""
    if before is None:
        yield "opened"
    if after is not None and changes_column(before, after, "resolution_id") and after["resolution_id"] is not None:
        yield "closed"
    if after is not None and changes_column(before, after, "assignee_id") and after["assignee_id"] is not None:
        yield "assigned"


def _show_sprint_deeds(before: Cells | None, after: Cells | None) -> Iterator[str]:
    """Show that a sprint was started or completed."""
    if changes_column(before, after, "state"):
        yield from ("started", "closed")


def _show_version_deeds(before: Cells | None, after: Cells | None) -> Iterator[str]:
    """Show that a version was released or archived."""
    if changes_column(before, after, "released"):
        yield from ("deployed", "released", "closed")
    if changes_column(before, after, "archived"):
        yield "closed"


app.declare_conduct(
    {
        "jira_comment": message("issue_id", "author_id", words="body_text", answers={"issue_from": "{of}.key"}).read_by(
            audience.of_comment
        ),
        "jira_notification": message("issue_id", "author_id", words="subject text html").read_by(
            audience.of_notification
        ),
        "jira_watcher": own("person_id"),
        "jira_vote": own("person_id"),
        "jira_filter_favourite": own("person_id"),
        "jira_filter": Conduct(("owner_id",), readers=audience.of_filter),
        "jira_dashboard": Conduct(("owner_id",)),
        "jira_issue": Conduct(
            ("assignee_id", "creator_id", "reporter_id"),
            readers=audience.of_issue,
            shows=_show_issue_deeds,
            proves=_prove_issue_deeds,
            tags="labels",
        ),
        "jira_worklog": replace(
            message("issue_id", "author_id", words="comment_text"), readers=audience.of_part, effort="spent_s"
        ),
        "jira_attachment": Conduct(("author_id",), readers=audience.of_part),
        "jira_project": Conduct(readers=audience.of_project),
        "jira_sprint": Conduct(shows=_show_sprint_deeds),
        "jira_version": Conduct(shows=_show_version_deeds),
        "jira_role_actor": grant_access(),
        "jira_group_member": grant_access(),
    }
)
