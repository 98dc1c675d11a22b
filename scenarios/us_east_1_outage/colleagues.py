"""Colleagues in Slack while the incident runs."""

from world.script.stage import Stage

from .people import channel, find_by_title, mention, say
from .texts import RUNBOOK


def runbook(w: Stage) -> None:
    """The engineering manager pins how incidents are run."""
    where, author = channel(w, "incidents"), find_by_title(w, "Engineering Manager Payments")
    posted = say(w, author, where, RUNBOOK)
    w.act(author, "pins.add", channel=where, timestamp=posted)
    w.note(ts=posted)


def wrong_cure(w: Stage) -> None:
    where = channel(w, "incidents")
    author = find_by_title(w, "Engineering Manager Checkout")
    text = (
        "26.4 went to half the fleet at lunch and now payments is red. I say we roll back 26.4 right now, any"
        " objections?"
    )
    w.note(channel=where, ts=say(w, author, where, text))


def eta(w: Stage) -> None:
    where = channel(w, "incidents")
    text = (
        f"{mention(w, w.on_call('payments'))} two board members are asking me. When are we back, and when do I hear"
        " from you next?"
    )
    w.note(channel=where, ts=say(w, find_by_title(w, "Chief Executive Officer"), where, text))


def slack_down(w: Stage) -> None:
    w.note(until="unknown")


def slack_back(w: Stage) -> None:
    w.note(ok=True)


def chatter(w: Stage) -> None:
    say(
        w,
        find_by_title(w, "Product Manager Payments"),
        channel(w, "team-payments"),
        "is slack slow for anyone else or is it my wifi",
    )


def false_recovery(w: Stage) -> None:
    where = channel(w, "incidents")
    author = find_by_title(w, "Engineering Manager Checkout")
    w.note(
        channel=where, ts=say(w, author, where, "looks fixed to me, my test order just went through. can we call it?")
    )


def thanks(w: Stage) -> None:
    w.note(ok=True)


def nothing(w: Stage) -> None:
    w.note(ok=False)
