"""Channels that follow a repository: review requests and failed builds are posted by the channel's bot."""

from collections.abc import Sequence
from typing import Any

from apps.slack import rooms
from apps.slack.app import app
from apps.slack.posting import Post, deliver
from apps.slack.roster import Roster
from world.call import Call
from world.operation import Facts

REVIEWS, BUILDS = "reviews", "builds"
_FEEDS = (
    "SELECT channel_id, person_id, branch FROM slack_feed WHERE repository = :repo AND kind = :kind ORDER BY channel_id"
)


@app.on("github.review_requested")
def review_requested(call: Call, facts: Facts) -> None:
    """Say in the channels that follow the repository who is asked to review what."""
    roster = Roster(call)
    people = [f"<@{user.id}>" for person in _texts(facts["people"]) if (user := roster.get(person)) is not None]
    text = f"<{facts['url']}|#{facts['number']} {_plain(facts['title'])}> by {facts['author']} needs a review from {', '.join(people)}"
    for channel, bot, _ in _feeds(call, facts["repo"], REVIEWS):
        _post(call, channel, bot, text)


@app.on("github.run_completed")
def run_completed(call: Call, facts: Facts) -> None:
    """Say in the channels that follow the repository's builds that one has failed."""
    if facts["conclusion"] != "failure":
        return
    text = f":x: <{facts['url']}|{_plain(facts['workflow'])}> failed on `{_plain(facts['branch'])}` ({str(facts['sha'])[:7]}, {facts['actor']})"
    for channel, bot, branch in _feeds(call, facts["repo"], BUILDS):
        if branch in (None, facts["branch"]):
            _post(call, channel, bot, text)


def _feeds(call: Call, repository: Any, kind: str) -> Sequence[Sequence[Any]]:
    return call.all(_FEEDS, {"repo": str(repository), "kind": kind})


def _texts(value: Any) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []


def _plain(value: Any) -> str:
    return str(value).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("|", "¦")


def _post(call: Call, channel: str, bot: str, text: str) -> None:
    room = rooms.get(call, channel)
    if room is not None and room.archived_at is None:
        deliver(call, room, bot, Post(text), Roster(call))
