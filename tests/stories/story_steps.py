"""Steps that honest ways through several stories take."""

from collections.abc import Callable

from scenarios.office.mail import own_copy
from world.agents.steps import Scene, Step, Steps, wait_until
from world.core.clock import MINUTE


def answer_mail(scene: Scene, event: str, text: str, *, id: str = "") -> Step:
    """An answer to the mail of an event; the step has the event's name, unless told otherwise."""
    copy = own_copy(scene, scene.facts(event)["message_id"])
    return Step(id or event, "mail.send", {"mode": "reply", "inReplyTo": copy, "text": text})


def visit(scene: Scene, every: int, answer: Callable[[str], Steps], *, events: tuple[str, ...], end: int) -> Steps:
    """Look in every so many minutes until the end, and answer whatever has come."""
    done: set[str] = set()
    minute = 0
    while minute < end:
        minute = min(minute + every, end)
        if minute * MINUTE > scene.now - scene.start:
            yield from wait_until(scene, minute, f"m{minute}")
        for event in events:
            if event not in done and scene.facts(event):
                done.add(event)
                yield from answer(event)
