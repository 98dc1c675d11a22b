"""Mail from one person to another, as both find it."""

from tests.apps.gmail.conftest import Say, eml


def test_a_mail_is_sent_once_and_arrives_unread_in_the_inbox(say: Say) -> None:
    sent = say("users.messages.send", raw=eml("bo@tiny.example"))
    assert sent["labelIds"] == ["SENT"] and sent["threadId"] == sent["id"]
    (listed,) = say("users.messages.list", "bo")["messages"]
    assert listed["id"] != sent["id"]
    got = say("users.messages.get", "bo", id=listed["id"])
    assert set(got["labelIds"]) == {"INBOX", "UNREAD", "IMPORTANT", "CATEGORY_PERSONAL"}
    assert [(h["name"], h["value"]) for h in got["payload"]["headers"] if h["name"] in ("From", "To", "Subject", "Delivered-To")] == [
        ("Delivered-To", "bo@tiny.example"), ("From", "Ada Novak <ada@tiny.example>"), ("To", "bo@tiny.example"), ("Subject", "Hello"),
    ]  # fmt: skip


def test_an_answer_joins_the_thread_at_both_ends(say: Say) -> None:
    first = say("users.messages.send", raw=eml("bo@tiny.example", "Plan"))
    (got,) = say("users.messages.list", "bo")["messages"]
    headers = {h["name"]: h["value"] for h in say("users.messages.get", "bo", id=got["id"])["payload"]["headers"]}
    again = eml("ada@tiny.example", "Re: Plan", In_Reply_To=headers["Message-ID"])
    reply = say("users.messages.send", "bo", raw=again, threadId=got["threadId"])
    assert reply["threadId"] == got["threadId"]
    newest = say("users.messages.list")["messages"][0]
    assert newest["threadId"] == first["threadId"] and newest["id"] != first["id"]


def test_a_list_reaches_everybody_on_it_and_the_sender_once(say: Say) -> None:
    sent = say("users.messages.send", raw=eml("core@tiny.example"))
    for who in ("bo", "cyrus", "dee", "eve"):
        assert len(say("users.messages.list", who)["messages"]) == 1, who
    assert [m["id"] for m in say("users.messages.list")["messages"]] == [sent["id"]]
    assert {"SENT", "INBOX", "UNREAD"} <= set(say("users.messages.get", id=sent["id"], format="minimal")["labelIds"])
