"""Requests: how somebody asks for a chore in one of four places, and how the answer is written and expected there.

The facts of a draw say where: `place` is `dm`, `channel`, `mail` or `issue`; beside it `channel` names a channel of Slack,
`subject` a mail, and `issue` a key of Jira.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Unpack

from scenarios.office.people import account, common_channels, mention
from world.agents.steps import Scene, Step
from world.script.chore import Draw, Item, ItemOptions, RubricParts, RubricSource
from world.script.stage import Facts, Stage

PLACES = ("dm", "channel", "mail", "issue")
ROOMS = ("general", "engineering", "product", "support", "customers")
HERE = re.compile(r"(?i)\b(?:tell|write|answer|reply|say|post)\b[^.?!,]{0,20}\bhere\b")
"""A request that says where to answer."""
APPS = {"dm": "slack", "channel": "slack", "mail": "gmail", "issue": "jira"}


def choose_place(
    d: Draw, me: str, asker: str, subjects: Sequence[str], *, places: Sequence[str] = PLACES[:3], issue: str = ""
) -> Facts:
    """Choose where the request is made, as facts for the draw: `place`, `channel`, `subject`, `issue`.

    A channel is one of the asker's and the agent's team, or one that all engineers or everybody is in.
    """
    rooms = [name for name in common_channels(d.w, me, asker) if name.startswith("team-") or name in ROOMS]
    rooms = [name for name in rooms if not d.is_taken(f"room:{name}")]
    offered = [place for place in places if place != "channel" or rooms]
    if d.is_taken(f"dm:{asker}"):  # where something else was asked, an answer would be for either
        offered = [place for place in offered if place not in ("dm", "channel")] or offered
    return {
        "place": d.pick(offered, "place"),
        "channel": d.pick(rooms, "channel") if rooms else "",
        "subject": d.pick(subjects, "subject"),
        "issue": issue,
    }


def deliver(w: Stage, truth: Facts) -> None:
    """Deliver the request of a draw: its text is `request`, from `asker` to `me`."""
    deliver = {
        "dm": _deliver_directly,
        "channel": _deliver_in_channel,
        "mail": _deliver_by_mail,
        "issue": _deliver_in_comment,
    }
    deliver[truth["place"]](w, truth)
    w.note(app=APPS[truth["place"]], quoted="\n".join(f"> {line}" for line in truth["request"].splitlines()))


def _deliver_directly(w: Stage, truth: Facts) -> None:
    users = account(w, truth["me"], "slack")
    channel = w.act(truth["asker"], "conversations.open", users=users)["channel"]["id"]
    posted = w.act(truth["asker"], "chat.postMessage", channel=channel, text=truth["request"])
    w.note(where="in a direct message in Slack", channel=channel, ts=posted["ts"])


def _deliver_in_channel(w: Stage, truth: Facts) -> None:
    channel = w.find("slack_channel", name=truth["channel"])["id"]
    text = f"{mention(w, truth['me'])} {truth['request']}"
    posted = w.act(truth["asker"], "chat.postMessage", channel=channel, text=text)
    opened = w.act(truth["asker"], "conversations.open", users=account(w, truth["me"], "slack"))
    w.note(where=f"in #{truth['channel']} in Slack", channel=channel, ts=posted["ts"], dm=opened["channel"]["id"])


def _deliver_by_mail(w: Stage, truth: Facts) -> None:
    me, asker = w.person(truth["me"]), w.person(truth["asker"])
    text = f"Hi {me.first_name},\n\n{truth['request']}\n\n{asker.first_name}"
    made = w.act(truth["asker"], "mail.send", to=[me.email], subject=truth["subject"], text=text)
    copy = w.find("gmail_message", id=made["id"])
    sent = w.find("gmail_mail", id=copy["mail_id"])
    w.note(where=f"in a mail, subject {truth['subject']!r}", message_id=sent["message_id"], subject=truth["subject"])


def _deliver_in_comment(w: Stage, truth: Facts) -> None:
    body = f"[~accountid:{account(w, truth['me'], 'jira')}] {truth['request']}"
    w.act(truth["asker"], "addComment", issueIdOrKey=truth["issue"], body=body)
    w.note(where=f"in a comment on {truth['issue']} in Jira", key=truth["issue"])


def reply(
    scene: Scene, text: str, *, id: str = "reply", wordings: Sequence[str] = (), after: tuple[str, ...] = ()
) -> Step:
    """The step that answers the request where it was made. `wordings` are other texts that are as good."""
    asked = scene.facts("request")
    operation, field, rest = _reply_call(scene, asked)
    others = {field: tuple(wordings)} if wordings else {}
    return Step(id, operation, {**rest, field: text}, after=after, paraphrases=others)


def _reply_call(scene: Scene, asked: Facts) -> tuple[str, str, dict[str, object]]:
    if asked["app"] == "gmail":
        mail = scene.find("gmail_mail", message_id=asked["message_id"])
        copy = scene.find("gmail_message", mail_id=mail["id"], person_id=scene.me)["id"]
        return "mail.send", "text", {"mode": "reply", "inReplyTo": copy}
    if asked["app"] == "jira":
        return "addComment", "body", {"issueIdOrKey": asked["key"]}
    channel = scene.find("slack_channel", id=asked["channel"])
    thread = {} if channel["kind"] == "im" else {"thread_ts": asked["ts"]}
    return "chat.postMessage", "text", {"channel": asked["channel"], **thread}


def expect_reply(truth: Facts, text: Item, *, id: str = "replied", **more: Unpack[ItemOptions]) -> Item:
    """The expectation that the request is answered where it was made. `text` is a text predicate of the rubric.

    Whoever answers vouches for it: has looked, does not guess, and has done all of it. What was asked in a channel may
    be answered in a direct message as well, unless the request says "here".
    """
    app = APPS[truth["place"]]
    if app != "slack":
        return {"id": id, "act": {"answer": "event.request", "in": app}, "text": {"vouched": True, **text}, **more}
    anywhere = truth["place"] == "channel" and not HERE.search(truth["request"])
    places = ("channel", "dm") if anywhere else ("channel",)
    where = {
        "any_of": [{"channel_id_from": f"event.request.{place}"} for place in places],
        "sender": {"ref": "agent"},
    }
    return {
        "id": id,
        "insert": "slack_message",
        "where": where,
        "text": {"field": "text", "vouched": True, **text},
        "after": "event.request.start",
        **more,
    }


def names_only(*refs: str) -> list[Item]:
    """Alternatives for a text that names these people and no other colleague, but for the asker in a greeting.

    The rubric needs a ref `asker`.
    """
    wanted = [{"ref": one} for one in refs]
    return [{"facts": {"must": must, "only": ["person"]}} for must in (wanted, [*wanted, {"ref": "asker"}])]


def make_rubric(
    expect: Sequence[Item], *, refs: Mapping[str, Item] | None = None, **more: Unpack[RubricParts]
) -> RubricSource:
    """A rubric whose closed world has the expectations, the ref `agent`, and what is benign; `more` are its other keys."""
    allow = [{"benign": "all"}, *more.pop("allow", ())]
    return {
        "version": 1,
        "world": "closed",
        "refs": {"agent": {"employee": "self"}, **(refs or {})},
        "expect": [dict(one) for one in expect],
        "allow": allow,
        **more,
    }
