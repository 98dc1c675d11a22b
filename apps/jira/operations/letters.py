"""What people are told by mail about issues: one mail for one change, to all it concerns but whoever made it."""

from collections.abc import Iterable

from pydantic import JsonValue

from apps.jira.models import Issue
from apps.jira.operations.desk import Desk

TELL = "person.notified"
_WHY = "--\nYou receive this because you are involved in or watching the issue."


def mail(desk: Desk, issue: Issue, people: Iterable[str | None], told: str, text: str = "") -> None:
    """Let people be mailed that the caller `told`, as in `created SHOP-1`; nothing happens where nobody would mail."""
    call = desk.call
    if not call.listened(TELL):
        return
    readers: list[JsonValue] = [person for person in dict.fromkeys(people) if person is not None and person != call.person]
    if readers:
        site = call.directory.company().jira_site
        said = [f"{desk.name(call.person)} {told}", text.strip(), f"View issue: https://{site}.atlassian.net/browse/{issue.key}", _WHY]
        call.publish(
            TELL, people=readers, sender=f"jira@{site}.atlassian.example", sender_name="Jira", at=call.now, thread=issue.key,
            subject=f"[JIRA] ({issue.key}) {issue.summary}", text="\n\n".join(one for one in said if one),
        )  # fmt: skip


def mentioned(desk: Desk, accounts: Iterable[str]) -> list[str | None]:
    """The people that accounts in a text stand for."""
    return [desk.people_by_account.get(account) for account in accounts]
