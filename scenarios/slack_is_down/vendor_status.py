"""Slack's status page: late, and resolved before it is true."""

from world.script.stage import Stage

INCIDENT = {"vendor": "slack", "incident": "slack-2026-03-02", "name": "Trouble sending and loading messages"}


def tell_status(w: Stage, *, over: bool) -> None:
    """The vendor opens its incident, or closes it."""
    state = ("resolved", "operational") if over else ("investigating", "partial_outage")
    text = (
        "The issue is resolved. Delayed messages are being delivered."
        if over
        else "Some customers may be unable to send or load messages. We are looking into it."
    )
    bot = w.person("vendor-status")
    w.act(
        bot, "status.post", **INCIDENT, status=state[0], impact="major", components={"Messaging": state[1]}, body=text
    )
