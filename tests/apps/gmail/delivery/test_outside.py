"""People outside the company: their mail comes in, and a scenario lets them answer."""

from base64 import b64encode, urlsafe_b64encode
from typing import Any

import pytest

from apps.gmail import external_people
from tests.apps.gmail.conftest import Play, Say
from tests.apps.gmail.post import headers, inbox, receive, said, subjects
from tests.company import START, as_person
from world.core.clock import MINUTE
from world.run.host import Host
from world.script.scenario import Script, row
from world.script.stage import Stage


def customer(s: Script) -> None:
    """Zoe answers what she is sent, ten minutes later."""
    s.on(
        row("gmail_outbound", address="zoe@acme.example"),
        external_people.answer_mail("Two were charged twice.", everyone=True),
        delay="10m",
        deadline=None,
        otherwise=None,
        name="zoe",
    )


def test_a_customer_answers_the_mail_in_its_thread_and_the_wait_ends(play: Play) -> None:
    host = play(customer)
    sent = said(
        host,
        "mail.send",
        to=["Zoe Quist <zoe@acme.example>"],
        cc=["bo@tiny.example"],
        subject="Your charges",
        text="How many?",
    )
    waited = host.call(as_person(host), "rest", "world.wait", {"seconds": 3600})
    assert waited["happened"] == ["Mail from Zoe Quist: Re: Your charges"]
    assert host.actors["w"].now // MINUTE == (START + 10 * MINUTE) // MINUTE
    (answer,) = inbox(host)
    assert answer["threadId"] == sent["threadId"]
    shown = headers(answer)
    original = headers(said(host, "users.messages.get", id=sent["id"]))["Message-ID"]
    assert (shown["From"], shown["To"], shown["Cc"]) == (
        "Zoe Quist <zoe@acme.example>",
        "Ada Novak <ada@tiny.example>",
        "bo@tiny.example",
    )
    assert shown["In-Reply-To"] == shown["References"] == original and shown["Message-ID"].endswith("@acme.example>")
    assert "Two were charged twice." in answer["snippet"] and "How many?" in answer["snippet"]
    assert len({one["threadId"] for one in inbox(host, "bo")}) == 1 and subjects(host, "bo") == [
        "Re: Your charges",
        "Your charges",
    ]


def test_the_answer_leaves_its_message_id_for_rubrics(play: Play) -> None:
    host = play(customer)
    said(host, "mail.send", to=["zoe@acme.example"], subject="Plan", text="?")
    host.call(as_person(host), "rest", "world.wait", {"seconds": 3600})
    actor = host.actors["w"]
    stored = actor.bound.raw.execute("SELECT value FROM _state WHERE key = 'event:zoe'").fetchall()[0][0]
    assert headers(inbox(host)[0])["Message-ID"] in stored


def test_a_scenario_begins_a_conversation(play: Play) -> None:
    def ask(w: Stage) -> None:
        external_people.write_mail(
            w, "zoe@acme.example", ["hello@tiny.example"], "Refund", "Where is it?", cc=["dee@tiny.example"]
        )

    host = play(lambda s: s.at("+1m", ask))
    host.actors["w"].advance(START + 2 * MINUTE)
    (got,) = inbox(host, "cyrus")
    assert headers(got)["From"] == "Zoe Quist <zoe@acme.example>" and subjects(host, "dee") == ["Refund"]


def test_two_mails_of_one_moment_are_two_mails(play: Play) -> None:
    def ask(w: Stage) -> None:
        for name in ("One", "Two"):
            external_people.write_mail(w, "zoe@acme.example", ["ada@tiny.example"], name, "same text")

    host = play(lambda s: s.at("+1m", ask))
    host.actors["w"].advance(START + 2 * MINUTE)
    assert sorted(subjects(host)) == ["One", "Two"]
    assert len({headers(one)["Message-ID"] for one in inbox(host)}) == 2


def test_a_mail_from_outside_has_what_it_was_given(host: Host) -> None:
    receive(
        host,
        to=["ada@tiny.example"],
        bcc=["bo@tiny.example"],
        subject="Invoice",
        text="Attached.",
        html="<p>Attached.</p>",
        date=1_772_400_000,
        headers={"List-Unsubscribe": "<mailto:stop@acme.example>"},
        attachments=[{"filename": "a.pdf", "mimeType": "application/pdf", "data": b64encode(b"%PDF").decode()}],
    )
    (got,) = inbox(host)
    shown = headers(got)
    assert shown["Date"] == "Sun, 01 Mar 2026 21:20:00 +0000" and int(got["internalDate"]) * 1000 >= START
    assert shown["List-Unsubscribe"] == "<mailto:stop@acme.example>" and "Bcc" not in shown
    assert "a.pdf" in str(got["payload"]) and "text/html" in str(got["payload"])
    assert subjects(host, "bo") == ["Invoice"]


def test_a_whole_mail_comes_in_for_those_it_is_for(host: Host) -> None:
    whole = (
        b"From: zoe@acme.example\r\nTo: undisclosed\r\nSubject: News\r\nMessage-ID: <n1@acme.example>\r\n\r\nNews.\r\n"
    )
    told = receive(host, to=["dee@tiny.example"], raw=urlsafe_b64encode(whole).decode())
    assert told["messageId"] == "<n1@acme.example>" and subjects(host, "dee") == ["News"] and inbox(host) == []


def test_outside_mail_is_not_sent_on_to_others_outside(host: Host) -> None:
    whole = b"From: z@acme.example\r\nTo: ada@tiny.example, jo@else.example\r\n\r\nx\r\n"
    receive(host, to=["ada@tiny.example"], raw=urlsafe_b64encode(whole).decode())
    assert len(inbox(host)) == 1
    assert host.actors["w"].bound.raw.execute("SELECT count(*) FROM gmail_outbound").fetchall() == [(0,)]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"to": ["ada@tiny.example"], "from": ""}, "invalid_from_header"),
        ({"to": []}, "recipient_required"),
        ({"to": [";"]}, "invalid_to_header"),
        ({"to": ["ada@tiny.example"], "raw": "%"}, "invalid_raw"),
        ({"to": ["ada@tiny.example"], "subject": "a\nBcc: x@y.example"}, "malformed_mail"),
        ({"to": ["ada@tiny.example"], "headers": {"X\r\nBcc": "x"}}, "malformed_mail"),
        ({"to": ["ada@tiny.example"], "inReplyTo": "no id"}, "malformed_mail"),
        ({"to": ["ada@tiny.example"], "attachments": [{"filename": "a", "data": "*"}]}, "invalid_attachment"),
        ({"to": ["ada@tiny.example"], "attachments": [{"filename": "a\nb", "data": ""}]}, "malformed_mail"),
    ],
)
def test_what_cannot_be_a_mail_is_refused_and_leaves_nothing(
    host: Host, refused: Say, given: dict[str, Any], code: str
) -> None:
    mail = {"from": "zoe@acme.example", "subject": "x", **given}
    assert refused("mail.receive", "mail-gateway", kind="bot", **mail) == code
    assert host.actors["w"].bound.raw.execute("SELECT count(*) FROM gmail_mail").fetchall() == [(0,)]
