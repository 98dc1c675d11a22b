"""Look-ups and waits that the solution is made of."""

from world.agents.steps import Scene, Step, Steps
from world.script.stage import Facts

MINUTE = 60


def facts_of(scene: Scene, name: str) -> Facts:
    """Facts of an event."""
    return scene.facts(name)


def wait_for_delivery(scene: Scene, event: str, minutes: int) -> Steps:
    """Wait until the backlog has brought what a colleague wrote during the outage."""
    end = scene.now + minutes * MINUTE * 1_000_000
    number = 0
    while scene.now < end and not scene.facts(event).get("ts"):
        number += 1
        yield Step(f"wait_{event}_{number}", "world.wait", {"seconds": MINUTE}, optional=True)


def reply(scene: Scene, id: str, event: str, text: str) -> Step:
    """An answer in the thread of what an event posted."""
    asked = facts_of(scene, event)
    return Step(id, "chat.postMessage", {"channel": asked["channel"], "thread_ts": asked["ts"], "text": text})


def answer_mail(scene: Scene, id: str, event: str, to: str, text: str) -> Step:
    """An answer to the mail an event brought."""
    mail = scene.find("gmail_mail", message_id=facts_of(scene, event)["message_id"])
    mine = scene.find("gmail_message", mail_id=mail["id"], person_id=scene.me)
    return Step(id, "mail.send", {"to": [to], "text": text, "mode": "reply", "inReplyTo": mine["id"]})


def head_of_support(scene: Scene) -> str:
    """Return the mail address of the head of support."""
    return scene.find("person", title="Head of Support", status="active")["email"]


def channel(scene: Scene, name: str) -> str:
    """The id of a channel."""
    return scene.find("slack_channel", name=name)["id"]


def account(scene: Scene, person: str) -> str:
    """A person's Jira account id."""
    return scene.find("account", app="jira", person_id=person)["external_id"]


def slack_id(scene: Scene, person: str) -> str:
    """A person's Slack user id."""
    return scene.find("account", app="slack", person_id=person)["external_id"]


def on_call(scene: Scene, schedule: str) -> str:
    """Return the id of the person on call for a schedule now."""
    now = scene.now
    return next(s["person_id"] for s in scene.rows("shift", schedule_id=schedule) if s["start_at"] <= now < s["end_at"])
