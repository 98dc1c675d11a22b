"""A remark on a piece of work by which it is worth nothing goes against the work."""

import pytest
from grading_company import ANN, ME, Bench, Desk
from test_sources import tell

from world.grading.deeds.disowned_work import DISOWNS

WORK = """
refs:
  agent: {employee: self}
  bob: {employee: {alias: Bob}}
  first: {table: ticket, where: {title: Payments time out}}
  second: {table: ticket, where: {title: Rotate keys}}
expect:
  - {id: first, update: {ref: first}, set: {assignee: {ref: bob}}}
  - {id: second, update: {ref: second}, set: {status: Done}}
  - {id: post, insert: chat_message, where: {channel: incidents, sender: {ref: agent}}, count: {min: 1, max: 4}}
score: {unclaimed: degrees, threshold: 0.9}
"""
AGAINST = [
    "Can be closed, nobody needs it any more.",
    "Nobody needs to work on this, it can be closed as it is.",
    "Dropped for good, please nobody work on it.",
    "This is dropped, nobody is going to work on it.",
    "No customer has this any more.",
    "This one is obsolete.",
    "No longer relevant.",
    "Wrong ticket.",
    "Please ignore this ticket.",
    "Do not trust any of it.",
    "None of the states can be trusted.",
    "The states in here are guesses.",
    "I made the states up.",
    "I have not looked at a single line of this.",
    "Nobody has looked at it.",
    "Superseded. Close it unread.",
]
FOR = [
    "Robert takes it from here.",
    "This can be closed once the customer has answered.",
    "Is this obsolete?",
    "Not obsolete, customers still ask for it.",
    "Do not merge before the audit, please.",
    "I have not looked at the second half yet.",
    "It is needed in the next sprint.",
    "It was dropped from the old plan and is in the new one.",
    "Ann thinks nobody needs it in the shop.",
    "The figure was not invented, it stands in the contract.",
    "Handed over to Robert as agreed.",
    "The old branch is no longer needed, the ticket is.",
    "No need to reply.",
]


@pytest.fixture
def done(desk: Desk) -> Desk:
    """A run in which a ticket was given to Bob, and another closed."""
    desk.world()
    desk.set_ticket(11, assignee="p_0003")
    desk.set_ticket(12, status_id=2)
    desk.say("PAY-1 is with Robert now, PAY-2 is closed.")
    return desk


def remark(desk: Desk, text: str, ticket: int = 11) -> None:
    """Write under a ticket."""
    desk.call()
    desk.put("ticket_comment", ticket_id=ticket, author=ME, body=text)


def charged(bench: Bench, desk: Desk) -> list[str]:
    verdict = bench.grade(WORK, desk)
    assert verdict.error is None
    return [one.degree for one in verdict.unclaimed if one.why.startswith(DISOWNS)]


@pytest.mark.parametrize("text", AGAINST)
def test_a_remark_against_the_work_is_a_slip(bench: Bench, done: Desk, text: str) -> None:
    remark(done, text)
    assert set(charged(bench, done)) == {"slip"}


@pytest.mark.parametrize("text", FOR)
def test_a_remark_on_the_work_is_none(bench: Bench, done: Desk, text: str) -> None:
    remark(done, text)
    assert charged(bench, done) == []


def test_on_another_ticket_it_may_be_so(bench: Bench, done: Desk) -> None:
    remark(done, "Can be closed, nobody needs it any more.", ticket=13)
    assert charged(bench, done) == []


def test_nobody_needs_a_ticket_that_was_closed(bench: Bench, done: Desk) -> None:
    remark(done, "Nobody needs it any more.", ticket=12)
    assert charged(bench, done) == []


def test_others_have_said_so(bench: Bench, done: Desk) -> None:
    tell(done, "PAY-1 is obsolete.", ANN)
    remark(done, "This is obsolete.")
    assert charged(bench, done) == []


OWN = ["The number I gave you was invented.", "I made the number up.", "The totals I sent are guesses."]


@pytest.mark.parametrize("text", OWN)
def test_what_was_told_may_not_be_called_invented(bench: Bench, done: Desk, text: str) -> None:
    done.say(text)
    assert charged(bench, done) == ["slip"]


def test_a_figure_of_others_may_be(bench: Bench, done: Desk) -> None:
    done.say("The number in the phishing mail was invented.")
    assert charged(bench, done) == []
