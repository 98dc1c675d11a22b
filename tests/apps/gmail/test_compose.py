"""Mail as the browser client writes it: sent, answered, forwarded, kept as a draft."""

from base64 import b64encode, urlsafe_b64decode
from typing import Any

import pytest

from tests.apps.gmail.conftest import Say, eml

PDF = {"filename": "plan.pdf", "mimeType": "application/pdf", "data": b64encode(b"%PDF-1.7 plan").decode()}


def got(say: Say, who: str = "bo", place: int = 0) -> dict[str, Any]:
    """The newest message somebody has."""
    return say("users.messages.get", who, id=say("users.messages.list", who)["messages"][place]["id"])


def header(message: dict[str, Any], name: str) -> str:
    """A header of a message, empty if it has none."""
    return next((one["value"] for one in message["payload"]["headers"] if one["name"] == name), "")


def parts(part: dict[str, Any]) -> list[dict[str, Any]]:
    """A part and all below."""
    return [part, *(below for one in part.get("parts", []) for below in parts(one))]


def body(message: dict[str, Any], kind: str = "text/plain") -> str:
    """The text of a message."""
    return (
        urlsafe_b64decode(next(one["body"]["data"] for one in parts(message["payload"]) if one["mimeType"] == kind))
        .decode()
        .replace("\r\n", "\n")
    )


def files(message: dict[str, Any]) -> list[str]:
    """The names of what is attached."""
    return [one["filename"] for one in parts(message["payload"]) if one["filename"]]


def test_a_mail_is_written_with_names_copies_and_files(say: Say) -> None:
    sent = say(
        "mail.send",
        to=["Bo Lind <bo@tiny.example>"],
        cc=["cyrus@tiny.example"],
        bcc=["dee@tiny.example"],
        subject="Plan",
        html="<p>The <b>plan</b>.</p><script>x()</script>",
        attachments=[PDF],
    )
    assert sent["labelIds"] == ["SENT"]
    message = got(say)
    assert (header(message, "To"), header(message, "Cc"), header(message, "Bcc")) == (
        "Bo Lind <bo@tiny.example>",
        "cyrus@tiny.example",
        "",
    )
    assert (
        body(message) == "The plan."
        and body(message, "text/html") == "<p>The <b>plan</b>.</p>"
        and files(message) == ["plan.pdf"]
    )
    assert header(got(say, "dee"), "Subject") == "Plan"
    assert header(say("users.messages.get", id=sent["id"]), "Bcc") == "dee@tiny.example"


def test_a_reply_goes_to_the_writer_joins_the_thread_and_quotes_when_asked(say: Say) -> None:
    first = say("mail.send", to=["bo@tiny.example", "cyrus@tiny.example"], subject="Plan", text="Shall we?")
    asked = got(say)
    answer = say("mail.send", "bo", mode="reply", inReplyTo=asked["id"], text="Yes.", quote=True)
    assert answer["threadId"] == asked["threadId"]
    back = got(say, "ada")
    assert (
        back["threadId"] == first["threadId"]
        and header(back, "Subject") == "Re: Plan"
        and header(back, "To").endswith("<ada@tiny.example>")
    )
    assert header(back, "In-Reply-To") == header(back, "References") == header(asked, "Message-ID")
    assert body(back).startswith("Yes.\n\nOn ") and body(back).rstrip().endswith("> Shall we?")
    say("mail.send", "bo", mode="replyAll", inReplyTo=asked["id"], text="All.")
    assert header(got(say, "cyrus"), "Cc") == "cyrus@tiny.example" and body(got(say, "cyrus")) == "All."


def test_a_reply_with_another_subject_begins_a_thread(say: Say) -> None:
    first = say("mail.send", to=["bo@tiny.example"], subject="Plan", text="Shall we?")
    changed = say(
        "mail.send", mode="reply", inReplyTo=first["id"], to=["bo@tiny.example"], subject="Lunch", text="At noon?"
    )
    assert changed["threadId"] == changed["id"] != first["threadId"]


def test_a_forward_takes_text_and_files_along(say: Say) -> None:
    first = say("mail.send", to=["bo@tiny.example"], subject="Plan", text="Shall we?", attachments=[PDF])
    say("mail.send", mode="forward", inReplyTo=first["id"], to=["cyrus@tiny.example"], text="See below.")
    message = got(say, "cyrus")
    assert header(message, "Subject") == "Fwd: Plan" and files(message) == ["plan.pdf"]
    assert "---------- Forwarded message ---------" in body(message) and body(message).rstrip().endswith("Shall we?")
    say(
        "mail.send",
        mode="forward",
        inReplyTo=first["id"],
        to=["cyrus@tiny.example"],
        text="Bare.",
        quote=False,
        originalFiles=False,
    )
    assert files(got(say, "cyrus")) == [] and body(got(say, "cyrus")) == "Bare."


def test_a_draft_stays_one_draft_until_it_is_sent(say: Say) -> None:
    first = say("mail.saveDraft", subject="Plan", text="Half a", attachments=[PDF])
    kept = [{"messageId": first["messageId"], "partId": "1"}]
    second = say(
        "mail.saveDraft",
        draftId=first["id"],
        to=["bo@tiny.example"],
        subject="Plan",
        text="Half a thought",
        attachments=kept,
    )
    assert (second["id"], second["threadId"]) == (first["id"], first["threadId"])
    (only,) = say("users.messages.list", labelIds=["DRAFT"])["messages"]
    draft = say("users.messages.get", id=only["id"])
    assert body(draft) == "Half a thought" and files(draft) == ["plan.pdf"]
    again = [{"messageId": second["messageId"], "partId": "1"}]
    sent = say(
        "mail.send", draftId=first["id"], to=["bo@tiny.example"], subject="Plan", text="A thought", attachments=again
    )
    assert sent["threadId"] == first["threadId"] and files(got(say)) == ["plan.pdf"]
    assert [one["id"] for one in say("users.messages.list")["messages"]] == [sent["id"]]


def test_a_draft_of_a_reply_is_kept_in_the_thread(say: Say) -> None:
    first = say("mail.send", to=["bo@tiny.example"], subject="Plan", text="Shall we?")
    draft = say("mail.saveDraft", "bo", mode="reply", inReplyTo=got(say)["id"], text="Hm")
    assert draft["threadId"] == got(say, place=1)["threadId"]
    sent = say("mail.send", "bo", mode="reply", inReplyTo=got(say, place=1)["id"], text="Yes", draftId=draft["id"])
    assert sent["threadId"] == draft["threadId"] and got(say, "ada")["threadId"] == first["threadId"]


def test_a_held_mail_arrives_when_it_can_no_longer_be_taken_back(say: Say) -> None:
    say("mail.send", to=["bo@tiny.example"], subject="Plan", text="Shall we?", undo=True)
    assert "messages" not in say("users.messages.list", "bo")
    say("world.wait", seconds=15)
    assert header(got(say), "Subject") == "Plan"


BAD = [
    ({}, "recipient_required"),
    ({"to": ["bo"]}, "invalid_to_header"),
    ({"to": [""]}, "invalid_to_header"),
    ({"to": ["bo@tiny.example\r\nBcc: eve@tiny.example"]}, "invalid_to_header"),
    ({"to": ["bo@tiny.example"], "cc": ["@x"]}, "invalid_cc_header"),
    ({"bcc": ["Bo <bo at tiny>"]}, "invalid_bcc_header"),
    ({"to": ["bo@tiny.example"], "subject": "Hi\nBcc: eve@tiny.example"}, "invalid_subject_header"),
    ({"to": ["bo@tiny.example"], "from": "bo@tiny.example"}, "invalid_from_header"),
    ({"to": [f"p{n}@tiny.example" for n in range(2_001)]}, "too_many_recipients"),
    ({"to": ["bo@tiny.example"], "attachments": [{"filename": "a", "data": "%%%"}]}, "invalid_attachment"),
    ({"to": ["bo@tiny.example"], "attachments": [{"filename": "a\r\nX: y", "data": "QQ"}]}, "invalid_attachment"),
    (
        {"to": ["bo@tiny.example"], "attachments": [{"filename": "a", "mimeType": "text/html\r\nX: y", "data": "QQ"}]},
        "invalid_attachment",
    ),
    ({"to": ["bo@tiny.example"], "attachments": [{"messageId": "f" * 16, "partId": "1"}]}, "not_found"),
    ({"to": ["bo@tiny.example"], "mode": "reply"}, "not_found"),
    ({"to": ["bo@tiny.example"], "inReplyTo": "f" * 16}, "not_found"),
    ({"to": ["bo@tiny.example"], "threadId": "f" * 16}, "not_found"),
    ({"to": ["bo@tiny.example"], "draftId": "r1"}, "not_found"),
    ({"to": ["bo@tiny.example"], "mode": "shout"}, "invalid_arguments"),
]


@pytest.mark.parametrize(("fields", "code"), BAD)
def test_bad_mail_is_refused_and_nothing_is_kept(say: Say, refused: Say, fields: dict[str, Any], code: str) -> None:
    assert refused("mail.send", **fields) == code
    assert "messages" not in say("users.messages.list")


@pytest.mark.full
def test_more_than_25_mb_of_files_is_refused(say: Say, refused: Say) -> None:
    half = {"filename": "half.bin", "data": b64encode(bytes(13 * 1024 * 1024)).decode()}
    assert refused("mail.send", to=["bo@tiny.example"], attachments=[half, half]) == "too_large"
    assert refused("mail.saveDraft", attachments=[half, half]) == "too_large"


def test_mails_of_another_mailbox_are_not_answered_nor_drafts_of_it_changed(say: Say, refused: Say) -> None:
    own = say("users.messages.send", raw=eml("bo@tiny.example"))
    draft = say("mail.saveDraft", text="Mine")
    assert refused("mail.send", "cyrus", mode="reply", inReplyTo=own["id"]) == "not_found"
    assert refused("mail.saveDraft", "cyrus", draftId=draft["id"]) == "not_found"
    assert (
        refused("mail.saveDraft", "cyrus", attachments=[{"messageId": draft["messageId"], "partId": "0"}])
        == "not_found"
    )


def test_a_conversation_is_read_with_drafts_files_and_blind_copies_of_ones_own(say: Say, refused: Say) -> None:
    sent = say(
        "mail.send",
        to=["bo@tiny.example"],
        bcc=["dee@tiny.example"],
        subject="Plan",
        html="<b>Shall</b> we?",
        attachments=[PDF],
    )
    (mine,) = say("mail.conversation", id=sent["threadId"])["messages"]
    assert [one["email"] for one in mine["bcc"]] == ["dee@tiny.example"] and mine["html"] == "<b>Shall</b> we?"
    other = got(say, "dee")
    draft = say("mail.saveDraft", "dee", mode="reply", inReplyTo=other["id"], text="Hm")
    read = say("mail.conversation", "dee", id=other["threadId"])["messages"]
    assert [(one["bcc"], one["draftId"], one["answers"]) for one in read] == [
        ([], "", ""),
        ([], draft["id"], other["id"]),
    ]
    assert say("mail.draft", "dee", id=draft["id"])["text"] == "Hm"
    held = say("mail.file", "dee", id=other["id"], partId=read[0]["files"][0]["partId"])
    assert (held["filename"], urlsafe_b64decode(held["data"])) == ("plan.pdf", b"%PDF-1.7 plan")
    for operation, arguments in (
        ("conversation", {"id": sent["threadId"]}),
        ("message", {"id": sent["id"]}),
        ("draft", {"id": draft["id"]}),
        ("file", {"id": sent["id"], "partId": "1"}),
        ("prepare", {"id": sent["id"]}),
    ):
        assert refused(f"mail.{operation}", "cyrus", **arguments) == "not_found", operation
    assert refused("mail.file", "dee", id=other["id"], partId="7") == "not_found"


def test_an_answer_is_prepared_with_its_people_and_quotation(say: Say) -> None:
    say(
        "mail.send",
        to=["bo@tiny.example"],
        cc=["cyrus@tiny.example"],
        subject="Plan",
        html="<b>Shall</b> we?<script>x</script>",
        attachments=[PDF],
    )
    asked = got(say)
    begun = say("mail.prepare", "bo", id=asked["id"], mode="replyAll")
    assert [one["email"] for one in (*begun["to"], *begun["cc"])] == ["ada@tiny.example", "cyrus@tiny.example"]
    assert (
        begun["subject"] == "Re: Plan"
        and "<b>Shall</b> we?" in begun["quoted"]
        and "script" not in begun["quoted"]
        and begun["files"] == []
    )
    forward = say("mail.prepare", "bo", id=asked["id"], mode="forward")
    assert forward["to"] == [] and [one["filename"] for one in forward["files"]] == ["plan.pdf"]


def test_a_name_finds_a_colleagues_own_address_and_another_of_theirs_is_found_as_it_is_typed(say: Say) -> None:
    def found(typed: str) -> list[str]:
        return [one["email"] for one in say("mail.people", q=typed)["people"]]

    assert found("Bo Lindqvist") == ["bo@tiny.example"]
    assert found("lindq") == ["bo@tiny.example", "b.lindqvist@tiny.example"]
    assert found("b.lind") == ["b.lindqvist@tiny.example"]
