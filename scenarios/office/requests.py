"""Requests: how somebody asks for a chore in one of four places, and how the answer is written and expected there.

The facts of a draw say where: `place` is `dm`, `channel`, `mail` or `issue`; beside it `channel` names a channel of Slack,
`subject` a mail, and `issue` a key of Jira.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from scenarios.office.people import account, common_channels, mention
from world.agents.steps import Scene, Step
from world.script.chore import Draw
from world.script.stage import Stage

PLACES = ("dm", "channel", "mail", "issue")
ROOMS = ("general", "engineering", "product", "support", "customers")
APPS = {"dm": "slack", "channel": "slack", "mail": "gmail", "issue": "jira"}


def choose_place(
    d: Draw, me: str, asker: str, subjects: Sequence[str], *, places: Sequence[str] = PLACES[:3], issue: str = ""
) -> dict[str, Any]:
    """Choose where the request is made, as facts for the draw: `place`, `channel`, `subject`, `issue`.

    A channel is one of the asker's and the agent's team, or one that all engineers or everybody is in.
    """
    rooms = [name for name in common_channels(d.w, me, asker) if name.startswith("team-") or name in ROOMS]
    offered = [place for place in places if place != "channel" or rooms]
    return {
        "place": d.pick(offered, "place"),
        "channel": d.pick(rooms, "channel") if rooms else "",
        "subject": d.pick(subjects, "subject"),
        "issue": issue,
    }


def deliver(w: Stage, truth: Mapping[str, Any]) -> None:
    """Deliver the request of a draw: its text is `request`, from `asker` to `me`."""
    deliver = {
        "dm": _deliver_directly,
        "channel": _deliver_in_channel,
        "mail": _deliver_by_mail,
        "issue": _deliver_in_comment,
    }
    deliver[truth["place"]](w, truth)
    w.note(app=APPS[truth["place"]], quoted="\n".join(f"> {line}" for line in truth["request"].splitlines()))


def _deliver_directly(w: Stage, truth: Mapping[str, Any]) -> None:
    users = account(w, truth["me"], "slack")
    channel = w.act(truth["asker"], "conversations.open", users=users)["channel"]["id"]
    posted = w.act(truth["asker"], "chat.postMessage", channel=channel, text=truth["request"])
    w.note(where="in a direct message in Slack", channel=channel, ts=posted["ts"])


def _deliver_in_channel(w: Stage, truth: Mapping[str, Any]) -> None:
    channel = w.find("slack_channel", name=truth["channel"])["id"]
    text = f"{mention(w, truth['me'])} {truth['request']}"
    posted = w.act(truth["asker"], "chat.postMessage", channel=channel, text=text)
    direct = w.act(truth["asker"], "conversations.open", users=account(w, truth["me"], "slack"))["channel"]["id"]
    w.note(where=f"in #{truth['channel']} in Slack", channel=channel, ts=posted["ts"], direct=direct)


def _deliver_by_mail(w: Stage, truth: Mapping[str, Any]) -> None:
    me, asker = w.person(truth["me"]), w.person(truth["asker"])
    text = f"Hi {me.first_name},\n\n{truth['request']}\n\n{asker.first_name}"
    made = w.act(truth["asker"], "mail.send", to=[me.email], subject=truth["subject"], text=text)
    copy = w.find("gmail_message", id=made["id"])
    sent = w.find("gmail_mail", id=copy["mail_id"])
    w.note(where=f"in a mail, subject {truth['subject']!r}", message_id=sent["message_id"], subject=truth["subject"])


def _deliver_in_comment(w: Stage, truth: Mapping[str, Any]) -> None:
    body = f"[~accountid:{account(w, truth['me'], 'jira')}] {truth['request']}"
    w.act(truth["asker"], "addComment", issueIdOrKey=truth["issue"], body=body)
    w.note(where=f"in a comment on {truth['issue']} in Jira", key=truth["issue"])


def reply(scene: Scene, text: str, *, id: str = "reply", wordings: Sequence[str] = (), **more: Any) -> Step:
    """The step that answers the request where it was made. `wordings` are other texts that are as good."""
    asked = scene.facts("request")
    operation, field, rest = _reply_call(scene, asked)
    return Step(id, operation, {**rest, field: text}, paraphrases={field: tuple(wordings)} if wordings else {}, **more)


def _reply_call(scene: Scene, asked: Mapping[str, Any]) -> tuple[str, str, dict[str, Any]]:
    if asked["app"] == "gmail":
        mail = scene.find("gmail_mail", message_id=asked["message_id"])
        copy = scene.find("gmail_message", mail_id=mail["id"], person_id=scene.me)["id"]
        return "mail.send", "text", {"mode": "reply", "inReplyTo": copy}
    if asked["app"] == "jira":
        return "addComment", "body", {"issueIdOrKey": asked["key"]}
    channel = scene.find("slack_channel", id=asked["channel"])
    thread = {} if channel["kind"] == "im" else {"thread_ts": asked["ts"]}
    return "chat.postMessage", "text", {"channel": asked["channel"], **thread}


def expect_reply(
    truth: Mapping[str, Any], text: Mapping[str, Any], *, id: str = "replied", **more: Any
) -> dict[str, Any]:
    """The expectation that the request is answered where it was made, or to the asker alone where all were to read it.

    `text` is a text predicate of the rubric.
    """
    app = APPS[truth["place"]]
    if app != "slack":
        return {"id": id, "act": {"answer": "event.request", "in": app}, "text": dict(text), **more}
    places = ["event.request.channel", *(["event.request.direct"] if truth["place"] == "channel" else [])]
    where = {"channel_id": {"in": places}, "sender": {"ref": "agent"}}
    return {
        "id": id,
        "insert": "slack_message",
        "where": where,
        "text": {"field": "text", **text},
        "after": "event.request.start",
        **more,
    }


def names_only(*refs: str) -> list[dict[str, Any]]:
    """Alternatives for a text that names these people and no other colleague, but for the asker in a greeting.

    The rubric needs a ref `asker`.
    """
    wanted = [{"ref": one} for one in refs]
    return [{"facts": {"must": must, "only": ["person"]}} for must in (wanted, [*wanted, {"ref": "asker"}])]


def make_rubric(
    expect: Sequence[Mapping[str, Any]], *, refs: Mapping[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
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
