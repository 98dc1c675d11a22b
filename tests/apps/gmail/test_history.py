"""The history of a mailbox, and being told of it."""

from typing import Any

import pytest

from tests.apps.gmail.conftest import Say, eml

BO = "bo@tiny.example"
TOPIC = "projects/acme-mail/topics/inbox"


def now(say: Say, who: str = "bo") -> str:
    """The history id of a mailbox."""
    return say("users.getProfile", who)["historyId"]


def since(say: Say, start: str, **more: Any) -> list[dict[str, Any]]:
    """What happened in Bo's mailbox."""
    return say("users.history.list", "bo", startHistoryId=start, **more).get("history", [])


def day(say: Say) -> tuple[str, str, str]:
    """A mail comes, is starred, read and deleted: where it began, the mail's id, and the id of one that stays."""
    start = now(say)
    say("users.messages.send", raw=eml(BO, "Stays"))
    say("users.messages.send", raw=eml(BO, "Goes"))
    goes, stays = (one["id"] for one in say("users.messages.list", "bo")["messages"])
    say("users.messages.modify", "bo", id=goes, addLabelIds=["STARRED"], removeLabelIds=["UNREAD"])
    say("users.messages.delete", "bo", id=goes)
    return start, goes, stays


def kinds(records: list[dict[str, Any]]) -> list[str]:
    """Which change each record tells of."""
    return [kind for record in records for kind in record if kind not in ("id", "messages")]


def test_where_nothing_happened_there_is_no_history(say: Say) -> None:
    start = now(say)
    assert say("users.history.list", "bo", startHistoryId=start) == {"historyId": start}


def test_changes_are_told_in_order_in_the_vendors_shape(say: Say) -> None:
    start, goes, stays = day(say)
    records = since(say, start)
    assert kinds(records) == ["messagesAdded", "messagesAdded", "labelsAdded", "labelsRemoved", "messagesDeleted"]
    assert [record["messages"] for record in records] == [
        [{"id": id, "threadId": id}] for id in (stays, goes, goes, goes, goes)
    ]
    ids = [int(record["id"]) for record in records]
    assert ids == sorted(set(ids)) and ids[0] > int(start) and str(ids[-1]) == now(say)
    (added,) = records[0]["messagesAdded"]
    assert added["message"]["id"] == stays and "INBOX" in added["message"]["labelIds"] and "labelIds" not in added
    assert records[2]["labelsAdded"] == [{"message": {"id": goes, "threadId": goes}, "labelIds": ["STARRED"]}]
    assert records[3]["labelsRemoved"][0]["labelIds"] == ["UNREAD"]
    assert set(records[4]["messagesDeleted"][0]["message"]["labelIds"]) == {
        "STARRED",
        "INBOX",
        "IMPORTANT",
        "CATEGORY_PERSONAL",
    }


def test_a_message_has_the_history_id_of_its_last_change(say: Say) -> None:
    _, _, stays = day(say)
    first = say("users.messages.get", "bo", id=stays)["historyId"]
    say("users.messages.modify", "bo", id=stays, addLabelIds=["STARRED"])
    assert say("users.messages.get", "bo", id=stays)["historyId"] == now(say) != first
    assert kinds(since(say, first))[-1] == "labelsAdded"


def test_only_the_kinds_and_labels_asked_for_are_told(say: Say) -> None:
    start, goes, stays = day(say)
    assert kinds(since(say, start, historyTypes=["labelRemoved", "messageDeleted"])) == [
        "labelsRemoved",
        "messagesDeleted",
    ]
    assert kinds(since(say, start, historyTypes="labelAdded")) == ["labelsAdded"]
    assert kinds(since(say, start, labelId="STARRED")) == ["labelsAdded", "messagesDeleted"]
    assert {record["messages"][0]["id"] for record in since(say, start, labelId="UNREAD")} == {stays, goes}
    assert since(say, start, labelId="TRASH") == []


def test_pages_hold_every_change_once(say: Say, refused: Say) -> None:
    start, *_ = day(say)
    whole, paged, token = since(say, start), [], ""
    while True:
        page = say("users.history.list", "bo", startHistoryId=start, maxResults=2, pageToken=token)
        paged += page["history"]
        token = page.get("nextPageToken", "")
        if not token:
            break
        assert len(page["history"]) == 2
        assert refused("users.history.list", startHistoryId="1000", pageToken=token) == "invalid_page_token"
    assert paged == whole


def test_the_history_of_others_is_not_told(say: Say) -> None:
    start, *_ = day(say)
    assert kinds(say("users.history.list", "ada", startHistoryId=start)["history"]) == [
        "messagesAdded",
        "messagesAdded",
    ]
    assert say("users.history.list", "cyrus", startHistoryId=start) == {"historyId": start}


@pytest.mark.parametrize(
    ("start", "code"),
    [
        ("", "history_id_missing"),
        ("999", "not_found"),
        ("0", "not_found"),
        ("1001", "not_found"),
        ("9" * 20, "not_found"),
        ("9" * 21, "invalid_history_id"),
        ("-1", "invalid_history_id"),
        ("1e3", "invalid_history_id"),
        (" 1000", "invalid_history_id"),
        ("١٠٠٠", "invalid_history_id"),
        ("1000' OR 1", "invalid_history_id"),
        ("1" * 10_000, "invalid_arguments"),
        ("1\x00", "invalid_arguments"),
    ],
)
def test_a_start_that_is_too_old_yet_to_come_or_no_number_is_refused(refused: Say, start: str, code: str) -> None:
    assert refused("users.history.list", startHistoryId=start) == code


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"historyTypes": ["messageRead"]}, "invalid_arguments"),
        ({"historyTypes": ["labelAdded"] * 101}, "invalid_arguments"),
        ({"labelId": "nope"}, "invalid_label"),
        ({"labelId": "x" * 10_000}, "invalid_arguments"),
        ({"maxResults": -1}, "invalid_arguments"),
        ({"pageToken": "abc"}, "invalid_page_token"),
    ],
)
def test_what_no_history_is_asked_by(refused: Say, more: dict[str, Any], code: str) -> None:
    assert refused("users.history.list", startHistoryId="1000", **more) == code


def test_a_number_is_taken_for_the_start_too(say: Say) -> None:
    assert say("users.history.list", startHistoryId=1000) == {"historyId": "1000"}


def test_a_watch_lasts_seven_days_and_is_renewed(say: Say, host: Any) -> None:
    first = say("users.watch", topicName=TOPIC, labelIds=["INBOX"], labelFilterBehavior="exclude")
    assert first["historyId"] == now(say, "ada")
    assert int(first["expiration"]) == 1_772_438_400_000 + 7 * 86_400_000
    host.actor("w").advance(host.actor("w").now + 1_000_000)
    assert int(say("users.watch", topicName=TOPIC)["expiration"]) > int(first["expiration"])
    rows = "SELECT person_id, topic, labels, label_behavior FROM gmail_watch"
    assert host.actor("w").bound.raw.execute(rows).fetchall() == [("p_ada", TOPIC, "[]", "include")]
    assert say("users.stop") is None and say("users.stop") is None
    assert host.actor("w").bound.raw.execute(rows).fetchall() == []


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"topicName": ""}, "invalid_topic_name"),
        ({"topicName": "inbox"}, "invalid_topic_name"),
        ({"topicName": "projects//topics/x"}, "invalid_topic_name"),
        ({"topicName": f"{TOPIC}\n"}, "invalid_topic_name"),
        ({"topicName": f"{TOPIC}/x"}, "invalid_topic_name"),
        ({"topicName": "projects/acme-mail/topics/" + "x" * 10_000}, "invalid_arguments"),
        ({"labelIds": ["nope"]}, "invalid_label"),
        ({"labelFilterBehavior": "some"}, "invalid_arguments"),
    ],
)
def test_watches_that_are_refused(say: Say, refused: Say, host: Any, more: dict[str, Any], code: str) -> None:
    assert refused("users.watch", **{"topicName": TOPIC, **more}) == code
    assert host.actor("w").bound.raw.execute("SELECT count(*) FROM gmail_watch").fetchone() == (0,)
