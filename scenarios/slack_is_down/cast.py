"""The parts of the story and the channel of its release."""

from scenarios.office.cast import post_as, write_to
from scenarios.office.people import account
from world.script.stage import Stage

LEADS = ("Engineering Manager", "Staff Engineer", "Head of", "Product Manager", "Finance Lead", "Senior Software")
DESK = ("Head of", "Support Engineer", "Senior Support", "Customer Success", "Product Manager", "Finance Lead")
PARTS = {
    "me": ("Senior Software Engineer", "Software Engineer", "Site Reliability Engineer"),
    "asker": ("Chief Technology Officer", "Engineering Manager", "Staff Engineer", "Head of Product"),
    "a": LEADS,
    "b": LEADS,
    "c": LEADS,
    "p": DESK,
    "q": DESK,
    "bystander": ("Product Designer", "Software Engineer", "Support Engineer", "Customer Success", "Site Reliability"),
}
"""Beginnings of titles: the captain, who asks, three owners, two who are told, and somebody without a vote."""


def open_room(w: Stage, name: str, cast: dict[str, str]) -> str:
    """The asker opens a channel for the release and invites everybody who has a part; returns its id."""
    made = w.act(cast["asker"], "conversations.create", name=name)["channel"]["id"]
    guests = ",".join(account(w, one, "slack") for part, one in cast.items() if part != "asker")
    w.act(cast["asker"], "conversations.invite", channel=made, users=guests)
    return made


def post_in_room(w: Stage, part: str, text: str) -> str:
    """Somebody writes into the release channel; returns the message's `ts`, or nothing while Slack is away."""
    return post_as(w, w.fact("truth", "cast")[part], w.fact("truth", "room"), text)


def mail_captain(w: Stage, part: str, subject: str, text: str) -> str:
    """Somebody writes a mail to the captain; returns its Message-ID."""
    cast = w.fact("truth", "cast")
    return write_to(w, cast[part], cast["me"], subject, text)
