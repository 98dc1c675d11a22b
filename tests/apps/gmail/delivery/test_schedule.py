"""Mail that is sent later."""

from typing import Any

import pytest

from apps.gmail import scheduled_send
from tests.apps.gmail.conftest import Say
from tests.apps.gmail.post import inbox, said, send, subjects
from tests.company import START
from world.run.host import Host

SOON = START // 1_000_000 + 3600


def planned(host: Host, **more: Any) -> Any:
    return said(
        host, "mail.schedule", **{"to": ["bo@tiny.example"], "subject": "Later", "text": "Now.", "sendAt": SOON, **more}
    )


def state(host: Host, sql: str) -> list[Any]:
    return host.actors["w"].bound.raw.execute(sql).fetchall()


def test_a_scheduled_mail_goes_out_at_its_time_as_a_mail_of_that_moment(host: Host) -> None:
    kept = planned(host)
    assert inbox(host, label="SENT") == [] and inbox(host, label="DRAFT") == []
    assert state(host, "SELECT label_id FROM gmail_message_label") == [("SCHEDULED",)]
    host.actors["w"].advance(SOON * 1_000_000 - 1)
    assert inbox(host, "bo") == []
    host.actors["w"].advance(SOON * 1_000_000)
    (got,), (sent,) = inbox(host, "bo"), inbox(host, label="SENT")
    assert [h["value"] for h in got["payload"]["headers"] if h["name"] == "Date"] == ["Mon, 02 Mar 2026 10:00:00 +0100"]
    assert int(sent["internalDate"]) == SOON * 1000 and sent["id"] != kept["messageId"]
    assert state(host, "SELECT count(*) FROM gmail_draft") == [(0,)]


def test_it_answers_in_the_thread_it_was_written_in(host: Host) -> None:
    first = send(host, "bo@tiny.example", "Plan")
    planned(host, inReplyTo=first["id"], mode="reply", to=[], subject="")
    host.actors["w"].advance(SOON * 1_000_000)
    assert {one["threadId"] for one in inbox(host, label="SENT")} == {first["threadId"]}


def test_an_unscheduled_mail_is_a_draft_and_stays_here(host: Host, refused: Say) -> None:
    kept = planned(host)
    assert said(host, "mail.unschedule", id=kept["messageId"])["id"] == kept["id"]
    assert [one["id"] for one in inbox(host, label="DRAFT")] == [kept["messageId"]]
    host.actors["w"].advance((SOON + 60) * 1_000_000)
    assert inbox(host, "bo") == [] and len(inbox(host, label="DRAFT")) == 1
    assert refused("mail.unschedule", id=kept["id"]) == "not_scheduled"


def test_a_draft_is_scheduled_and_scheduled_again(host: Host) -> None:
    draft = said(host, "mail.saveDraft", to=["bo@tiny.example"], subject="Draft", text="x")
    once = planned(host, draftId=draft["id"])
    again = planned(host, draftId=draft["id"], sendAt=SOON + 3600, text="changed")
    assert once["id"] == again["id"] == draft["id"]
    host.actors["w"].advance((SOON + 7200) * 1_000_000)
    assert [one["snippet"] for one in inbox(host, "bo")] == ["changed"]


def test_a_scheduled_mail_that_was_thrown_away_does_not_go_out(host: Host) -> None:
    planned(host)
    (id,) = state(host, "SELECT id FROM gmail_message")[0]
    said(host, "users.messages.delete", id=id)
    host.actors["w"].advance(SOON * 1_000_000)
    assert inbox(host, "bo") == []


def test_nothing_goes_out_for_who_has_left(host: Host) -> None:
    planned(host)
    state(host, "UPDATE person SET status = 'left' WHERE id = 'p_ada'")
    host.actors["w"].advance(SOON * 1_000_000)
    assert subjects(host, "bo") == []


def test_what_cannot_be_scheduled_is_refused_and_leaves_nothing(
    host: Host, refused: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = {"to": ["bo@tiny.example"], "text": "x"}
    assert refused("mail.schedule", **mail, sendAt=START // 1_000_000) == "time_in_past"
    assert refused("mail.schedule", **mail, sendAt=2**50) == "time_too_far"
    assert refused("mail.schedule", text="x", sendAt=SOON) == "recipient_required"
    assert state(host, "SELECT count(*) FROM gmail_draft") == [(0,)] and scheduled_send.MOST == 100
    monkeypatch.setattr(scheduled_send, "MOST", 2)
    for _ in range(2):
        planned(host)
    assert refused("mail.schedule", **mail, sendAt=SOON) == "too_many_scheduled"
    assert refused("mail.unschedule", id="r1") == "not_found"
    assert refused("mail.unschedule", "bo", id=said(host, "mail.saveDraft", text="x")["id"]) == "not_found"
