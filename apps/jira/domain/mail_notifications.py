"""Mail notifications: one mail per change of an issue to all concerned except its author; failed commit commands."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from apps.jira.domain.context import JiraContext
from apps.jira.models import Issue

TELL = "person.notified"
_WHY = "--\nYou receive this because you are involved in or watching the issue."


def send_issue_mail(
    context: JiraContext, issue: Issue, people: Iterable[str | None], told: str, text: str = ""
) -> None:
    """Publish an event that mails people about the caller's action `told`, as in `created SHOP-1`.

    Without a mail app it has no effect.
    """
    call = context.call
    if not call.has_listeners(TELL):
        return
    readers: list[JsonValue] = [
        person for person in dict.fromkeys(people) if person is not None and person != call.person
    ]
    if readers:
        said = [
            f"{context.name(call.person)} {told}",
            text.strip(),
            f"View issue: {issue_address(context, issue)}",
            _WHY,
        ]
        _send_mail(context, readers, issue.key, f"[JIRA] ({issue.key}) {issue.summary}", said)


def send_failed_commands_mail(
    context: JiraContext, person: str, commit: Mapping[str, Any], failed: Sequence[str]
) -> None:
    """Notify the author of a commit which of its commands failed, and why."""
    if failed and context.call.has_listeners(TELL):
        short, lines = commit["sha"][:7], "\n".join(f"* {one}" for one in failed)
        said = [f"Not everything your commit {short} asks for was done:", lines, f"View commit: {commit['url']}"]
        _send_mail(context, [person], f"commit:{commit['sha']}", f"[JIRA] Smart commit errors in {short}", said)


def send_written_mail(
    context: JiraContext, issue: Issue, people: Sequence[str], subject: str, text: str, html: str = ""
) -> None:
    """Publish an event that mails people a text of the caller's own about an issue; `html` is the same with markup."""
    said = [text, f"View issue: {issue_address(context, issue)}"]
    marked = f'{html}<p><a href="{issue_address(context, issue)}">View issue</a></p>' if html else ""
    _send_mail(context, list(people), issue.key, subject, said, context.name(context.call.person), marked)


def issue_address(context: JiraContext, issue: Issue) -> str:
    """The address of an issue's page on the vendor's site."""
    return context.call.public_link(f"/browse/{issue.key}")


def _send_mail(
    context: JiraContext,
    readers: list[JsonValue],
    thread: str,
    subject: str,
    said: Iterable[str],
    author: str = "",
    html: str = "",
) -> None:
    context.call.publish(
        TELL,
        people=readers,
        sender=f"jira@{context.call.directory.company().jira_site}.atlassian.example",
        sender_name=f"{author} (Jira)" if author else "Jira",
        at=context.call.now,
        thread=thread,
        subject=subject,
        text="\n\n".join(one for one in said if one),
        html=html,
    )


def list_mentioned_people(context: JiraContext, accounts: Iterable[str]) -> list[str | None]:
    """Return the people of the accounts mentioned in a text."""
    return [context.people_by_account.get(account) for account in accounts]
