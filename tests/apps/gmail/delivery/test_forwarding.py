"""Mail that goes on to another address, by a filter or all of it, and loops that stop."""

from typing import Any

import pytest

from tests.apps.gmail.conftest import Say, eml
from tests.apps.gmail.delivery.outside_mail import deliver, header, labels, newest, subjects
from world.run.host import Host

ADDRESSES = "users.settings.forwardingAddresses."
AUTO = "users.settings.updateAutoForwarding"
ADA, BO, DEE = "ada@tiny.example", "bo@tiny.example", "dee@tiny.example"


def forwarded(say: Say, who: str, to: str, **more: Any) -> None:
    """All mail of somebody goes on to an address."""
    say(ADDRESSES + "create", who, forwardingEmail=to)
    say(AUTO, who, enabled=True, emailAddress=to, **more)


def test_a_colleagues_address_counts_at_once_another_is_asked(say: Say, refused: Say, host: Host) -> None:
    assert say(ADDRESSES + "list") == {}
    assert say(ADDRESSES + "create", forwardingEmail=" Bo@Tiny.example ") == {
        "forwardingEmail": BO,
        "verificationStatus": "accepted",
    }
    asked = say(ADDRESSES + "create", forwardingEmail="zoe@acme.example")
    assert (
        asked["verificationStatus"] == "pending" and say(ADDRESSES + "get", forwardingEmail="Zoe@acme.example") == asked
    )
    assert [one["forwardingEmail"] for one in say(ADDRESSES + "list")["forwardingAddresses"]] == [
        BO,
        "zoe@acme.example",
    ]
    sent = (
        host.actor("w")
        .bound.raw.execute("SELECT m.subject, o.address FROM gmail_outbound o JOIN gmail_mail m ON m.id = o.mail_id")
        .fetchall()
    )
    assert sent == [("Gmail Forwarding Confirmation - Receive Mail from ada@tiny.example", "zoe@acme.example")]
    assert refused(AUTO, enabled=True, emailAddress="zoe@acme.example") == "unrecognized_forwarding_address"
    assert refused(AUTO, enabled=True) == refused(AUTO, emailAddress="x") == "unrecognized_forwarding_address"
    assert refused(ADDRESSES + "create", forwardingEmail=BO) == "already_exists"
    assert refused(ADDRESSES + "get", "bo", forwardingEmail="zoe@acme.example") == "not_found"
    assert refused(ADDRESSES + "delete", "bo", forwardingEmail="zoe@acme.example") == "not_found"


@pytest.mark.parametrize(
    "address",
    [
        "",
        "nobody",
        "a b@x.example",
        "x@y.example\r\nBcc: z@y.example",
        "ada@tiny.example",
        "ä@x.example",
        f"{'a' * 310}@x.example",
    ],
)
def test_what_is_no_address_to_forward_to(refused: Say, address: str) -> None:
    assert refused(ADDRESSES + "create", forwardingEmail=address) == "invalid_address"


def test_there_are_twenty_forwarding_addresses_at_most(say: Say, refused: Say) -> None:
    for number in range(20):
        say(ADDRESSES + "create", forwardingEmail=f"box{number}@far.example")
    assert refused(ADDRESSES + "create", forwardingEmail="box20@far.example") == "too_many_addresses"


@pytest.mark.parametrize(
    ("disposition", "there", "gone"),
    [
        ("leaveInInbox", {"INBOX", "UNREAD"}, set()),
        ("dispositionUnspecified", {"INBOX", "UNREAD"}, set()),
        ("archive", {"UNREAD"}, {"INBOX"}),
        ("trash", {"TRASH"}, {"INBOX"}),
        ("markRead", {"INBOX"}, {"UNREAD"}),
    ],
)
def test_all_mail_goes_on_and_the_own_copy_is_left_as_told(
    say: Say, disposition: str, there: set[str], gone: set[str]
) -> None:
    forwarded(say, "bo", DEE, disposition=disposition)
    say("users.messages.send", raw=eml(BO, "Plan", Bcc="eve@tiny.example"))
    own = labels(say, "bo")
    assert there <= own and not gone & own
    got = newest(say, "dee")
    assert [header(got, name) for name in ("From", "To", "Subject", "Bcc")] == [
        "Ada Novak <ada@tiny.example>",
        BO,
        "Plan",
        "",
    ]
    assert (header(got, "X-Forwarded-To"), header(got, "X-Forwarded-For")) == (DEE, f"{BO} {DEE}")
    assert header(got, "Message-ID") == header(newest(say, "bo"), "Message-ID") and "INBOX" in got["labelIds"]
    assert subjects(say, "eve") == ["Plan"] and subjects(say, "ada") == ["Plan"]


def test_forwarding_can_be_stopped_and_ends_with_its_address(say: Say) -> None:
    forwarded(say, "bo", DEE)
    assert say("users.settings.getAutoForwarding", "bo") == {
        "enabled": True,
        "emailAddress": DEE,
        "disposition": "leaveInInbox",
    }
    say(ADDRESSES + "delete", "bo", forwardingEmail=DEE)
    assert say("users.settings.getAutoForwarding", "bo") == {"enabled": False}
    say("users.messages.send", raw=eml(BO))
    forwarded(say, "bo", DEE)
    say(AUTO, "bo", enabled=False, emailAddress=DEE)
    say("users.messages.send", raw=eml(BO))
    assert subjects(say, "dee") == []


def test_a_filter_forwards_what_it_finds_and_only_once(say: Say) -> None:
    say(ADDRESSES + "create", "bo", forwardingEmail=DEE)
    for subject in ("plan", "project"):
        say("users.settings.filters.create", "bo", criteria={"subject": subject}, action={"forward": DEE})
    for subject in ("Plan of the project", "Lunch"):
        say("users.messages.send", raw=eml(BO, subject))
    assert subjects(say, "dee") == ["Plan of the project"]
    say(ADDRESSES + "delete", "bo", forwardingEmail=DEE)
    say("users.messages.send", raw=eml(BO, "Another plan"))
    assert subjects(say, "dee") == ["Plan of the project"]


def test_forwarding_in_a_circle_stops_after_one_round(say: Say, host: Host) -> None:
    for who, to in (("bo", DEE), ("dee", "eve@tiny.example"), ("eve", BO)):
        forwarded(say, who, to)
    for number in range(10):
        say("users.messages.send", raw=eml(f"{BO}, {DEE}", f"Round {number}"))
    for who in ("bo", "dee", "eve"):
        assert len(subjects(say, who)) == 10, who
    assert len(subjects(say, "ada")) == 10
    assert host.actor("w").bound.raw.execute("SELECT count(*) FROM _queue").fetchone() == (0,)


def test_a_mail_that_went_through_too_many_mailboxes_goes_no_further(say: Say, host: Host) -> None:
    forwarded(say, "bo", DEE)
    for hops in (24, 25):
        lines = {"raw": _through(hops)}
        deliver(host, **lines)
    assert subjects(say, "bo") == ["25 hops", "24 hops"] and subjects(say, "dee") == ["24 hops"]


def _through(hops: int) -> str:
    lines = "\r\n".join(f"X-Forwarded-For: a{hop}@far.example b{hop}@far.example" for hop in range(hops))
    return eml(BO, f"{hops} hops", From=f"zoe@acme.example\r\n{lines}")


def test_what_goes_on_to_outside_is_on_its_way_there(say: Say, host: Host) -> None:
    raw = host.actor("w").bound.raw
    say(ADDRESSES + "create", "bo", forwardingEmail="zoe@acme.example")
    raw.execute("UPDATE gmail_forwarding_address SET verification = 'accepted'")
    say(AUTO, "bo", enabled=True, emailAddress="zoe@acme.example")
    say("users.messages.send", raw=eml(BO, "Plan"))
    say("users.settings.getImap")
    sent = raw.execute(
        "SELECT m.subject FROM gmail_outbound o JOIN gmail_mail m ON m.id = o.mail_id WHERE o.address ="
        " 'zoe@acme.example' ORDER BY m.id"
    )
    assert [subject for (subject,) in sent.fetchall()][1:] == ["Plan"]


def test_the_mail_of_somebody_who_left_goes_where_they_had_it_forwarded(say: Say, host: Host) -> None:
    forwarded(say, "bo", DEE)
    host.actor("w").bound.raw.execute("UPDATE person SET status = 'left' WHERE id = 'p_bo'")
    say("users.messages.send", raw=eml(BO, "Are you there?"))
    assert subjects(say, "dee") == ["Are you there?"]


def test_spam_goes_nowhere(say: Say, host: Host) -> None:
    deliver(host, sender="win@prizes.example", subject="You won")
    say("users.messages.modify", "bo", id=newest(say, "bo")["id"], addLabelIds=["SPAM"])
    forwarded(say, "bo", DEE)
    deliver(host, sender="win@prizes.example", subject="Again")
    assert "SPAM" in labels(say, "bo") and subjects(say, "dee") == []
