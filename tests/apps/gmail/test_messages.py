"""Mail from one person to another, as both find it."""

from base64 import urlsafe_b64decode, urlsafe_b64encode

import pytest

from tests.apps.gmail.conftest import Say, eml

BO = "bo@tiny.example"
WITH_FILE = urlsafe_b64encode(
    b"To: bo@tiny.example\r\nSubject: Figures\r\nContent-Type: multipart/mixed;"
    b' boundary="next"\r\n\r\n--next\r\n\r\nHere they are.\r\n--next\r\nContent-Type: application/pdf;'
    b' name="a.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0=\r\n--next--\r\n'
).decode()


def test_a_mail_is_sent_once_and_arrives_unread_in_the_inbox(say: Say) -> None:
    sent = say("users.messages.send", raw=eml("bo@tiny.example"))
    assert sent["labelIds"] == ["SENT"] and sent["threadId"] == sent["id"]
    (listed,) = say("users.messages.list", "bo")["messages"]
    assert listed["id"] != sent["id"]
    got = say("users.messages.get", "bo", id=listed["id"])
    assert set(got["labelIds"]) == {"INBOX", "UNREAD", "IMPORTANT", "CATEGORY_PERSONAL"}
    assert [
        (h["name"], h["value"])
        for h in got["payload"]["headers"]
        if h["name"] in ("From", "To", "Subject", "Delivered-To")
    ] == [
        ("Delivered-To", "bo@tiny.example"),
        ("From", "Ada Novak <ada@tiny.example>"),
        ("To", "bo@tiny.example"),
        ("Subject", "Hello"),
    ]


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


def arrived(say: Say, raw: str) -> str:
    """The id, in Bo's mailbox, of a mail from Ada."""
    say("users.messages.send", raw=raw)
    return say("users.messages.list", "bo")["messages"][0]["id"]


def test_a_file_is_downloaded_by_the_id_the_message_gives(say: Say) -> None:
    id = arrived(say, WITH_FILE)
    text, file = say("users.messages.get", "bo", id=id)["payload"]["parts"]
    assert urlsafe_b64decode(text["body"]["data"]) == b"Here they are." and set(file["body"]) == {
        "attachmentId",
        "size",
    }
    got = say("users.messages.attachments.get", "bo", messageId=id, id=file["body"]["attachmentId"])
    assert got == {"size": 5, "data": "JVBERi0="} and file["body"]["size"] == 5


def test_a_file_is_found_under_its_own_message_only(say: Say, refused: Say) -> None:
    id, other = arrived(say, WITH_FILE), arrived(say, WITH_FILE)
    file = say("users.messages.get", "bo", id=id)["payload"]["parts"][1]["body"]["attachmentId"]
    assert refused("users.messages.attachments.get", "bo", messageId=other, id=file) == "invalid_attachment_token"
    assert refused("users.messages.attachments.get", "bo", messageId=id, id="nothing") == "invalid_attachment_token"
    assert refused("users.messages.attachments.get", "cyrus", messageId=id, id=file) == "not_found"
    for bad in ("", "x" * 10_000, "\x00"):
        assert refused("users.messages.attachments.get", "bo", messageId=id, id=bad) == "invalid_arguments"
        assert refused("users.messages.attachments.get", "bo", messageId=bad, id=file) == "invalid_arguments"


def test_the_profile_tells_whose_mailbox_it_is_and_how_much_is_in_it(say: Say) -> None:
    assert say("users.getProfile") == {
        "emailAddress": "ada@tiny.example",
        "messagesTotal": 0,
        "threadsTotal": 0,
        "historyId": "1000",
    }
    say("users.messages.send", raw=eml("ada@tiny.example"))
    id = say("users.messages.send", raw=eml(BO))["id"]
    say("users.messages.trash", id=id)
    got = say("users.getProfile", userId="ADA@tiny.example")
    assert (got["messagesTotal"], got["threadsTotal"]) == (2, 2) and int(got["historyId"]) > 1000


@pytest.mark.parametrize("user", ["bo@tiny.example", "nobody@tiny.example", "", "ME", "p_ada", "me "])
def test_nobody_opens_another_mailbox(refused: Say, user: str) -> None:
    for operation in (
        "users.getProfile",
        "users.messages.list",
        "users.labels.list",
        "users.drafts.list",
        "users.threads.list",
        "users.stop",
    ):
        assert refused(operation, userId=user) == "delegation_denied", operation


@pytest.mark.parametrize("label", ["inbox", "", "^i", "Label_1", "a/b", "SNOOZED", "x" * 1000])
def test_a_list_by_a_label_that_is_not_there_is_refused(say: Say, refused: Say, label: str) -> None:
    say("users.labels.create", "bo", name="a/b")
    for operation in ("users.messages.list", "users.threads.list"):
        assert refused(operation, labelIds=["INBOX", label]) == "invalid_label", operation


def test_pages_hold_every_message_once_while_mail_comes_in(say: Say, refused: Say) -> None:
    ids = [arrived(say, eml(BO, subject)) for subject in ("A", "B", "C")][::-1]
    page = say("users.messages.list", "bo", maxResults=2)
    arrived(say, eml(BO, "New"))
    rest = say("users.messages.list", "bo", maxResults=2, pageToken=page["nextPageToken"])
    assert [one["id"] for one in (*page["messages"], *rest["messages"])] == ids and "nextPageToken" not in rest
    assert refused("users.messages.list", pageToken=page["nextPageToken"]) == "invalid_page_token"
    assert say("users.messages.list", "bo", maxResults=0) == say("users.messages.list", "bo")
    assert refused("users.messages.list", maxResults=2**31) == "invalid_arguments"
