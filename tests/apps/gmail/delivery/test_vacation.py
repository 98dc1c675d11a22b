"""Vacation replies: who gets one, what it says, and that answers to answers never happen."""

from typing import Any

import pytest

from tests.apps.gmail.conftest import Say, eml
from tests.apps.gmail.delivery.outside_mail import deliver, header, newest, subjects
from tests.company import PEOPLE, START
from world.core.clock import DAY, HOUR, SECOND
from world.run.host import Host

UPDATE = "users.settings.updateVacation"
ADA, BO = "ada@tiny.example", "bo@tiny.example"
REPLIES = "SELECT id FROM gmail_mail WHERE is_automatic"


def away(say: Say, who: str = "bo", **more: Any) -> None:
    say(UPDATE, who, **{"enableAutoReply": True, "responseBodyPlainText": "Back on Monday.", **more})


def settle(host: Host) -> None:
    """Let replies arrive."""
    host.actor("w").advance(host.actor("w").now + 10 * SECOND)


def replies(host: Host) -> int:
    """How many replies were sent, after everything due has happened."""
    settle(host)
    return len(host.actor("w").bound.raw.execute(REPLIES).fetchall())


def absent(host: Host, person: str, *, kind: str = "vacation", days: int = 5, delegate: str | None = None) -> None:
    host.actor("w").bound.raw.execute(
        "INSERT INTO absence(id, person_id, start_at, end_at, kind, note, delegate_id)"
        " SELECT coalesce(max(id), 0) + 1, ?, ?, ?, ?, '', ? FROM absence",
        (person, START - DAY, START - 9 * HOUR + days * DAY, kind, delegate),
    )


def test_a_mail_to_somebody_away_is_answered_in_its_thread(say: Say, host: Host) -> None:
    away(say)
    sent = say("users.messages.send", raw=eml(BO, "Plan"))
    settle(host)
    got = newest(say, "ada")
    assert [header(got, name) for name in ("From", "To", "Subject", "Auto-Submitted")] == [
        "Bo Lindqvist <bo@tiny.example>",
        "Ada Novak <ada@tiny.example>",
        "Re: Plan",
        "auto-replied",
    ]
    asked = newest(say, "bo")
    assert header(got, "In-Reply-To") == header(got, "References") == header(asked, "Message-ID") != ""
    assert got["snippet"] == "Back on Monday." and got["threadId"] == sent["threadId"]
    assert "messages" not in say("users.messages.list", "bo", labelIds=["SENT"])


def test_subject_and_sanitised_html_of_the_owners_choice(say: Say, host: Host) -> None:
    away(
        say,
        responseSubject=" Away:\n ",
        responseBodyHtml="<b>Gone</b><script>alert(1)</script>",
        responseBodyPlainText="",
    )
    assert say("users.settings.getVacation", "bo")["responseBodyHtml"] == "<b>Gone</b>"
    say("users.messages.send", raw=eml(BO, "Re: Plan"))
    settle(host)
    got = newest(say, "ada")
    assert header(got, "Subject") == "Away: Re: Plan"
    assert [part["mimeType"] for part in got["payload"]["parts"]] == ["text/plain", "text/html"] and got[
        "snippet"
    ] == "Gone"


def test_one_sender_is_answered_once_in_four_days_or_after_a_change(say: Say, host: Host) -> None:
    away(say)
    for number in range(5):
        say("users.messages.send", raw=eml(BO, f"Question {number}"))
    assert replies(host) == 1
    say("users.messages.send", "dee", raw=eml(BO))
    assert replies(host) == 2
    host.actor("w").advance(START + 3 * DAY)
    say("users.messages.send", raw=eml(BO, "After three days"))
    assert replies(host) == 2
    host.actor("w").advance(START + 5 * DAY)
    say("users.messages.send", raw=eml(BO, "After five days"))
    assert replies(host) == 3
    away(say)
    say("users.messages.send", raw=eml(BO, "Nothing was changed"))
    assert replies(host) == 3
    away(say, responseBodyPlainText="Back on Tuesday.")
    say("users.messages.send", raw=eml(BO, "A new text"))
    assert replies(host) == 4


@pytest.mark.parametrize(
    ("sender", "headers"),
    [
        ("zoe@acme.example", {"Auto-Submitted": "auto-replied"}),
        ("zoe@acme.example", {"Auto-Submitted": "auto-generated; why=who"}),
        ("zoe@acme.example", {"Precedence": "bulk"}),
        ("zoe@acme.example", {"Precedence": "list"}),
        ("zoe@acme.example", {"List-Id": "<talk.acme.example>"}),
        ("zoe@acme.example", {"List-Post": "<mailto:talk@acme.example>"}),
        ("zoe@acme.example", {"List-Unsubscribe": "<mailto:off@acme.example>"}),
        ("zoe@acme.example", {"Return-Path": "<>"}),
        ("zoe@acme.example", {"X-Auto-Response-Suppress": "All"}),
        ("mailer-daemon@acme.example", {}),
        ("MAILER-DAEMON@acme.example", {}),
        ("no-reply@acme.example", {}),
        ("noreply+x1@acme.example", {}),
        ("do_not_reply@acme.example", {}),
        ("talk-request@acme.example", {}),
        ("owner-talk@acme.example", {}),
        ("bounces+ada=x@acme.example", {}),
        (BO, {}),
        ("b.lindqvist@tiny.example", {}),
    ],
)
def test_what_no_person_wrote_is_not_answered(say: Say, host: Host, sender: str, headers: dict[str, str]) -> None:
    away(say)
    before = len(subjects(say, "bo"))
    deliver(host, sender=sender, headers=headers)
    assert len(subjects(say, "bo")) == before + 1
    assert host.actor("w").bound.raw.execute("SELECT count(*) FROM gmail_auto_reply").fetchone() == (0,)


def test_mail_from_outside_is_answered_to_outside(say: Say, host: Host) -> None:
    away(say)
    deliver(host)
    assert replies(host) == 1
    assert host.actor("w").bound.raw.execute("SELECT address FROM gmail_outbound").fetchall() == [("zoe@acme.example",)]


def test_only_mail_that_names_the_owner_is_answered(say: Say, host: Host) -> None:
    away(say)
    say("users.messages.send", raw=eml(ADA, Bcc=BO))
    say("users.messages.send", "dee", raw=eml("core@tiny.example"))
    assert len(subjects(say, "bo")) == 2 and replies(host) == 0
    say("users.messages.send", "eve", raw=eml(ADA, Cc="Bo <B.Lindqvist+x@tiny.example>"))
    assert replies(host) == 1


@pytest.mark.parametrize(
    ("limits", "answered"),
    [
        ({"restrictToDomain": True}, [ADA]),
        ({"restrictToContacts": True}, [ADA, "zoe@acme.example"]),
        ({}, [ADA, "stranger@far.example", "zoe@acme.example"]),
    ],
)
def test_the_owner_may_answer_only_colleagues_or_only_contacts(
    say: Say, host: Host, limits: dict[str, Any], answered: list[str]
) -> None:
    away(say, **limits)
    for sender in ("zoe@acme.example", "stranger@far.example"):
        deliver(host, sender=sender)
    say("users.messages.send", raw=eml(BO))
    say("users.settings.getImap")
    found = host.actor("w").bound.raw.execute("SELECT address FROM gmail_auto_reply ORDER BY address").fetchall()
    assert [address for (address,) in found] == answered


@pytest.mark.parametrize(
    ("start", "end", "answered"), [(1, 2, 0), (-2, -1, 0), (-1, 1, 1), (-1, None, 1), (None, 1, 1), (1, None, 0)]
)
def test_the_responder_keeps_to_its_time(
    say: Say, host: Host, start: int | None, end: int | None, answered: int
) -> None:
    times: dict[str, Any] = {
        name: (START + days * DAY) // 1000
        for name, days in (("startTime", start), ("endTime", end))
        if days is not None
    }
    away(say, **times)
    say("users.messages.send", raw=eml(BO))
    assert replies(host) == answered


def test_what_a_responder_may_not_be(say: Say, refused: Say) -> None:
    assert refused(UPDATE, enableAutoReply=True) == "vacation_text_missing"
    assert refused(UPDATE, enableAutoReply=True, responseBodyHtml="<script>x</script>") == "vacation_text_missing"
    assert refused(UPDATE, startTime="2000", endTime="2000") == "invalid_time_range"
    assert (
        refused(UPDATE, startTime=-1)
        == refused(UPDATE, startTime=10**16)
        == refused(UPDATE, startTime="soon")
        == "invalid_arguments"
    )
    assert say("users.settings.getVacation") == {
        "enableAutoReply": False,
        "restrictToContacts": False,
        "restrictToDomain": False,
    }
    kept = say(UPDATE, startTime="1000", endTime=2000, responseSubject="Away")
    assert (kept["startTime"], kept["endTime"], kept["enableAutoReply"]) == ("1000", "2000", False)
    assert say("users.settings.getVacation") == kept


def test_mail_in_spam_or_trash_is_not_answered(say: Say, host: Host) -> None:
    away(say)
    say("users.settings.filters.create", "bo", criteria={"from": "ada"}, action={"addLabelIds": ["TRASH"]})
    say("users.messages.send", raw=eml(BO))
    deliver(host, sender="win@prizes.example", headers={"Auto-Submitted": "auto-generated"})
    say("users.messages.modify", "bo", id=newest(say, "bo")["id"], addLabelIds=["SPAM"])
    deliver(host, sender="win@prizes.example", subject="You won")
    assert "SPAM" in newest(say, "bo")["labelIds"]
    assert host.actor("w").bound.raw.execute("SELECT count(*) FROM gmail_auto_reply").fetchone() == (0,)


@pytest.mark.parametrize(
    ("kind", "said"), [("vacation", "on vacation"), ("parental", "on parental leave"), ("sick", "out of the office")]
)
def test_whom_the_directory_has_as_away_answers_with_return_and_stand_in(
    say: Say, host: Host, kind: str, said: str
) -> None:
    absent(host, "p_bo", kind=kind, delegate="p_dee")
    say("users.messages.send", raw=eml(BO, "Plan"))
    settle(host)
    got = newest(say, "ada")
    assert header(got, "Subject") == "Out of office Re: Plan"
    assert (
        got["snippet"]
        == f"I am {said} and will be back on Saturday, 7 March 2026. In the meantime, please contact Dee Okafor"
        " (dee@tiny.example). Bo Lindqvist"
    )
    shown = say("users.settings.getVacation", "bo")
    assert shown["enableAutoReply"] and shown["endTime"] == str((START - 9 * HOUR + 5 * DAY) // 1000)


def test_an_own_responder_goes_before_the_directory(say: Say, host: Host) -> None:
    absent(host, "p_bo")
    away(say)
    say("users.messages.send", raw=eml(BO))
    settle(host)
    assert newest(say, "ada")["snippet"] == "Back on Monday."
    say(UPDATE, "bo", enableAutoReply=False)
    say("users.messages.send", "dee", raw=eml(BO))
    assert replies(host) == 1 and not say("users.settings.getVacation", "bo")["enableAutoReply"]
    away(say, endTime=(START - DAY) // 1000)
    say("users.messages.send", "eve", raw=eml(BO))
    settle(host)
    assert newest(say, "eve")["snippet"].startswith("I am on vacation")


def test_a_storm_between_people_who_are_all_away_stops_at_once(say: Say, host: Host) -> None:
    for id, *_ in PEOPLE:
        absent(host, id)
    for number in range(50):
        say("users.messages.send", raw=eml(f"{BO}, dee@tiny.example", f"Storm {number}"))
        say("users.messages.send", "bo", raw=eml(ADA, f"Counter {number}"))
    assert replies(host) == 3  # Bo's and Dee's to Ada, Ada's to Bo
    say("users.messages.send", "cyrus", raw=eml("core@tiny.example", "To all"))
    assert replies(host) == 3 and len(subjects(say, "eve")) == 1
    assert host.actor("w").bound.raw.execute("SELECT count(*) FROM _queue").fetchone() == (0,)
