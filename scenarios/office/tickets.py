"""Tickets of Jira and talk about them in Slack: how people open, change and discuss them, and what a rubric says of them."""

from collections.abc import Iterable

from scenarios.office.people import common_channels
from world.agents.steps import Step
from world.script.chore import Item
from world.script.stage import Facts, Stage

POINTS = "customfield_10016"
RULE_ROOMS = ("engineering", "product")


def open_ticket(
    w: Stage, person: str, summary: str, text: str = "", *, project: str = "SHOP", kind: str = "Bug", **fields: object
) -> str:
    """Open a ticket as a person and return its key; `fields` are those of the vendor's API."""
    values = {"project": {"key": project}, "issuetype": {"name": kind}, "summary": summary, **fields}
    if text:
        values["description"] = text
    return w.act(person, "createIssue", fields=values)["key"]


def edit_ticket(w: Stage, person: str, key: str, **fields: object) -> None:
    """Change fields of a ticket as a person."""
    w.act(person, "editIssue", issueIdOrKey=key, fields=fields)


def move_ticket(w: Stage, person: str, key: str, step: str) -> None:
    """Take a transition of the workflow, by its name."""
    w.act(person, "doTransition", issueIdOrKey=key, transition={"name": step})


def comment(w: Stage, person: str, key: str, text: str) -> None:
    """Comment on a ticket as a person."""
    w.act(person, "addComment", issueIdOrKey=key, body=text)


def link(w: Stage, person: str, kind: str, source: str, destination: str) -> None:
    """Link two tickets: the source blocks, duplicates or causes the destination."""
    w.act(person, "linkIssues", type={"name": kind}, inwardIssue={"key": source}, outwardIssue={"key": destination})


def post(w: Stage, person: str, channel: str, text: str, *, thread: str = "") -> str:
    """Post in a channel of Slack, by name, or in a thread there; returns the message's `ts`."""
    where = {"channel": w.find("slack_channel", name=channel)["id"], **({"thread_ts": thread} if thread else {})}
    return w.act(person, "chat.postMessage", text=text, **where)["ts"]


def pin(w: Stage, person: str, channel: str, text: str) -> str:
    """Post a message and pin it: how a rule is kept in a channel."""
    ts = post(w, person, channel, text)
    w.act(person, "pins.add", channel=w.find("slack_channel", name=channel)["id"], timestamp=ts)
    return ts


def team_room(w: Stage, person: str) -> str:
    """The channel of a person's team, by name."""
    team = w.find("team", id=w.person(person).team_id)["name"].lower()
    return next(one["name"] for one in w.rows("slack_channel", kind="public") if one["name"] == f"team-{team}")


def rule_rooms(w: Stage, person: str, author: str) -> list[str]:
    """Channels in which a person finds the rules that the author pins: the team's and those of all engineers."""
    return [name for name in common_channels(w, person, author) if name.startswith("team-") or name in RULE_ROOMS]


def open_work(w: Stage, *, points: bool | None = None) -> list[Facts]:
    """Unresolved stories, tasks and bugs of SHOP, with or without points."""
    kinds = {one["id"] for one in w.rows("jira_issue_type") if one["name"] in ("Story", "Task", "Bug")}
    found = [one for one in w.rows("jira_issue", resolution_id=None) if one["key"].startswith("SHOP-")]
    return [
        one
        for one in found
        if one["issue_type_id"] in kinds and (points is None or points == (one["story_points"] is not None))
    ]


def transition(id: str, key: str, step: str, *, repeatable: bool = False) -> Step:
    """The step that takes a transition of the workflow, by its name."""
    return Step(id, "doTransition", {"issueIdOrKey": key, "transition": {"name": step}}, repeatable=repeatable)


def edit(id: str, key: str, **fields: object) -> Step:
    """The step that changes fields of a ticket."""
    return Step(id, "editIssue", {"issueIdOrKey": key, "fields": fields}, repeatable=True)


def ticket_refs(group: str, names: Iterable[str]) -> dict[str, Item]:
    """A ref for each ticket of a group of facts: `event.truth.<group>.<name>.key`."""
    return {name: {"table": "jira_issue", "where": {"key_from": f"event.truth.{group}.{name}.key"}} for name in names}


def ticket_ref(fact: str) -> Item:
    """A ref of the ticket whose key is a fact of the draw."""
    return {"table": "jira_issue", "where": {"key_from": f"event.truth.{fact}"}}


def read_first(key: str) -> Step:
    """The step that reads a ticket; a solution begins with it, since nobody changes tickets unread."""
    return Step("look", "getIssue", {"issueIdOrKey": key})


def allow_note(key: str) -> Item:
    """An allowance of one comment on a ticket; `key` is the path of its key."""
    return {"insert": "jira_comment", "where": {"issue_from": key, "author": {"ref": "agent"}}, "max": 1}
