"""Drafts: written, replaced, sent, thrown away."""

from typing import Any

import pytest

from tests.apps.gmail.conftest import Say, eml
from world.run.host import Host

BO = "bo@tiny.example"


def draft(say: Say, subject: str = "Hello", to: str = BO, **more: Any) -> dict[str, Any]:
    """A new draft of Ada's."""
    return say("users.drafts.create", message={"raw": eml(to, subject), **more})


def headers(say: Say, id: str, who: str = "ada") -> dict[str, str]:
    """The headers of a message."""
    return {one["name"]: one["value"] for one in say("users.messages.get", who, id=id)["payload"]["headers"]}


def kept(host: Host) -> tuple[int, ...]:
    """How many drafts, messages and mails there are."""
    raw = host.actor("w").bound.raw
    return tuple(
        raw.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        for table in ("gmail_draft", "gmail_message", "gmail_mail")
    )


def test_a_draft_is_a_message_of_its_own_under_drafts_only(say: Say) -> None:
    made = draft(say)
    assert made["id"].startswith("r") and made["id"] != made["message"]["id"]
    assert made["message"] == {"id": made["message"]["id"], "threadId": made["message"]["id"], "labelIds": ["DRAFT"]}
    got = say("users.drafts.get", id=made["id"])
    assert got["id"] == made["id"] and got["message"] == say("users.messages.get", id=made["message"]["id"])
    assert set(headers(say, made["message"]["id"])) >= {"From", "To", "Subject", "Date", "Message-ID"}
    assert say("users.drafts.list") == {
        "drafts": [{"id": made["id"], "message": {"id": made["message"]["id"], "threadId": made["message"]["id"]}}],
        "resultSizeEstimate": 1,
    }
    assert "messages" not in say("users.messages.list", "bo")


@pytest.mark.parametrize("shape", ["minimal", "full", "raw", "metadata"])
def test_a_draft_is_read_in_every_format(say: Say, shape: str) -> None:
    made = draft(say)
    got = say("users.drafts.get", id=made["id"], format=shape)["message"]
    assert got == say("users.messages.get", id=made["message"]["id"], format=shape)


def test_an_update_keeps_the_draft_and_its_thread_and_changes_the_message(say: Say, refused: Say, host: Host) -> None:
    made = draft(say, "First")
    again = say("users.drafts.update", id=made["id"], message={"raw": eml(BO, "Second")})
    assert again["id"] == made["id"] and again["message"]["id"] != made["message"]["id"]
    assert again["message"]["threadId"] == made["message"]["threadId"]
    assert refused("users.messages.get", id=made["message"]["id"]) == "not_found"
    assert headers(say, again["message"]["id"])["Subject"] == "Second"
    assert [one["message"]["id"] for one in say("users.drafts.list")["drafts"]] == [again["message"]["id"]]
    assert kept(host) == (1, 1, 0)


def test_a_draft_joins_the_thread_it_answers_only_if_it_fits(say: Say, refused: Say) -> None:
    first = say("users.messages.insert", raw=eml(BO, "Plan", Message_ID="<a@tiny.example>"))["id"]
    answer = eml(BO, "Re: Plan", In_Reply_To="<a@tiny.example>")
    assert say("users.drafts.create", message={"raw": answer, "threadId": first})["message"]["threadId"] == first
    for raw, thread in (
        (answer, None),
        (eml(BO, "Re: Plan"), first),
        (eml(BO, "Other", In_Reply_To="<a@tiny.example>"), first),
    ):
        made = say("users.drafts.create", message={"raw": raw} | ({"threadId": thread} if thread else {}))["message"]
        assert made["threadId"] == made["id"]
    assert refused("users.drafts.create", message={"raw": answer, "threadId": "0" * 16}) == "not_found"
    assert refused("users.drafts.create", "bo", message={"raw": answer, "threadId": first}) == "not_found"


def test_an_update_moves_a_draft_to_the_thread_it_answers_now(say: Say) -> None:
    first = say("users.messages.insert", raw=eml(BO, "Plan", Message_ID="<a@tiny.example>"))["id"]
    made = draft(say)
    moved = say(
        "users.drafts.update",
        id=made["id"],
        message={"raw": eml(BO, "Re: Plan", In_Reply_To="<a@tiny.example>"), "threadId": first},
    )
    assert moved["message"]["threadId"] == first
    assert len(say("users.threads.get", id=first)["messages"]) == 2
    left = say("users.drafts.update", id=made["id"], message={"raw": eml(BO, "Something else")})
    assert left["message"]["threadId"] == left["message"]["id"]
    assert len(say("users.threads.get", id=first)["messages"]) == 1


def test_a_sent_draft_is_gone_and_its_mail_arrives(say: Say, refused: Say, host: Host) -> None:
    made = draft(say, "Minutes")
    named = headers(say, made["message"]["id"])["Message-ID"]
    sent = say("users.drafts.send", id=made["id"])
    assert (
        sent["labelIds"] == ["SENT"]
        and sent["id"] != made["message"]["id"]
        and sent["threadId"] == made["message"]["threadId"]
    )
    assert refused("users.drafts.get", id=made["id"]) == refused("users.drafts.send", id=made["id"]) == "not_found"
    (got,) = say("users.messages.list", "bo")["messages"]
    there = headers(say, got["id"], "bo")
    assert (there["Subject"], there["Message-ID"]) == ("Minutes", named)
    assert kept(host) == (0, 2, 1)


def test_a_draft_is_dated_when_it_is_sent(say: Say, host: Host) -> None:
    made = draft(say)
    host.actor("w").advance(host.actor("w").now + 86_400_000_000)
    sent = say("users.drafts.send", id=made["id"])
    assert headers(say, sent["id"])["Date"].startswith("Tue, 03 Mar 2026")


def test_another_mail_may_be_sent_in_a_drafts_place(say: Say, host: Host) -> None:
    made = draft(say, "First", to="cyrus@tiny.example")
    sent = say("users.drafts.send", id=made["id"], message={"raw": eml(BO, "Second")})
    assert headers(say, sent["id"])["Subject"] == "Second"
    assert len(say("users.messages.list", "bo")["messages"]) == 1 and "messages" not in say(
        "users.messages.list", "cyrus"
    )
    assert kept(host) == (0, 2, 1)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (eml(""), "recipient_required"),
        (eml("no address"), "invalid_to_header"),
        ("!", "invalid_raw"),
    ],
)
def test_a_draft_that_cannot_be_sent_stays(say: Say, refused: Say, host: Host, raw: str, code: str) -> None:
    made = draft(say)
    assert refused("users.drafts.send", id=made["id"], message={"raw": raw}) == code
    assert say("users.drafts.get", id=made["id"])["message"]["id"] == made["message"]["id"]
    empty = draft(say, to="")
    assert refused("users.drafts.send", id=empty["id"]) == "recipient_required"
    assert kept(host) == (2, 2, 0)


def test_a_deleted_draft_is_gone_not_in_the_trash(say: Say, refused: Say, host: Host) -> None:
    made = draft(say)
    assert say("users.drafts.delete", id=made["id"]) is None
    assert (
        refused("users.drafts.delete", id=made["id"])
        == refused("users.messages.get", id=made["message"]["id"])
        == "not_found"
    )
    assert say("users.drafts.list", includeSpamTrash=True) == {"resultSizeEstimate": 0}
    assert kept(host) == (0, 0, 0)


def test_a_draft_in_the_trash_is_listed_only_when_asked_for(say: Say) -> None:
    made = draft(say)
    assert say("users.messages.trash", id=made["message"]["id"])["labelIds"] == ["TRASH", "DRAFT"]
    assert say("users.drafts.list") == {"resultSizeEstimate": 0}
    assert [one["id"] for one in say("users.drafts.list", includeSpamTrash=True)["drafts"]] == [made["id"]]
    assert say("users.messages.untrash", id=made["message"]["id"])["labelIds"] == ["DRAFT"]


def test_a_scheduled_mail_does_not_go_out_from_the_trash(say: Say, host: Host) -> None:
    actor = host.actor("w")
    at = actor.now // 1_000_000 + 3600
    planned = say("mail.schedule", to=[BO], subject="Later", text="Now.", sendAt=at)
    assert say("users.drafts.list") == {"resultSizeEstimate": 0}
    say("users.messages.trash", id=planned["messageId"])
    actor.advance((at + 60) * 1_000_000)
    assert "messages" not in say("users.messages.list", "bo")
    assert [one["id"] for one in say("users.drafts.list", includeSpamTrash=True)["drafts"]] == [planned["id"]]


def test_a_scheduled_mail_is_not_replaced_but_may_be_sent_or_deleted_before_its_time(
    say: Say, refused: Say, host: Host
) -> None:
    actor = host.actor("w")
    at = actor.now // 1_000_000 + 3600
    one, two = (
        say("mail.schedule", to=[BO], subject=subject, text="Now.", sendAt=at)["id"] for subject in ("One", "Two")
    )
    assert refused("users.drafts.update", id=one, message={"raw": eml(BO)}) == "already_scheduled"
    say("users.drafts.send", id=one)
    say("users.drafts.delete", id=two)
    actor.advance((at + 60) * 1_000_000)
    assert len(say("users.messages.list", "bo")["messages"]) == 1
    assert kept(host) == (0, 2, 1)


def test_pages_hold_every_draft_once(say: Say) -> None:
    ids = [draft(say, subject)["id"] for subject in ("A", "B", "C")][::-1]
    page = say("users.drafts.list", maxResults=2)
    draft(say, "New")
    rest = say("users.drafts.list", maxResults=2, pageToken=page["nextPageToken"])
    assert [one["id"] for one in (*page["drafts"], *rest["drafts"])] == ids and "nextPageToken" not in rest


def test_drafts_are_found_by_their_words(say: Say) -> None:
    wanted = draft(say, "Quarterly figures")
    draft(say, "Lunch")
    assert [one["id"] for one in say("users.drafts.list", q="subject:figures")["drafts"]] == [wanted["id"]]
    say("users.drafts.update", id=wanted["id"], message={"raw": eml(BO, "Other")})
    assert say("users.drafts.list", q="subject:figures") == {"resultSizeEstimate": 0}


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (None, "draft_message_missing"),
        ({}, "raw_missing"),
        ({"raw": "%"}, "invalid_raw"),
        ({"raw": "ü"}, "invalid_raw"),
        ({"raw": eml(BO), "threadId": "x" * 10_000}, "invalid_arguments"),
        ("text", "invalid_arguments"),
        ({"raw": 7}, "invalid_arguments"),
    ],
)
def test_what_no_draft_is_made_of_leaves_nothing(say: Say, refused: Say, host: Host, message: Any, code: str) -> None:
    assert refused("users.drafts.create", message=message) == code
    assert kept(host) == (0, 0, 0)
    made = draft(say)
    assert refused("users.drafts.update", id=made["id"], message=message) == code
    assert say("users.drafts.get", id=made["id"])["message"]["id"] == made["message"]["id"]


def test_drafts_of_others_and_of_nobody_are_not_found(say: Say, refused: Say) -> None:
    made = draft(say)
    for operation, more in (("get", {}), ("delete", {}), ("send", {}), ("update", {"message": {"raw": eml(BO)}})):
        for who, id in (("bo", made["id"]), ("ada", made["message"]["id"]), ("ada", "r1"), ("ada", "'")):
            assert refused(f"users.drafts.{operation}", who, id=id, **more) == "not_found"
        for id in ("", "r" * 10_000, "r\x00"):
            assert refused(f"users.drafts.{operation}", id=id, **more) == "invalid_arguments"
    assert [one["id"] for one in say("users.drafts.list")["drafts"]] == [made["id"]]
