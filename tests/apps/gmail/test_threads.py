"""Threads: listed, read, changed as a whole."""

from typing import Any

import orjson
import pytest

from tests.apps.gmail.conftest import Say, eml
from tests.apps.gmail.test_compose import header
from world.run.host import Host

BO = "bo@tiny.example"


def conversation(say: Say, subject: str = "Plan") -> list[str]:
    """The ids, in Ada's mailbox, of a mail and an answer to it."""
    mail = eml(BO, subject, "The plan & the rest.", Message_ID=f"<{subject}@tiny.example>")
    first = say("users.messages.insert", raw=mail, labelIds=["INBOX", "UNREAD"])
    answer = eml(BO, f"Re: {subject}", "Agreed.", In_Reply_To=f"<{subject}@tiny.example>")
    return [first["id"], say("users.messages.insert", raw=answer, threadId=first["id"], labelIds=["INBOX"])["id"]]


def labels(say: Say, id: str) -> list[set[str]]:
    """The labels of each message of a thread of Ada's."""
    return [set(one.get("labelIds", [])) for one in say("users.threads.get", id=id, format="minimal")["messages"]]


def test_a_list_tells_of_threads_by_their_latest_message(say: Say) -> None:
    one, two = conversation(say, "One"), conversation(say, "Two")
    late = say(
        "users.messages.insert",
        raw=eml(BO, "Re: One", "Late & last.", In_Reply_To="<One@tiny.example>"),
        threadId=one[0],
    )
    listed = say("users.threads.list")
    assert [thread["id"] for thread in listed["threads"]] == [one[0], two[0]]
    assert listed["threads"][0] == {
        "id": one[0],
        "snippet": "Late &amp; last.",
        "historyId": say("users.messages.get", id=late["id"])["historyId"],
    }
    assert listed["resultSizeEstimate"] == 2 and "nextPageToken" not in listed


def test_without_threads_there_is_no_list(say: Say) -> None:
    assert say("users.threads.list") == {"resultSizeEstimate": 0}


def test_pages_hold_every_thread_once_while_mail_comes_in(say: Say, refused: Say) -> None:
    ids = [conversation(say, subject)[0] for subject in ("A", "B", "C")][::-1]
    page = say("users.threads.list", maxResults=2)
    assert [one["id"] for one in page["threads"]] == ids[:2]
    conversation(say, "New")
    rest = say("users.threads.list", maxResults=2, pageToken=page["nextPageToken"])
    assert [one["id"] for one in rest["threads"]] == ids[2:] and "nextPageToken" not in rest
    for token in (page["nextPageToken"][:-2], "x", "\u00e9", page["nextPageToken"] + "A"):
        assert refused("users.threads.list", pageToken=token) == "invalid_page_token"
    assert refused("users.messages.list", pageToken=page["nextPageToken"]) == "invalid_page_token"
    assert refused("users.threads.list", "bo", pageToken=page["nextPageToken"]) == "invalid_page_token"
    assert refused("users.threads.list", pageToken="x" * 10_000) == "invalid_arguments"


def test_a_search_finds_the_whole_thread_of_a_message(say: Say) -> None:
    first, second = conversation(say)
    conversation(say, "Other")
    say("users.messages.modify", id=second, addLabelIds=["STARRED"])
    (found,) = say("users.threads.list", labelIds=["STARRED"])["threads"]
    assert [one["id"] for one in say("users.threads.get", id=found["id"])["messages"]] == [first, second]


def test_a_thread_has_its_messages_in_order_those_in_the_trash_too(say: Say) -> None:
    first, second = conversation(say)
    say("users.messages.trash", id=first)
    got = say("users.threads.get", id=first)
    assert [one["id"] for one in got["messages"]] == [first, second]
    assert got["historyId"] == max((one["historyId"] for one in got["messages"]), key=int)
    assert set(got) == {"id", "historyId", "messages"} and got["messages"][1]["payload"]["mimeType"] == "text/plain"
    plain = say("users.threads.get", id=first, format="metadata", metadataHeaders=["Subject"])["messages"][1]
    assert plain["payload"]["headers"] == [{"name": "Subject", "value": "Re: Plan"}]


def test_a_change_reaches_all_messages_of_the_thread(say: Say) -> None:
    first, second = conversation(say)
    done = say("users.threads.modify", id=first, addLabelIds=["STARRED"], removeLabelIds=["UNREAD", "INBOX"])
    assert [one["id"] for one in done["messages"]] == [first, second]
    assert [set(one["labelIds"]) for one in done["messages"]] == labels(say, first) == [{"STARRED"}, {"STARRED"}]


def test_a_thread_goes_to_the_trash_and_back_but_not_to_the_inbox(say: Say) -> None:
    first, _ = conversation(say)
    say("users.threads.trash", id=first)
    assert labels(say, first) == [{"UNREAD", "TRASH"}, {"TRASH"}]
    assert say("users.threads.list") == {"resultSizeEstimate": 0}
    assert [one["id"] for one in say("users.threads.list", includeSpamTrash=True)["threads"]] == [first]
    say("users.threads.untrash", id=first)
    assert labels(say, first) == [{"UNREAD"}, set()]


def test_drafts_in_a_thread_take_no_label_but_go_to_the_trash_with_it(say: Say, refused: Say) -> None:
    first, _ = conversation(say)
    raw = eml(BO, "Re: Plan", In_Reply_To="<Plan@tiny.example>")
    draft = say("users.drafts.create", message={"raw": raw, "threadId": first})
    assert draft["message"]["threadId"] == first
    say("users.threads.modify", id=first, addLabelIds=["STARRED"])
    assert labels(say, first)[2] == {"DRAFT"}
    assert (
        refused("users.messages.modify", id=draft["message"]["id"], addLabelIds=["TRASH", "STARRED"]) == "invalid_label"
    )
    say("users.threads.trash", id=first)
    assert labels(say, first)[2] == {"DRAFT", "TRASH"}


def test_a_deleted_thread_is_gone_with_its_messages_and_drafts(say: Say, refused: Say) -> None:
    first, second = conversation(say)
    raw = eml(BO, "Re: Plan", In_Reply_To="<Plan@tiny.example>")
    draft = say("users.drafts.create", message={"raw": raw, "threadId": first})
    assert say("users.threads.delete", id=first) is None
    for operation, id in (("threads", first), ("messages", first), ("messages", second), ("drafts", draft["id"])):
        assert refused(f"users.{operation}.get", id=id) == "not_found", operation
    assert say("users.getProfile")["messagesTotal"] == 0


@pytest.mark.parametrize(
    ("operation", "more"),
    [
        ("get", {}),
        ("modify", {"addLabelIds": ["STARRED"]}),
        ("trash", {}),
        ("untrash", {}),
        ("delete", {}),
    ],
)
def test_threads_of_others_and_of_nobody_are_not_found(
    say: Say, refused: Say, operation: str, more: dict[str, Any]
) -> None:
    first, second = conversation(say)
    for who, id in (("bo", first), ("ada", second), ("ada", "0" * 16), ("ada", "'"), ("ada", "../x")):
        assert refused(f"users.threads.{operation}", who, id=id, **more) == "not_found"
    for id in ("", "x" * 10_000, "\x00"):
        assert refused(f"users.threads.{operation}", id=id, **more) == "invalid_arguments"
    assert labels(say, first) == [{"INBOX", "UNREAD"}, {"INBOX"}]


def test_an_answer_goes_back_to_the_whole_conversation_whatever_its_headers_name(say: Say, host: Host) -> None:
    def send(text: str, who: str, to: str, **headers: str) -> str:
        id = say("users.messages.send", who, raw=eml(to, "Plan", text, **headers))["id"]
        return header(say("users.messages.get", who, id=id), "Message-ID")

    first = send("The plan?", "ada", BO)
    second = send("Soon.", "bo", "ada@tiny.example", In_Reply_To=first)
    send("Here it is.", "ada", BO, In_Reply_To=second)
    rows = (
        host.actors["w"].bound.raw.execute("SELECT answers FROM gmail_mail WHERE text LIKE 'Here it is.%'").fetchall()
    )
    assert [orjson.loads(chain) for (chain,) in rows] == [[first, second]]
