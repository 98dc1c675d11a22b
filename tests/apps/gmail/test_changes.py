"""Messages changed by their owner: labelled, moved, deleted, placed without being sent."""

from base64 import urlsafe_b64encode
from collections.abc import Sequence
from typing import Any

import pytest

from tests.apps.gmail.conftest import Say, eml
from world.core.errors import InvalidArguments
from world.core.journal import Change, changes
from world.run.host import Host

BO = "bo@tiny.example"
FIRST = {"INBOX", "UNREAD", "IMPORTANT", "CATEGORY_PERSONAL"}


def arrived(say: Say, subject: str = "Hello") -> str:
    """The id, in Bo's mailbox, of a mail from Ada."""
    say("users.messages.send", raw=eml(BO, subject))
    return say("users.messages.list", "bo")["messages"][0]["id"]


def labels(say: Say, id: str, who: str = "bo") -> set[str]:
    """The labels somebody finds on a message."""
    return set(say("users.messages.get", who, id=id, format="minimal").get("labelIds", []))


def written(host: Host, since: int) -> Sequence[Change]:
    """The rows changed since a version, history left out."""
    return [change for change in changes(host.actor("w").bound, since) if change.table != "gmail_history"]


def test_labels_are_put_on_and_taken_off_and_the_answer_says_what_is_there(say: Say) -> None:
    id = arrived(say)
    mine = say("users.labels.create", "bo", name="Receipts")["id"]
    done = say("users.messages.modify", "bo", id=id, addLabelIds=["STARRED", mine], removeLabelIds=["UNREAD", "INBOX"])
    assert set(done) == {"id", "threadId", "labelIds"}
    assert set(done["labelIds"]) == labels(say, id) == {"STARRED", mine, "IMPORTANT", "CATEGORY_PERSONAL"}
    assert [one["id"] for one in say("users.messages.list", "bo", labelIds=[mine])["messages"]] == [id]
    assert "messages" not in say("users.messages.list", "bo", labelIds=["INBOX"])


@pytest.mark.parametrize(
    ("change", "table", "op"),
    [
        ({"addLabelIds": ["STARRED"]}, "gmail_message_label", "insert"),
        ({"removeLabelIds": ["IMPORTANT"]}, "gmail_message_label", "delete"),
        ({"removeLabelIds": ["UNREAD"]}, "gmail_message", "update"),
    ],
)
def test_one_label_is_one_row_changed(say: Say, host: Host, change: dict[str, Any], table: str, op: str) -> None:
    id = arrived(say)
    before = host.actor("w").version
    say("users.messages.modify", "bo", id=id, **change)
    rows = [one for one in written(host, before) if set(_differing(one)) - {"history_id"}]
    assert [(one.table, one.op) for one in rows] == [(table, op)]


def _differing(change: Change) -> list[str]:
    if change.before is None or change.after is None:
        return ["all"]
    return [name for name in change.after if change.after[name] != change.before[name]]


def test_what_is_so_already_changes_nothing(say: Say, host: Host) -> None:
    id = arrived(say)
    history, before = say("users.getProfile", "bo")["historyId"], host.actor("w").version
    say("users.messages.modify", "bo", id=id, addLabelIds=["INBOX", "UNREAD"], removeLabelIds=["STARRED"])
    assert say("users.getProfile", "bo")["historyId"] == history
    assert written(host, before) == []


@pytest.mark.parametrize(
    "label",
    [
        "SENT",
        "DRAFT",
        "CHAT",
        "SNOOZED",
        "MUTED",
        "SCHEDULED",
        "inbox",
        "Inbox",
        "",
        " INBOX",
        "^i",
        "a/b",
        "Label_1",
        "Receipts",
        "CATEGORY_",
        "UNREAD\n",
        "\u202eXOBNI",
        "x" * 1000,
    ],
)
def test_labels_that_nobody_may_set_are_refused_by_name(say: Say, refused: Say, label: str) -> None:
    id = arrived(say)
    say("users.labels.create", "bo", name="Receipts")
    for way in ("addLabelIds", "removeLabelIds"):
        assert refused("users.messages.modify", "bo", id=id, **{way: ["STARRED", label]}) == "invalid_label"
        assert refused("users.messages.batchModify", "bo", ids=[id], **{way: ["STARRED", label]}) == "invalid_label"
    assert labels(say, id) == FIRST


@pytest.mark.parametrize(
    ("add", "remove", "code"),
    [
        ([], [], "no_label_changes"),
        (["STARRED"], ["STARRED"], "contradicting_labels"),
        (["INBOX", "TRASH"], [], "several_places"),
        (["SPAM", "TRASH"], ["UNREAD"], "several_places"),
    ],
)
def test_changes_that_make_no_sense_are_refused_whole(
    say: Say, refused: Say, add: list[str], remove: list[str], code: str
) -> None:
    id = arrived(say)
    assert refused("users.messages.modify", "bo", id=id, addLabelIds=add, removeLabelIds=remove) == code
    assert refused("users.threads.modify", "bo", id=id, addLabelIds=add, removeLabelIds=remove) == code
    assert labels(say, id) == FIRST


@pytest.mark.parametrize(
    "bad",
    [
        {"id": "1" * 10_000},
        {"id": ""},
        {"id": "0\x00"},
        {"addLabelIds": ["STARRED"] * 101},
        {"addLabelIds": ["STA\x00RRED"]},
        {"addLabelIds": [{"id": "STARRED"}]},
        {"addLabelIds": ["x" * 10_000]},
    ],
)
def test_arguments_beyond_their_bounds_are_refused_before_anything_happens(say: Say, bad: dict[str, Any]) -> None:
    id = arrived(say)
    with pytest.raises(InvalidArguments):
        say("users.messages.modify", "bo", **{"id": id, "addLabelIds": ["STARRED"], **bad})
    assert labels(say, id) == FIRST


def test_messages_of_another_mailbox_are_not_there(say: Say, refused: Say) -> None:
    id = arrived(say)
    for operation, more in (
        ("modify", {"addLabelIds": ["STARRED"]}),
        ("trash", {}),
        ("untrash", {}),
        ("delete", {}),
        ("get", {}),
    ):
        for who in ("ada", "cyrus"):
            assert refused(f"users.messages.{operation}", who, id=id, **more) == "not_found", (operation, who)
    mine = say("users.labels.create", "cyrus", name="Mine")["id"]
    assert refused("users.messages.modify", "bo", id=id, addLabelIds=[mine]) == "invalid_label"
    say("users.messages.batchDelete", "cyrus", ids=[id])
    say("users.messages.batchModify", "cyrus", ids=[id], addLabelIds=["TRASH"])
    assert refused("users.messages.get", "cyrus", userId=BO, id=id) == "delegation_denied"
    assert labels(say, id) == FIRST


@pytest.mark.parametrize("way", ["trash", "modify"])
def test_the_trash_takes_a_message_out_of_the_inbox_and_untrash_does_not_bring_it_back(say: Say, way: str) -> None:
    id = arrived(say)
    if way == "trash":
        say("users.messages.trash", "bo", id=id)
    else:
        say("users.messages.modify", "bo", id=id, addLabelIds=["TRASH"])
    assert labels(say, id) == FIRST - {"INBOX"} | {"TRASH"}
    assert "messages" not in say("users.messages.list", "bo")
    assert [one["id"] for one in say("users.messages.list", "bo", includeSpamTrash=True)["messages"]] == [id]
    assert set(say("users.messages.untrash", "bo", id=id)["labelIds"]) == FIRST - {"INBOX"}
    assert [one["id"] for one in say("users.messages.list", "bo")["messages"]] == [id]


def test_a_message_lies_in_one_place_at_a_time(say: Say) -> None:
    id = arrived(say)
    for place in ("SPAM", "TRASH", "INBOX", "TRASH", "SPAM", "INBOX"):
        say("users.messages.modify", "bo", id=id, addLabelIds=[place])
        assert labels(say, id) & {"INBOX", "SPAM", "TRASH"} == {place}


def test_a_deleted_message_is_gone_for_good_for_its_owner_only(say: Say, refused: Say) -> None:
    id = arrived(say)
    assert say("users.messages.delete", "bo", id=id) is None
    assert refused("users.messages.get", "bo", id=id) == refused("users.messages.delete", "bo", id=id) == "not_found"
    assert "messages" not in say("users.messages.list", "bo", includeSpamTrash=True)
    assert len(say("users.messages.list", "ada")["messages"]) == 1


def test_a_batch_changes_what_is_there_and_passes_over_what_is_not(say: Say) -> None:
    ids = [arrived(say, subject) for subject in ("One", "Two")]
    unknown = ["0" * 16, "not an id", say("users.messages.list")["messages"][0]["id"]]
    assert (
        say("users.messages.batchModify", "bo", ids=[*unknown, *ids, ids[0]], removeLabelIds=["UNREAD", "INBOX"])
        is None
    )
    assert [labels(say, id) for id in ids] == [{"IMPORTANT", "CATEGORY_PERSONAL"}] * 2
    say("users.messages.batchDelete", "bo", ids=[*unknown, ids[0]])
    assert [one["id"] for one in say("users.messages.list", "bo")["messages"]] == [ids[1]]


def test_a_batch_holds_between_one_and_a_thousand_ids(say: Say, refused: Say) -> None:
    many = [f"{n:016x}" for n in range(1001)]
    for operation, more in (
        ("users.messages.batchModify", {"addLabelIds": ["STARRED"]}),
        ("users.messages.batchDelete", {}),
    ):
        assert refused(operation, ids=[], **more) == "no_message_ids"
        assert refused(operation, ids=many, **more) == "invalid_arguments"
        assert refused(operation, ids=["x" * 10_000], **more) == "invalid_arguments"
        say(operation, ids=many[:1000], **more)


@pytest.mark.parametrize("place", ["TRASH", "SPAM", "INBOX"])
def test_what_is_moved_is_not_snoozed_any_more(say: Say, host: Host, place: str) -> None:
    id, actor = arrived(say), host.actor("w")
    until = actor.now + 3_600_000_000
    say("mail.snooze", "bo", ids=[id], until=until // 1_000_000)
    say("users.messages.modify", "bo", id=id, addLabelIds=["STARRED"], removeLabelIds=["UNREAD"])
    assert actor.bound.raw.execute("SELECT count(*) FROM gmail_snooze").fetchone() == (1,)
    say("users.messages.modify", "bo", id=id, addLabelIds=[place])
    for table in ("gmail_snooze", "gmail_message_label WHERE label_id = 'SNOOZED'"):
        assert actor.bound.raw.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
    actor.advance(until + 1)
    assert labels(say, id) == FIRST - {"INBOX", "UNREAD"} | {"STARRED", place}


def test_a_deleted_thread_does_not_wake(say: Say, host: Host) -> None:
    id, actor = arrived(say), host.actor("w")
    say("mail.snooze", "bo", ids=[id], until=actor.now // 1_000_000 + 3600)
    say("users.messages.delete", "bo", id=id)
    assert actor.bound.raw.execute("SELECT count(*) FROM gmail_snooze").fetchone() == (0,)


def old(
    subject: str = "Old times",
    sender: str = "zoe@acme.example",
    date: str = "Mon, 2 Feb 2026 10:00:00 +0100",
    **more: str,
) -> str:
    """A mail from outside, some weeks old."""
    return eml(BO, subject, From=sender, Date=date, **more)


def test_an_inserted_mail_lies_where_it_is_put_and_is_sent_to_nobody(say: Say) -> None:
    made = say("users.messages.insert", raw=old(), labelIds=["STARRED", "UNREAD"])
    assert set(made["labelIds"]) == {"STARRED", "UNREAD"} and made["threadId"] == made["id"]
    assert "messages" not in say("users.messages.list", "bo")
    got = say("users.messages.get", id=made["id"], format="raw")
    assert got["raw"].rstrip("=") == old().rstrip("=")
    plain = say("users.messages.insert", raw=old("Bare"))
    assert "labelIds" not in plain


@pytest.mark.parametrize(
    ("operation", "source", "from_header"),
    [
        ("insert", None, False),
        ("insert", "receivedTime", False),
        ("insert", "dateHeader", True),
        ("import", None, True),
        ("import", "receivedTime", False),
    ],
)
def test_the_time_of_a_placed_mail_is_that_of_its_header_or_now(
    say: Say, operation: str, source: str | None, from_header: bool
) -> None:
    more = {"internalDateSource": source} if source else {}
    made = say(f"users.messages.{operation}", raw=old(), **more)
    at = int(say("users.messages.get", id=made["id"], format="minimal")["internalDate"])
    assert (at == 1_770_022_800_000) is from_header
    assert from_header or at >= 1_772_438_400_000


@pytest.mark.parametrize(
    "date", ["Mon, 1 Jan 1940 00:00:00 +0000", "Fri, 1 Jan 9999 00:00:00 +0000", "yesterday", "\t"]
)
def test_a_header_that_tells_no_past_time_counts_for_nothing(say: Say, date: str) -> None:
    made = say("users.messages.insert", raw=old(date=date), internalDateSource="dateHeader")
    assert len(made["id"]) == 16
    assert int(say("users.messages.get", id=made["id"], format="minimal")["internalDate"]) >= 1_772_438_400_000


def test_what_the_owner_wrote_is_inserted_as_sent(say: Say) -> None:
    made = say("users.messages.insert", raw=old(sender="Ada <ADA@tiny.example>"))
    assert made["labelIds"] == ["SENT"]
    assert say("users.messages.insert", raw=old(), labelIds=["SENT"])["labelIds"] == ["SENT"]


def test_an_imported_mail_arrives_without_being_sent(say: Say) -> None:
    made = say("users.messages.import", "bo", raw=old())
    assert set(made["labelIds"]) == FIRST
    assert "messages" not in say("users.messages.list")
    spam = say("users.messages.import", "bo", raw=old("Win"), labelIds=["SPAM"])
    assert "SPAM" in spam["labelIds"] and "INBOX" not in spam["labelIds"]


def test_a_placed_mail_joins_the_thread_it_answers(say: Say, refused: Say) -> None:
    first = say("users.messages.insert", raw=old(Message_ID="<a@acme.example>"))
    second = say(
        "users.messages.insert", raw=old("Re: Old times", In_Reply_To="<a@acme.example>"), threadId=first["threadId"]
    )
    other = say("users.messages.insert", raw=old("Other", In_Reply_To="<a@acme.example>"), threadId=first["threadId"])
    assert second["threadId"] == first["threadId"] and other["threadId"] == other["id"]
    elsewhere = say(
        "users.messages.insert", raw=old("Re: Old times", In_Reply_To="<a@acme.example>"), threadId=other["threadId"]
    )
    assert elsewhere["threadId"] == elsewhere["id"]
    assert refused("users.messages.insert", raw=old(), threadId="0" * 16) == "not_found"
    assert refused("users.messages.insert", "bo", raw=old(), threadId=first["threadId"]) == "not_found"


@pytest.mark.parametrize("operation", ["users.messages.insert", "users.messages.import"])
@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"raw": ""}, "raw_missing"),
        ({"raw": "%%%"}, "invalid_raw"),
        ({"labelIds": ["DRAFT"]}, "invalid_label"),
        ({"labelIds": ["CHAT"]}, "invalid_label"),
        ({"labelIds": ["INBOX", "SPAM"]}, "several_places"),
        ({"labelIds": ["nope"]}, "invalid_label"),
        ({"internalDateSource": "moon"}, "invalid_arguments"),
        ({"threadId": "x" * 10_000}, "invalid_arguments"),
    ],
)
def test_a_mail_that_cannot_be_placed_leaves_nothing(
    say: Say, refused: Say, host: Host, operation: str, more: dict[str, Any], code: str
) -> None:
    before = host.actor("w").version
    assert refused(operation, **{"raw": old(), **more}) == code
    assert written(host, before) == []
    assert say("users.getProfile")["messagesTotal"] == 0


def test_a_mail_over_the_limit_is_too_large(refused: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.gmail.operations.message_changes.MOST_PLACED_BYTES", 1000)
    assert (
        refused("users.messages.insert", raw=urlsafe_b64encode(b"Subject: x\r\n\r\n" + b"x" * 1000).decode())
        == "too_large"
    )
