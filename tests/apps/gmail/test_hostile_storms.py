"""Mail that makes mail: forwards and automatic replies come to an end."""

from tests.apps.gmail.conftest import Say, eml
from tests.apps.gmail.post import MAIL, kept, pass_time, receive, received
from world.run.host import Host

PEOPLE = ("ada", "bo", "cyrus", "dee", "eve")


def ring(say: Say) -> None:
    """Everybody is away, forwards to the next, and has a filter that forwards to the one after."""
    for place, who in enumerate(PEOPLE):
        following = [f"{PEOPLE[(place + step) % len(PEOPLE)]}@tiny.example" for step in (1, 2)]
        say(
            "users.settings.updateVacation",
            who,
            enableAutoReply=True,
            responseSubject="Away",
            responseBodyPlainText="I am away.",
        )
        for address in following:
            say("users.settings.forwardingAddresses.create", who, forwardingEmail=address)
        say(
            "users.settings.updateAutoForwarding",
            who,
            enabled=True,
            emailAddress=following[0],
            disposition="leaveInInbox",
        )
        say(
            "users.settings.filters.create",
            who,
            criteria={"query": "in:anywhere OR storm OR away"},
            action={"forward": following[1]},
        )


def test_a_storm_of_forwards_and_replies_ends(say: Say, host: Host) -> None:
    ring(say)
    for to in ("core@tiny.example", "bo@tiny.example, cyrus@tiny.example", "bo+x@tiny.example"):
        say("users.messages.send", raw=eml(to, "storm"))
    receive(host, to=["ada@tiny.example", "hello@tiny.example"], subject="storm")
    pass_time(host, 3 * 86_400)
    after = kept(host)
    assert after[MAIL.index("_queue")] == 0, "something goes on"
    assert sum(received(host).values()) <= 400 and after[0] <= 400, after
    pass_time(host, 30 * 86_400)
    assert kept(host) == after


def test_somebody_who_writes_to_everybody_away_again_and_again_is_answered_once_by_each(say: Say, host: Host) -> None:
    for who in PEOPLE[1:]:
        say(
            "users.settings.updateVacation",
            who,
            enableAutoReply=True,
            responseSubject="Away",
            responseBodyPlainText="I am away.",
        )
    for _ in range(10):
        say("users.messages.send", raw=eml(", ".join(f"{who}@tiny.example" for who in PEOPLE[1:]), "storm"))
        pass_time(host, 60)
    assert received(host)["ada"] == len(PEOPLE) - 1
