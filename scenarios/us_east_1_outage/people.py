"""People, channels and customers of the scenario, and posting as one of the people."""

from world.core.directory import Person
from world.script.stage import Facts, Stage


def channel(w: Stage, name: str) -> str:
    """The id of a channel."""
    return w.find("slack_channel", name=name)["id"]


def bot(w: Stage, handle: str) -> Person:
    """An integration."""
    return w.person(handle)


def find_by_title(w: Stage, title: str) -> str:
    """The id of the active employee with a title."""
    return w.find("person", title=title, status="active")["id"]


def seat(w: Stage, name: str) -> str:
    """Return the id of a reporter: a senior support engineer or a customer success manager."""
    title = {"support-2": "Senior Support Engineer", "success-1": "Customer Success Manager"}[name]
    return find_by_title(w, title)


def customer(w: Stage, index: int) -> Facts:
    """The customer of a position, by id."""
    found = w.rows("organisation", kind="customer")
    return found[index % len(found)]


def mention(w: Stage, person: Person) -> str:
    """`<@U…>` of a person."""
    return f"<@{w.call.directory.account('slack', person.id)}>"


def say(w: Stage, who: Person | str, where: str, text: str, **more: object) -> str:
    """Post as somebody; returns the message's ts, or nothing while Slack is down."""
    posted = w.act(who, "chat.postMessage", channel=where, text=text, **more)
    return posted["ts"] if posted else ""


def contact(w: Stage, index: int) -> Facts:
    """Return the incident contact of a customer: the second person known there, or the only one."""
    people = w.rows("contact", organisation_id=customer(w, index)["id"])
    return people[1] if len(people) > 1 else people[0]


def account_owner(w: Stage, index: int) -> Person:
    """Return the owner of a customer's account."""
    return w.person(customer(w, index)["owner_id"])
