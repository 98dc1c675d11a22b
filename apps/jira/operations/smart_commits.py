"""Commands in commit messages: `SHOP-1 #comment Fixed #time 1h 30m #done`, carried out in the name of who wrote the commit.

support.atlassian.com/jira-software-cloud/docs/process-issues-with-smart-commits: the author is who has the commit's address; commands
stand behind the keys in one line; spaces in a transition's name are hyphens, and its first word is enough.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from apps.jira.models import Issue
from apps.jira.operations.desk import Desk
from apps.jira.operations.workflow import from_here

KEY = re.compile(r"(?<![A-Za-z0-9])([A-Z][A-Z0-9]{1,9}-[1-9]\d{0,6})(?![A-Za-z0-9])")
COMMAND = re.compile(r"(?<!\S)#([A-Za-z][\w-]*)(.*?)(?=\s#[A-Za-z]|$)")
TIME = re.compile(r"((?:\d+[wdhm](?:\s+|$))+)(.*)")
MOST = 20  # commands of one message; own choice


@dataclass(frozen=True, slots=True)
class Command:
    """What a message wants done: `name` is comment, time, or a transition's."""

    key: str
    name: str
    text: str


def commands(message: str) -> list[Command]:
    """The commands of a message, in order; what stands before the first `#` of a line names the issues."""
    return list(_commands(message))[:MOST]


def _commands(message: str) -> Iterator[Command]:
    for line in message.splitlines():
        found = list(COMMAND.finditer(line))
        keys = dict.fromkeys(KEY.findall(line[: found[0].start()])) if found else {}
        for key in keys:
            yield from (Command(key, one[1].lower(), one[2].strip()) for one in found)


def author(desk: Desk, commit: Mapping[str, Any], pusher: str) -> str | None:
    """Who commands: the owner of the commit's address, if they pushed it themselves, as anybody can write any address into a commit."""
    owner = desk.call.directory.owner(str(commit["email"]))
    return pusher if owner is not None and owner[0] == pusher else None


def obey(desk: Desk, issue: Issue, command: Command, person: str) -> None:
    """Carry a command out with the author's permissions; what they may not do, or the issue does not offer, is left undone."""
    if command.name == "comment":
        _comment(desk, issue, person, command.text)
    elif command.name == "time":
        _log(desk, issue, person, command.text)
    elif (step := _step(desk, issue, command.name)) is not None:
        desk.call.act(person, "doTransition", issueIdOrKey=issue.key, transition={"id": step})
        _comment(desk, issue, person, command.text)


def _comment(desk: Desk, issue: Issue, person: str, text: str) -> None:
    if text:
        desk.call.act(person, "addComment", issueIdOrKey=issue.key, body=text)


def _log(desk: Desk, issue: Issue, person: str, text: str) -> None:
    found = TIME.match(text)
    if found is not None:
        said = {"comment": found[2]} if found[2] else {}
        desk.call.act(person, "addWorklog", issueIdOrKey=issue.key, timeSpent=found[1].strip(), **said)


def _step(desk: Desk, issue: Issue, name: str) -> str | None:
    """The transition a command means; none if two begin with the same word."""
    steps = {step.name.lower().replace(" ", "-"): str(step.id) for step in from_here(desk, issue)}
    begun = [id for full, id in steps.items() if full.partition("-")[0] == name]
    return steps.get(name) or (begun[0] if len(begun) == 1 else None)
