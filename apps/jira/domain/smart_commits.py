"""Commands in commit messages: `SHOP-1 #comment Fixed #time 1h 30m #done`, run on behalf of the commit's author.

support.atlassian.com/jira-software-cloud/docs/process-issues-with-smart-commits: the author is the owner of the
commit's address; commands follow the keys on one line; spaces in a transition's name are hyphens, and its first word is
enough.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from apps.jira.domain.context import JiraContext
from apps.jira.domain.workflow import list_transitions_from_status
from apps.jira.models import Issue
from apps.jira.models_workflows import Transition

KEY = re.compile(r"(?<![A-Za-z0-9])([A-Z][A-Z0-9]{1,9}-[1-9]\d{0,6})(?![A-Za-z0-9])")
COMMAND = re.compile(r"(?<!\S)#([A-Za-z][\w-]*)(.*?)(?=\s#[A-Za-z]|$)")
TIME = re.compile(r"((?:\d+[wdhm](?:\s+|$))+)(.*)")
MOST = 20  # commands of one message; own choice
NO_ISSUE = "there is no such issue, or you may not see it"


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a message: `name` is comment, time, or a transition's."""

    key: str
    name: str
    text: str


def list_commands(message: str) -> list[Command]:
    """Return the commands of a message, in order; the text before the first `#` of a line names the issues."""
    return list(_iter_commands(message))[:MOST]


def _iter_commands(message: str) -> Iterator[Command]:
    for line in message.splitlines():
        found = list(COMMAND.finditer(line))
        keys = dict.fromkeys(KEY.findall(line[: found[0].start()])) if found else {}
        for key in keys:
            yield from (Command(key, one[1].lower(), one[2].strip()) for one in found)


def find_author(context: JiraContext, commit: Mapping[str, object], pusher: str) -> str | None:
    """Return the owner of the commit's address if they pushed it themselves; others could forge the address."""
    owner = context.call.directory.owner(str(commit["email"]))
    return pusher if owner is not None and owner[0] == pusher else None


def run_command(context: JiraContext, issue: Issue, command: Command, person: str) -> str:
    """Run a command with the author's permissions; return the reason if it is not permitted or not available."""
    if not context.person_may(person, "BROWSE_PROJECTS", context.projects[issue.project_id]):
        return NO_ISSUE
    if command.name == "comment":
        return (
            ""
            if _run_comment(context, issue, person, command.text)
            else "the comment is empty, or you may not comment on this issue"
        )
    if command.name == "time":
        return _run_time(context, issue, person, command.text)
    return _run_transition(context, issue, person, command)


def _run_comment(context: JiraContext, issue: Issue, person: str, text: str) -> bool:
    return bool(text) and context.call.act(person, "addComment", issueIdOrKey=issue.key, body=text) is not None


def _run_time(context: JiraContext, issue: Issue, person: str, text: str) -> str:
    found = TIME.match(text)
    if found is None:
        return "this is no time; write it as in 1w 2d 4h 30m"
    said = {"comment": found[2]} if found[2] else {}
    done = context.call.act(person, "addWorklog", issueIdOrKey=issue.key, timeSpent=found[1].strip(), **said)
    return "" if done is not None else "you may not log work on this issue"


def _run_transition(context: JiraContext, issue: Issue, person: str, command: Command) -> str:
    step = _find_transition(context, issue, command.name)
    if step is None:
        return f"from {context.statuses[issue.status_id].name} no transition, or more than one, is called so"
    context.call.act(person, "doTransition", issueIdOrKey=issue.key, transition={"id": str(step.id)})
    context.call.session.refresh(issue)
    if issue.status_id != step.to_id:
        return f"the transition {step.name} asks for more than a commit can say, or you may not take it"
    return (
        ""
        if not command.text or _run_comment(context, issue, person, command.text)
        else "the issue was moved, but you may not comment on it"
    )


def _find_transition(context: JiraContext, issue: Issue, name: str) -> Transition | None:
    """Find the transition of a command; None if two begin with the same word."""
    steps = {step.name.lower().replace(" ", "-"): step for step in list_transitions_from_status(context, issue)}
    begun = [step for full, step in steps.items() if full.partition("-")[0] == name]
    return steps.get(name) or (begun[0] if len(begun) == 1 else None)
