"""Where mail goes: lists, limits of sending, loops, and taking a mail back."""

import pytest

from apps.gmail import outgoing
from tests.apps.gmail.conftest import Say, eml
from tests.apps.gmail.post import headers, inbox, pass_time, receive, said, send, subjects
from tests.company import as_person
from world.run.host import Host


def found(host: Host, who: str, query: str) -> list[str]:
    return [
        one["id"]
        for one in host.peek(as_person(host, who), "rest", "users.messages.list", {"q": query}).get("messages", [])
    ]


def test_mail_of_a_list_bears_the_headers_of_the_list_for_its_members(host: Host) -> None:
    send(host, "core@tiny.example")
    (got,) = inbox(host, "bo")
    shown = headers(got)
    assert (shown["List-ID"], shown["Precedence"], shown["Delivered-To"]) == (
        "<core.tiny.example>",
        "list",
        "bo@tiny.example",
    )
    assert shown["Mailing-list"] == "list core@tiny.example; contact core+owners@tiny.example"
    assert "CATEGORY_FORUMS" in got["labelIds"]
    (own,) = inbox(host)
    assert "List-ID" not in headers(own)


def test_who_is_named_beside_a_list_gets_the_mail_once_and_directly(host: Host) -> None:
    send(host, "core@tiny.example, Bo <bo@tiny.example>")
    (got,) = inbox(host, "bo")
    assert "List-ID" not in headers(got) and "for <bo@tiny.example>" in headers(got)["Received"]


@pytest.mark.parametrize("query", ["list:core@tiny.example", "list:core.tiny.example"])
def test_mail_of_a_list_is_found_by_its_list(host: Host, query: str) -> None:
    send(host, "core@tiny.example")
    send(host, "bo@tiny.example")
    assert len(found(host, "bo", query)) == 1


def test_somebody_outside_reaches_only_lists_that_allow_it(host: Host) -> None:
    told = receive(host, to=["core@tiny.example", "hello@tiny.example"])
    assert told["accepted"] == ["hello@tiny.example"]
    assert [one["address"] for one in told["refused"]] == ["core@tiny.example"] and "permission to post" in told[
        "refused"
    ][0]["said"]
    assert (subjects(host, "cyrus"), subjects(host, "dee"), subjects(host, "bo")) == (["Hello"], ["Hello"], [])


def test_what_was_sent_in_a_day_is_limited(host: Host, refused: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "MOST_A_DAY", 3)
    for _ in range(3):
        send(host, "bo@tiny.example")
    assert refused("users.messages.send", raw=eml("bo@tiny.example")) == "sending_limit_exceeded"
    assert refused("mail.send", to=["bo@tiny.example"]) == "sending_limit_exceeded"
    assert len(inbox(host, "ada", "SENT")) == 3 and len(inbox(host, "bo")) == 3
    send(host, "ada@tiny.example", who="bo")
    pass_time(host, 86_400)
    send(host, "bo@tiny.example")
    assert len(inbox(host, "bo")) == 4


def test_the_limit_is_that_of_the_vendor() -> None:
    assert outgoing.MOST_A_DAY == 2_000


def test_a_mail_can_be_taken_back_for_ten_seconds_and_was_never_there(host: Host) -> None:
    first = send(host, "bo@tiny.example", "Plan")
    root = headers(said(host, "users.messages.get", id=first["id"]))["Message-ID"]
    before = host.actors["w"].bound.raw.execute("SELECT count(*) FROM gmail_mail").fetchall()
    sent = said(
        host, "mail.send", to=["bo@tiny.example"], text="Too fast.", mode="new", inReplyTo=first["id"], undo=True
    )
    assert sent["threadId"] == first["threadId"] and len(inbox(host, "bo")) == 1
    draft = said(host, "mail.undoSend", id=sent["id"])
    assert draft["threadId"] == first["threadId"]
    pass_time(host, 60)
    assert len(inbox(host, "bo")) == 1 and len(inbox(host, label="SENT")) == 1
    assert host.actors["w"].bound.raw.execute("SELECT count(*) FROM gmail_mail").fetchall() == before
    (kept,) = inbox(host, label="DRAFT")
    assert (kept["id"], headers(kept)["To"], headers(kept)["In-Reply-To"]) == (
        draft["messageId"],
        "bo@tiny.example",
        root,
    )
    assert found(host, "ada", "fast") == [kept["id"]]


def test_after_ten_seconds_it_is_too_late(host: Host, refused: Say) -> None:
    sent = said(host, "mail.send", to=["bo@tiny.example"], text="Done.", undo=True)
    pass_time(host, 6)
    assert inbox(host, "bo") == []
    pass_time(host, 4)
    assert len(inbox(host, "bo")) == 1
    assert refused("mail.undoSend", id=sent["id"]) == "too_late"


def test_only_what_was_held_can_be_taken_back_and_only_by_its_sender(host: Host, refused: Say) -> None:
    plain = send(host, "bo@tiny.example")
    assert refused("mail.undoSend", id=plain["id"]) == "too_late"
    held = said(host, "mail.send", to=["bo@tiny.example"], undo=True)
    assert refused("mail.undoSend", "bo", id=held["id"]) == "not_found"
    (got,) = inbox(host, "bo")
    assert refused("mail.undoSend", "bo", id=got["id"]) == "too_late"


def rule(host: Host, who: str, name: str, value: str) -> None:
    values = (f"p_{who}", name, value)
    host.actors["w"].bound.raw.execute("INSERT INTO gmail_setting(person_id, name, value) VALUES (?, ?, ?)", values)


def test_two_who_are_away_do_not_answer_each_other_for_ever(host: Host) -> None:
    away = (
        '{"enableAutoReply": true, "responseBodyPlainText": "Away.", "restrictToContacts": false, "restrictToDomain":'
        " false}"
    )
    rule(host, "ada", "vacation", away)
    rule(host, "bo", "vacation", away)
    send(host, "bo@tiny.example")
    pass_time(host, 600)
    assert (len(inbox(host)), len(inbox(host, "bo"))) == (1, 1)


def test_two_who_forward_to_each_other_get_a_mail_once_each(host: Host) -> None:
    for who, other in (("bo", "eve"), ("eve", "bo")):
        rule(
            host,
            who,
            "autoForwarding",
            f'{{"enabled": true, "emailAddress": "{other}@tiny.example", "disposition": "leaveInInbox"}}',
        )
        values = (f"p_{who}", f"{other}@tiny.example")
        host.actors["w"].bound.raw.execute(
            "INSERT INTO gmail_forwarding_address(person_id, email, verification) VALUES (?, ?, 'accepted')", values
        )
    send(host, "bo@tiny.example")
    pass_time(host, 600)
    assert (len(inbox(host, "bo")), len(inbox(host, "eve")), len(inbox(host))) == (1, 1, 0)


def test_mail_to_two_thousand_addresses_is_handed_over_in_one_go(host: Host, refused: Say) -> None:
    many = ", ".join(f"x{n}@else.example" for n in range(2_000))
    send(host, many)
    assert host.actors["w"].bound.raw.execute("SELECT count(*) FROM gmail_outbound").fetchall() == [(2_000,)]
    assert refused("users.messages.send", raw=eml(f"{many}, one@else.example")) == "too_many_recipients"
