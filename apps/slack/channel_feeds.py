"""Channels that follow a repository or a project: a bot posts review requests, failures, bugs and done issues."""

from collections.abc import Iterable
from json import dumps

from apps.slack.app import app
from apps.slack.profiles import Roster
from world.core.app import Facts
from world.core.call import Call

REVIEWS, BUILDS, ISSUES = "reviews", "builds", "issues"
NEW, REACHED = (
    ("Bug", "Incident"),
    {"Incident": ("Monitoring",)},
)  # types whose issues are told of, statuses beside those that end the work
_FEEDS = (
    "SELECT DISTINCT f.channel_id, f.person_id FROM slack_feed f JOIN slack_channel c ON c.id = f.channel_id AND"
    " c.archived_at IS NULL WHERE f.source = :source AND f.kind = :kind AND f.only IN (SELECT value FROM"
    " json_each(:only)) ORDER BY f.channel_id, f.person_id"
)


@app.on("github.review_requested")
def review_requested(call: Call, facts: Facts) -> None:
    """Post a review request to the channels that follow the repository."""
    roster = Roster(call)
    people = [f"<@{user.id}>" for person in _list_texts(facts["people"]) if (user := roster.get(person)) is not None]
    text = (
        f"<{facts['url']}|#{facts['number']} {_escape_text(facts['title'])}> by {facts['author']} needs a review from"
        f" {', '.join(people)}"
    )
    _post_to_followers(call, facts["repo"], REVIEWS, [], text)


@app.on("github.run_completed")
def run_completed(call: Call, facts: Facts) -> None:
    """Post a failed build to the channels that follow the repository's builds."""
    if facts["conclusion"] == "failure":
        text = (
            f":x: <{facts['url']}|{_escape_text(facts['workflow'])}> failed on `{_escape_text(facts['branch'])}`"
            f" ({str(facts['sha'])[:7]}, {facts['actor']})"
        )
        _post_to_followers(call, facts["repo"], BUILDS, [str(facts["branch"])], text)


@app.on("jira.issue_created")
def issue_created(call: Call, facts: Facts) -> None:
    """Post a new bug or incident to the channels that follow the project or a component."""
    kind = str(facts["issue_type"])
    if kind in NEW:
        said = f"{_author_name(call, facts)} created {'an' if kind[0] in 'AEIOU' else 'a'} *{_escape_text(kind)}* {_render_issue(facts)}"
        _post_to_followers(call, facts["project"], ISSUES, _list_texts(facts["components"]), said)


@app.on("jira.transitioned")
def issue_moved(call: Call, facts: Facts) -> None:
    """Post a done issue, or a monitored incident, to the channels that follow the project or a component."""
    ends = facts["to_category"] == "done" != facts["from_category"]
    if ends or facts["to_status"] in REACHED.get(str(facts["issue_type"]), ()):
        said = f"{_author_name(call, facts)} moved {_render_issue(facts)} to *{_escape_text(facts['to_status'])}*"
        _post_to_followers(call, facts["project"], ISSUES, _list_texts(facts["components"]), said)


def _render_issue(facts: Facts) -> str:
    return f"<{facts['url']}|{facts['issue']}> {_escape_text(facts['summary'])}"


def _author_name(call: Call, facts: Facts) -> str:
    person = call.directory.person(str(facts["actor"]))
    return _escape_text(person.full_name) if person is not None else "Jira"


def _list_texts(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []


def _escape_text(value: object) -> str:
    return str(value).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("|", "¦")


def _post_to_followers(call: Call, source: object, kind: str, only: Iterable[str], text: str) -> None:
    """Post one message to each following channel; during an outage it is lost, like any call of a bot."""
    for channel, bot in call.all(_FEEDS, {"source": str(source), "kind": kind, "only": dumps(["", *only])}):
        call.act(bot, "chat.postMessage", channel=channel, text=text)
