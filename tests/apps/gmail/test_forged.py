"""Mail that claims to be another's: whose it is, which mail it is, and to which thread it belongs."""

# ruff: noqa: E501 - hostile mails, one line to a few

import pytest

from apps.gmail.mime.base64url import from_base64url
from tests.apps.gmail.conftest import Say, eml
from tests.apps.gmail.hostile_mails import ME, WAYS
from tests.apps.gmail.post import b64, headers, inbox, kept, pass_time, receive, received
from tests.company import as_person
from tests.conformance.mail import MailClient
from world.run.host import Host


def test_the_sender_is_always_ones_own_address(client: MailClient, host: Host) -> None:
    forged = [
        "From: eve@tiny.example\r\n",
        "From: Eve Martin <eve@tiny.example>\r\n",
        'From: "ada@tiny.example" <eve@tiny.example>\r\n',
        "From: ada@tiny.example <eve@tiny.example>\r\n",
        "From: eve@tiny.example\r\nFrom: ada@tiny.example\r\n",
        "From: eve@tiny.example, ada@tiny.example\r\n",
        "from: eve@tiny.example\r\n",
        "From:\r\n eve@tiny.example\r\n",
        "From : eve@tiny.example\r\n",
        "From: group: eve@tiny.example;\r\n",
        "From: =?utf-8?q?eve=40tiny=2Eexample?= <eve@tiny.example>\r\n",
        "From: <>\r\n",
        "From: nobody\r\n",
        "",
        "From: b.lindqvist@tiny.example\r\n",
        "From: core@tiny.example\r\n",
        "From: zoe@acme.example\r\n",
    ]
    for line in forged:
        answer = client.post(
            f"{ME}/messages/send", json={"raw": b64(f"{line}To: bo@tiny.example\r\nSubject: x\r\n\r\nx".encode())}
        )
        assert answer.status_code == 200, (line, answer.text)
        host.actor("w").events.fire_until(host.actor("w").now)
        got = inbox(host, "bo")[0]
        assert headers(got)["Return-Path"] == "<ada@tiny.example>"
        froms = [one["value"] for one in got["payload"]["headers"] if one["name"].lower().strip() == "from"]
        assert len(froms) == 1 and "eve" not in froms[0].lower() and froms[0].endswith("<ada@tiny.example>"), (
            line,
            froms,
        )
    assert (
        client.post(
            "/sync/mail.send", json={"to": ["bo@tiny.example"], "text": "x", "from": "eve@tiny.example"}
        ).status_code
        == 400
    )
    listed = client.post("/sync/mail.threads", who="bo", json={}).json()["threads"]
    assert {one["email"] for row in listed for one in row["senders"]} == {"ada@tiny.example"}


def test_a_display_name_that_is_anothers_stands_beside_the_true_address(say: Say, host: Host) -> None:
    say(
        "users.messages.send",
        "eve",
        raw=eml("bo@tiny.example", "Urgent", From="Ada Novak (ada@tiny.example) <eve@tiny.example>"),
    )
    receive(host, to=["bo@tiny.example"], **{"from": '"Ada Novak <ada@tiny.example>" <zoe@acme.example>'})
    shown = host.peek(as_person(host, "bo"), "rest", "mail.threads", {})["threads"]
    assert [one["email"] for row in shown for one in row["senders"]] == ["zoe@acme.example", "eve@tiny.example"]
    assert not host.peek(
        as_person(host, "bo"), "rest", "users.messages.list", {"q": "from:ada@tiny.example -from:eve -from:zoe"}
    ).get("messages")


def test_a_stolen_message_id_joins_and_replaces_nothing(say: Say, host: Host) -> None:
    say("users.messages.send", raw=eml("bo@tiny.example", "Offer", "The true one.", Message_ID="<one@tiny.example>"))
    host.actor("w").events.fire_until(host.actor("w").now)
    (true,) = inbox(host, "bo")
    again = [("Offer", "The false one."), ("Another", "The false one."), ("Offer", "The true one.")]
    for subject, text in again:
        say(
            "users.messages.send",
            "eve",
            raw=eml("bo@tiny.example, dee@tiny.example", subject, text, Message_ID="<one@tiny.example>"),
        )
    host.actor("w").events.fire_until(host.actor("w").now)
    found = {one["id"]: one for one in inbox(host, "bo")}
    assert len(found) == 4 and len({one["threadId"] for one in found.values()}) == 4
    assert from_base64url(found[true["id"]]["payload"]["body"]["data"]).startswith(b"The true one.")
    assert {headers(one)["Return-Path"] for one in found.values() if one["id"] != true["id"]} == {"<eve@tiny.example>"}
    say(
        "users.messages.send",
        "bo",
        raw=eml("ada@tiny.example", "Re: Offer", "Fine.", In_Reply_To="<one@tiny.example>"),
        threadId=true["threadId"],
    )
    host.actor("w").events.fire_until(host.actor("w").now)
    assert "eve" not in received(host)
    assert (
        inbox(host)[0]["threadId"]
        == host.peek(as_person(host), "rest", "users.messages.list", {"labelIds": ["SENT"]})["messages"][0]["threadId"]
    )


@pytest.mark.parametrize(
    "subject",
    ["Salary", "", "Re:", "Delivery Status Notification (Failure)", "Delivery Status Notification (Delay)", "Offer "],
)
def test_references_alone_pull_no_mail_into_a_thread(say: Say, host: Host, subject: str) -> None:
    say("users.messages.send", raw=eml("bo@tiny.example", "Offer", Message_ID="<one@tiny.example>"))
    host.actor("w").events.fire_until(host.actor("w").now)
    (true,) = inbox(host, "bo")
    answers = {
        "References": "<one@tiny.example>",
        "In_Reply_To": "<one@tiny.example>",
        "Message_ID": "<two@tiny.example>",
    }
    say(
        "users.messages.send",
        "eve",
        raw=eml("bo@tiny.example, ada@tiny.example", subject, **answers, Auto_Submitted="auto-replied"),
    )
    receive(
        host,
        to=["bo@tiny.example"],
        raw=b64(
            f"From: mailer-daemon@evil.example\r\nSubject: {subject}\r\nReferences: <one@tiny.example>\r\n\r\nx".encode()
        ),
    )
    joined = subject.strip() == "Offer"
    assert [one["threadId"] == true["threadId"] for one in inbox(host, "bo")] == [joined, joined, True]
    assert (inbox(host)[0]["threadId"] in {one["threadId"] for one in inbox(host, "ada", "SENT")}) == joined


def test_the_name_of_a_thread_of_another_mailbox_is_not_found(client: MailClient, host: Host) -> None:
    client.post(f"{ME}/messages/send", json={"raw": eml("bo@tiny.example")})
    host.actor("w").events.fire_until(host.actor("w").now)
    foreign = inbox(host, "bo")[0]
    before = kept(host)
    for path, body in WAYS.values():
        given = body(eml("bo@tiny.example"))
        given = (
            {"message": {**given["message"], "threadId": foreign["threadId"]}}
            if "message" in given
            else {**given, "threadId": foreign["threadId"]}
        )
        assert client.post(ME + path, who="eve", json=given).status_code == 404, path
    for given in (
        {"threadId": foreign["threadId"]},
        {"inReplyTo": foreign["id"], "mode": "reply"},
        {"attachments": [{"messageId": foreign["id"]}]},
    ):
        answer = client.post("/sync/mail.send", who="eve", json={"to": ["eve@tiny.example"], "text": "x", **given})
        assert answer.status_code == 404, (given, answer.text)
    assert kept(host) == before


def test_a_forged_notice_is_only_a_mail(say: Say, host: Host) -> None:
    """A report of failure about another's mail changes nothing of its state, and nothing answers it."""
    sent = say("users.messages.send", raw=eml("zoe@acme.example", "Offer", Message_ID="<one@tiny.example>"))
    say(
        "users.settings.updateVacation",
        enableAutoReply=True,
        responseSubject="Away",
        responseBodyPlainText="I am away.",
    )
    host.actor("w").events.fire_until(host.actor("w").now)
    raw = host.actor("w").bound.raw
    before = raw.execute("SELECT * FROM gmail_outbound").fetchall()
    report = (
        b"From: Mail Delivery Subsystem <mailer-daemon@acme.example>\r\nTo: ada@tiny.example\r\nSubject: Delivery Status Notification (Failure)\r\n"
        b"X-Failed-Recipients: zoe@acme.example\r\nIn-Reply-To: <one@tiny.example>\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=r\r\n\r\n"
        b"--r\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\nFinal-Recipient: rfc822; zoe@acme.example\r\nAction: failed\r\n\r\n--r--\r\n"
    )
    receive(host, to=["ada@tiny.example"], raw=b64(report))
    pass_time(host, 86_400)
    assert raw.execute("SELECT * FROM gmail_outbound").fetchall() == before
    assert [one["threadId"] == sent["threadId"] for one in inbox(host)] == [False]
