"""Threads that leave the inbox for a while."""

from tests.apps.gmail.conftest import Play, Say
from tests.apps.gmail.post import headers, inbox, pass_time, said, send, subjects
from tests.company import START, as_person
from world.run.host import Host

SOON = START // 1_000_000 + 3600


def labels(host: Host, id: str, who: str = "bo") -> set[str]:
    return {
        row[0]
        for row in host.actors["w"].bound.raw.execute(
            "SELECT label_id FROM gmail_message_label WHERE message_id = ?", (id,)
        )
    }


def read_mail(host: Host, subject: str = "Plan") -> dict[str, str]:
    """A mail in Bo's inbox that he has read."""
    send(host, "bo@tiny.example", subject)
    got = inbox(host, "bo")[0]
    said(host, "users.messages.modify", "bo", id=got["id"], removeLabelIds=["UNREAD"])
    return got


def test_a_snoozed_thread_leaves_the_inbox_and_comes_back_unread_at_its_time(host: Host) -> None:
    got = read_mail(host)
    assert said(host, "mail.snooze", "bo", ids=[got["threadId"]], until=SOON) == {"ids": [got["threadId"]]}
    assert inbox(host, "bo") == [] and "SNOOZED" in labels(host, got["id"])
    host.actors["w"].advance(SOON * 1_000_000 - 1)
    assert inbox(host, "bo") == []
    host.actors["w"].advance(SOON * 1_000_000)
    (back,) = inbox(host, "bo")
    assert "UNREAD" in back["labelIds"] and back["internalDate"] == got["internalDate"]
    assert "SNOOZED" not in labels(host, got["id"])
    assert host.actors["w"].bound.raw.execute("SELECT count(*) FROM gmail_snooze").fetchall() == [(0,)]


def test_only_the_last_message_comes_back_unread(host: Host) -> None:
    got = read_mail(host)
    send(host, "bo@tiny.example", "Re: Plan", In_Reply_To=headers(got)["Message-ID"])
    said(host, "users.threads.modify", "bo", id=got["threadId"], removeLabelIds=["UNREAD"])
    said(host, "mail.snooze", "bo", ids=[got["threadId"]], until=SOON)
    host.actors["w"].advance(SOON * 1_000_000)
    assert ["UNREAD" in one["labelIds"] for one in inbox(host, "bo")] == [True, False]


def test_who_waits_is_woken_by_a_snoozed_mail(play: Play) -> None:
    host = play()
    got = read_mail(host)
    said(host, "mail.snooze", "bo", ids=[got["threadId"]], until=SOON)
    waited = host.call(as_person(host, "bo"), "rest", "world.wait", {"seconds": 7200})
    assert waited["happened"] == ["Snoozed mail is back: Plan"]


def test_unsnoozing_brings_it_back_as_it_was_and_nothing_more_happens(play: Play) -> None:
    host = play()
    got = read_mail(host)
    said(host, "mail.snooze", "bo", ids=[got["threadId"]], until=SOON)
    said(host, "mail.unsnooze", "bo", ids=[got["threadId"]])
    assert [one["id"] for one in inbox(host, "bo")] == [got["id"]] and "UNREAD" not in inbox(host, "bo")[0]["labelIds"]
    said(host, "users.messages.modify", "bo", id=got["id"], removeLabelIds=["INBOX"])
    assert host.call(as_person(host, "bo"), "rest", "world.wait", {"seconds": 7200})["happened"] == []
    assert inbox(host, "bo") == []


def test_a_new_mail_in_a_snoozed_thread_brings_it_back_at_once(host: Host) -> None:
    got = read_mail(host)
    said(host, "mail.snooze", "bo", ids=[got["threadId"]], until=SOON)
    send(host, "bo@tiny.example", "Re: Plan", In_Reply_To=headers(got)["Message-ID"])
    assert subjects(host, "bo") == ["Re: Plan", "Plan"] and "SNOOZED" not in labels(host, got["id"])
    said(host, "users.threads.modify", "bo", id=got["threadId"], removeLabelIds=["INBOX"])
    host.actors["w"].advance(SOON * 1_000_000)
    assert inbox(host, "bo") == []


def test_snoozing_again_moves_the_time(host: Host) -> None:
    got = read_mail(host)
    said(host, "mail.snooze", "bo", ids=[got["threadId"]], until=SOON)
    said(host, "mail.snooze", "bo", ids=[got["threadId"]], until=SOON + 3600)
    host.actors["w"].advance(SOON * 1_000_000)
    assert inbox(host, "bo") == []
    host.actors["w"].advance((SOON + 3600) * 1_000_000)
    assert subjects(host, "bo") == ["Plan"]


def test_what_went_to_the_trash_stays_there(host: Host) -> None:
    got = read_mail(host)
    said(host, "mail.snooze", "bo", ids=[got["threadId"]], until=SOON)
    said(host, "users.messages.trash", "bo", id=got["id"])
    host.actors["w"].advance(SOON * 1_000_000)
    assert inbox(host, "bo") == [] and labels(host, got["id"]).isdisjoint({"INBOX", "SNOOZED"})


def test_what_cannot_be_snoozed_is_refused_and_changes_nothing(host: Host, refused: Say) -> None:
    got = read_mail(host)
    assert refused("mail.snooze", "bo", ids=[got["threadId"]], until=START // 1_000_000) == "time_in_past"
    assert refused("mail.snooze", "bo", ids=[got["threadId"]], until=2**62) == "time_too_far"
    assert refused("mail.snooze", "bo", ids=[got["threadId"], "ffff000011112222"], until=SOON) == "not_found"
    assert refused("mail.snooze", ids=[got["threadId"]], until=SOON) == "not_found"
    assert refused("mail.snooze", "bo", ids=[], until=SOON) == "invalid_arguments"
    assert subjects(host, "bo") == ["Plan"]
    pass_time(host, 7200)
    assert "UNREAD" not in inbox(host, "bo")[0]["labelIds"]
