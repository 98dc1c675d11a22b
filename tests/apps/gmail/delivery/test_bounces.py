"""Mail that comes back: to whom, when, in which form, and when nothing does."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import pytest

from tests.apps.gmail.conftest import Play, Say
from tests.apps.gmail.post import headers, inbox, pass_time, receive, said, send, subjects
from tests.company import as_person
from world.run.host import Host

FAILED = "Delivery Status Notification (Failure)"


def parts(message: dict[str, Any]) -> dict[str, str]:
    """The parts of a notice by type."""
    return {one["mimeType"]: text(one) for one in message["payload"]["parts"]}


def text(part: dict[str, Any]) -> str:
    data = part["body"].get("data", "")
    return urlsafe_b64decode(data + "==").decode()


@pytest.mark.parametrize(
    ("address", "status", "said_by_server"),
    [
        ("nobody@tiny.example", "5.1.1", "does not exist"),
        ("gus@tiny.example", "5.2.1", "is disabled"),
        ("zoe@acme.invalid", "5.1.2", "Domain name not found: acme.invalid"),
        ("zzz@acme.example", "5.1.1", "does not exist"),
    ],
)
def test_mail_that_leads_nowhere_comes_back_in_its_thread_after_a_while(
    host: Host, address: str, status: str, said_by_server: str
) -> None:
    sent = send(host, address, "Plan")
    assert inbox(host) == []
    pass_time(host, 120)
    (notice,) = inbox(host)
    assert notice["threadId"] == sent["threadId"]
    shown = headers(notice)
    assert (shown["From"], shown["Subject"]) == ("Mail Delivery Subsystem <mailer-daemon@googlemail.com>", FAILED)
    assert (shown["Auto-Submitted"], shown["X-Failed-Recipients"]) == ("auto-replied", address)
    assert (
        5_000
        <= int(notice["internalDate"]) - int(said(host, "users.messages.get", id=sent["id"])["internalDate"])
        <= 45_000
    )
    said_in = parts(notice)
    assert said_by_server in said_in["text/plain"]
    report = said(host, "users.messages.get", id=notice["id"], format="raw")["raw"]
    whole = urlsafe_b64decode(report + "==").decode()
    assert f"Final-Recipient: rfc822; {address}\r\nAction: failed\r\nStatus: {status}\r\n" in whole
    assert "Content-Type: message/rfc822" in whole and "Subject: Plan" in whole


def test_the_other_recipients_get_it_and_each_lost_one_is_told_of(host: Host) -> None:
    send(host, "bo@tiny.example, nobody@tiny.example, zoe@acme.example, none@tiny.example")
    pass_time(host, 120)
    assert subjects(host, "bo") == ["Hello"]
    assert sorted(headers(one)["X-Failed-Recipients"] for one in inbox(host)) == [
        "nobody@tiny.example",
        "none@tiny.example",
    ]
    rows = host.actors["w"].bound.raw.execute("SELECT address, contact_id, state FROM gmail_outbound").fetchall()
    assert rows == [("zoe@acme.example", "c_zoe", "sent")]


def test_outside_mail_that_bounced_is_noted_as_such(host: Host) -> None:
    send(host, "zoe@acme.invalid")
    pass_time(host, 120)
    assert host.actors["w"].bound.raw.execute("SELECT address, state FROM gmail_outbound").fetchall() == [
        ("zoe@acme.invalid", "bounced")
    ]


@pytest.mark.parametrize("more", [{"Auto_Submitted": "auto-replied"}, {"Precedence": "bulk"}])
def test_what_a_machine_sent_never_bounces(host: Host, more: dict[str, str]) -> None:
    send(host, "nobody@tiny.example", **more)
    pass_time(host, 600)
    assert inbox(host) == []


def test_a_notice_to_nobody_makes_no_other(host: Host) -> None:
    send(host, "nobody@tiny.example")
    host.actors["w"].bound.raw.execute("UPDATE gmail_mail SET from_email = 'void@tiny.example'")
    pass_time(host, 600)
    assert len(inbox(host)) == 1


@pytest.mark.parametrize(("hops", "comes_back"), [(25, False), (26, True)])
def test_mail_that_has_passed_too_many_servers_goes_no_further(host: Host, hops: int, comes_back: bool) -> None:
    raw = (
        "".join(f"Received: from a{n}.example by b{n}.example; Mon, 2 Mar 2026 08:00:00 +0000\r\n" for n in range(hops))
        + "To: bo@tiny.example\r\n"
    )
    said(
        host,
        "users.messages.send",
        raw=urlsafe_b64encode((raw + "Subject: round\r\n\r\nReceived: of the text\r\n").encode()).decode(),
    )
    pass_time(host, 120)
    assert subjects(host, "bo") == ([] if comes_back else ["round"])
    assert subjects(host) == ([FAILED] if comes_back else [])


def test_mail_of_a_leaver_goes_where_they_had_it_forwarded(host: Host) -> None:
    add = "INSERT INTO gmail_setting(person_id, name, value) VALUES ('p_gone', 'autoForwarding', ?)"
    host.actors["w"].bound.raw.execute(
        add, ('{"enabled": true, "emailAddress": "bo@tiny.example", "disposition": "archive"}',)
    )
    send(host, "gus@tiny.example")
    pass_time(host, 120)
    assert subjects(host, "bo") == ["Hello"] and inbox(host) == []


def test_a_bounce_wakes_who_waits_for_it(play: Play) -> None:
    host = play()
    send(host, "nobody@tiny.example")
    waited = host.call(as_person(host), "rest", "world.wait", {"seconds": 600})
    assert waited["happened"] == [f"Mail from Mail Delivery Subsystem: {FAILED}"]


def test_senders_outside_hear_at_once_and_get_no_mail_back(host: Host) -> None:
    told = receive(
        host, to=["nobody@tiny.example", "gus@tiny.example", "bo@tiny.example", "core@tiny.example", "jo@else.example"]
    )
    assert told["accepted"] == ["bo@tiny.example"]
    assert {one["address"]: one["said"].split()[1] for one in told["refused"]} == {
        "nobody@tiny.example": "5.1.1",
        "gus@tiny.example": "5.2.1",
        "core@tiny.example": "5.7.1",
        "jo@else.example": "5.7.1",
    }
    pass_time(host, 600)
    assert host.actors["w"].bound.raw.execute("SELECT count(*) FROM gmail_outbound").fetchall() == [(0,)]
    assert host.actors["w"].bound.raw.execute("SELECT count(*) FROM gmail_mail").fetchall() == [(1,)]


def test_a_mail_nobody_here_takes_leaves_nothing(host: Host) -> None:
    assert receive(host, to=["nobody@tiny.example"])["accepted"] == []
    assert host.actors["w"].bound.raw.execute("SELECT count(*) FROM gmail_mail").fetchall() == [(0,)]


def test_employees_bring_no_mail_in_from_outside(refused: Say) -> None:
    assert (
        refused("mail.receive", **{"from": "zoe@acme.example", "to": ["bo@tiny.example"], "text": "hi"}) == "forbidden"
    )
